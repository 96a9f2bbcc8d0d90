// Package model knows models: how much they read and write, what else than text
// they take, and what they cost.
//
// All of it is data, a [Table] of one [Card] per provider and model. [Default]
// is the one that comes with Ampersat; a newer model, another price or a server
// of one's own is added by [Table.With], from the same JSON:
//
//	{"anthropic": {"claude-sonnet-4-5": {"window": 200000, "price": {"input": "3", "output": "15"}}}}
//
// Prices are in US dollars for a million tokens, as decimals written in
// strings, and [Card.Cost] adds them up exactly.
package model
