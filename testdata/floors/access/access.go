// Package access knows its sibling.
package access

import _ "planted.example/module/message"
