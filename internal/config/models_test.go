package config

import "testing"

// TestCards: what is configured about a model is added to what is known, under
// the name that its provider looks for.
func TestCards(t *testing.T) {
	w := newWorld(t, map[string]string{userConfig: `
providers:
  lab: {base_url: 'http://lab.example', models: {'q.3': {window: 131072, tools: true, price: {input: 0.10, output: 0.40, cache_read: 0.01}}}}
  work: {api: anthropic, models: {claude-sonnet-5-5: {window: 12345}, new-one: {output: 7, images: false}}}
`})
	l := w.load()
	card := func(provider, name string) (int, int, bool, string) {
		c, err := l.Card(provider, name)
		if err != nil {
			t.Fatal(err)
		}
		price := ""
		if c.Price != nil {
			price = c.Price.Input.String() + " " + c.Price.Output.String()
			if c.Price.CacheRead != nil {
				price += " " + c.Price.CacheRead.String()
			}
		}
		return c.Window, c.MaxOutput, c.Images, price
	}
	if window, _, images, price := card("lab", "q.3"); window != 131072 || images || price != "0.1 0.4 0.01" {
		t.Error(window, images, price)
	}
	if window, output, images, price := card("work", "claude-sonnet-5-5"); window != 12345 || output != 128000 || !images || price == "" {
		t.Error(window, output, images, price)
	}
	if window, output, images, _ := card("work", "new-one"); window != 200000 || output != 7 || images {
		t.Error(window, output, images)
	}
	// Another provider of the same API knows nothing of it.
	if window, _, _, _ := card("anthropic", "claude-sonnet-5-5"); window != 1000000 {
		t.Error(window)
	}
}

// The models on Azure are those of OpenAI, at a price that is not.
func TestCardsOfAzure(t *testing.T) {
	l := newWorld(t, nil).load()
	ours, err := l.Card("openai", "gpt-5.6-terra")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := l.Card("azure", "gpt-5.6-terra")
	if err != nil || theirs.Window == 0 || theirs.Window != ours.Window || theirs.Price != nil || theirs.Provider != "azure" {
		t.Errorf("%+v, error %v", theirs, err)
	}
	if unknown, err := l.Card("azure", "nobody-knows"); err != nil || unknown.Known {
		t.Errorf("%+v, error %v", unknown, err)
	}
}
