package model

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

func TestDefaultTableIsSound(t *testing.T) {
	table := Default()
	for provider, unread := range table.providers {
		cards, err := unread.read()
		if err != nil {
			t.Fatal(err)
		}
		for name, card := range cards {
			if card.Provider != provider || card.Name != name || card.Known != (name != Any) {
				t.Errorf("%s %s: it says it is %s %s, known %v", provider, name, card.Provider, card.Name, card.Known)
			}
			if name == Any {
				continue
			}
			if card.Window <= 0 || card.MaxOutput <= 0 || card.MaxOutput > card.Window {
				t.Errorf("%s %s: window %d, output %d", provider, name, card.Window, card.MaxOutput)
			}
			if p := card.Price; p != nil {
				if p.Output.LessThan(p.Input) {
					t.Errorf("%s %s: output %s is cheaper than input %s", provider, name, p.Output, p.Input)
				}
				if p.CacheRead != nil && p.CacheRead.GreaterThan(p.Input) {
					t.Errorf("%s %s: reading from the cache costs more than reading", provider, name)
				}
				for _, above := range p.Above {
					if above.Tokens <= 0 || above.Price.Input.LessThan(p.Input) {
						t.Errorf("%s %s: above %d tokens it costs %s", provider, name, above.Tokens, above.Price.Input)
					}
				}
			}
		}
	}
}

func TestFindKnowsEditionsAndNothingElse(t *testing.T) {
	table, err := Read([]byte(`{
		"p": {"*": {"window": 1}, "opus-4": {"window": 4}, "opus-4-5": {"window": 45}, "llama3.1": {"window": 31}, "gpt-4": {"window": 40}, "flash": {"window": 9}},
		"q": {"only": {"window": 7}}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		provider, name string
		window         int
		known          bool
	}{
		{"p", "opus-4", 4, true},
		{"p", "opus-4-20250514", 4, true},
		{"p", "opus-4-5", 45, true},
		{"p", "opus-4-5-20251101", 45, true},
		{"p", "opus-4-5@20251101", 45, true},
		{"p", "opus-4-latest", 4, true},
		{"p", "llama3.1:8b", 31, true},
		{"p", "gpt-4-0613", 40, true},
		{"p", "flash-preview-09-2025", 9, true},
		{"p", "flash-001", 9, true},
		{"p", "opus-4-6", 1, false},
		{"p", "opus-40", 1, false},
		{"p", "gpt-4.1", 1, false},
		{"p", "gpt-4o", 1, false},
		{"p", "flash-lite", 1, false},
		{"p", "", 1, false},
		{"q", "only", 7, true},
		{"q", "another", 0, false},
		{"r", "x", 0, false},
	} {
		card := table.Find(c.provider, c.name)
		if card.Window != c.window || card.Known != c.known || card.Name != c.name || card.Provider != c.provider {
			t.Errorf("%s %q: %+v", c.provider, c.name, card)
		}
	}
}

func TestWithAddsAndOverrides(t *testing.T) {
	base, err := Read([]byte(`{"p": {"*": {"images": true, "tools": true}, "a": {"window": 10, "price": {"input": "1", "output": "2", "cache_read": "0.1"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	mine, err := base.With([]byte(`{"p": {"a": {"window": 20, "price": {"input": "3"}}, "b": {"images": false}}, "local": {"llama": {"window": 8192}}}`))
	if err != nil {
		t.Fatal(err)
	}
	a := mine.Find("p", "a")
	if a.Window != 20 || !a.Images || a.Price.Input.String() != "3" || a.Price.Output.String() != "2" || a.Price.CacheRead.String() != "0.1" {
		t.Errorf("what was not mentioned stays: %+v %+v", a, a.Price)
	}
	if b := mine.Find("p", "b"); b.Images || !b.Tools || !b.Known {
		t.Errorf("a new model begins with what all have in common: %+v", b)
	}
	if llama := mine.Find("local", "llama"); llama.Window != 8192 {
		t.Errorf("a new provider: %+v", llama)
	}
	if a := base.Find("p", "a"); a.Window != 10 || a.Price.Input.String() != "1" {
		t.Errorf("the table itself was changed: %+v %+v", a, a.Price)
	}
	if base.Find("p", "b").Known {
		t.Error("the table itself has grown")
	}
}

func TestReadTellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{`, "read table of models: "},
		{`[]`, "read table of models: "},
		{`{"p": {"a": {"windows": 1}}}`, `read table of models: p a: .*windows`},
		{`{"p": {"a": {"window": "many"}}}`, `read table of models: p a: .*window`},
		{`{"p": {"a": {"price": {"input": "cheap"}}}}`, `read table of models: p a: `},
	} {
		_, err := Read([]byte(c.data))
		if err == nil || !regexp.MustCompile("^"+c.want).MatchString(err.Error()) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.data, err)
		}
	}
}

func price(t interface{ Fatal(...any) }, text string) decimal.Decimal {
	d, err := decimal.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCostIsExact(t *testing.T) {
	read, write := price(t, "0.30"), price(t, "3.75")
	p := Price{Input: price(t, "3"), Output: price(t, "15"), CacheRead: &read, CacheWrite: &write}
	long := p
	long.Input, long.Output = price(t, "6"), price(t, "22.5")
	p.Above = []Above{{Tokens: 200_000, Price: long}}
	for _, c := range []struct {
		usage message.Usage
		want  string
	}{
		{message.Usage{}, "0"},
		{message.Usage{InputTokens: 1, OutputTokens: 1}, "0.000018"},
		{message.Usage{InputTokens: 1_000_000 / 5}, "0.6"},
		// 100 fresh, 900 from the cache, 50 into it, 10 said.
		{message.Usage{InputTokens: 1000, CacheReadTokens: 900, CacheWriteTokens: 50, OutputTokens: 10}, "0.0009075"},
		{message.Usage{InputTokens: 200_001, OutputTokens: 2}, "1.200051"},
		{message.Usage{InputTokens: 150_000, CacheWriteTokens: 50_001}, "1.08750375"},
	} {
		card := Card{Price: &p}
		have, known := card.Cost(c.usage)
		if !known || have.String() != c.want {
			t.Errorf("%+v costs %s, want %s", c.usage, have, c.want)
		}
	}
	if _, known := (Card{}).Cost(message.Usage{InputTokens: 1}); known {
		t.Error("a price that nobody knows")
	}
}

// Without cache and steps, two requests cost what one of both sizes costs.
func TestCostAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 10_000_000)
		p := Price{Input: decimal.New(int64(rapid.IntRange(0, 10_000).Draw(t, "input")), -3), Output: decimal.New(int64(rapid.IntRange(0, 10_000).Draw(t, "output")), -3)}
		a := message.Usage{InputTokens: count.Draw(t, "a in"), OutputTokens: count.Draw(t, "a out")}
		b := message.Usage{InputTokens: count.Draw(t, "b in"), OutputTokens: count.Draw(t, "b out")}
		both := message.Usage{InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens}
		if sum := p.Cost(a).Add(p.Cost(b)); !sum.Equal(p.Cost(both)) {
			t.Fatalf("%s and %s", sum, p.Cost(both))
		}
	})
}
