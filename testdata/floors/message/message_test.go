package message

import (
	_ "third.example/party"
)
