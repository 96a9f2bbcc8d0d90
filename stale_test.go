package ampersat_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// session is a conversation over files in memory.
type session struct {
	t    *testing.T
	p    *ampersat.Pipeline
	view []message.Message
}

func (s *session) ask(text string, budget int) ampersat.Stack {
	s.t.Helper()
	turn := ampersat.Ask(text)
	turn.View.Messages, turn.Budget.Turn = s.view, budget
	stack := prepare(s.t, s.p, turn)
	s.view = append(s.view, stack.Messages...)
	return stack
}

// said are the notes to the model, as it reads them.
func said(stack ampersat.Stack) (notes []string) {
	for _, c := range contexts(stack) {
		if c.Kind == "note" {
			notes = append(notes, strings.Join(c.Names, ", ")+" "+c.Text)
		}
	}
	return notes
}

// numbers is the lines from one to n.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i+1)
	}
	return b.String()
}

// aToken looks like a secret, and is none.
const aToken = "ghp_" + "Zx81kQm4Tn7Rb2Vw9Lc3Jd6Hf5Gs0PaYuEiO"

func TestWhatTheModelIsToldOfFilesThatItHasSeen(t *testing.T) {
	const missing = "\x00"
	full := numbers(60)
	other := strings.Replace(full, "\n4\n", "\nfour\n", 1)
	later := strings.Replace(full, "\n50\n", "\nfifty\n", 1)
	type step struct {
		is   string // what the file is before the turn
		ask  string
		want string // the note, empty for none
	}
	unsent := "f.md [changed since turn 1; the new version has not been sent]"
	for name, steps := range map[string][]step{
		"changed, once":                        {{full, "@f.md", ""}, {other, "hi", unsent}, {other, "hi", ""}, {later, "hi", ""}},
		"a note is taken back":                 {{full, "@f.md", ""}, {other, "hi", unsent}, {full, "hi", "f.md [again as shown in turn 1]"}, {full, "hi", ""}, {other, "hi", unsent}},
		"removed, and there again":             {{full, "@f.md", ""}, {missing, "hi", "f.md [removed since turn 1]"}, {missing, "hi", ""}, {full, "hi", "f.md [again as shown in turn 1]"}},
		"removed, and there with other text":   {{full, "@f.md", ""}, {missing, "hi", "f.md [removed since turn 1]"}, {other, "hi", unsent}},
		"emptied, then removed":                {{full, "@f.md", ""}, {"", "hi", unsent}, {missing, "hi", "f.md [removed since turn 1]"}},
		"lines that changed":                   {{full, "@f.md:3-5", ""}, {other, "hi", unsent}, {other, "hi", ""}, {full, "hi", "f.md [again as shown in turn 1]"}},
		"lines that did not":                   {{full, "@f.md:3-5", ""}, {later, "hi", ""}, {other, "hi", unsent}},
		"lines that are gone":                  {{full, "@f.md:55-58", ""}, {numbers(10), "hi", unsent}},
		"what is mentioned says it itself":     {{full, "@f.md", ""}, {other, "@f.md", ""}, {other, "hi", ""}},
		"some lines of it are mentioned":       {{full, "@f.md", ""}, {other, "@f.md:3-5", unsent}, {other, "hi", ""}},
		"other lines, as they were":            {{full, "@f.md", ""}, {later, "@f.md:3-5", unsent}, {later, "@f.md:3-5", ""}, {later, "hi", ""}},
		"lines that changed say it themselves": {{full, "@f.md:3-5", ""}, {other, "@f.md:3-5", ""}, {other, "hi", ""}},
		"lines that changed, and others":       {{full, "@f.md:3-5 @f.md:49-51", ""}, {strings.Replace(other, "\n50\n", "\nfifty\n", 1), "@f.md:3-5", unsent}, {other, "hi", "f.md [again as shown in turn 1]"}},
		"lines as they were, which change":     {{full, "@f.md", ""}, {later, "@f.md:3-5", unsent}, {strings.Replace(later, "\n4\n", "\nfour\n", 1), "hi", "f.md [changed since turn 2; the new version has not been sent]"}},
		"lines of what is held for outdated":   {{full, "@f.md", ""}, {other, "@f.md:3-5", unsent}, {full, "@f.md:49-51", "f.md [changed since turn 2; the new version has not been sent]"}, {later, "hi", "f.md [changed since turn 3; the new version has not been sent]"}},
		"lines of what was said to be gone":    {{full, "@f.md", ""}, {missing, "hi", "f.md [removed since turn 1]"}, {full, "@f.md:49-51", "f.md [again as shown in turn 1]"}, {later, "hi", "f.md [changed since turn 3; the new version has not been sent]"}},
		"a secret was written into it":         {{full, "@f.md", ""}, {full + aToken, "hi", "f.md [changed since turn 1; the new version has not been sent, and may not be read]"}, {full + aToken, "hi", ""}, {full, "hi", "f.md [again as shown in turn 1]"}},
		"a secret, and it is mentioned":        {{full, "@f.md", ""}, {full + aToken, "@f.md", "f.md [changed since turn 1; the new version has not been sent, and may not be read]"}},
		"lines, and a secret elsewhere":        {{full, "@f.md:3-5", ""}, {full + aToken, "hi", ""}, {other + aToken, "hi", unsent}},
		"a secret in the lines":                {{full, "@f.md:3-5", ""}, {strings.Replace(full, "\n4\n", "\n"+aToken+"\n", 1), "hi", "f.md [changed since turn 1; the new version has not been sent, and may not be read]"}},
		"removed, and it is mentioned":         {{full, "@f.md", ""}, {missing, "@f.md", "f.md [removed since turn 1]"}},
		"told of it, and then shown":           {{full, "@f.md", ""}, {other, "hi", unsent}, {other, "@f.md", ""}, {other, "hi", ""}, {full, "hi", "f.md [changed since turn 3; the new version has not been sent]"}},
		"told of it, then as it was, by name":  {{full, "@f.md", ""}, {other, "hi", unsent}, {full, "@f.md", ""}, {full, "hi", ""}, {other, "hi", unsent}},
		"lines of before, then all of the new": {{full, "@f.md:3-5", ""}, {other, "@f.md", ""}, {other, "hi", ""}, {full, "hi", "f.md [changed since turn 2; the new version has not been sent]"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk{}
			s := session{t: t, p: pipeline(d)}
			for i, step := range steps {
				if d["f.md"] = step.is; step.is == missing {
					delete(d, "f.md")
				}
				stack := s.ask(step.ask, 0)
				if got := strings.Join(said(stack), "\n"); got != step.want {
					t.Errorf("turn %d: %q, want %q", i+1, got, step.want)
				}
				if strings.Contains(rendered(s.view), aToken) {
					t.Fatal("the secret is sent")
				}
			}
		})
	}
}

// Lines are not referred to in a file of which it is said in the same turn that it has
// changed, in a note or with what is left of the whole: what becomes of them would not
// be told.
func TestLinesBesideWhatIsSaidInTheSameTurn(t *testing.T) {
	for asked, budget := range map[string]int{"@f.md:49-51": 0, "@f.md:49-51 @f.md": 80} {
		full := numbers(60)
		d := disk{"f.md": full}
		s := session{t: t, p: pipeline(d)}
		s.ask("@f.md", 0)
		d["f.md"] = strings.Replace(full, "\n4\n", "\nfour\n", 1)
		turn := ampersat.Ask("@f.md:3-5")
		turn.View.Messages, turn.Flat = s.view, true // nothing is said of the rest
		s.view = append(s.view, prepare(t, s.p, turn).Messages...)
		d["f.md"] = full
		stack := s.ask(asked, budget)
		if got := rendered(stack.Messages); !strings.Contains(strings.ReplaceAll(got, "-since=\"", " since "), "changed since turn 2") || contexts(stack)[0].Text != "49\n50\n51\n" {
			t.Errorf("%s:\n%s", asked, got)
		}
		d["f.md"] = strings.Replace(full, "\n50\n", "\nfifty\n", 1)
		if got := said(s.ask("hi", 0)); len(got) != 1 || !strings.HasPrefix(got[0], "f.md [changed since turn 3;") {
			t.Errorf("%s: %q", asked, got)
		}
	}
}

// A file that was cut, or could not be decoded, is watched like any other.
func TestAFileThatWasCutIsWatched(t *testing.T) {
	d := disk{"f.md": numbers(2_000)}
	s := session{t: t, p: pipeline(d)}
	if stack := s.ask("@f.md", 200); stack.Reports[0].Outcome != ampersat.Partial {
		t.Fatal(outcomes(stack))
	}
	d["f.md"] += "more\n"
	if got := said(s.ask("hi", 0)); len(got) != 1 || !strings.HasPrefix(got[0], "f.md [changed since turn 1;") {
		t.Errorf("%q", got)
	}
}

// What was cut, and would be cut in the same way, is not sent twice.
func TestWhatWasCutIsNotSentTwice(t *testing.T) {
	for _, mention := range []string{"@f.md", "@f.md:1-1500"} {
		d := disk{"f.md": numbers(2_000)}
		s := session{t: t, p: pipeline(d)}
		first := contexts(s.ask(mention, 200))[0]
		for range 2 {
			stack := s.ask(mention, 200)
			want := "[unchanged since turn 1, shown there: " + first.Shown + "]"
			r, c := stack.Reports[0], contexts(stack)[0]
			if c.Text != want || c.Shown != "reference only" || r.Outcome != ampersat.Partial || r.Reason != strings.Trim(want, "[]") || stack.Tokens > 70 {
				t.Errorf("%s: %s, %q, %d tokens: %s", mention, r.Outcome, r.Reason, stack.Tokens, c.Render())
			}
			if got := said(s.ask("hi", 0)); len(got) > 0 {
				t.Errorf("%s: %q", mention, got)
			}
		}
		if c := contexts(s.ask(mention, 300))[0]; c.Shown == "reference only" || c.ChangedSince != "" {
			t.Errorf("%s: of more of it: %s", mention, c.Render())
		}
		d["f.md"] = "zero\n" + d["f.md"]
		if c := contexts(s.ask(mention, 300))[0]; c.Shown == "reference only" || c.ChangedSince == "" {
			t.Errorf("%s: of another: %s", mention, c.Render())
		}
		s.view = evict(s.view, "f.md")
		if c := contexts(s.ask(mention, 300))[0]; c.Shown == "reference only" {
			t.Errorf("%s: after it was taken out: %s", mention, c.Render())
		}
	}
}

// A file that no longer fits, or is no longer read whole, still says that it has
// changed; one that has not is not said to have.
func TestAFileThatHasGrown(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		budget        int
		omitted       bool
		since         string
	}{
		"past the budget":               {numbers(50), numbers(3_000), 400, false, "turn 1"},
		"past what is read for it":      {numbers(50), numbers(300_000), 400, false, "turn 1"},
		"past what is ever read":        {numbers(50), strings.Repeat("a line of many\n", 1_200_000), 400, false, "turn 1"},
		"not at all, the budget shrank": {numbers(200_000), numbers(200_000), 400, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := limited{}
			d["g.md"] = c.before
			s := session{t: t, p: pipeline(disk(d))}
			s.p.Resolver = d
			s.ask("@g.md", 2_000_000)
			d["g.md"] = c.after
			stack := s.ask("@g.md", c.budget)
			if got := contexts(stack)[0]; got.ChangedSince != c.since || (c.since == "") != (stack.Reports[0].Outcome == ampersat.Unchanged) {
				t.Errorf("%s: changed since %q, want %q", stack.Reports[0].Outcome, got.ChangedSince, c.since)
			}
			if stack.Tokens > c.budget+10 {
				t.Errorf("%d tokens", stack.Tokens)
			}
			if got := said(stack); len(got) > 0 {
				t.Errorf("%q", got)
			}
		})
	}
}

// limited is a disk that reads no more than it is asked to.
type limited disk

func (d limited) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	c, err := disk(d).Resolve(ctx, q)
	if err == nil && q.Limit > 0 && len(c.Text) > q.Limit {
		half := q.Limit / 2
		c.Text, c.Tail, c.Source = c.Text[:half], c.Text[len(c.Text)-half:], ""
	}
	return c, err
}

// far is a disk of files that are too long to be read whole. It counts the bytes
// that it gives.
type far struct {
	limited
	given atomic.Int64
}

func (d *far) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	c, err := d.limited.Resolve(ctx, q)
	c.Source = ""
	d.given.Add(int64(len(c.Text) + len(c.Tail)))
	return c, err
}

// Of a file of which only the ends were read nobody can tell whether it is as it
// was. It is not read for that in every turn: that it is gone is noticed, and what
// happens to lines of it.
func TestAFileThatWasNotReadWholeIsNotReadAgain(t *testing.T) {
	long := numbers(400_000)
	d := &far{limited: limited{"long.log": long, "lines.log": long}}
	s := session{t: t, p: pipeline(nil)}
	s.p.Resolver = d
	if got := outcomes(s.ask("@long.log @lines.log:3-5", 400)); got != "@long.log partial\n@lines.log:3-5 loaded\n" {
		t.Fatal(got)
	}
	check := func(want ...string) {
		t.Helper()
		d.given.Store(0)
		if got := said(s.ask("hi", 400)); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if given := d.given.Load(); given > 1_000 {
			t.Errorf("%d bytes were read", given)
		}
	}
	check()
	d.limited["lines.log"] = strings.Replace(long, "\n4\n", "\nfour\n", 1)
	check("lines.log [changed since turn 1; the new version has not been sent]")
	delete(d.limited, "long.log")
	check("long.log [removed since turn 1]")
}

// A folder where there was a file is told as one, whether or not it is mentioned.
func TestAFileThatBecomesAFolder(t *testing.T) {
	d := disk{"t": numbers(50)}
	folder := ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		return ampersat.Content{Name: "t", ID: "/t", Text: "t/\n  g\n", Mention: mention.Directory{Path: "t"}}, nil
	})
	for _, text := range []string{"hi", "@./t"} {
		s := session{t: t, p: pipeline(d)}
		s.view = prepare(t, s.p, fileTurn("t")).Messages
		s.p.Resolver = folder
		for _, want := range []string{"t [changed since turn 1: no longer a file, but a folder]", ""} {
			if got := strings.Join(said(s.ask(text, 0)), "\n"); got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		}
		s.p.Resolver = d
		if got := strings.Join(said(s.ask("hi", 0)), "\n"); got != "t [again as shown in turn 1]" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// fileTurn mentions one file, whatever its name.
func fileTurn(name string) ampersat.Turn {
	return ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Ref{Mention: mention.File{Path: name}, Written: "@it"})}}
}

// A log has U+FFFD for a byte in a name that is not UTF-8. That there is nothing
// of such a name says nothing about the file.
func TestANameThatALogCannotHold(t *testing.T) {
	for name, want := range map[string]string{"w\uFFFD.txt": "", "w.txt": "w.txt [removed since turn 1]"} {
		d := disk{name: "one\n"}
		s := session{t: t, p: pipeline(d)}
		s.view = prepare(t, s.p, fileTurn(name)).Messages
		delete(d, name)
		if got := strings.Join(said(s.ask("hi", 0)), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// replacing is a disk whose files have bytes that are not text. Earlier, what
// such a file was known by was the digest of its text; later, that of its bytes.
type replacing struct {
	disk
	later bool
}

func (d replacing) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	c, err := d.disk.Resolve(ctx, q)
	raw := c.Text
	c.Text, c.Size = strings.ToValidUTF8(raw, "\uFFFD"), int64(len(raw))
	whole := strings.ToValidUTF8(d.disk["f.md"], "\uFFFD")
	c.Source, c.Shown = blob.Of([]byte(whole)), "with characters that could not be read replaced"
	if d.later {
		c.Source, c.Shown = blob.Of([]byte(d.disk["f.md"])), "with 1 byte replaced"
	}
	return c, err
}

// What an older version has stored of a file that is not quite text is no other
// file for that; and now such files are told apart by their bytes.
func TestAFileWithReplacedBytesIsTheSameAsBefore(t *testing.T) {
	const first, other, further = "one\n\xff two\nthree\n", "one\n\xfe two\nthree\n", "one\n\xff two\nfour\n"
	for name, c := range map[string]struct {
		mention string
		later   bool // in the first turn; it always is in the second
		is      string
		changed bool
	}{
		"the same":                   {"@f.md", false, first, false},
		"the same, lines":            {"@f.md:1-2", false, first, false},
		"another text":               {"@f.md", false, further, true},
		"the same, by its bytes":     {"@f.md", true, first, false},
		"other bytes, the same text": {"@f.md", true, other, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk{"f.md": first}
			s := session{t: t, p: pipeline(d)}
			s.p.Resolver = replacing{d, c.later}
			s.ask(c.mention, 0)
			d["f.md"] = c.is
			s.p.Resolver = replacing{d, true}
			if got := said(s.ask("hi", 0)); (len(got) > 0) != c.changed {
				t.Errorf("%q", got)
			}
			stack := s.ask("@f.md", 0)
			if got := contexts(stack)[0].ChangedSince; (got != "") != c.changed {
				t.Errorf("%s: changed since %q", stack.Reports[0].Outcome, got)
			}
		})
	}
}

// A text that has the character itself is another than one in which it stands for
// a byte that could not be read.
func TestACharacterThatIsNoReplacement(t *testing.T) {
	for _, budget := range []int{0, 200} {
		d := disk{"f.md": numbers(300) + "a \uFFFD\n"}
		s := session{t: t, p: pipeline(d)}
		s.ask("@f.md", budget)
		d["f.md"] = numbers(300) + "a \xff\n"
		s.p.Resolver = replacing{d, true}
		if got := strings.Join(said(s.ask("hi", 0)), "\n"); got != "f.md [changed since turn 1; the new version has not been sent]" {
			t.Errorf("budget %d: %q", budget, got)
		}
		if got := contexts(s.ask("@f.md", 0))[0].ChangedSince; got != "turn 1" {
			t.Errorf("budget %d: changed since %q", budget, got)
		}
	}
}

// What has changed and finds no room is said to have changed.
func TestAFileThatIsOmittedHasChanged(t *testing.T) {
	d := disk{"a.md": numbers(30), "b.md": numbers(31)}
	s := session{t: t, p: pipeline(d)}
	s.ask("@a.md @b.md", 0)
	d["a.md"], d["b.md"] = strings.Repeat("other words\n", 30), strings.Repeat("words again\n", 30)
	stack := s.ask("@a.md @b.md", 90)
	want := "b.md [not shown: it does not fit the budget; it has changed since turn 1]"
	if got := said(stack); len(got) != 1 || got[0] != want || contexts(stack)[0].ChangedSince != "turn 1" {
		t.Errorf("%q, want %q", got, want)
	}
	if got := said(s.ask("hi", 0)); len(got) > 0 {
		t.Errorf("said again: %q", got)
	}
	d["b.md"] = numbers(31)
	if got := said(s.ask("hi", 0)); len(got) != 1 || got[0] != "b.md [again as shown in turn 1]" {
		t.Errorf("%q", got)
	}
}

// Of several that find no room those that have changed are named, which is
// remembered; those that are not are told of later.
func TestFilesThatAreOmittedHaveChanged(t *testing.T) {
	for name, c := range map[string]struct {
		ask    string
		budget int
		want   string
		later  string
	}{
		"all of them":                {"@a.md @b.md", 40, "a.md, b.md [not shown: it does not fit the budget; all of them have changed since they were shown]", ""},
		"some of them":               {"@d.md @c.md @b.md @a.md", 116, "b.md, a.md, c.md [not shown: it does not fit the budget; changed since they were shown: b.md, a.md]", ""},
		"there is no room to say so": {"@a.md @b.md", 30, "", "a.md, b.md [changed since turn 1; the new versions have not been sent]"},
		"none has":                   {"@c.md @d.md", 30, "c.md, d.md [not shown: it does not fit the budget]", "a.md, b.md [changed since turn 1; the new versions have not been sent]"},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk{"a.md": numbers(30), "b.md": numbers(31), "c.md": numbers(32), "d.md": numbers(33)}
			s := session{t: t, p: pipeline(d)}
			s.ask("@a.md @b.md", 0)
			for name := range d {
				d[name] = strings.Repeat("other words in "+name+"\n", 60)
			}
			if got := strings.Join(said(s.ask(c.ask, c.budget)), "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := strings.Join(said(s.ask("hi", 0)), "\n"); got != c.later {
				t.Errorf("later %q, want %q", got, c.later)
			}
		})
	}
}

// Many files that have changed are one note, and inside the budget. Those that
// found no room are told of later.
func TestManyFilesThatChangeStayInTheBudget(t *testing.T) {
	const files = 600
	d := disk{}
	var text strings.Builder
	for i := range files {
		name := fmt.Sprintf("f%03d.md", i)
		d[name] = name
		text.WriteString(" @" + name)
	}
	s := session{t: t, p: pipeline(d)}
	s.ask(text.String(), 0)
	for name := range d {
		d[name] += " is another"
	}
	named := map[string]bool{}
	for _, budget := range []int{100, 20, 1, 400, 100_000, 100_000} {
		stack := s.ask("hi", budget)
		notes := said(stack)
		if stack.Tokens > budget+1 || len(notes) > 1 {
			t.Errorf("budget %d: %d tokens, %d notes", budget, stack.Tokens, len(notes))
		}
		for _, c := range contexts(stack) {
			for _, name := range c.Names {
				if named[name] {
					t.Errorf("%s is told of again", name)
				}
				named[name] = true
			}
		}
		unsaid := files - len(named)
		for _, remark := range append(notes, stack.Notes...) {
			if unsaid > 0 && !strings.Contains(remark, fmt.Sprintf("%d other files", unsaid)) {
				t.Errorf("budget %d: %d files are not counted in %q", budget, unsaid, remark)
			}
		}
		if unsaid > 0 && len(stack.Notes) == 0 {
			t.Errorf("budget %d: nobody is told", budget)
		}
	}
	if len(named) != files {
		t.Errorf("%d files are told of", len(named))
	}
}

// A file that became something that may not be read, or cannot be, is not what
// the model has seen. What nobody may look at any more is not said to differ.
func TestAFileThatBecomesBlockedIsNotCurrent(t *testing.T) {
	denied := func(reason access.Reason) error { return &access.Denied{What: "f.md", Reason: reason, Detail: "no"} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a link out":     {denied(access.ReasonEscape), "f.md [perhaps changed since turn 1: it cannot be read now]"},
		"a pipe":         {denied(access.ReasonSpecial), "f.md [changed since turn 1; the new version has not been sent, and may not be read]"},
		"no longer ours": {denied(access.ReasonOutside), ""},
		"a secret":       {denied(access.ReasonSecret), "f.md [perhaps changed since turn 1: it cannot be read now]"},
		"no permission":  {&ampersat.Miss{Outcome: ampersat.Failed, Reason: "no permission"}, "f.md [perhaps changed since turn 1: it cannot be read now]"},
	} {
		for _, text := range []string{"hi", "@f.md"} {
			t.Run(name+" "+text, func(t *testing.T) {
				d := disk{"f.md": numbers(50)}
				s := session{t: t, p: pipeline(d)}
				s.ask("@f.md", 0)
				s.p.Resolver = ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
					return ampersat.Content{}, c.err
				})
				for _, want := range []string{c.want, ""} {
					if got := strings.Join(said(s.ask(text, 0)), "\n"); got != want {
						t.Errorf("%q, want %q", got, want)
					}
				}
				s.p.Resolver = d
				want := "f.md [again as shown in turn 1]"
				if c.want == "" {
					want = ""
				}
				if got := strings.Join(said(s.ask("hi", 0)), "\n"); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// The name of a file is no mention that is read again: the query says so, and the
// path is the name to the letter.
func TestNamesOfFilesAreNotParsedAsMentions(t *testing.T) {
	for _, name := range []string{"x#y.md", "log:10", "diff", "d:e.md", "terminal", "https://a.b", "a b.md", "*.md", "x.md:3-5", "~"} {
		t.Run(name, func(t *testing.T) {
			d := disk{name: numbers(40)}
			s := session{t: t, p: pipeline(d)}
			s.view = prepare(t, s.p, fileTurn(name)).Messages
			if got := said(s.ask("hi", 0)); len(got) > 0 {
				t.Errorf("it has not changed: %q", got)
			}
			s.p.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
				if f, ok := q.Mention.(mention.File); !ok || f != (mention.File{Path: name}) || !q.Named {
					t.Errorf("asked for %#v", q)
				}
				return d.Resolve(ctx, q)
			})
			d[name] = "other"
			if got := said(s.ask("hi", 0)); len(got) != 1 || !strings.Contains(got[0], "changed since turn 1") {
				t.Errorf("%q", got)
			}
		})
	}
}

// A file that is read again, because the model has seen all of it, may be another
// by then; what it mentioned when it was read first is reported as it stood there.
func TestAttackFileIsAnotherWhenReadOn(t *testing.T) {
	long := strings.Repeat("x\n", 1<<20) + "see @b.md\n"
	p := &ampersat.Pipeline{Blobs: new(blob.Memory), Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		switch {
		case q.Mention.(mention.File).Path == "b.md":
			return ampersat.Content{Name: "b.md", ID: "/b.md", Text: "b", Tree: "/"}, nil
		case q.Limit < 3<<20:
			return ampersat.Content{Name: "a.md", ID: "/a.md", Tree: "/", Text: long, Tail: "end\n", Size: int64(len(long) + 104)}, nil
		}
		return ampersat.Content{Name: "a.md", ID: "/a.md", Tree: "/", Text: "short now\n"}, nil
	})}
	was := blob.Of([]byte("was"))
	turn := ampersat.Ask("@a.md")
	turn.Budget.Turn = 1000
	turn.View.Messages = []message.Message{
		{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"a.md"}, Source: was, Body: was, Text: "was"})},
		{Role: message.User, Content: message.Say("hi")},
	}
	stack := prepare(t, p, turn)
	if len(stack.Reports) != 2 || stack.Reports[0].Outcome != ampersat.Changed || stack.Reports[1].Written != "@b.md" {
		t.Errorf("%+v", stack.Reports)
	}
}

// What is only looked at, to tell whether it has changed, is not searched for
// mentions, and of what is searched no more is held than can be followed.
func TestMentionsThatNobodyFollowsAreNotHeld(t *testing.T) {
	text := strings.Repeat("@a.md ", 200_000)
	p := pipeline(disk{"all.md": text, "a.md": "a\n"})
	view := prepare(t, p, ampersat.Ask("@all.md")).Messages
	for name, turn := range map[string]ampersat.Turn{"looked at": ampersat.Ask("hi"), "mentioned": ampersat.Ask("@all.md")} {
		turn.View.Messages = view
		var before, after runtime.MemStats
		var stack ampersat.Stack
		runtime.ReadMemStats(&before)
		stack = prepare(t, p, turn)
		runtime.ReadMemStats(&after)
		if most := uint64(40 << 20); name == "looked at" && after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("%s: %d bytes", name, after.TotalAlloc-before.TotalAlloc)
		}
		if name == "mentioned" && (len(stack.Notes) == 0 || !strings.Contains(stack.Notes[0], "199,000 further in all.md")) {
			t.Errorf("%s: %q", name, stack.Notes)
		}
	}
}
