package message

import _ "planted.example/module/session"
