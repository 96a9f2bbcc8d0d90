// Package mention has no fault.
package mention

import (
	_ "github.com/go-json-experiment/json"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/shopspring/decimal"
)
