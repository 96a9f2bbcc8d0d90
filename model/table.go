package model

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Any is the name of the card that says what all models of a provider have in
// common.
const Any = "*"

// Table holds cards by provider and model. It is not changed once it was read,
// and safe for concurrent use: share it freely. The zero value knows nothing.
type Table struct {
	providers map[string]*cards
}

// cards are those of one provider. They are read when they are asked for: a
// program asks for one model, and there are many.
type cards struct {
	provider string
	// before is what was known already, and added what data says.
	before map[string]Card
	data   jsontext.Value

	once   sync.Once
	byName map[string]Card
	err    error
}

func (c *cards) read() (map[string]Card, error) {
	if c == nil {
		return nil, nil
	}
	c.once.Do(func() { c.byName, c.err = readCards(c.provider, c.before, c.data) })
	return c.byName, c.err
}

//go:embed models.json
var defaults []byte

// Default returns the table that comes with Ampersat.
func Default() Table { return builtIn() }

var builtIn = sync.OnceValue(func() Table {
	table, err := Table{}.with(defaults)
	if err != nil {
		// The table is part of the program and a test reads all of it.
		panic("model: the default table: " + err.Error())
	}
	return table
})

// Read reads a table from JSON: providers, in them models, in them cards.
func Read(data []byte) (Table, error) { return Table{}.With(data) }

// With returns the table with what data says added. A model that is there
// already keeps what data does not mention.
func (t Table) With(data []byte) (Table, error) {
	merged, err := t.with(data)
	if err != nil {
		return Table{}, err
	}
	for _, c := range merged.providers {
		if _, err := c.read(); err != nil {
			return Table{}, err
		}
	}
	return merged, nil
}

// with is [Table.With] without looking at the cards.
func (t Table) with(data []byte) (Table, error) {
	var added map[string]jsontext.Value
	if err := json.Unmarshal(data, &added); err != nil {
		return Table{}, fmt.Errorf("read table of models: %w", err)
	}
	merged := Table{providers: make(map[string]*cards, len(t.providers)+len(added))}
	maps.Copy(merged.providers, t.providers)
	for provider, models := range added {
		before, err := t.providers[provider].read()
		if err != nil {
			return Table{}, err
		}
		merged.providers[provider] = &cards{provider: provider, before: before, data: models}
	}
	return merged, nil
}

// readCards reads the cards of one provider.
func readCards(provider string, before map[string]Card, data jsontext.Value) (map[string]Card, error) {
	var models map[string]jsontext.Value
	if err := json.Unmarshal(data, &models); err != nil {
		return nil, fmt.Errorf("read table of models: %s: %w", provider, err)
	}
	cards := make(map[string]Card, len(before)+len(models))
	maps.Copy(cards, before)
	// What all have in common comes first, since the others begin with it.
	if common, has := models[Any]; has {
		if err := read(cards, provider, Any, common); err != nil {
			return nil, err
		}
	}
	for name, card := range models {
		if name == Any {
			continue
		}
		if err := read(cards, provider, name, card); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

func read(cards map[string]Card, provider, name string, data jsontext.Value) error {
	card, there := cards[name]
	if !there {
		card = cards[Any]
	}
	// Decoding into a pointer that is shared would change the other card too.
	if card.Price != nil {
		price := *card.Price
		card.Price = &price
	}
	if err := json.Unmarshal(data, &card, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("read table of models: %s %s: %w", provider, name, err)
	}
	card.Provider, card.Name, card.Known = provider, name, name != Any
	cards[name] = card
	return nil
}

// Find returns the card of a model: the one of that name, or the one with the
// longest name that it is an edition of (claude-sonnet-4-5-20250929,
// llama3.1:8b). If there is none it is the provider's "*" card, or an empty one.
func (t Table) Find(provider, name string) Card {
	// A table that was read has no errors left in it, and a test reads the
	// default one.
	cards, _ := t.providers[provider].read()
	best, found := cards[Any]
	for candidate, card := range cards {
		if begins(name, candidate) && (!best.Known || len(candidate) > len(best.Name)) {
			best, found = card, true
		}
	}
	if !found {
		best.Provider = provider
	}
	best.Name = name
	return best
}

// begins reports whether name is base, or base with a suffix that tells editions
// of one model apart and not one model from another: a date, a number of three
// digits or more, a tag. The -mini of a name is no such suffix, nor is the -5 of
// its version, so that nothing is given the price of something else.
func begins(name, base string) bool {
	rest, ok := strings.CutPrefix(name, base)
	if !ok || rest == "" {
		return ok
	}
	if rest[0] == ':' || rest[0] == '@' {
		return true
	}
	word, _, _ := strings.Cut(rest[1:], "-")
	switch {
	case rest[0] != '-':
		return false
	case word == "latest" || word == "preview" || word == "exp":
		return true
	default:
		return len(word) >= 3 && strings.Trim(word, "0123456789") == ""
	}
}
