package ampersat_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"context"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
	"pgregory.net/rapid"
)

// numbered is a text of n lines that say their number.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestCutTextSaysWhatIsShown(t *testing.T) {
	p := pipeline(disk{"big.txt": numbered(5204)})
	turn := ampersat.Ask("@big.txt")
	turn.Budget.Turn = 400
	stack := prepare(t, p, turn)
	r := stack.Reports[0]
	var first, from int
	if n, err := fmt.Sscanf(strings.ReplaceAll(r.Shown, ",", ""), "lines 1-%d and %d-5204 of 5204", &first, &from); n != 2 || err != nil {
		t.Fatalf("shown %q: %v", r.Shown, err)
	}
	got := rendered(stack.Messages)
	for _, want := range []string{
		`shown="` + r.Shown + `"`, fmt.Sprintf("\nline %d\n[… lines", first), fmt.Sprintf("not shown …]\nline %d\n", from), "line 5204\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if r.Outcome != ampersat.Partial || r.Tokens > 400 || r.Tokens < 300 {
		t.Errorf("%s, %d tokens", r.Outcome, r.Tokens)
	}
}

func TestCutOfOneLongLine(t *testing.T) {
	p := pipeline(disk{"min.js": strings.Repeat("var a=1;", 10_000)})
	turn := ampersat.Ask("@min.js")
	turn.Budget.Turn = 300
	r := prepare(t, p, turn).Reports[0]
	if r.Outcome != ampersat.Partial || !strings.HasPrefix(r.Shown, "the first ") || r.Tokens > 300 {
		t.Errorf("%+v", r)
	}
}

// fixed resolves everything to one content.
func fixed(c ampersat.Content) *ampersat.Pipeline {
	return &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		c.Source = blob.Of([]byte(c.Text))
		if c.Tail != "" {
			c.Source = ""
		}
		return c, nil
	})}
}

func TestCutDirectoryToFewerLevels(t *testing.T) {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, "dir%d/\n", i)
		for j := range 30 {
			fmt.Fprintf(&b, "  file%d-%d.go\n", i, j)
		}
	}
	p := fixed(ampersat.Content{Name: "src", Text: b.String()})
	turn := ampersat.Ask("@src/")
	turn.Budget.Turn = 200
	stack := prepare(t, p, turn)
	if r := stack.Reports[0]; r.Shown != "1 of 2 levels, 10 of 310 entries" {
		t.Errorf("%+v", r)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, "dir9/") || strings.Contains(got, "file0-0") || !strings.Contains(got, `kind="directory"`) {
		t.Error(got)
	}
	turn.Budget.Turn = 60
	if r := prepare(t, p, turn).Reports[0]; !strings.HasSuffix(r.Shown, " of 310 entries") || r.Tokens > 60 {
		t.Errorf("%+v", r)
	}
}

func TestCutDiffToWholeFilesSmallestFirst(t *testing.T) {
	file := func(name string, lines int) string {
		return "diff --git a/" + name + " b/" + name + "\n--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n" + strings.Repeat("+x\n", lines)
	}
	p := fixed(ampersat.Content{Name: "diff", Text: file("large.go", 900) + file("small.go", 3) + file("middle.go", 20)})
	turn := ampersat.Ask("@diff")
	turn.Budget.Turn = 300
	stack := prepare(t, p, turn)
	got := rendered(stack.Messages)
	if r := stack.Reports[0]; r.Shown != "2 of 3 files, and of large.go 0 of 1 hunks and the beginning of one" || r.Tokens > 300 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(got, file("small.go", 3)+file("middle.go", 20)) || !strings.Contains(got, "+x\n[not shown: the rest of this hunk, ") {
		t.Error(got)
	}
}

func TestCutDiffKeepsTheMessageAndTheCount(t *testing.T) {
	file := func(name string, lines int) string {
		return "diff --git a/" + name + " b/" + name + "\n@@ -1 +1 @@\n" + strings.Repeat("+x\n", lines)
	}
	p := fixed(ampersat.Content{Name: "commit:abc", Text: "commit abc\n\n    why\n\n" + file("large.go", 900) + file("small.go", 3), Shown: "2 of 1,240 files"})
	turn := ampersat.Ask("@commit:abc")
	turn.Budget.Turn = 200
	stack := prepare(t, p, turn)
	if r := stack.Reports[0]; r.Shown != "1 of 1,240 files, and of large.go 0 of 1 hunks and the beginning of one" {
		t.Errorf("%+v", r)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, "    why\n\ndiff --git a/large.go b/large.go\n@@ -1 +1 @@\n+x\n") || !strings.Contains(got, file("small.go", 3)) {
		t.Error(got)
	}
}

func TestHeadAndTailOfWhatWasNotReadWhole(t *testing.T) {
	text := numbered(200_000)
	p := fixed(ampersat.Content{Name: "huge.log", Text: text[:30_000], Tail: text[len(text)-10_000:], Size: int64(len(text))})
	turn := ampersat.Ask("@huge.log")
	turn.Budget.Turn = 500
	stack := prepare(t, p, turn)
	r := stack.Reports[0]
	if r.Outcome != ampersat.Partial || !strings.HasSuffix(r.Shown, " of 2,288,895 bytes") || r.Digest != "" {
		t.Errorf("%+v", r)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, "line 1\n") || !strings.Contains(got, "line 200000\n") {
		t.Error(got)
	}
}

func TestOutlinerIsAskedFirst(t *testing.T) {
	p := pipeline(disk{"a.go": numbered(1000), "b.txt": "x" + numbered(1000)})
	p.Outline = func(name, text, prompt string, fits func(string) bool) (string, string, bool) {
		if name != "a.go" || !strings.Contains(prompt, "Close") || !fits("short") || fits(text) {
			return "", "", false
		}
		return "func Close()", "the outline", true
	}
	turn := ampersat.Ask("What does Close do in @a.go and @b.txt")
	turn.Budget.Turn = 600
	stack := prepare(t, p, turn)
	if stack.Reports[0].Shown != "the outline" || !strings.HasPrefix(stack.Reports[1].Shown, "lines 1-") {
		t.Errorf("%+v", stack.Reports)
	}
}

func TestPictureThatCostsTooMuchIsDescribed(t *testing.T) {
	p := fixed(ampersat.Content{Name: "shot.png", MIME: "image/png", Size: 48_211, Parts: []message.Part{message.Image{Source: message.AtURL("x")}}})
	turn := ampersat.Ask("@shot.png")
	turn.Budget.Turn = 500
	stack := prepare(t, p, turn)
	if r := stack.Reports[0]; r.Outcome != ampersat.Partial || !strings.HasPrefix(r.Shown, "described only") || r.Tokens > 500 {
		t.Errorf("%+v", r)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, "\n[picture (image/png), 48,211 bytes]\n") {
		t.Error(got)
	}
}

// A document that is too dear says what it is, and all of its text that fits.
func TestAttackDescribedOnlyDescribesNothing(t *testing.T) {
	text := "[page 1]\n" + numbered(300)
	p := fixed(ampersat.Content{
		Name: "ok.pdf", MIME: "application/pdf", Size: 552, Text: text,
		Parts: []message.Part{message.Document{Source: message.AtURL("x")}}, PartTokens: 1600,
	})
	for budget, want := range map[int]struct{ shown, text string }{
		1400: {"described, with its text: it costs more than its share of the budget", "[document (application/pdf), 552 bytes]\n" + text},
		300:  {"described, with lines 1-", "[document (application/pdf), 552 bytes]\n[page 1]\nline 1\nline 2\n"},
		45:   {"described only: it costs more than its share of the budget", "[document (application/pdf), 552 bytes]\n\n</context_file>"},
		20:   {"nothing: ", ""},
	} {
		turn := ampersat.Ask("@ok.pdf")
		turn.Budget.Turn = budget
		stack := prepare(t, p, turn)
		if r := stack.Reports[0]; !strings.HasPrefix(r.Shown, want.shown) || r.Tokens > budget {
			t.Errorf("%d: shown %q for %d tokens", budget, r.Shown, r.Tokens)
		}
		if got := rendered(stack.Messages); !strings.Contains(got, want.text) || strings.Contains(got, "[page 1]") != (budget >= 300) {
			t.Errorf("%d: %s", budget, got)
		}
	}
}

// What is small and fits is not left out for a scrap of something large, however
// they are ordered.
func TestAttackSmallFilesStarve(t *testing.T) {
	d := disk{"n.md": numbered(1000), "t.md": "tiny\n", "five.md": "1\n2\n3\n4\n5\n"}
	for _, text := range []string{"@n.md @t.md @five.md", "@five.md @n.md @t.md", "@t.md @five.md @n.md"} {
		turn := ampersat.Ask(text)
		turn.Budget.Turn = 45
		stack := prepare(t, pipeline(d), turn)
		for _, r := range stack.Reports {
			if want := r.Written != "@n.md"; (r.Outcome == ampersat.Loaded) != want || !want && r.Tokens > 0 {
				t.Errorf("%s: %s is %s for %d tokens", text, r.Written, r.Outcome, r.Tokens)
			}
		}
		if len(stack.Notes) != 1 || !strings.Contains(stack.Notes[0], "not told of all that is left out") {
			t.Errorf("%s: %q", text, stack.Notes)
		}
	}
}

// A budget that nothing fits sends the prompt alone, and the report says why.
func TestAttackBudgetOfOne(t *testing.T) {
	turn := ampersat.Ask("Explain @t.md")
	turn.Budget.Turn = 1
	stack := prepare(t, pipeline(disk{"t.md": "tiny\n"}), turn)
	if got := rendered(stack.Messages); got != "[user]\nExplain @t.md\n" {
		t.Error(got)
	}
	if r := stack.Reports[0]; r.Outcome != ampersat.Partial || r.Shown != "nothing: it does not fit the budget" || r.Tokens != 0 || stack.Tokens != token.Estimate("Explain @t.md") {
		t.Errorf("%d tokens, %+v", stack.Tokens, r)
	}
}

func TestTypedComesBeforeNested(t *testing.T) {
	p := pipeline(disk{"a.md": "@n.md\n" + numbered(100), "n.md": numbered(100)})
	turn := ampersat.Ask("@a.md")
	whole := prepare(t, p, turn)
	turn.Budget.Turn = whole.Reports[0].Tokens + whole.Reports[1].Tokens/2
	stack := prepare(t, p, turn)
	if got := outcomes(stack); got != "@a.md loaded\n  @n.md partial\n" {
		t.Error(got)
	}
}

// contextCost is what the contexts of a stack cost as the model reads them, counted
// anew. A block is counted in pieces, which makes a difference of a token or two.
func contextCost(stack ampersat.Stack) (tokens int) {
	for _, m := range stack.All() {
		for _, part := range m.Content.Parts {
			if c, ok := part.(message.Context); ok {
				text := c.Text
				c.Text = ""
				tokens += token.Estimate(text) + token.Estimate(c.Render())
			}
		}
	}
	return tokens
}

// TestBudget: whatever is mentioned and however small the budget, what is sent
// stays within it, with all that is said about it; nothing is sent empty; and
// nothing is cut that would have fitted.
func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := disk{}
		text := ""
		count := rapid.IntRange(1, 8).Draw(t, "files")
		for i := range count {
			name := fmt.Sprintf("f%d.txt", i)
			d[name] = fmt.Sprintf("%d\n", i) + numbered(rapid.IntRange(0, 300).Draw(t, "lines"))
			text += " @" + name
		}
		turn := ampersat.Ask(text)
		turn.Budget.Turn = rapid.IntRange(1, 4000).Draw(t, "budget")
		turn.Budget.Item = rapid.SampledFrom([]int{0, 50, 500}).Draw(t, "item")
		stack := prepare2(t, pipeline(d), turn)
		uncut := 0
		for _, r := range stack.Reports {
			if r.Outcome == ampersat.Partial {
				if r.Shown == "" {
					t.Fatalf("%s was cut silently", r.Written)
				}
				if r.Bytes == 0 && r.Tokens > 0 {
					t.Fatalf("%s is sent empty", r.Written)
				}
			} else {
				uncut++
			}
			if limit := turn.Budget.Item; limit > 0 && r.Tokens > limit {
				t.Fatalf("%s costs %d of %d", r.Written, r.Tokens, limit)
			}
		}
		if sum := contextCost(stack); sum > turn.Budget.Turn || stack.Tokens != sum+token.Estimate(text) {
			t.Fatalf("%d of %d tokens, said to be %d", sum, turn.Budget.Turn, stack.Tokens-token.Estimate(text))
		}
		all := 0
		for name, content := range d {
			all += token.Estimate(message.Context{Names: []string{name}, Text: content}.Render())
		}
		all += 4 * count // counted in pieces, a token here and there
		if all <= turn.Budget.Turn && turn.Budget.Item == 0 && uncut != count {
			t.Fatalf("%d tokens fit %d and were cut", all, turn.Budget.Turn)
		}
	})
}

func TestEqualShares(t *testing.T) {
	p := pipeline(disk{"a.txt": numbered(1000), "b.txt": "x" + numbered(1000), "c.txt": "short\n"})
	turn := ampersat.Ask("@a.txt @b.txt @c.txt")
	turn.Budget.Turn = 1000
	var tokens []int
	for _, r := range prepare(t, p, turn).Reports {
		tokens = append(tokens, r.Tokens)
	}
	if d := tokens[0] - tokens[1]; max(d, -d) > 30 || tokens[0] < 440 {
		t.Errorf("shares of %v", tokens)
	}
	if slices.Max(tokens) > 500 {
		t.Errorf("shares of %v", tokens)
	}
}

// A diff that is too long is cut within its files, by hunks and then by lines, and
// says how much of what is left out.
func TestDiffIsCutWithinAFile(t *testing.T) {
	hunk := func(n, lines int) string {
		return fmt.Sprintf("@@ -%d,1 +%d,%d @@\n", n, n, lines) + strings.Repeat(fmt.Sprintf("+line of hunk %d\n", n), lines)
	}
	file := func(name string, hunks ...string) string {
		return "diff --git a/" + name + " b/" + name + "\n--- a/" + name + "\n+++ b/" + name + "\n" + strings.Join(hunks, "")
	}
	var many strings.Builder
	for i := range 2500 {
		many.WriteString(file(fmt.Sprintf("dir/f%04d.go", i), hunk(1, 3)))
	}
	for _, test := range []struct {
		name, diff string
		budget     int
		shown      string
		has        []string
	}{
		{"hunks", file("a.go", hunk(1, 9), hunk(50, 9), hunk(90, 9)), 215, "0 of 1 files, and of a.go 2 of 3 hunks",
			[]string{"+++ b/a.go\n" + hunk(1, 9) + hunk(50, 9) + "[not shown: 1 of 3 hunks of this file, 171 bytes]\n"}},
		{"one long hunk", file("a.go", hunk(1, 5000)), 300, "0 of 1 files, and of a.go 0 of 1 hunks and the beginning of one",
			[]string{"+++ b/a.go\n" + hunk(1, 5000)[:200], "[not shown: the rest of this hunk, "}},
		{"beside a small file", file("small.go", hunk(1, 2)) + file("a.go", hunk(1, 5000)), 300, "1 of 2 files, and of a.go 0 of 1 hunks and the beginning of one",
			[]string{file("small.go", hunk(1, 2)), "[not shown: the rest of this hunk, "}},
		{"many files", many.String(), 10_000, "", []string{"[not shown: a/dir/f0", "[not shown, nor named: "}},
	} {
		p := fixed(ampersat.Content{Name: "diff", Text: test.diff})
		turn := ampersat.Ask("@diff")
		turn.Budget.Turn = test.budget
		stack := prepare(t, p, turn)
		r := stack.Reports[0]
		if test.shown != "" && r.Shown != test.shown || r.Outcome != ampersat.Partial || r.Tokens > test.budget || r.Tokens < test.budget*3/5 {
			t.Errorf("%s: %s, %q for %d tokens", test.name, r.Outcome, r.Shown, r.Tokens)
		}
		got := rendered(stack.Messages)
		for _, want := range test.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", test.name, want, got)
			}
		}
	}
}

func TestGlobFilesShareTheBudget(t *testing.T) {
	p := pipeline(disk{"a.txt": numbered(500), "b.txt": "x" + numbered(500)})
	turn := ampersat.Ask("@*.txt")
	turn.Message.Content = message.Of(message.Ref{Mention: mention.Glob{Pattern: "*.txt"}, Written: "@*.txt"})
	turn.Budget.Turn = 400
	stack := prepare(t, p, turn)
	if r := stack.Reports[0]; r.Outcome != ampersat.Partial || r.Tokens > 400 || len(stack.Reports) != 3 {
		t.Errorf("%+v", stack.Reports)
	}
}

// What a person names comes before what a pattern matches, however many files that
// are and however small; the pattern still gets its share.
func TestNamedComesBeforeAPattern(t *testing.T) {
	d := disk{"a.md": numbered(200), "b.md": "the second\n", "c.md": strings.Repeat("a line of the third\n", 200)}
	for i := range 30 {
		d[fmt.Sprintf("f%02d.txt", i)] = fmt.Sprintf("f %d\n", i)
	}
	pattern := message.Ref{Mention: mention.Glob{Pattern: "*.txt"}, Written: "@*.txt"}
	for name, parts := range map[string][]message.Part{
		"before":          {message.Text{Text: "@a.md @b.md @c.md "}, pattern},
		"after":           {pattern, message.Text{Text: " @a.md @b.md @c.md"}},
		"matched as well": {pattern, message.Text{Text: " @a.md @b.md @c.md @f29.txt"}},
	} {
		turn := ampersat.Ask("")
		turn.Message.Content = message.Of(parts...)
		turn.Budget.Turn = 300
		files := 0
		for _, r := range prepare(t, pipeline(d), turn).Reports {
			matched := r.Parent >= 0
			switch {
			case matched && r.Outcome == ampersat.Loaded:
				files++
			case !matched && r.Mention.Kind() != mention.KindGlob && r.Outcome != ampersat.Loaded && r.Tokens < 20:
				t.Errorf("%s: %s is %s for %d tokens", name, r.Written, r.Outcome, r.Tokens)
			}
		}
		if files < 3 || files == 30 {
			t.Errorf("%s: %d files of the pattern", name, files)
		}
	}
}

// What is named is sent whole beside a pattern that matches more than there is room
// for, and a long one leaves half to the pattern.
func TestNamedFilesAreNotSharedAwayByAPattern(t *testing.T) {
	d := disk{"plan.md": numbered(300)}
	for i := range 40 {
		d[fmt.Sprintf("f%02d.txt", i)] = fmt.Sprintf("file %d\n", i) + numbered(400)
	}
	pattern := message.Ref{Mention: mention.Glob{Pattern: "*.txt"}, Written: "@*.txt"}
	for _, test := range []struct {
		name        string
		want        ampersat.Outcome
		least, most int
	}{
		{"plan.md", ampersat.Loaded, 0, 4_000},
		{"long.md", ampersat.Partial, 3_500, 4_000},
	} {
		d["long.md"] = "long\n" + numbered(20_000)
		file := message.Ref{Mention: mention.File{Path: test.name}, Written: "@" + test.name}
		turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Say("Compare ").Parts[0], file, pattern)}}
		turn.Budget.Turn = 8_000
		stack := prepare(t, pipeline(d), turn)
		r, others := stack.Reports[0], 0
		for _, other := range stack.Reports[1:] {
			others += other.Tokens
		}
		if r.Outcome != test.want || r.Tokens < test.least || r.Tokens > test.most || others < 3_000 {
			t.Errorf("%s is %s for %d tokens, the others have %d", test.name, r.Outcome, r.Tokens, others)
		}
	}
}

// What a glob leaves out is said to the model too: that there are more, and which
// may not be read; and it counts.
func TestAttackGlobIsCutSilently(t *testing.T) {
	const secret = "AKIA" + "Q3EGRTHBXVWPL5ZS"
	d := disk{"a.txt": "alpha\n", "b.txt": "b " + secret, "c]\n.txt": "c " + secret, "f-" + secret + ".txt": "f " + secret}
	p := pipeline(d)
	p.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		c, err := d.Resolve(ctx, q)
		if q.Mention.Kind() == mention.KindGlob {
			c.Shown = "4 of 3,000 files"
		}
		return c, err
	})
	turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Ref{Mention: mention.Glob{Pattern: "*.txt"}, Written: "@*.txt"})}}
	note := func(text string) string {
		return "<context_file paths=\"*.txt\" kind=\"note\">\n[" + text + "]\n</context_file>\n"
	}
	for _, place := range ampersat.Placements {
		for budget, want := range map[int]string{
			0:  note(`read: 4 of 3,000 files; may not be shown: b.txt, "c]\n.txt", f-***.txt`),
			48: note("read: 4 of 3,000 files; 3 may not be shown"),
			20: "",
		} {
			turn.Place, turn.Budget.Turn = place, budget
			stack := prepare(t, p, turn)
			got := rendered(stack.All())
			if !strings.Contains(got, "alpha") || !strings.Contains(got, want) || strings.Contains(got, "kind=\"note\"") != (want != "") || (len(stack.Notes) > 0) != (want == "" || place == ampersat.AsTool) {
				t.Errorf("%s, budget %d: %q\n%s", place, budget, stack.Notes, got)
			}
			if cost := contextCost(stack); budget > 0 && cost > budget {
				t.Errorf("budget %d: %d tokens", budget, cost)
			}
			if strings.Contains(got, "AKIA") {
				t.Errorf("a secret is sent:\n%s", got)
			}
		}
	}
}

// What would fit is not crowded out by the shares of what does not, and what
// found no room costs one line and not one each.
func TestSmallBudgetIsUsed(t *testing.T) {
	d := disk{}
	text := ""
	for i := range 2000 {
		d[fmt.Sprintf("f%d.txt", i)] = fmt.Sprintf("small file %d\n", i)
		text += fmt.Sprintf(" @f%d.txt", i)
	}
	turn := ampersat.Ask(text)
	turn.Budget.Turn = 1000
	stack := prepare(t, pipeline(d), turn)
	used, loaded := 0, 0
	for _, r := range stack.Reports {
		used += r.Tokens
		if r.Outcome == ampersat.Loaded {
			loaded++
		} else if r.Shown == "" {
			t.Fatalf("%s is left out silently", r.Written)
		}
	}
	if total := contextCost(stack); loaded < 40 || used > total || total > 1000 {
		t.Errorf("%d files are loaded for %d tokens, of %d", loaded, used, total)
	}
	if got := rendered(stack.Messages); strings.Count(got, "<context_file") != loaded+1 || !strings.Contains(got, "others: they do not fit the budget]") {
		t.Errorf("%d blocks for %d files", strings.Count(got, "<context_file"), loaded)
	}
}

// Many files of one content are one block with many names, which can be too long
// for the budget by itself.
func TestManyNamesOfWhatIsLeftOutAreCounted(t *testing.T) {
	d := disk{"z.txt": "other\n"}
	text := "@z.txt"
	for i := range 500 {
		d[fmt.Sprintf("f%d.txt", i)] = "the same\n"
		text += fmt.Sprintf(" @f%d.txt", i)
	}
	turn := ampersat.Ask(text)
	turn.Budget.Turn = 200
	stack := prepare(t, pipeline(d), turn)
	if got := rendered(stack.Messages); !strings.Contains(got, "other\n") || !strings.Contains(got, "[not shown, like 480 others: they do not fit the budget]") {
		t.Error(got)
	}
	if cost := contextCost(stack); cost > 200 {
		t.Errorf("%d tokens", cost)
	}
}

func TestOnePictureFits(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		name := q.Mention.(mention.File).Path
		return ampersat.Content{Name: name, Source: blob.Of([]byte(name)), MIME: "image/png", Parts: []message.Part{message.Image{Source: message.AtURL(name)}}}, nil
	})}
	turn := ampersat.Ask("@a.png @b.png @c.png")
	turn.Budget.Turn = 2000
	if got := outcomes(prepare(t, p, turn)); got != "@a.png loaded\n@b.png partial\n@c.png partial\n" {
		t.Error(got)
	}
}

func TestCutSelectionCountsTheLinesOfTheFile(t *testing.T) {
	turn := ampersat.Ask("@big.txt:100-400")
	turn.Budget.Turn = 150
	stack := prepare(t, pipeline(disk{"big.txt": numbered(500)}), turn)
	r := stack.Reports[0]
	var last, from int
	if n, err := fmt.Sscanf(r.Shown, "lines 100-%d and %d-400 of 100-400", &last, &from); n != 2 || err != nil {
		t.Fatalf("shown %q: %v", r.Shown, err)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, fmt.Sprintf("line %d\n[… lines %d to %d not shown …]\nline %d\n", last, last+1, from-1, from)) {
		t.Error(got)
	}
}

// What a cut selection says is about its lines and not about the file.
func TestAttackCutSelectionSpeaksOfItsLines(t *testing.T) {
	long := strings.Repeat("word ", 400) + "\n"
	for name, c := range map[string]struct {
		file, written string
		budget        int
		shown         string
	}{
		"crlf lines": {strings.ReplaceAll(numbered(2000), "\n", "\r\n"), "@f.txt:20-320", 56, `lines 20-2\d of 20-320`},
		"one line":   {strings.Repeat("some words that make a line rather long, so that one alone fits the room\n", 90), "@f.txt:20-70", 54, `line 20 of 20-70`},
		"long lines": {numbered(9) + long + long + numbered(500), "@f.txt:10-300", 90, `the first [\d,]+ of 6,495 bytes of lines 10-300`},
		"no lines":   {long + numbered(500), "@f.txt", 90, `the first [\d,]+ of 6,\d\d\d bytes`},
	} {
		turn := ampersat.Ask(c.written)
		turn.Budget.Turn = c.budget
		stack := prepare(t, pipeline(disk{"f.txt": c.file}), turn)
		r := stack.Reports[0]
		if !regexp.MustCompile(`^`+c.shown+`$`).MatchString(r.Shown) || r.Tokens > c.budget || r.Bytes == 0 {
			t.Errorf("%s: shown %q for %d tokens, want %s", name, r.Shown, r.Tokens, c.shown)
		}
	}
	turn := ampersat.Ask("@f.txt:10")
	turn.Budget.Turn = 90
	one := prepare(t, fixed(ampersat.Content{Name: "f.txt", Text: long, Lines: "10", Size: 99_999}), turn).Reports[0]
	if !strings.HasSuffix(one.Shown, " of 2,001 bytes of line 10") {
		t.Errorf("shown %q", one.Shown)
	}
}

// That something in a text was replaced is as true of a part of it.
func TestCutKeepsWhatWasSaidOfTheWhole(t *testing.T) {
	const said = "with 2 bytes replaced that are not valid UTF-8"
	turn := ampersat.Ask("@f.txt")
	turn.Budget.Turn = 200
	stack := prepare(t, fixed(ampersat.Content{Name: "f.txt", Text: numbered(5000), Shown: said}), turn)
	r := stack.Reports[0]
	if !strings.HasPrefix(r.Shown, "lines 1-") || !strings.HasSuffix(r.Shown, " of 5,000; "+said) || r.Tokens > 200 {
		t.Errorf("shown %q for %d tokens", r.Shown, r.Tokens)
	}
	if got := rendered(stack.Messages); !strings.Contains(got, said) {
		t.Error(got)
	}
}

// What a resolver left out is still said when the budget cuts what it gave: with
// the number of all there are, or beside what the cut says.
func TestACutOfWhatWasCutSaysBoth(t *testing.T) {
	var tree, diff strings.Builder
	for i := range 30 {
		fmt.Fprintf(&tree, "dir%d/\n  file.go\n", i)
		fmt.Fprintf(&diff, "diff --git a/%d b/%d\n%s", i, i, strings.Repeat("+line\n", 9))
	}
	for _, c := range []struct{ prompt, text, shown, want string }{
		{"@src/", tree.String(), "60 of 12,345 entries", "^1 of 2 levels, 30 of 12,345 entries$"},
		{"@src/", tree.String(), "60 of more than 100,000 entries", "^1 of 2 levels, 30 of more than 100,000 entries$"},
		{"@src/", tree.String(), "without what is hidden", "^1 of 2 levels, 30 of 60 entries; without what is hidden$"},
		{"@diff", diff.String(), "30 of 1,000 files", "^\\d+ of 1,000 files$"},
		{"@diff", diff.String(), "without pictures", "^\\d+ of 30 files; without pictures$"},
		{"@terminal", numbered(900), "the last 900 of 4,000 lines", "^the last \\d+ of 4,000 lines$"},
		{"@terminal", numbered(900), "the last 900 of more than 4,000 lines", "^the last \\d+ of more than 4,000 lines$"},
		{"@terminal", numbered(900), "the last 900 lines", "^the last \\d+ of 900 lines; the last 900 lines$"},
		{"@terminal", strings.Repeat("x", 9000), "the end of the last of 7 lines", "^the last [\\d,]+ of 9,000 bytes; the end of the last of 7 lines$"},
		{"@big:1", numbered(900), "the first 5000 bytes of more", "^lines 1-\\d+ and .* of 900; the first 5000 bytes of more$"},
	} {
		turn := ampersat.Ask(c.prompt)
		turn.Budget.Turn = 600
		if strings.HasPrefix(c.prompt, "@src") {
			turn.Budget.Turn = 220
		}
		stack := prepare(t, fixed(ampersat.Content{Name: "it", Text: c.text, Size: int64(len(c.text)), Shown: c.shown}), turn)
		r := stack.Reports[0]
		if ok, err := regexp.MatchString(c.want, r.Shown); err != nil || !ok || r.Outcome != ampersat.Partial {
			t.Errorf("%s of which %q was read: %s, shown: %s", c.prompt, c.shown, r.Outcome, r.Shown)
		}
		if got := rendered(stack.Messages); !strings.Contains(got, `shown="`+r.Shown+`"`) {
			t.Errorf("%s: the model is not told: %.300s", c.prompt, got)
		}
	}
}

func TestPicturesDoNotGoIntoTheSystemMessage(t *testing.T) {
	p := fixed(ampersat.Content{Name: "shot.png", MIME: "image/png", Parts: []message.Part{message.Image{Source: message.AtURL("x")}}})
	turn := ampersat.Ask("@shot.png")
	turn.Place = ampersat.InSystem
	stack := prepare(t, p, turn)
	if len(stack.Messages) != 2 || stack.Messages[0].Role != message.Developer || len(stack.Notes) != 1 {
		t.Errorf("%q %+v", stack.Notes, stack.Messages)
	}
}

// meter counts tokens, how often it was asked, and the bytes that it looked at.
type meter struct{ asked, read atomic.Int64 }

func (m *meter) Count(text string) int {
	m.asked.Add(1)
	m.read.Add(int64(len(text)))
	return token.Estimate(text)
}

// Where everything fits, nobody works out what would be cut: each file is counted
// once, and once what stands around it.
func TestWhatFitsIsCountedOnce(t *testing.T) {
	const files = 100
	d, text := disk{}, ""
	for i := range files {
		name := fmt.Sprintf("f%d.md", i)
		d[name] = fmt.Sprintf("%d\n%s", i, numbered(20))
		text += "@" + name + " "
	}
	meter := new(meter)
	p := pipeline(d)
	p.Counter = meter
	stack := prepare(t, p, ampersat.Ask(text))
	if len(stack.Reports) != files || slices.ContainsFunc(stack.Reports, func(r ampersat.Report) bool { return r.Outcome != ampersat.Loaded }) {
		t.Fatal(outcomes(stack))
	}
	if asked := meter.asked.Load(); asked > 2*files+10 {
		t.Errorf("%d files were counted %d times", files, asked)
	}
}

// Of many short lines each is rounded when it is counted alone, which adds up.
func TestCuttingManyShortLinesLooksAtThemAFewTimes(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintln(&b, i)
	}
	text := b.String()
	for kind, m := range map[string]mention.Mention{"file": mention.File{Path: "big.txt"}, "terminal": mention.Terminal{}} {
		for _, share := range []int{2, 50, 95} {
			meter := new(meter)
			p := &ampersat.Pipeline{Counter: meter, Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
				return ampersat.Content{Name: "big.txt", Text: text, Size: int64(len(text))}, nil
			})}
			turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Ref{Mention: m, Written: m.String()})}}
			turn.Budget.Turn = token.Estimate(text) * share / 100
			r := prepare(t, p, turn).Reports[0]
			if r.Tokens > turn.Budget.Turn || r.Tokens < turn.Budget.Turn*9/10 {
				t.Errorf("%s: %d tokens of %d (%s)", kind, r.Tokens, turn.Budget.Turn, r.Shown)
			}
			if times := int(meter.read.Load()) / len(text); times > 20 {
				t.Errorf("%s, %d %%: counted %d times its length", kind, share, times)
			}
		}
	}
}

// However little room there is, a cut ends, and what is sent fits.
func TestAnyBudgetIsKept(t *testing.T) {
	listing := strings.Repeat("a folder/\n  with a file\n", 200)
	diff := strings.Repeat("diff --git a/f b/f\n+a line that was added\n", 50)
	for _, c := range []struct {
		m    mention.Mention
		text string
	}{
		{mention.File{Path: "a.md"}, numbered(5000)}, {mention.File{Path: "a.md"}, strings.Repeat("word ", 5000)},
		{mention.Directory{Path: "a/"}, listing}, {mention.GitDiff{}, diff}, {mention.Terminal{}, numbered(5000)}, {mention.Terminal{}, strings.Repeat("word ", 5000)},
	} {
		for budget := 1; budget <= 120; budget++ {
			p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
				return ampersat.Content{Name: "a.md", Text: c.text, Size: int64(len(c.text))}, nil
			})}
			turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Ref{Mention: c.m, Written: c.m.String()})}}
			turn.Budget.Turn = budget
			stack := prepare(t, p, turn)
			r := stack.Reports[0]
			if r.Outcome != ampersat.Partial || r.Shown == "" || (r.Bytes == 0) != (r.Tokens == 0) {
				t.Fatalf("%s, budget %d: %s, shown %q, %d bytes for %d tokens", c.m, budget, r.Outcome, r.Shown, r.Bytes, r.Tokens)
			}
			if cost := contextCost(stack); cost > budget {
				t.Fatalf("%s, budget %d: %d tokens\n%s", c.m, budget, cost, rendered(stack.Messages))
			}
		}
	}
}
