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

// ModelTable returns the table that comes with Ampersat, with what is configured
// about the models of a provider added.
func (c Config) ModelTable(provider string) (model.Table, error) {
	models := c.Providers[provider].Models
	if len(models) == 0 {
		return model.Default(), nil
	}
	cards := map[string]card{}
	for name, m := range models {
		cards[name] = m.card()
	}
	data, err := json.Marshal(map[string]map[string]card{c.modelOwner(provider): cards})
	if err != nil {
		return model.Table{}, fmt.Errorf("read what is configured about the models of %s: %w", provider, err)
	}
	return model.Default().With(data)
}

// Card returns what is known about a model of a provider.
func (c Config) Card(provider, name string) (model.Card, error) {
	table, err := c.ModelTable(provider)
	owner := c.modelOwner(provider)
	card := table.Find(owner, name)
	if same := table.Find("openai", name); owner == "azure" && !card.Known && same.Known {
		// They are those of OpenAI, at a price that is not.
		same.Provider, same.Price = card.Provider, nil
		return same, err
	}
	return card, err
}

// modelOwner returns under whose name the models of a provider are in the table.
// One that speaks another's API has that one's models, whatever it is called;
// servers of Chat Completions have their own.
func (c Config) modelOwner(provider string) string {
	if api := c.APIOf(provider); api != "chat" {
		return api
	}
	return provider
}

func (m Model) card() card {
	c := card{
		Window: int(m.Window), Output: int(m.Output), Images: m.Images, Documents: m.Documents, Tools: m.Tools,
		Schema: m.Schema, Sampling: m.Sampling, Thinking: m.Thinking,
	}
	if m.Price.Input != "" {
		c.Price = &cardPrice{m.Price.Input, m.Price.Output, m.Price.CacheRead, m.Price.CacheWrite}
	}
	return c
}
