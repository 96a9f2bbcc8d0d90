package config

import "time"

var testTime = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
