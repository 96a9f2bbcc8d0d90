package config

import (
	"fmt"

	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
)

// card is a [Model] as a table of models reads it.
type card struct {
	Window    int        `json:"window,omitzero"`
	Output    int        `json:"output,omitzero"`
	Images    *bool      `json:"images,omitzero"`
	Documents *bool      `json:"documents,omitzero"`
	Tools     *bool      `json:"tools,omitzero"`
	Schema    *bool      `json:"schema,omitzero"`
	Sampling  *bool      `json:"sampling,omitzero"`
	Thinking  string     `json:"thinking,omitzero"`
	Price     *cardPrice `json:"price,omitzero"`
}

type cardPrice struct {
	Input      Decimal `json:"input"`
	Output     Decimal `json:"output"`
	CacheRead  Decimal `json:"cache_read,omitzero"`
	CacheWrite Decimal `json:"cache_write,omitzero"`
}

// ModelTable returns the table that comes with Ampersat, with what the
// configuration knows about models added. A provider under a name of its own
// that speaks another's API has that one's models, but for servers of Chat
// Completions, which have their own.
func (c Config) ModelTable() (model.Table, error) {
	added := map[string]map[string]card{}
	for name, p := range c.Providers {
		owner := name
		if api := c.APIOf(name); api != "chat" {
			owner = api
		}
		for model, m := range p.Models {
			if added[owner] == nil {
				added[owner] = map[string]card{}
			}
			added[owner][model] = m.card()
		}
	}
	if len(added) == 0 {
		return model.Default(), nil
	}
	data, err := json.Marshal(added)
	if err != nil {
		return model.Table{}, fmt.Errorf("read configured models: %w", err)
	}
	return model.Default().With(data)
}

func (m Model) card() card {
	c := card{
		Window: m.Window, Output: m.Output, Images: m.Images, Documents: m.Documents, Tools: m.Tools,
		Schema: m.Schema, Sampling: m.Sampling, Thinking: m.Thinking,
	}
	if m.Price.Input != "" {
		c.Price = &cardPrice{m.Price.Input, m.Price.Output, m.Price.CacheRead, m.Price.CacheWrite}
	}
	return c
}
