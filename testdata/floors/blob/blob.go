// Package blob climbs.
package blob

import _ "planted.example/module/mention"
