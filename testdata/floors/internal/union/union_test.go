package union

import _ "planted.example/module/session"
