// Package session imports a suite outside of its tests.
package session

import _ "planted.example/module/session/sessiontest"
