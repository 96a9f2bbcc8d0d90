// Package message takes what is not allowed, here and in its tests, and climbs
// in a file that hardly any system builds.
package message

import _ "third.example/party"
