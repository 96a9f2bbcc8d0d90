package session_test

import _ "planted.example/module/session/sessiontest" // from below, but in a test
