package ampersat_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// reader is a model that reads what it is sent, and nothing else: it puts the
// files, and the lines and symbols of files that it was shown, together from the
// rendered blocks and the pictures in them.
type reader struct {
	now   map[string]string         // what each file, f:3-5 or f#g, is, as far as it knows
	shown map[string]map[int]string // what each of them was in a turn
	last  map[string]int            // the turn in which something of each was shown last
	any   map[string]int            // the turn in which anything of a file was
	turn  int

	beliefs map[string]*belief // what it believes of each file
	at      int                // how many blocks it has read
	began   int                // how many before the turn
}

// belief is what a model has seen of a file, by part, and the last that it was
// told of it without seeing it.
type belief struct {
	seen      map[string]glimpse
	told      string // empty for as it was shown
	at        int
	isPartial bool // that it has changed was said with what is left of a cut
}

// glimpse is a part of a file as it was shown. The text of what was cut is not
// known.
type glimpse struct {
	at, turn int
	of       string // :3-5, #g, or nothing for the whole file
	cut      bool
	text     string
}

var (
	openTag   = regexp.MustCompile(`^<context_file paths="([^"]*)"(.*)>$`)
	sameAs    = regexp.MustCompile(`^\[the same as (.*), shown (?:in turn (\d+)|before it)\]$`)
	unchanged = regexp.MustCompile(`^\[unchanged since turn (\d+), shown there( in the whole file)?\]$`)
	cutBefore = regexp.MustCompile(`^\[unchanged since turn (\d+), shown there: lines? .*\]$`)
	someLines = regexp.MustCompile(` lines="(\d+(?:-\d+)?)"`)
	aSymbol   = regexp.MustCompile(` symbol="([^"]*)"`)
	someKind  = regexp.MustCompile(` kind="([^"]*)"`)
	notShown  = regexp.MustCompile(`^\[not shown.*; (?:it has changed since turn \d+|all of them have changed since they were shown|changed since they were shown.*: (.*))\]$`)
	ofAKind   = regexp.MustCompile(`^(.*) \((custom)\)$`)
)

func read(messages []message.Message) (*reader, error) {
	r := &reader{now: map[string]string{}, shown: map[string]map[int]string{}, last: map[string]int{}, any: map[string]int{}, turn: 1, beliefs: map[string]*belief{}}
	said := 0
	for _, m := range messages {
		if turn := turnOf(m, said); turn != r.turn {
			r.turn, r.began = turn, r.at
		}
		for _, c := range contextsOf(m) {
			if err := r.block(c); err != nil {
				return nil, err
			}
		}
		if m.Role == message.User {
			said++
		}
	}
	r.turn = said + 1
	return r, nil
}

// turnOf returns the turn that a message belongs to, by how many messages of the
// person stand before it: what tools read stands behind the one that asked.
func turnOf(m message.Message, said int) int {
	if m.Role == message.Tool {
		return said
	}
	return said + 1
}

// contextsOf returns the blocks of a message, and of the results of tools in it.
func contextsOf(m message.Message) (all []message.Context) {
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Context:
			all = append(all, part)
		case message.ToolResult:
			for _, inner := range part.Parts() {
				all = append(all, inner.(message.Context))
			}
		}
	}
	return all
}

func (r *reader) block(c message.Context) error {
	tag, rest, _ := strings.Cut(c.Render(), "\n")
	match := openTag.FindStringSubmatch(tag)
	if match == nil {
		return fmt.Errorf("cannot read %q", tag)
	}
	body := strings.TrimSuffix(rest, "\n</context_file>")
	for _, part := range c.Parts {
		body += part.(message.Image).Source.Data
	}
	for _, name := range strings.Split(match[1], ", ") {
		if kind := someKind.FindStringSubmatch(match[2]); kind != nil {
			name = kind[1] + " " + name // what is no file is not taken for one
		}
		of := ""
		if symbol := aSymbol.FindStringSubmatch(match[2]); symbol != nil {
			of = "#" + symbol[1]
		} else if lines := someLines.FindStringSubmatch(match[2]); lines != nil {
			of = ":" + lines[1]
		}
		part := name + of
		r.at++
		switch attributes := match[2]; {
		case strings.Contains(attributes, `kind="note"`):
			r.believe(strings.TrimPrefix(name, "note "), body)
		case sameAs.MatchString(body):
			same := sameAs.FindStringSubmatch(body)
			turn := r.turn
			if same[2] != "" {
				turn, _ = strconv.Atoi(same[2])
			}
			if kind := ofAKind.FindStringSubmatch(same[1]); kind != nil {
				same[1] = kind[2] + " " + kind[1]
			}
			was, ok := r.shown[same[1]][turn]
			if !ok {
				return fmt.Errorf("%s: the same as %s, which cannot be seen", part, same[1])
			}
			r.know(name, part, was)
			r.see(name, of, strings.Replace(attributes, ` shown="reference only"`, "", 1), was) // nothing is cut
		case unchanged.MatchString(body):
			match := unchanged.FindStringSubmatch(body)
			turn, _ := strconv.Atoi(match[1])
			in := part
			if match[2] != "" {
				in = name
			}
			was, ok := r.shown[in][turn]
			if last := r.last[in]; !ok || r.shown[in][last] != was {
				return fmt.Errorf("%s: a reference to turn %d, where it cannot be seen, or is not as in turn %d", part, turn, last)
			}
			if in == part {
				r.now[part] = was
				r.seeAgain(name, part)
				continue
			}
			b := r.beliefs[name]
			if since, ok := b.seen[part]; ok {
				return fmt.Errorf("%s: a reference to turn %d, and it was shown by itself in turn %d", part, turn, since.turn)
			}
			if b.told != "" && b.seen[name].at <= b.at {
				return fmt.Errorf("%s: a reference to turn %d, and what was shown there is held for %s", part, turn, b.told)
			}
			r.now[part], _ = cutOut(was, of)
		case cutBefore.MatchString(body):
			turn, _ := strconv.Atoi(cutBefore.FindStringSubmatch(body)[1])
			if _, whole := r.now[part]; whole || r.last[part] != turn {
				return fmt.Errorf("%s: a reference to a cut that cannot be seen", part)
			}
			if b := r.beliefs[name]; b != nil {
				g := b.seen[part]
				g.at = r.at
				b.seen[part] = g
			}
		case strings.Contains(attributes, " shown="):
			delete(r.now, part)
			r.last[part], r.any[name] = r.turn, r.turn
			r.see(name, of, attributes, "")
		case strings.HasPrefix(body, "--- a/"):
			was, ok := r.now[part]
			if !ok {
				return fmt.Errorf("%s: a diff to something that cannot be seen", part)
			}
			is, err := patch(was, body)
			if err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
			r.know(name, part, is)
			r.see(name, of, attributes, is)
		default:
			r.know(name, part, body)
			r.see(name, of, attributes, body)
		}
	}
	return nil
}

// linesOf cuts lines out of a text as [disk] does.
func linesOf(text string, first, last int) string {
	all := strings.SplitAfter(text, "\n")
	return strings.Join(all[min(first-1, len(all)):min(last, len(all))], "")
}

// cutOut cuts out of a text what [shelf] does for a mention of :3-5 or #g, and reports
// whether there is any.
func cutOut(text, of string) (part string, ok bool) {
	switch {
	case of == "":
		return text, true
	case of[0] == '#':
		for _, one := range defined(text) {
			if name, _, _ := strings.Cut(one.text, "\n"); name == "def "+of[1:] {
				return one.text, true
			}
		}
		return "", false
	}
	from, to, _ := strings.Cut(of[1:], "-")
	first, _ := strconv.Atoi(from)
	last, _ := strconv.Atoi(to)
	return linesOf(text, first, last), first <= len(strings.SplitAfter(text, "\n"))
}

// definition is what stands between a line that says def and the next one.
type definition struct {
	first, last int
	text        string
}

func defined(text string) (all []definition) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, "def ") {
			all = append(all, definition{first: number})
		}
		if len(all) > 0 {
			one := &all[len(all)-1]
			one.last = number
			one.text += line
		}
	}
	return all
}

// shelf is a disk with symbols, and with pictures: files that are called so.
type shelf struct{ disk }

func (d shelf) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	symbol, isSymbol := q.Mention.(mention.Symbol)
	if isSymbol {
		q.Mention = mention.File{Path: symbol.Path}
	}
	c, err := d.disk.Resolve(ctx, q)
	switch {
	case err != nil:
	case strings.HasSuffix(c.Name, ".png"):
		c.Parts = []message.Part{message.Image{Source: message.Source{Type: message.SourceBase64, MIME: "image/png", Data: c.Text}}}
		c.Text, c.MIME, c.PartTokens = "", "image/png", 60
	case isSymbol:
		text, ok := cutOut(c.Text, "#"+symbol.Name)
		if !ok {
			return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there"}
		}
		at := slices.IndexFunc(defined(c.Text), func(one definition) bool { return one.text == text })
		one := defined(c.Text)[at]
		c.Text, c.Lines, c.Symbol = text, fmt.Sprintf("%d-%d", one.first, one.last), symbol.Name
	}
	return c, err
}

func (r *reader) know(name, part, text string) {
	r.now[part] = text
	if r.shown[part] == nil {
		r.shown[part] = map[int]string{}
	}
	r.shown[part][r.turn] = text
	r.last[part], r.any[name] = r.turn, r.turn
}

// believe takes what a note says of a file.
func (r *reader) believe(name, note string) {
	b := r.beliefs[name]
	if b == nil {
		return
	}
	for _, told := range []string{"changed", "removed", "perhaps changed"} {
		if strings.HasPrefix(note, "["+told+" since turn ") {
			b.told, b.at, b.isPartial = told, r.began, false
		}
	}
	if omission := notShown.FindStringSubmatch(note); omission != nil {
		if omission[1] == "" || slices.Contains(strings.Split(omission[1], ", "), name) {
			b.told, b.at, b.isPartial = "changed", r.began, false
		}
	}
	if strings.HasPrefix(note, "[again as shown in turn ") {
		b.told, b.at = "", r.at
	}
}

// see takes what a block shows of a file.
func (r *reader) see(name, of, attributes, text string) {
	if strings.Contains(name, " ") {
		return // no file
	}
	b := r.beliefs[name]
	if b == nil {
		b = &belief{seen: map[string]glimpse{}}
		r.beliefs[name] = b
	}
	isCut := strings.Contains(attributes, " shown=") && !strings.Contains(attributes, ` shown="reference only"`)
	switch {
	case of == "" && !isCut:
		clear(b.seen)
		b.told = ""
	case of == "" && strings.Contains(attributes, " changed-since=") && len(b.seen) > 0:
		b.told, b.at, b.isPartial = "changed", r.at, true
		r.at++
	}
	b.seen[name+of] = glimpse{at: r.at, turn: r.turn, of: of, cut: isCut, text: text}
}

// seeAgain takes that what was seen is as it was.
func (r *reader) seeAgain(name, part string) {
	if b := r.beliefs[name]; b != nil {
		g, ok := b.seen[part]
		if ok {
			if part == name {
				clear(b.seen)
				b.told = ""
			}
			g.at = r.at
			b.seen[part] = g
		}
	}
}

// knowsWhatIsOutdated returns an error if the model takes something for current
// that is not, or for outdated what is current.
func (r *reader) knowsWhatIsOutdated(was map[int]disk, is disk) error {
	for name, b := range r.beliefs {
		outdated, isAbout := 0, false
		for part, g := range b.seen {
			isAbout = isAbout || g.at <= b.at
			now, exists := is[name]
			if exists && !g.cut {
				now, exists = cutOut(now, g.of)
			}
			before := g.text
			if g.cut {
				before = was[g.turn][name]
			}
			if exists && now == before {
				continue
			}
			outdated++
			if b.told == "" || g.at > b.at {
				return fmt.Errorf("%s is not as it was shown in turn %d, and nothing says so", part, g.turn)
			}
			if _, exists := is[name]; !exists && b.told != "removed" {
				return fmt.Errorf("%s is gone, and said to be %q", name, b.told)
			}
		}
		if _, exists := is[name]; exists && b.told == "removed" && isAbout {
			return fmt.Errorf("%s is there, and said to be removed", name)
		}
		if outdated == 0 && b.told != "" && isAbout && !b.isPartial {
			return fmt.Errorf("%s is as it was shown, and said to be %s", name, b.told)
		}
	}
	return nil
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+`)

// patch applies a unified diff, strictly.
func patch(was, diff string) (string, error) {
	old := strings.SplitAfter(was, "\n")
	lines := strings.SplitAfter(diff, "\n")
	var out strings.Builder
	at := 0
	for i := 2; i < len(lines); {
		header := hunkHeader.FindStringSubmatch(lines[i])
		if header == nil {
			return "", fmt.Errorf("no hunk at %q", lines[i])
		}
		from, _ := strconv.Atoi(header[1])
		if header[2] == "0" {
			from++
		}
		for ; at < from-1; at++ {
			out.WriteString(old[at])
		}
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "@@"); i++ {
			line := lines[i]
			if line == "" {
				continue
			}
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\ No newline`) {
				line = strings.TrimSuffix(line, "\n")
			}
			switch line[0] {
			case ' ', '-':
				if at >= len(old) || old[at] != line[1:] {
					return "", fmt.Errorf("%q does not apply", line)
				}
				if line[0] == ' ' {
					out.WriteString(line[1:])
				}
				at++
			case '+':
				out.WriteString(line[1:])
			}
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String(), nil
}

// TestModelCanReconstruct runs random sessions in which files change and old
// blocks are taken out of the view. Whatever is reported as loaded, unchanged
// or changed, be it a file, a picture, or some lines or a symbol of one, a model that sees only the view
// knows as it is on disk; a diff is only ever sent to one that sees its base; and
// what the model has seen otherwise, in whole or in part, says since when it has
// changed, and nothing else does. Of what nobody mentions it knows whether it is as
// it was shown, also where it was cut, removed, or is again what it was. All that holds beside things of another kind
// too, whatever their resolver calls them, and which no tool reads where contents stand as what tools have read. What
// is referred to stands before what refers to it, and no picture is sent twice in a turn.
func TestModelCanReconstruct(t *testing.T) {
	names := []string{"a.md", "b.md", "c.md"}
	pictures := []string{"p.png", "q.png"}
	parts := []string{"a.md", "b.md", "c.md", "a.md:1-1", "a.md:2-5", "b.md:2-5", "c.md:1-1", "c.md:1-40", "a.md#f", "a.md#g", "b.md#f", "p.png", "q.png", "ticket:1", "ticket:2", "ticket:3"}
	rapid.Check(t, func(t *rapid.T) {
		d := disk{}
		for _, name := range pictures {
			d[name] = rapid.SampledFrom([]string{"AAAA", "BBBB"}).Draw(t, name)
		}
		lineCount := rapid.IntRange(0, 24)
		fresh := func() string {
			n := lineCount.Draw(t, "lines")
			var b strings.Builder
			for i := range n {
				switch word := rapid.SampledFrom([]string{"x", "y", "z", "f", "g"}).Draw(t, "word"); word {
				case "f", "g":
					fmt.Fprintf(&b, "def %s\n", word)
				default:
					fmt.Fprintf(&b, "  line %d %s\n", i, word)
				}
			}
			return strings.TrimSuffix(b.String(), rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end"))
		}
		for _, name := range names {
			d[name] = fresh()
		}
		texts := map[string]string{"1": fresh(), "2": fresh(), "3": fresh()}
		style := rapid.SampledFrom([]ampersat.Content{{}, {Name: "ticket"}, {Name: "ticket", ID: "/"}, {Name: "a.md"}, {Name: "ticket:1", ID: "/"}}).Draw(t, "style")
		p := tickets(func(_ ampersat.Query, arg string) (ampersat.Content, error) {
			c := style
			c.Text = texts[arg]
			if c.ID != "" {
				c.ID += arg
			}
			return c, nil
		}, d)
		p.Resolver.(*ampersat.Mux).Handle(shelf{d}, mention.KindFile, mention.KindSelection, mention.KindGlob, mention.KindSymbol)
		p.Tools = func(m mention.Mention, name string) (string, any, bool) {
			return "read_file", map[string]string{"path": name}, m.Kind() != mention.KindCustom
		}
		owners := map[string]string{} // which ticket is called what
		var asked []string
		var view []message.Message
		firstTurn := 1
		was := map[int]disk{} // what there was in each turn
		for range rapid.IntRange(1, 20).Draw(t, "turns") {
			switch rapid.IntRange(0, 11).Draw(t, "event") {
			case 0, 1:
				name := rapid.SampledFrom(names).Draw(t, "changed")
				lines := strings.SplitAfter(d[name], "\n")
				lines[rapid.IntRange(0, len(lines)-1).Draw(t, "at")] = rapid.SampledFrom([]string{"", "  new\n", "  two\n  lines\n", "def f\n"}).Draw(t, "by")
				d[name] = strings.Join(lines, "")
			case 2:
				d[rapid.SampledFrom(names).Draw(t, "rewritten")] = fresh()
			case 3:
				view = evict(view, rapid.SampledFrom(slices.Concat([]string{"ticket", "ticket:1", "ticket:2"}, names, pictures)).Draw(t, "evicted"))
				maps.DeleteFunc(owners, func(name, _ string) bool { return !isCalledIn(view, name) })
			case 4:
				arg := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "ticket")
				texts[arg] += rapid.SampledFrom([]string{"more\n", "line\nafter line\n"}).Draw(t, "more")
			case 5:
				delete(d, rapid.SampledFrom(slices.Concat(names, pictures)).Draw(t, "removed"))
			case 6, 9:
				turn := rapid.IntRange(1, len(was)+1).Draw(t, "as in turn")
				for name, text := range was[turn] {
					d[name] = text
				}
			case 7, 10:
				from := rapid.SampledFrom(names).Draw(t, "copied")
				to := rapid.SampledFrom(append([]string{"ticket:1", "ticket:2"}, names...)).Draw(t, "to")
				if text, ok := d[from]; ok && strings.HasPrefix(to, "ticket:") {
					texts[strings.TrimPrefix(to, "ticket:")], asked = text, []string{from, to}
				} else if ok {
					d[to], asked = text, slices.Compact([]string{from, to})
				}
			case 8:
				d[rapid.SampledFrom(pictures).Draw(t, "painted")] = rapid.SampledFrom([]string{"AAAA", "BBBB", "CCCC"}).Draw(t, "picture")
				asked = pictures
			}
			if !rapid.Bool().Draw(t, "again") {
				asked = rapid.SliceOfNDistinct(rapid.SampledFrom(parts), 0, 4, rapid.ID).Draw(t, "asked")
			}
			text := "look"
			for _, name := range asked {
				text += " @" + name
			}
			turn := ampersat.Ask(text)
			turn.View = ampersat.View{Messages: view, FirstTurn: firstTurn}
			turn.Budget.Turn = rapid.SampledFrom([]int{0, 0, 40, 80}).Draw(t, "budget")
			turn.Place = rapid.SampledFrom(ampersat.Placements).Draw(t, "place")
			before, err := read(view)
			if err != nil {
				t.Fatalf("%v in\n%s", err, rendered(view))
			}
			was[before.turn] = maps.Clone(d)
			stack := prepare2(t, p, turn)
			view = append(slices.Clip(view), stack.All()...)
			model, err := read(view)
			if err != nil {
				t.Fatalf("%v in\n%s", err, rendered(view))
			}
			sent := map[blob.Digest]bool{}
			for _, c := range blocksOf(stack.Messages) {
				if len(c.Parts) > 0 && sent[c.Source] {
					t.Fatalf("%s is sent twice\n%s", c.Names[0], rendered(view))
				}
				sent[c.Source] = true
				if err := before.saysWhatChanged(c, was, d); err != nil {
					t.Fatalf("%v\n%s", err, rendered(view))
				}
			}
			if turn.Budget.Turn == 0 { // there is room for what is to be said
				if err := model.knowsWhatIsOutdated(was, d); err != nil {
					t.Fatalf("%v\n%s", err, rendered(view))
				}
			}
			for _, r := range stack.Reports {
				switch r.Outcome {
				case ampersat.Loaded, ampersat.Unchanged, ampersat.Changed, ampersat.Duplicate:
					if r.Shown != "" {
						continue // a duplicate of what was cut
					}
					part, want := r.Name, d[r.Name]
					if ticket, ok := r.Mention.(mention.Custom); ok {
						if owner := owners[r.Name]; owner != "" && owner != ticket.Arg {
							t.Fatalf("the tickets %s and %s are both called %s\n%s", owner, ticket.Arg, r.Name, rendered(view))
						}
						part, want, owners[r.Name] = "custom "+r.Name, texts[ticket.Arg], ticket.Arg
					}
					if lines, ok := r.Mention.(mention.Selection); ok {
						part = fmt.Sprintf("%s:%d-%d", r.Name, lines.First, lines.Last)
						want = linesOf(want, lines.First, lines.Last)
					}
					if symbol, ok := r.Mention.(mention.Symbol); ok {
						part = r.Name + "#" + symbol.Name
						want, _ = cutOut(want, "#"+symbol.Name)
					}
					if have, ok := model.now[part]; !ok || have != want {
						t.Fatalf("%s is %s; the model knows %q, it is %q\n%s", part, r.Outcome, have, want, rendered(view))
					}
				}
			}
			for name, digest := range (ampersat.View{Messages: view}).Seen() {
				if text, ok := model.now[name]; ok && blob.Of([]byte(text)) != digest {
					t.Fatalf("the view is said to hold another %s than the model can read", name)
				}
			}
		}
	})
}

// isCalledIn reports whether something that is no file has a name in messages.
func isCalledIn(messages []message.Message, name string) bool {
	for _, m := range messages {
		for _, c := range contextsOf(m) {
			if c.Kind == mention.KindCustom && slices.Contains(c.Names, name) {
				return true
			}
		}
	}
	return false
}

// blocksOf returns what is shown in messages: no notes, and no references.
func blocksOf(messages []message.Message) (shown []message.Context) {
	for _, m := range messages {
		for _, c := range contextsOf(m) {
			if c.Kind == "" && c.Shown != "reference only" {
				shown = append(shown, c)
			}
		}
	}
	return shown
}

// saysWhatChanged returns an error unless a block says since when its file is
// another than the model has seen last, or has seen of just this part; and lines,
// since when they are others.
func (r *reader) saysWhatChanged(c message.Context, was map[int]disk, is disk) error {
	of := ""
	switch {
	case c.Symbol != "":
		of = "#" + c.Symbol
	case c.Lines != "":
		of = ":" + c.Lines
	}
	for _, name := range c.Names {
		part, want := name+of, ""
		for _, turn := range []int{r.last[part], r.any[name]} {
			if of == "" && turn > 0 && was[turn][name] != is[name] {
				want = fmt.Sprintf("turn %d", turn)
			}
		}
		if of != "" {
			if turn, ok := r.sawOtherwise(name, of, was, is); ok {
				want = fmt.Sprintf("turn %d", turn)
			}
		}
		if c.ChangedSince != want && (c.Base == "" || c.ChangedSince == "") {
			return fmt.Errorf("%s: changed since %q, want %q", part, c.ChangedSince, want)
		}
	}
	return nil
}

// sawOtherwise returns when the model has seen a part last, by itself or in the
// whole file, if it was another then. Where it was cut, the file was another. A symbol
// is found in the whole file by what it is: there may be several of its name.
func (r *reader) sawOtherwise(name, of string, was map[int]disk, is disk) (turn int, ok bool) {
	b := r.beliefs[name]
	if b == nil {
		return 0, false
	}
	now, _ := cutOut(is[name], of)
	if g, ok := b.seen[name+of]; ok {
		if g.cut {
			return g.turn, was[g.turn][name] != is[name]
		}
		return g.turn, g.text != now
	}
	g, ok := b.seen[name]
	if !ok || g.cut {
		return 0, false
	}
	if of[0] == '#' {
		end := func(text string) string { return strings.TrimSuffix(text, "\n") }
		return g.turn, !slices.ContainsFunc(defined(g.text), func(one definition) bool { return end(one.text) == end(now) })
	}
	before, _ := cutOut(g.text, of)
	return g.turn, before != now
}

// evict takes the blocks of a file out of the view, as compaction does: a base
// goes with its diffs and what refers to it, and with it whatever else the block named.
func evict(view []message.Message, name string) []message.Message {
	gone := map[string]bool{name: true}
	for before := 0; before < len(gone); {
		before = len(gone)
		for _, m := range view {
			for _, c := range contextsOf(m) {
				same := sameAs.FindStringSubmatch(c.Text)
				if same != nil && gone[ofAKind.ReplaceAllString(same[1], "$1")] || slices.ContainsFunc(c.Names, func(n string) bool { return gone[n] }) {
					for _, n := range c.Names {
						gone[n] = true
					}
				}
			}
		}
	}
	var left []message.Message
	for _, m := range view {
		m.Content.Parts = slices.DeleteFunc(slices.Clone(m.Content.Parts), func(part message.Part) bool {
			shown := contextsOf(message.Message{Content: message.Of(part)})
			return len(shown) > 0 && gone[shown[0].Names[0]]
		})
		left = append(left, m)
	}
	return left
}

func prepare2(t *rapid.T, p *ampersat.Pipeline, turn ampersat.Turn) ampersat.Stack {
	stack, err := p.Prepare(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return stack
}

// TestPlacementsHoldTheSame shows that placement is policy over one resolved
// object, and that the message itself is never changed.
func TestPlacementsHoldTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := disk{"a.md": "A @b.md", "b.md": "B", "c.md": "C", "d.md": strings.Repeat("long\n", 50)}
		p := pipeline(d)
		p.Tools = func(m mention.Mention, name string) (string, any, bool) {
			return "read_file", map[string]string{"path": name}, m.Kind() == mention.KindFile
		}
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"@a.md", "@b.md", "@c.md", "@d.md:2-3", "@d.md", "@missing.md", "words", "`@a.md`", "@alice", "\n", "**@c.md**", "e@mail.com", "\xff",
		})).Draw(t, "words"), " ")
		turn := ampersat.Ask(text)
		turn.Budget.Turn = rapid.SampledFrom([]int{0, 100}).Draw(t, "budget")
		var want []string
		for _, place := range ampersat.Placements {
			turn.Place = place
			stack := prepare2(t, p, turn)
			var blocks []string
			said := 0
			for _, m := range stack.All() {
				for _, part := range m.Content.Parts {
					switch part := part.(type) {
					case message.Context:
						blocks = append(blocks, part.Render())
					case message.ToolResult:
						for _, c := range part.Parts() {
							blocks = append(blocks, c.(message.Context).Render())
						}
					}
				}
				if m.Role == message.User {
					said++
					if message.Flatten(m.Content) != text {
						t.Fatalf("%q became %q", text, message.Flatten(m.Content))
					}
				}
			}
			if said != 1 {
				t.Fatalf("the message is there %d times", said)
			}
			slices.Sort(blocks)
			if want == nil {
				want = append([]string{}, blocks...)
			}
			if !slices.Equal(want, blocks) {
				t.Fatalf("%s holds other content:\n%s", place, cmp.Diff(want, blocks))
			}
		}
		if diff := cmp.Diff(ampersat.Ask(text).Message, turn.Message); diff != "" {
			t.Fatalf("the message that was passed in has changed: %s", diff)
		}
	})
}

func TestAcrossTurns(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	d := disk{"a.md": long, "b.md": "small", "twin.md": long}
	p := pipeline(d)
	var view []message.Message
	ask := func(text string) ampersat.Stack {
		turn := ampersat.Ask(text)
		turn.View.Messages = view
		stack := prepare(t, p, turn)
		view = append(view, stack.Messages...)
		return stack
	}
	expect := func(s ampersat.Stack, outcome ampersat.Outcome, holds ...string) {
		t.Helper()
		if s.Reports[0].Outcome != outcome {
			t.Errorf("%s is %s, want %s", s.Reports[0].Written, s.Reports[0].Outcome, outcome)
		}
		for _, h := range holds {
			if got := rendered(s.Messages); !strings.Contains(got, h) {
				t.Errorf("%q is not in\n%s", h, got)
			}
		}
	}
	expect(ask("@a.md"), ampersat.Loaded, long)
	expect(ask("@a.md again"), ampersat.Unchanged, "[unchanged since turn 1, shown there]")
	expect(ask("@a.md:3-5"), ampersat.Unchanged, "[unchanged since turn 1, shown there in the whole file]")
	expect(ask("@twin.md"), ampersat.Unchanged, "[the same as a.md, shown in turn 1]")
	d["a.md"] = long + "and one more\n"
	expect(ask("@a.md"), ampersat.Changed, `changed-since="turn 1"`, "+and one more")
	expect(ask("@a.md"), ampersat.Unchanged, "[unchanged since turn 5")
	d["a.md"] = "all new\n"
	expect(ask("@a.md"), ampersat.Changed, `changed-since="turn 5"`, "all new")
	expect(ask("@b.md"), ampersat.Loaded)
	d["c.md"] = "one\ntwo\nthree\n"
	expect(ask("@c.md"), ampersat.Loaded)
	d["c.md"] = "one\ntwo\ndrei\n"
	expect(ask("@c.md:2-3"), ampersat.Changed, `lines="2-3" changed-since="turn 9"`, "drei")
	d["c.md"] = "eins\ntwo\ndrei\n"
	expect(ask("@c.md:2-3"), ampersat.Unchanged, "[unchanged since turn 10, shown there]")
	expect(ask("@c.md:1-1"), ampersat.Changed, `lines="1-1" changed-since="turn 9"`)
	delete(d, "c.md")
	ask("the notes say that c.md is gone")

	// Changed, and not mentioned again: one word, once.
	d["b.md"] = "smaller"
	stack := ask("go on")
	if len(stack.Notes) != 1 || !strings.Contains(rendered(stack.Messages), "[changed since turn 8; the new version has not been sent]") {
		t.Errorf("%q\n%s", stack.Notes, rendered(stack.Messages))
	}
	if stack := ask("go on"); len(stack.Notes) != 0 || len(stack.Messages) != 1 {
		t.Errorf("said again: %q", stack.Notes)
	}
	delete(d, "b.md")
	if stack := ask("go on"); len(stack.Notes) != 1 || !strings.Contains(stack.Notes[0], "removed since turn 8") {
		t.Errorf("%q", stack.Notes)
	}
}

// What compaction took out of the view is not visible and is sent again.
func TestEvictedContentIsSentAgain(t *testing.T) {
	d := disk{"a.md": "alpha\nbeta\ngamma\n"}
	p := pipeline(d)
	turn := ampersat.Ask("@a.md")
	view := prepare(t, p, turn).Messages
	turn.View.Messages = evict(view, "a.md")
	if s := prepare(t, p, turn); s.Reports[0].Outcome != ampersat.Loaded {
		t.Error(outcomes(s))
	}
}

// What a tool reads is read by the same rules, and nothing comes along with it.
func TestAFlatTurnIsWhatItMentions(t *testing.T) {
	d := disk{"a.md": "See @b.md.\n", "b.md": "beta\n", "c.md": "gamma\n"}
	p := pipeline(d)
	view := ampersat.View{Messages: prepare(t, p, ampersat.Ask("@c.md")).Messages}
	d["c.md"] = "another gamma\n"
	turn := ampersat.Turn{View: view, Flat: true, Message: message.Message{Role: message.User,
		Content: message.Of(message.Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"})}}
	stack := prepare(t, p, turn)
	if len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded || len(stack.Notes) != 0 || len(stack.Messages[0].Content.Parts) != 1 {
		t.Errorf("%v %q\n%s", outcomes(stack), stack.Notes, rendered(stack.Messages))
	}
	turn.Flat = false
	if stack := prepare(t, p, turn); len(stack.Reports) != 2 || len(stack.Notes) != 1 {
		t.Errorf("%v %q", outcomes(stack), stack.Notes)
	}
}

// "The same as a.md" is said of what a.md is to the model, not of what it was.
func TestTheSameAsWhatIsShownNow(t *testing.T) {
	d := disk{"a.md": "alpha\n"}
	p := pipeline(d)
	view := prepare(t, p, ampersat.Ask("@a.md")).Messages
	d["a.md"], d["b.md"] = "another\n", "alpha\n"
	view = append(view, prepare(t, p, ampersat.Turn{Message: ampersat.Ask("@a.md").Message, View: ampersat.View{Messages: view}}).Messages...)
	turn := ampersat.Turn{Message: ampersat.Ask("@b.md").Message, View: ampersat.View{Messages: view}}
	if s := prepare(t, p, turn); s.Reports[0].Outcome != ampersat.Loaded || !strings.Contains(rendered(s.Messages), "alpha") {
		t.Errorf("%v\n%s", outcomes(s), rendered(s.Messages))
	}
}

// Calls that ran at the same time have each brought the same difference. The model
// can put the file together all the same.
func TestTheSameDifferenceTwice(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	d := disk{"a.md": long}
	p := pipeline(d)
	view := prepare(t, p, ampersat.Ask("@a.md")).Messages
	turn := ampersat.Turn{View: ampersat.View{Messages: view}, Flat: true, Message: message.Message{Role: message.User,
		Content: message.Of(message.Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"})}}
	d["a.md"] = long + "and one more\n"
	var results []message.Part
	for _, id := range []string{"one", "other"} {
		result, err := message.PartResult(id, prepare(t, p, turn).Messages[0].Content.Parts...)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, result)
	}
	turn.View.Messages = append(view, message.Message{Role: message.Tool, Content: message.Of(results...)})
	if turn.View.Seen()["a.md"] != blob.Of([]byte(d["a.md"])) {
		t.Error("the file is not known any more")
	}
	if s := prepare(t, p, turn); s.Reports[0].Outcome != ampersat.Unchanged {
		t.Errorf("it is sent again:\n%s", rendered(s.Messages))
	}
}

// The same content is sent once, also if the model has seen different things by its
// names, and each name keeps what is true of it.
func TestTwinsOfDifferentHistories(t *testing.T) {
	for asked, want := range map[string][]string{
		"@a.md @b.md": {`@a.md changed: changed since turn 1`, `@b.md duplicate: the same content as a.md`, "<context_file paths=\"b.md\" shown=\"reference only\">\n[the same as a.md, shown before it]"},
		"@b.md @a.md": {`@b.md loaded: `, `@a.md changed: changed since turn 1; the same content as b.md`, "<context_file paths=\"a.md\" shown=\"reference only\" changed-since=\"turn 1\">\n[the same as b.md, shown before it]"},
	} {
		for _, place := range ampersat.Placements {
			d := disk{"a.md": "alpha\n"}
			p := pipeline(d)
			p.Tools = func(_ mention.Mention, name string) (string, any, bool) {
				return "read_file", map[string]string{"path": name}, true
			}
			view := prepare(t, p, ampersat.Ask("@a.md")).Messages
			text := strings.Repeat("another text, which is not short\n", 20)
			d["a.md"], d["b.md"] = text, text
			turn := ampersat.Turn{Message: ampersat.Ask(asked).Message, View: ampersat.View{Messages: view}, Place: place}
			stack := prepare(t, p, turn)
			have := rendered(stack.All())
			for _, r := range stack.Reports {
				have += fmt.Sprintf("\n%s %s: %s", r.Written, r.Outcome, r.Reason)
				if r.Shown != "" {
					t.Errorf("of %s is said to be shown: %s", r.Written, r.Shown)
				}
			}
			for _, line := range want {
				if !strings.Contains(have, line) {
					t.Errorf("%s: %q is not in\n%s", place, line, have)
				}
			}
			if n := strings.Count(have, text); n != 1 {
				t.Errorf("%s: it is sent %d times\n%s", place, n, have)
			}
			view = append(view, stack.Messages...)
			if place == ampersat.Before {
				again := prepare(t, p, ampersat.Turn{Message: ampersat.Ask("@a.md @b.md").Message, View: ampersat.View{Messages: view}})
				if again.Reports[0].Outcome != ampersat.Unchanged || again.Reports[1].Outcome.Bad() || strings.Contains(rendered(again.Messages), text) {
					t.Errorf("sent again\n%s", rendered(again.Messages))
				}
			}
		}
	}
}

// Where contents stand as those of tools, what no tool reads comes first: what is
// sent is what will stand first, and the other refers to it.
func TestAReferenceStandsBehindWhatItIsTo(t *testing.T) {
	text := strings.Repeat("another text, which is not short\n", 20)
	for _, asked := range []string{"@a.md @ticket:1", "@ticket:1 @a.md"} {
		for _, place := range ampersat.Placements {
			p := tickets(func(_ ampersat.Query, arg string) (ampersat.Content, error) {
				return ampersat.Content{Name: "ticket:" + arg, Text: text}, nil
			}, disk{"a.md": text})
			p.Tools = func(m mention.Mention, name string) (string, any, bool) {
				return "read_file", map[string]string{"path": name}, m.Kind() == mention.KindFile
			}
			turn := ampersat.Ask(asked)
			turn.Place = place
			have := rendered(prepare(t, p, turn).All())
			sent, reference := strings.Index(have, text), strings.Index(have, "[the same as ")
			if sent < 0 || reference < sent || strings.Count(have, text) != 1 {
				t.Errorf("%s, %s:\n%s", asked, place, have)
			}
		}
	}
}

// A picture is sent once in a turn, like a text, and is known by both of its names then.
func TestTwinPictures(t *testing.T) {
	d := disk{"a.png": "AAAA"}
	p := pipeline(d)
	p.Resolver = shelf{d}
	view := prepare(t, p, ampersat.Ask("@a.png")).Messages
	d["a.png"], d["b.png"] = "BBBB", "BBBB"
	ask := func(text string) ampersat.Stack {
		stack := prepare(t, p, ampersat.Turn{Message: ampersat.Ask(text).Message, View: ampersat.View{Messages: view}})
		view = append(view, stack.Messages...)
		return stack
	}
	pictures := func(stack ampersat.Stack) (n int) {
		for _, c := range contexts(stack) {
			n += len(c.Parts)
		}
		return n
	}
	stack := ask("@a.png @b.png")
	want := "<context_file paths=\"b.png\" shown=\"reference only\">\n[the same as a.png, shown before it]"
	if got := outcomes(stack); got != "@a.png changed\n@b.png duplicate\n" || pictures(stack) != 1 || !strings.Contains(rendered(stack.Messages), want) {
		t.Errorf("%d pictures: %s\n%s", pictures(stack), got, rendered(stack.Messages))
	}
	if again := ask("@b.png"); again.Reports[0].Outcome != ampersat.Unchanged || pictures(again) != 0 {
		t.Errorf("again:\n%s", rendered(again.Messages))
	}
}

// What the model has seen of other parts of a file since does not hide what it has
// seen of this one.
func TestPartsOfAFileThatChanges(t *testing.T) {
	text := func(version int) string {
		return fmt.Sprintf("one\ntwo\nthree\nversion %d\n", version) + strings.Repeat("a line that stays as it is\n", 40)
	}
	for name, c := range map[string]struct {
		turns   [2]string // before and after the file changes
		then    string
		outcome ampersat.Outcome
		since   string
		base    bool
	}{
		"lines of the new one, then all":   {[2]string{"@c.md", "@c.md:1-2"}, "@c.md", ampersat.Changed, "turn 1", true},
		"lines that are the same":          {[2]string{"@c.md:1-1 @c.md:2-2", "hello"}, "@c.md:1-1", ampersat.Unchanged, "", false},
		"lines, all of the new one, lines": {[2]string{"@c.md:1-5", "@c.md"}, "@c.md:1-5", ampersat.Unchanged, "", false},
		"lines, other new lines, lines":    {[2]string{"@c.md:1-5", "@c.md:6-7"}, "@c.md:1-5", ampersat.Changed, "turn 1", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk{"c.md": text(1)}
			p := pipeline(d)
			p.Blobs = new(blob.Memory)
			var view []message.Message
			say := func(prompt string) ampersat.Stack {
				turn := ampersat.Ask(prompt)
				turn.View.Messages = view
				stack := prepare(t, p, turn)
				view = append(view, stack.Messages...)
				return stack
			}
			say(c.turns[0])
			d["c.md"] = text(2)
			say(c.turns[1])
			stack := say(c.then)
			sent := stack.Messages[0].Content.Parts[0].(message.Context)
			if r := stack.Reports[0]; r.Outcome != c.outcome || sent.ChangedSince != c.since || (sent.Base != "") != c.base {
				t.Errorf("%s since %q, base %q: %s", r.Outcome, sent.ChangedSince, sent.Base, sent.Text)
			}
		})
	}
}

// A log that was written by others may refer to lines as it likes.
func TestAReferenceToLinesOfAnotherFile(t *testing.T) {
	source := blob.Of([]byte("a\n"))
	view := []message.Message{{Role: message.Developer, Content: message.Of(
		message.Context{Names: []string{"a.md"}, Source: source, Body: source, Text: "a\n"},
		message.Context{Names: []string{"b.md"}, Source: source, Lines: "1-2", Shown: "reference only", Text: "[the same as a.md, shown in turn 1]"},
	)}}
	turn := ampersat.Ask("hello")
	turn.View.Messages = view
	prepare(t, pipeline(disk{"a.md": "a\n"}), turn)
}

// A file and something else may have one name, and a log that was written before
// things had IDs is read as it was.
func TestThingsOfOneNameAreKnownByTheirKind(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	name := "a.md"
	p := tickets(func(_ ampersat.Query, arg string) (ampersat.Content, error) {
		return ampersat.Content{Name: name, Text: long + arg}, nil
	}, disk{"a.md": long})
	var view []message.Message
	say := func(text string, want ampersat.Outcome, called string) message.Context {
		t.Helper()
		turn := ampersat.Ask(text)
		turn.View.Messages = view
		stack := prepare(t, p, turn)
		view = append(view, stack.Messages...)
		if r := stack.Reports[0]; r.Outcome != want || r.Name != called {
			t.Errorf("%s is %s, called %q; want %s, %q", text, r.Outcome, r.Name, want, called)
		}
		if len(stack.Notes) > 0 {
			t.Errorf("%q", stack.Notes)
		}
		return contexts(stack)[0]
	}
	say("@a.md", ampersat.Loaded, "a.md")
	say("@ticket:1", ampersat.Loaded, "a.md")
	say("@ticket:2", ampersat.Loaded, "ticket:2")
	say("@ticket:1", ampersat.Unchanged, "a.md")
	say("@ticket:2", ampersat.Unchanged, "ticket:2")
	say("@a.md", ampersat.Unchanged, "a.md")
	if seen := (ampersat.View{Messages: view}).Seen(); len(seen) != 1 || seen["a.md"] != blob.Of([]byte(long)) {
		t.Errorf("files that are seen: %v", seen)
	}
	p.Resolver.(*ampersat.Mux).Handle(ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
		return ampersat.Content{Name: "of a kind", Text: long + "1"}, nil
	}), mention.KindSession)
	if c := say("@session:1", ampersat.Unchanged, "of a kind"); c.Text != "[the same as a.md (custom), shown in turn 2]" {
		t.Error(c.Text)
	}
	say("@session:1", ampersat.Unchanged, "of a kind")

	source := blob.Of([]byte(long + "1"))
	name = "ticket:1"
	older := []message.Message{{Role: message.Developer, Content: message.Of(
		message.Context{Names: []string{"old"}, Kind: mention.KindCustom, Source: source, Body: source, Text: long + "1"},
		message.Context{Names: []string{"ticket:1"}, Kind: mention.KindCustom, Source: source, Shown: "reference only", Text: "[the same as old, shown in turn 1]"},
	)}, {Role: message.User, Content: message.Say("hello")}}
	view = older
	say("@ticket:1", ampersat.Unchanged, "ticket:1")
	name = "old"
	say("@ticket:1", ampersat.Unchanged, "ticket:1") // as it was called just now
	view = older
	say("@ticket:1", ampersat.Unchanged, "old")
}

// Where a compaction has taken turns out of the middle, those before have other
// numbers than they were shown with. What is the same as another file is known all
// the same, and that it has changed is told.
func TestTheSameAsWhatHasAnotherNumberByNow(t *testing.T) {
	d := disk{"a.md": "alpha\n", "b.md": "alpha\n"}
	p := pipeline(d)
	view := prepare(t, p, ampersat.Ask("@a.md")).Messages
	view = append(view, prepare(t, p, ampersat.Turn{Message: ampersat.Ask("@b.md").Message, View: ampersat.View{Messages: view}}).Messages...)
	d["b.md"] = "beta\n"
	later := ampersat.View{Messages: view, FirstTurn: 4}
	if s := prepare(t, p, ampersat.Turn{Message: ampersat.Ask("go on").Message, View: later}); len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "b.md: changed since turn 5") {
		t.Errorf("%q\n%s", s.Notes, rendered(s.Messages))
	}
	if s := prepare(t, p, ampersat.Turn{Message: ampersat.Ask("@b.md").Message, View: later}); s.Reports[0].Outcome != ampersat.Changed {
		t.Error(outcomes(s))
	}
}
