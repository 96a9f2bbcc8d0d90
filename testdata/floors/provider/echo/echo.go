// Package echo has no fault: its floor may import other people's modules.
package echo

import _ "third.example/party"
