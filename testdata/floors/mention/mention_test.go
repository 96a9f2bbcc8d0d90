package mention_test

import (
	_ "planted.example/module/token" // a test may look at a sibling

	_ "pgregory.net/rapid"
)
