package ampersat_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// declared is a disk whose files declare something in each line, by its first
// word.
type declared struct{ disk }

func (d declared) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	symbol, ok := q.Mention.(mention.Symbol)
	if !ok {
		return d.disk.Resolve(ctx, q)
	}
	c, err := d.disk.Resolve(ctx, ampersat.Query{Mention: mention.File{Path: symbol.Path}})
	number := 0
	for line := range strings.Lines(c.Text) {
		number++
		if name, _, _ := strings.Cut(line, " "); name == symbol.Name {
			c.Text, c.Lines, c.Symbol = line, strconv.Itoa(number), name
			return c, err
		}
	}
	return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there"}
}

// Lines and symbols are others if they are, and not because their file is; a
// symbol is the same on whichever lines it stands.
func TestPartsAreJudgedByThemselves(t *testing.T) {
	const was, above, inA = "A one\nB two\nC three\n", "new line\nA one\nB two\nC three\n", "A eins\nB two\nC three\n"
	unsent := "f.md [changed since turn 1; the new version has not been sent]"
	for name, c := range map[string]struct {
		first, is, then string
		outcome         ampersat.Outcome
		note            string
	}{
		"lines, as they were in the file":    {"@f.md", inA, "@f.md:2-3", ampersat.Loaded, unsent},
		"lines, not as in the file":          {"@f.md", inA, "@f.md:1-2", ampersat.Changed, unsent},
		"lines that have moved":              {"@f.md", above, "@f.md:2-3", ampersat.Changed, unsent},
		"lines, as they were":                {"@f.md:2-3", inA, "@f.md:2-3", ampersat.Unchanged, ""},
		"lines that nobody has seen":         {"@f.md:1-1", inA, "@f.md:2-3", ampersat.Loaded, unsent},
		"lines, and others are as they were": {"@f.md:2-3", inA, "@f.md:1-1", ampersat.Loaded, ""},
		"a symbol, as it was in the file":    {"@f.md", inA, "@f.md#B", ampersat.Loaded, unsent},
		"a symbol, not as in the file":       {"@f.md", inA, "@f.md#A", ampersat.Changed, unsent},
		"a symbol that has moved":            {"@f.md#B", above, "@f.md#B", ampersat.Unchanged, ""},
		"a symbol, as it was":                {"@f.md#B", inA, "@f.md#B", ampersat.Unchanged, ""},
		"a symbol that has changed":          {"@f.md#A", inA, "@f.md#A", ampersat.Changed, ""},
		"a symbol that changed and moved":    {"@f.md#A", "new line\n" + inA, "@f.md#A", ampersat.Changed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := declared{disk{"f.md": was}}
			s := session{t: t, p: pipeline(nil)}
			s.p.Resolver = d
			s.ask(c.first, 0)
			d.disk["f.md"] = c.is
			stack := s.ask(c.then, 0)
			since := ""
			if c.outcome == ampersat.Changed {
				since = "turn 1"
			}
			if got := stack.Reports[0].Outcome; got != c.outcome || contexts(stack)[0].ChangedSince != since {
				t.Errorf("%s since %q, want %s", got, contexts(stack)[0].ChangedSince, c.outcome)
			}
			if got := strings.Join(said(stack), "\n"); got != c.note {
				t.Errorf("%q, want %q", got, c.note)
			}
			if again := s.ask("hi", 0); len(said(again)) > 0 {
				t.Errorf("said again: %q", said(again))
			}
			if again := s.ask(c.then, 0); again.Reports[0].Outcome != ampersat.Unchanged {
				t.Errorf("again it is %s", again.Reports[0].Outcome)
			}
		})
	}
}

// A symbol is compared with what was seen of it last, on whichever lines that was.
func TestASymbolThatMovesAndBack(t *testing.T) {
	const was, is = "A one\nB two\n", "new line\nA eins\nB two\n"
	for name, seenWhole := range map[string]bool{"seen by itself": false, "seen in the whole file too": true} {
		t.Run(name, func(t *testing.T) {
			d := declared{disk{"f.md": was}}
			s := session{t: t, p: pipeline(nil)}
			s.p.Resolver = d
			s.ask("@f.md#A", 0)
			turn := 1
			if seenWhole {
				s.ask("@f.md", 0)
				turn++
			}
			for _, text := range []string{is, was, is} {
				d.disk["f.md"] = text
				stack := s.ask("@f.md#A", 0)
				since := fmt.Sprintf("turn %d", turn)
				if c := contexts(stack)[0]; stack.Reports[0].Outcome != ampersat.Changed || c.ChangedSince != since {
					t.Errorf("%s, want it changed since %s\n%s", stack.Reports[0].Outcome, since, c.Render())
				}
				turn++
			}
			d.disk["f.md"] = was
			want := fmt.Sprintf("f.md [changed since turn %d; the new version has not been sent]", turn)
			if got := said(s.ask("go on", 0)); len(got) != 1 || got[0] != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Of two symbols of one name, which an editor names by their lines, none is taken for
// the other.
func TestTwoSymbolsOfOneName(t *testing.T) {
	d := disk{"a.go": "init one\ninit two\n"}
	s := session{t: t, p: pipeline(d)}
	s.p.Resolver = ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		text, n := d["a.go"], 1
		if m, ok := q.Mention.(mention.Symbol); ok {
			n = m.First
		}
		line := strconv.Itoa(n) + "-" + strconv.Itoa(n)
		return ampersat.Content{Name: "a.go", Source: blob.Of([]byte(text)), Text: strings.SplitAfter(text, "\n")[n-1], Symbol: "init", Lines: line, Size: int64(len(text))}, nil
	})
	ask := func(lines ...int) []ampersat.Report {
		var parts []message.Part
		for _, n := range lines {
			parts = append(parts, message.Ref{Mention: mention.Symbol{Path: "a.go", Name: "init", First: n, Last: n}, Written: "@a.go#init"})
		}
		stack := prepare(t, s.p, ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(parts...)}, View: ampersat.View{Messages: s.view}})
		s.view = append(s.view, stack.Messages...)
		return stack.Reports
	}
	ask(1, 2)
	d["a.go"] = "init one\ninit zwei\n"
	if r := ask(2); r[0].Outcome != ampersat.Changed {
		t.Errorf("the second is %s", r[0].Outcome)
	}
	d["a.go"] += "// more\n"
	if r := ask(1); r[0].Outcome != ampersat.Unchanged {
		t.Errorf("the first is %s: %s", r[0].Outcome, r[0].Reason)
	}
}

// A diff takes memory for each line, however short: texts of too many are not
// compared, and sent as they are. What is the same at both ends of two texts is
// compared for little.
func TestTextsOfManyLinesAreNotCompared(t *testing.T) {
	long := numbers(230_000)
	for name, c := range map[string]struct {
		was, is  string
		compared bool
	}{
		"empty lines":               {"x\n", strings.Repeat("\n", 8_000_000), false},
		"lines that are gone":       {strings.Repeat("\n", 600_000), "x\n", false},
		"many, all others":          {strings.Repeat("a line\n", 110_000), strings.Repeat("another\n", 110_000), false},
		"many, one other":           {long, strings.Replace(long, "\n4000\n", "\nfour\n", 1), true},
		"many, and more at the end": {long, long + "more\n", true},
		"few":                       {numbers(100), numbers(101), true},
	} {
		t.Run(name, func(t *testing.T) {
			d, compared := disk{"f.md": c.was}, false
			s := session{t: t, p: pipeline(d)}
			s.p.Diff = func(string, string, string) string { compared = true; return "" }
			s.ask("@f.md", 1_000_000)
			d["f.md"] = c.is
			if stack := s.ask("@f.md", 3_000); stack.Reports[0].Outcome.Bad() || compared != c.compared {
				t.Errorf("%s, compared: %t", stack.Reports[0].Outcome, compared)
			}
		})
	}
}
