package ampersat_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/aymanbagabas/go-udiff"
	"github.com/google/go-cmp/cmp"
)

// disk is a resolver over files in memory, with nothing but what the pipeline
// needs: the tests here are about the pipeline.
type disk map[string]string

func (d disk) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	missing := &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there"}
	var name, lines string
	switch m := q.Mention.(type) {
	case mention.File:
		name = m.Path
	case mention.Selection:
		name, lines = m.Path, fmt.Sprintf("%d-%d", m.First, m.Last)
	case mention.Glob:
		c := ampersat.Content{Name: m.Pattern, ID: "glob " + m.Pattern}
		for _, file := range sortedKeys(d) {
			if ok, _ := path.Match(m.Pattern, file); ok {
				f, _ := d.Resolve(ctx, ampersat.Query{Mention: mention.File{Path: file}})
				f.Mention = mention.File{Path: file}
				c.Files = append(c.Files, f)
			}
		}
		if len(c.Files) == 0 {
			return ampersat.Content{}, missing
		}
		return c, nil
	default:
		return ampersat.Content{}, missing
	}
	if _, ok := d[path.Join(q.Base, name)]; q.Base != "" && ok {
		name = path.Join(q.Base, name)
	}
	text, ok := d[name]
	if !ok {
		return ampersat.Content{}, missing
	}
	c := ampersat.Content{
		Name: name, ID: "/" + name, Text: text, Size: int64(len(text)), Source: blob.Of([]byte(text)), Tree: "/", Folder: path.Dir(name),
	}
	if s, ok := q.Mention.(mention.Selection); ok {
		all := strings.SplitAfter(text, "\n")
		if s.First > len(all) {
			return ampersat.Content{}, missing
		}
		c.Text, c.Lines = strings.Join(all[s.First-1:min(s.Last, len(all))], ""), lines
	}
	return c, nil
}

func sortedKeys(d disk) []string {
	var keys []string
	for k := range d {
		keys = append(keys, k)
	}
	for i := range keys {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

func pipeline(d disk) *ampersat.Pipeline {
	return &ampersat.Pipeline{
		Resolver: d, Blobs: new(blob.Memory),
		Diff: func(name, before, after string) string { return udiff.Unified("a/"+name, "b/"+name, before, after) },
	}
}

func prepare(t *testing.T, p *ampersat.Pipeline, turn ampersat.Turn) ampersat.Stack {
	t.Helper()
	stack, err := p.Prepare(context.Background(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return stack
}

// outcomes lists what became of each mention, nested ones indented.
func outcomes(s ampersat.Stack) string {
	var b strings.Builder
	for _, r := range s.Reports {
		for parent := r.Parent; parent >= 0; parent = s.Reports[parent].Parent {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "%s %s\n", r.Written, r.Outcome)
	}
	return b.String()
}

// rendered is the stack as the model reads it.
func rendered(messages []message.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "[%s]\n", m.Role)
		for _, part := range m.Content.Parts {
			switch part := part.(type) {
			case message.Context:
				b.WriteString(part.Render() + "\n")
			case message.ToolCall:
				fmt.Fprintf(&b, "%s(%s)\n", part.Name, part.Input)
			case message.ToolResult:
				for _, p := range part.Parts() {
					b.WriteString(p.(message.Context).Render() + "\n")
				}
			}
		}
		if text := message.Flatten(m.Content); text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func TestPlacement(t *testing.T) {
	p := pipeline(disk{"a.md": "alpha", "b.md": "beta"})
	p.Tools = func(m mention.Mention, name string) (string, any, bool) {
		return "read_file", map[string]string{"path": name}, m.Kind() == mention.KindFile
	}
	a := "<context_file paths=\"a.md\">\nalpha\n</context_file>\n"
	b := "<context_file paths=\"b.md\">\nbeta\n</context_file>\n"
	said := "[user]\nCompare @a.md and @b.md\n"
	for place, want := range map[ampersat.Placement]string{
		"":                "[developer]\n" + a + b + said,
		ampersat.Before:   "[developer]\n" + a + b + said,
		ampersat.Top:      "[developer]\n" + a + b + said,
		ampersat.InSystem: "[system]\n" + a + b + said,
		ampersat.AsTool: said + "[assistant]\nread_file({\"path\":\"a.md\"})\nread_file({\"path\":\"b.md\"})\n" +
			"[tool]\n" + a + b,
	} {
		turn := ampersat.Ask("Compare @a.md and @b.md")
		turn.Place = place
		stack := prepare(t, p, turn)
		if diff := cmp.Diff(want, rendered(stack.All())); diff != "" {
			t.Errorf("placement %q: -want +got\n%s", place, diff)
		}
		if (len(stack.Top) > 0) != (place == ampersat.Top) {
			t.Errorf("placement %q: %d messages at the top", place, len(stack.Top))
		}
	}
}

func TestPlacementAsToolFallsBack(t *testing.T) {
	p := pipeline(disk{"a.md": "alpha", "b.md": "beta\n"})
	p.Tools = func(m mention.Mention, name string) (string, any, bool) {
		return "read_file", map[string]string{"path": name}, m.Kind() == mention.KindFile
	}
	turn := ampersat.Ask("@a.md @b.md:1-1")
	turn.Place = ampersat.AsTool
	stack := prepare(t, p, turn)
	if got := rendered(stack.Messages); len(stack.Messages) != 4 || !strings.HasPrefix(got, "[developer]\n<context_file paths=\"b.md\"") {
		t.Error(got)
	}
	if len(stack.Notes) != 1 || !strings.Contains(stack.Notes[0], "no tool reads a selection") {
		t.Errorf("%q", stack.Notes)
	}
	turn.BoundThinking = true
	stack = prepare(t, p, turn)
	if len(stack.Messages) != 2 || len(stack.Notes) != 1 || !strings.Contains(stack.Notes[0], "its own thinking") {
		t.Errorf("%q\n%s", stack.Notes, rendered(stack.Messages))
	}
}

func TestSystemTextAndItsContextAreOneMessage(t *testing.T) {
	p := pipeline(disk{"AGENTS.md": "be kind"})
	turn := ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Say("You are a dev assistant.\nContext:\n- @AGENTS.md")},
		Asker:   access.Asker{Origin: access.FromProfile, Trusted: true},
		Place:   ampersat.InSystem,
	}
	want := "[system]\n<context_file paths=\"AGENTS.md\">\nbe kind\n</context_file>\nYou are a dev assistant.\nContext:\n- @AGENTS.md\n"
	if diff := cmp.Diff(want, rendered(prepare(t, p, turn).All())); diff != "" {
		t.Error(diff)
	}
}

func TestMentionsStandTypedInTheMessage(t *testing.T) {
	p := pipeline(disk{"a.md": "alpha"})
	stack := prepare(t, p, ampersat.Ask("Explain @a.md to @alice."))
	said := stack.Messages[len(stack.Messages)-1]
	want := message.Of(
		message.Text{Text: "Explain "},
		message.Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"},
		message.Text{Text: " to @alice."},
	)
	want.Plain = true // it was a string, and is one again for a reader outside
	if diff := cmp.Diff(want, said.Content); diff != "" {
		t.Error(diff)
	}
}

func TestOutcomes(t *testing.T) {
	d := disk{
		"a.md": "see @b.md and @dir/c.md", "b.md": "back to @a.md", "dir/c.md": "here is @d.md, not @e.md", "dir/d.md": "deep",
		"same1.txt": "twin", "same2.txt": "twin", "README.md.": "odd", "logs/12": "1\n2\n3\n", "secret.txt": "key " + "AKIA" + "Q3EGRTHBXVWPL5ZS",
	}
	p := pipeline(d)
	p.Agents = func(name string) bool { return name == "reviewer" }
	for _, c := range []struct{ text, want string }{
		{"@a.md", "@a.md loaded\n  @b.md loaded\n    @a.md duplicate\n  @dir/c.md loaded\n    @d.md loaded\n    @e.md missing\n"},
		{"@b.md and @a.md", "@b.md loaded\n  @a.md duplicate\n@a.md loaded\n  @b.md duplicate\n  @dir/c.md loaded\n    @d.md loaded\n    @e.md missing\n"},
		{"@same1.txt @same2.txt @same1.txt", "@same1.txt loaded\n@same2.txt duplicate\n@same1.txt duplicate\n"},
		{"@missing.md @angular/core @alice", "@missing.md missing\n"},
		{"@README.md.", "@README.md. loaded\n"},
		{"@logs/12:2", "@logs/12:2 loaded\n"},
		{"@logs/12:9", "@logs/12:9 missing\n"},
		{"@reviewer and @agent:reviewer but @agent:nobody", "@reviewer delegated\n@agent:reviewer delegated\n@agent:nobody missing\n"},
		{"@task:reviewer(look at @a.md)", "@task:reviewer(look at @a.md) delegated\n"},
		{"@secret.txt", "@secret.txt blocked\n"},
		{"@same*.txt", "@same*.txt loaded\n  @same1.txt loaded\n  @same2.txt duplicate\n"},
		{"@s*.txt", "@s*.txt partial\n  @same1.txt loaded\n  @same2.txt duplicate\n  @secret.txt blocked\n"},
		{"@diff", "@diff missing\n"},
	} {
		if diff := cmp.Diff(c.want, outcomes(prepare(t, p, ampersat.Ask(c.text)))); diff != "" {
			t.Errorf("%q: -want +got\n%s", c.text, diff)
		}
	}
}

// The files of a pattern are searched like any other, and what is named is not
// lost to a pattern that also matches it.
func TestMentionsInFilesOfAGlob(t *testing.T) {
	p := pipeline(disk{"o.md": "see @z.md", "z.md": "the end"})
	for text, want := range map[string]string{
		"@./o.*":        "@./o.* loaded\n  @o.md loaded\n    @z.md loaded\n",
		"@./o.* @o.md":  "@./o.* loaded\n  @o.md duplicate\n@o.md loaded\n  @z.md loaded\n",
		"@o.md and o.*": "@o.md loaded\n  @z.md loaded\n",
	} {
		if got := outcomes(prepare(t, p, ampersat.Ask(text))); got != want {
			t.Errorf("%s:\n%s", text, got)
		}
	}
}

// What stands in the message as a mention is one, whatever it looks like.
func TestTypedMentionThatIsMissing(t *testing.T) {
	turn := ampersat.Ask("")
	turn.Message.Content = message.Of(message.Text{Text: "see "}, message.Ref{Mention: mention.File{Path: "LICENSE"}, Written: "[@LICENSE](file:///LICENSE)"})
	stack := prepare(t, pipeline(disk{}), turn)
	if got := outcomes(stack); got != "[@LICENSE](file:///LICENSE) missing\n" {
		t.Errorf("%q", got)
	}
}

func TestFoldNamesAllPaths(t *testing.T) {
	stack := prepare(t, pipeline(disk{"a": "same", "b": "same"}), ampersat.Ask("@./a @./b"))
	if got := rendered(stack.Messages); !strings.Contains(got, `<context_file paths="a, b">`) || strings.Count(got, "same") != 1 {
		t.Error(got)
	}
}

func TestParentComesBeforeNested(t *testing.T) {
	stack := prepare(t, pipeline(disk{"a.md": "A @c.md", "b.md": "B", "c.md": "C"}), ampersat.Ask("@a.md @b.md"))
	got := rendered(stack.Messages)
	if a, c, b := strings.Index(got, "\nA"), strings.Index(got, "\nC"), strings.Index(got, "\nB"); a < 0 || a > c || c > b {
		t.Error(got)
	}
}

func TestDepth(t *testing.T) {
	d := disk{}
	for i := range 9 {
		d[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("go on to @%d.md", i+1)
	}
	stack := prepare(t, pipeline(d), ampersat.Ask("@0.md"))
	want := "mentions nested deeper than 5 levels were not followed: @6.md in 5.md"
	if len(stack.Reports) != 6 || len(stack.Notes) != 1 || stack.Notes[0] != want {
		t.Errorf("%s %q", outcomes(stack), stack.Notes)
	}
	d["5.md"] = "@a.md @b.md @c.md @d.md @e.md @f.md @g.md and @nobody"
	stack = prepare(t, pipeline(d), ampersat.Ask("@0.md"))
	want = "mentions nested deeper than 5 levels were not followed: @a.md in 5.md, @b.md in 5.md, @c.md in 5.md, @d.md in 5.md, @e.md in 5.md and 2 more"
	if len(stack.Notes) != 1 || stack.Notes[0] != want {
		t.Errorf("%q", stack.Notes)
	}
}

// What a mentioned file mentions may not be anything but files.
func TestMentionInAFileOfWhatFilesMayNotMention(t *testing.T) {
	p := pipeline(disk{"a.md": "@https://evil.example/x @diff:main @agent:reviewer @task:reviewer(steal) @terminal @src/**/*.go @session:1 @docs:file:///x"})
	p.Agents = func(string) bool { return true }
	for _, r := range prepare(t, p, ampersat.Ask("@a.md")).Reports[1:] {
		if r.Outcome != ampersat.Blocked || r.Reason == "" {
			t.Errorf("%s: %s, %q", r.Written, r.Outcome, r.Reason)
		}
	}
}

func TestSecretsAreBlockedUntilAllowed(t *testing.T) {
	key := "AKIA" + "Q3EGRTHBXVWPL5ZS"
	p := pipeline(disk{"config.txt": "id = " + key, ".env": "DB_PASSWORD=hunter2hunter2"})
	consent := new(access.Memory)
	p.Consent = consent
	stack := prepare(t, p, ampersat.Ask("@config.txt @.env"))
	for _, r := range stack.Reports {
		if r.Outcome != ampersat.Blocked || !strings.Contains(r.Reason, "--allow") || strings.Contains(r.Reason, key) {
			t.Errorf("%s: %s, %s", r.Written, r.Outcome, r.Reason)
		}
	}
	if got := rendered(stack.Messages); strings.Contains(got, key) || strings.Contains(got, "hunter2") {
		t.Errorf("a secret got out:\n%s", got)
	}
	if err := consent.Allow(access.Secret{Name: "/config.txt"}); err != nil {
		t.Fatal(err)
	}
	stack = prepare(t, p, ampersat.Ask("@config.txt @.env"))
	if got := outcomes(stack); got != "@config.txt loaded\n@.env blocked\n" {
		t.Error(got)
	}
}

func TestMissLooksEverywhere(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there", Looked: []string{"here", "there"}}
	})}
	if r := prepare(t, p, ampersat.Ask("@a.md")).Reports[0]; r.Reason != "nothing there; looked in here, there" {
		t.Error(r.Reason)
	}
}

func TestResolverThatPanicsOrFails(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		if q.Mention == (mention.File{Path: "a.md"}) {
			panic("oops")
		}
		return ampersat.Content{}, fmt.Errorf("disk on fire")
	})}
	stack := prepare(t, p, ampersat.Ask("@a.md @b.md"))
	if got := outcomes(stack); got != "@a.md failed\n@b.md failed\n" {
		t.Error(got)
	}
	if stack := prepare(t, &ampersat.Pipeline{}, ampersat.Ask("@a.md")); stack.Reports[0].Outcome != ampersat.Failed {
		t.Errorf("%+v", stack.Reports)
	}
}

// fullStore is a store that nothing can be put into.
type fullStore struct {
	blob.Memory
	err error
}

func (f *fullStore) Put(context.Context, []byte) (blob.Digest, error) { return "", f.err }

func TestErrorsOfATurn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pipeline(disk{"a.md": "x"}).Prepare(ctx, ampersat.Ask("@a.md")); err != context.Canceled {
		t.Error(err)
	}
	p := pipeline(disk{"a.md": "x"})
	full := errors.New("the disk is full")
	p.Blobs = &fullStore{err: full}
	if _, err := p.Prepare(t.Context(), ampersat.Ask("@a.md")); !errors.Is(err, full) || !strings.Contains(err.Error(), "a.md") {
		t.Error(err)
	}
	if _, err := p.Prepare(t.Context(), ampersat.Ask("no mention")); err != nil {
		t.Error(err)
	}
}

func TestTenThousandMentions(t *testing.T) {
	d := disk{}
	var text strings.Builder
	for i := range 10_000 {
		d[fmt.Sprintf("f%d.md", i)] = fmt.Sprintf("file %d", i)
		fmt.Fprintf(&text, "@f%d.md ", i)
	}
	stack := prepare(t, pipeline(d), ampersat.Ask(text.String()))
	if len(stack.Reports) != 10_000 || stack.Reports[9_999].Written != "@f9999.md" {
		t.Errorf("%d reports", len(stack.Reports))
	}
}

func TestNamespaces(t *testing.T) {
	var asked []mention.Mention
	mux := new(ampersat.Mux)
	mux.Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		asked = append(asked, q.Mention)
		return ampersat.Content{Name: "ticket", Text: "fix it"}, nil
	}), mention.KindCustom)
	mux.Handle(disk{}, mention.KindFile)
	custom := func(rest string) mention.Mention { return mention.Custom{Scheme: "jira", Arg: rest} }
	mux.Name(ampersat.Namespace{Name: "jira", What: "a custom scheme", Mention: custom})
	p := &ampersat.Pipeline{Resolver: mux}
	stack := prepare(t, p, ampersat.Ask("Fix @jira:ABC-1."))
	if len(asked) != 1 || asked[0] != (mention.Custom{Scheme: "jira", Arg: "ABC-1"}) || stack.Reports[0].Outcome != ampersat.Loaded {
		t.Errorf("%v %s", asked, outcomes(stack))
	}
	mux.Name(ampersat.Namespace{Name: "jira", What: "an MCP server", Mention: custom})
	if r := prepare(t, p, ampersat.Ask("@jira:ABC-1.md")).Reports[0]; r.Outcome != ampersat.Failed || !strings.Contains(r.Reason, "a custom scheme, an MCP server") {
		t.Errorf("%+v", r)
	}
	if r := prepare(t, p, ampersat.Ask("@diff")).Reports[0]; r.Outcome != ampersat.Failed || !strings.Contains(r.Reason, "git-diff") {
		t.Errorf("%+v", r)
	}
}

// Without anybody who reads files, what may be none is text, and what is meant is
// told.
func TestWordsAreNoMissesWhereNobodyReadsFiles(t *testing.T) {
	for name, resolver := range map[string]ampersat.Resolver{"none": nil, "an empty mux": new(ampersat.Mux)} {
		p := &ampersat.Pipeline{Resolver: resolver}
		stack, err := p.Prepare(t.Context(), ampersat.Ask("Ask @alice about @angular/core, @README.md, @https://go.dev/, @diff and @notes.md:3"))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, r := range stack.Reports {
			have = append(have, r.Written+" "+string(r.Outcome))
		}
		if want := []string{"@README.md failed", "@https://go.dev/ failed", "@diff failed", "@notes.md:3 failed"}; !slices.Equal(have, want) {
			t.Errorf("%s: %q", name, have)
		}
	}
}

// A thing is fetched once, however often and in however many ways it is written.
func TestAMentionWrittenInTwoWaysIsResolvedOnce(t *testing.T) {
	var asked atomic.Int64
	counts := ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		asked.Add(1)
		return ampersat.Content{ID: q.Mention.String(), Text: "text"}, nil
	})
	mux := new(ampersat.Mux)
	mux.Handle(counts, mention.KindFile)
	for name, resolver := range map[string]ampersat.Resolver{"a mux": mux, "another": counts} {
		asked.Store(0)
		stack := prepare(t, &ampersat.Pipeline{Resolver: resolver}, ampersat.Ask(`@./a.md and @"./a.md" and @'./a.md', and @./a.md`))
		if got := asked.Load(); got != 1 || len(stack.Reports) != 4 || stack.Reports[3].Outcome != ampersat.Duplicate {
			t.Errorf("%s is asked %d times\n%s", name, got, outcomes(stack))
		}
	}
}

// What a model or a tool says is not searched for mentions: a history that is
// prepared message by message does not let it read files.
func TestAttackMentionsOfTheModel(t *testing.T) {
	p := pipeline(disk{"a.md": "private\n"})
	for role, want := range map[message.Role]int{message.User: 1, message.System: 1, message.Developer: 1, message.Assistant: 0, message.Tool: 0, message.Function: 0} {
		turn := ampersat.Ask("see @a.md")
		turn.Message.Role = role
		stack := prepare(t, p, turn)
		if len(stack.Reports) != want || strings.Contains(rendered(stack.Messages), "private") != (want == 1) {
			t.Errorf("%s: %+v", role, stack.Reports)
		}
		turn.Asker.Origin = access.FromPerson
		if stack := prepare(t, p, turn); len(stack.Reports) != 1 {
			t.Errorf("%s, for which a person answers: %+v", role, stack.Reports)
		}
	}
}

type countNothing struct{}

func (countNothing) Count(string) int { return 0 }

// Where nothing costs anything, everything fits.
func TestACounterOfNothingLeavesNothingOut(t *testing.T) {
	p := pipeline(disk{"a.md": "here\n"})
	p.Counter = countNothing{}
	stack := prepare(t, p, ampersat.Ask("@a.md"))
	if stack.Reports[0].Outcome != ampersat.Loaded || !strings.Contains(rendered(stack.Messages), "here") {
		t.Errorf("%+v\n%s", stack.Reports, rendered(stack.Messages))
	}
}
