package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/token"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// rehearsal appends to a session and holds its view to every rule after
// each entry. Each message carries the number of its entry as its name, by
// which it is known again whatever is left of it.
type rehearsal struct {
	tester
	ctx   context.Context
	store *session.Memory
	view  *session.View
	// log is what was appended.
	log []session.Entry
	// factor and overhead make the provider count otherwise than the estimate.
	factor   float64
	overhead int

	before   []string // the messages of the view, as they were
	sent     []string // and as they would be sent
	gone     map[session.Seq]bool
	prefixes map[string][]string
	thought  map[string][]string // what the view was when the model thought
	excused  map[string]bool     // thinking that stays in the middle of a turn
	undone   map[session.Seq]bool
	pinned   map[session.Seq]bool
	calls    int
	epochs   int
	// sparse checks only what is sent, not each entry; every so many entries the
	// view is opened anew.
	sparse bool
	every  int
}

func rehearse(t tester, policy session.Policy) *rehearsal {
	t.Helper()
	c := &rehearsal{
		tester: t, ctx: context.Background(), store: &session.Memory{}, factor: 1, every: 7, gone: map[session.Seq]bool{},
		prefixes: map[string][]string{}, thought: map[string][]string{}, excused: map[string]bool{}, undone: map[session.Seq]bool{}, pinned: map[session.Seq]bool{},
	}
	if _, err := c.store.Create(c.ctx, session.Meta{ID: "s"}); err != nil {
		t.Fatalf("%v", err)
	}
	view, err := session.Open(c.ctx, c.store, "s", policy)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c.view = view
	return c
}

// append adds an entry and checks everything.
func (c *rehearsal) append(e session.Entry) {
	c.Helper()
	if _, err := c.view.Append(c.ctx, session.NoLease, e); err != nil {
		c.Fatalf("append %T: %v", e, err)
	}
	c.log = append(c.log, e)
	switch e.Kind() {
	case session.KindPrepared, session.KindCompacted:
		c.check(e)
	default:
		if !c.sparse {
			c.check(e)
		}
	}
}

// say appends a message.
func (c *rehearsal) say(s session.Said) {
	c.Helper()
	s.Message.Name = strconv.Itoa(int(c.view.Head()) + 1)
	c.thought[s.Message.Name] = c.sent
	c.append(s)
}

func (c *rehearsal) text(role message.Role, text string) {
	c.Helper()
	c.say(session.Said{Message: message.Message{Role: role, Content: message.Say(text)}})
}

// request prepares what would be sent, after compacting if that is due, and
// returns what the provider will report.
func (c *rehearsal) request() (at session.Seq, usage *message.Usage) {
	c.Helper()
	c.compact(false)
	request := message.Request{Model: c.view.Policy().Model, Messages: c.view.Request()}
	p, err := session.Prepare("echo", request)
	if err != nil {
		c.Fatalf("%v", err)
	}
	base, earlier, sent, err := c.view.LastPrepared(c.ctx)
	if err == nil {
		p, err = p.Since(base, earlier, sent)
	}
	if err != nil {
		c.Fatalf("%v", err)
	}
	p.Through, p.Epoch, p.Tokens = c.view.Head(), c.view.Epoch(), c.view.Tokens()
	c.append(p)
	return c.view.Head(), &message.Usage{InputTokens: c.overhead + int(c.factor*float64(estimate(request.Messages))), OutputTokens: 10}
}

// turnTo goes on with another model, which counts in its own way.
func (c *rehearsal) turnTo(model string, window int, factor float64) {
	c.Helper()
	policy := c.view.Policy()
	policy.Provider, policy.Model, policy.Window = "echo", model, window
	if err := c.view.SetPolicy(policy); err != nil {
		c.Fatalf("%v", err)
	}
	c.factor = factor
}

// compact compacts the view if that is due, or anyway.
func (c *rehearsal) compact(force bool) bool {
	c.Helper()
	before := c.view.Tokens()
	done, ok, err := c.view.Compact(c.ctx, "", force)
	if large := (*session.TooLargeError)(nil); errors.As(err, &large) {
		if large.Needed <= large.Window {
			c.Errorf("%v", err)
		}
		return false
	}
	if err != nil {
		c.Fatalf("compact: %v", err)
	}
	if !ok {
		if reason, due := c.view.Due(); due {
			c.Errorf("it is due (%s), and nothing was done", reason)
		}
		return false
	}
	if done.TokensBefore != before || done.TokensAfter >= before || done.Through != c.view.Head() || done.Epoch != c.view.Epoch()+1 || len(done.Decisions) == 0 {
		c.Errorf("of %d tokens: %+v", before, done)
	}
	c.epochs++
	c.append(done)
	if now := c.view.Tokens(); now != done.TokensAfter {
		c.Errorf("the view has %d tokens after a compaction to %d", now, done.TokensAfter)
	}
	if reason, due := c.view.Due(); due {
		c.Errorf("it is due again after a compaction from %d to %d, with the target %d: %s", done.TokensBefore, done.TokensAfter, done.TokensTarget, reason)
	}
	if need, limit := c.least(), int(c.view.Policy().Threshold*float64(c.view.Policy().Window)); c.factor == 1 && c.overhead == 0 && need < limit && c.view.Tokens() > limit {
		c.Errorf("the view has %d tokens, and %d would do", c.view.Tokens(), need)
	}
	return true
}

// least is what cannot be taken out: an estimate that is on the safe side.
func (c *rehearsal) least() int {
	sum := c.view.Policy().Window/20 + 500
	messages := c.view.Messages()
	ask := lastAsk(messages)
	for i, m := range messages {
		seq, _ := strconv.Atoi(m.Name)
		if m.Role == message.System || i == ask || c.pinned[session.Seq(seq)] || i > ask && ask >= 0 || len(c.pinned) > 0 {
			sum += estimate(messages[i : i+1])
		}
	}
	return sum
}

// lastAsk is the place of the last message of a person.
func lastAsk(messages []message.Message) int {
	for i, m := range slices.Backward(messages) {
		if isAsk(m) {
			return i
		}
	}
	return -1
}

func isAsk(m message.Message) bool {
	return m.Role == message.User && slices.ContainsFunc(m.Content.Parts, func(p message.Part) bool { _, is := p.(message.ToolResult); return !is })
}

func isUnfinished(messages []message.Message) bool {
	if len(messages) == 0 {
		return false
	}
	last := messages[len(messages)-1]
	return last.Role != message.Assistant
}

func encoded(c tester, messages []message.Message) (lines []string) {
	c.Helper()
	for _, m := range messages {
		data, err := message.Encode(m)
		if err != nil {
			c.Fatalf("%v", err)
		}
		lines = append(lines, string(data))
	}
	return lines
}

func estimate(messages []message.Message) (sum int) {
	for _, m := range messages {
		sum += 4
		for _, p := range m.Rendered().Content.Parts {
			switch p := p.(type) {
			case message.Text:
				sum += token.Estimate(p.Text)
			case message.Thinking:
				sum += token.Estimate(p.Thinking)
			default:
				data, _ := message.EncodePart(p)
				sum += token.Estimate(string(data))
			}
		}
	}
	return sum
}

// check holds the view to its rules after an entry.
func (c *rehearsal) check(e session.Entry) {
	c.Helper()
	messages := c.view.Messages()
	lines := encoded(c, messages)

	grows := true
	switch e := e.(type) {
	case session.Compacted:
		grows = false
		for _, d := range e.Decisions {
			if d.Part == 0 && d.Action == session.Evict {
				c.gone[d.Seq] = true
			}
		}
		c.checkAnswers(e, messages)
	case session.Note:
		grows = e.Name != session.NoteUndo
	case session.Said:
		grows = e.Message.Role != message.System && len(e.Message.Metadata) == 0
	}
	if grows && (len(lines) < len(c.before) || !slices.Equal(lines[:len(c.before)], c.before)) {
		c.Errorf("after a %s the view does not begin as before:\n%s\n---\n%s", e.Kind(), strings.Join(c.before, "\n"), strings.Join(lines, "\n"))
	}
	requested := c.view.Request()
	c.before, c.sent = lines, lines
	if slices.ContainsFunc(messages, func(m message.Message) bool { return len(m.Metadata) > 0 }) {
		c.sent = encoded(c, requested)
		if err := arranged(messages, requested); err != nil {
			c.Errorf("after a %s: %v\n%s\n---\n%s", e.Kind(), err, strings.Join(lines, "\n"), strings.Join(c.sent, "\n"))
		}
	}

	if err := paired(messages); err != nil {
		c.Errorf("after a %s: %v\n%s", e.Kind(), err, strings.Join(lines, "\n"))
	}
	c.checkOrder(messages)
	c.checkVital(lines)
	c.checkThinking(e, requested, c.sent)
	if err := based(messages); err != nil {
		c.Errorf("after a %s: %v", e.Kind(), err)
	}
	if turn := c.view.FirstTurn(); turn < 1 || c.view.Epoch() == 0 && turn != 1 {
		c.Errorf("the first turn is %d in epoch %d", turn, c.view.Epoch())
	}
	if _, compacted := e.(session.Compacted); compacted && !c.sparse || len(c.log)%c.every == 0 {
		c.checkFresh(lines)
	}
}

// checkOrder checks that messages are in the order of the log, and that what was
// gone does not come back.
func (c *rehearsal) checkOrder(messages []message.Message) {
	last := 0
	for i, m := range messages {
		if m.Name == "" {
			continue // of the view's own
		}
		seq, _ := strconv.Atoi(m.Name)
		if i == 0 && m.Role == message.System {
			continue
		}
		if seq <= last || m.Role == message.System {
			c.Errorf("message %d, a %s, is entry %d after entry %d", i, m.Role, seq, last)
		}
		last = seq
		if c.gone[session.Seq(seq)] || c.undone[session.Seq(seq)] {
			c.Fatalf("entry %d is back", seq)
		}
	}
}

// checkAnswers checks that nothing stays that answers what a person said and is
// gone, but what is pinned.
func (c *rehearsal) checkAnswers(e session.Compacted, messages []message.Message) {
	seen := map[string]bool{}
	for _, m := range messages {
		seen[m.Name] = true
	}
	for _, d := range e.Decisions {
		said, is := c.log[d.Seq-1].(session.Said)
		if !is || !isAsk(said.Message) || d.Part != 0 || d.Action != session.Evict {
			continue
		}
		var left []session.Seq
		pinned := false
		for seq := d.Seq + 1; int(seq) <= len(c.log); seq++ {
			said, is := c.log[seq-1].(session.Said)
			if is && isAsk(said.Message) && !c.undone[seq] {
				break
			}
			pinned = pinned || c.pinned[seq]
			if is && said.Message.Role == message.Assistant && seen[strconv.Itoa(int(seq))] {
				left = append(left, seq)
			}
		}
		if len(left) > 0 && !pinned {
			c.Errorf("entries %v answer entry %d, which is gone: %s", left, d.Seq, d.Reason)
		}
	}
}

// checkVital checks that the system message is first and the last message of a
// person whole, as are those that are pinned.
func (c *rehearsal) checkVital(lines []string) {
	want := map[session.Seq]string{}
	var system, ask session.Seq
	for i, e := range slices.Backward(c.log) {
		said, is := e.(session.Said)
		if !is || c.undone[session.Seq(i+1)] || said.Message.Role == message.System && c.gone[session.Seq(i+1)] {
			continue
		}
		switch {
		case said.Message.Role == message.System && system == 0:
			system = session.Seq(i + 1)
		case isAsk(said.Message) && ask == 0:
			ask = session.Seq(i + 1)
		}
		if ask != 0 && (system != 0 || i < len(c.log)-200) {
			break
		}
	}
	if system == 0 && c.log[0].Kind() == session.KindSaid && c.log[0].(session.Said).Message.Role == message.System && !c.gone[1] && !c.undone[1] {
		system = 1
	}
	if system != 0 {
		want[system] = "the system message"
	}
	// What is stubbed and comes to be the last by an undo stays as it is.
	if ask != 0 && len(c.undone) == 0 {
		want[ask] = "the last message of a person"
	}
	for seq, what := range want {
		data, err := message.Encode(c.log[seq-1].(session.Said).Message)
		if err != nil {
			c.Fatalf("%v", err)
		}
		at := slices.Index(lines, string(data))
		if at < 0 || seq == system && at != 0 {
			c.Errorf("%s, entry %d, is at %d of\n%s", what, seq, at, strings.Join(lines, "\n"))
		}
	}
}

// checkThinking checks that signed thinking stands behind what stood before it
// when it was thought, but in the middle of a turn.
func (c *rehearsal) checkThinking(e session.Entry, messages []message.Message, lines []string) {
	ask, unfinished := lastAsk(messages), isUnfinished(messages)
	if _, compacted := e.(session.Compacted); compacted {
		clear(c.excused)
		// The notice of the compaction stands last.
		unfinished = isUnfinished(messages[:max(0, len(messages)-1)]) || messages[len(messages)-1].Name != ""
	}
	if said, is := e.(session.Said); is && (said.Message.Role == message.System || len(said.Message.Metadata) > 0) {
		for i, m := range messages {
			if i > ask || unfinished {
				c.excused[m.Name] = true
			}
		}
	}
	for i, m := range messages {
		if !slices.ContainsFunc(m.Content.Parts, func(p message.Part) bool {
			thinking, is := p.(message.Thinking)
			return is && thinking.Signature != ""
		}) {
			continue
		}
		switch was, known := c.prefixes[m.Name]; {
		case !known:
			c.prefixes[m.Name] = lines[:i]
			if was := c.thought[m.Name]; len(was) > i || !slices.Equal(was, lines[:len(was)]) {
				delete(c.prefixes, m.Name) // it changed before the exchange was whole
				c.excused[m.Name] = true
			}
		case c.excused[m.Name] || slices.Equal(was, lines[:i]):
		case i > ask:
			c.excused[m.Name] = true
		default:
			c.Fatalf("after a %s the thinking of entry %s stands behind something else than it did (unfinished: %v)\n%s", e.Kind(), m.Name, unfinished, cmp.Diff(was, lines[:i]))
		}
	}
}

// checkFresh checks that the view is the same when it is opened anew.
func (c *rehearsal) checkFresh(lines []string) {
	c.Helper()
	again, err := session.Open(c.ctx, c.store, "s", c.view.Policy())
	if err != nil {
		c.Fatalf("%v", err)
	}
	if fresh := encoded(c, again.Messages()); !slices.Equal(fresh, lines) {
		c.Fatalf("opened anew it differs:\n%s", cmp.Diff(lines, fresh))
	}
	if again.Tokens() != c.view.Tokens() || again.FirstTurn() != c.view.FirstTurn() || again.Head() != c.view.Head() || again.Epoch() != c.view.Epoch() {
		c.Errorf("opened anew it has %d tokens, turn %d, head %d, epoch %d; not %d, %d, %d, %d", again.Tokens(), again.FirstTurn(), again.Head(), again.Epoch(),
			c.view.Tokens(), c.view.FirstTurn(), c.view.Head(), c.view.Epoch())
	}
	one, _, err := again.Compact(c.ctx, "", true)
	other, _, err2 := c.view.Compact(c.ctx, "", true)
	if fmt.Sprint(err) != fmt.Sprint(err2) || !sameEntry(one, other) {
		c.Fatalf("opened anew it is compacted otherwise: %v, %v\n%s", err, err2, cmp.Diff(other, one))
	}
	at, p, whole, err := again.LastPrepared(c.ctx)
	at2, p2, whole2, err2 := c.view.LastPrepared(c.ctx)
	if err != nil || err2 != nil || at != at2 || at != 0 && !sameEntry(p, p2) || !slices.Equal(encoded(c, whole.Messages), encoded(c, whole2.Messages)) {
		c.Errorf("the last request is %d, %v; not %d, %v", at, err, at2, err2)
	}
}

func sameEntry(a, b session.Entry) bool {
	x, err := session.Encode(a)
	y, err2 := session.Encode(b)
	return (err == nil) == (err2 == nil) && bytes.Equal(x, y)
}

// checkLog checks that the log is what was appended.
func (c *rehearsal) checkLog() {
	c.Helper()
	i := 0
	for r, err := range c.store.Read(c.ctx, "s", 1) {
		if err != nil {
			c.Fatalf("%v", err)
		}
		if !sameEntry(r.Entry, c.log[i]) {
			c.Errorf("entry %d has changed", r.Seq)
		}
		i++
	}
	if i != len(c.log) {
		c.Errorf("the log has %d entries, want %d", i, len(c.log))
	}
}

// paired checks that each call is answered directly after it, and each result
// answers a call.
func paired(messages []message.Message) error {
	open := map[string]int{}
	for i, m := range messages {
		var calls, results []string
		for _, p := range m.Content.Parts {
			switch p := p.(type) {
			case message.ToolCall:
				calls = append(calls, p.ID)
			case message.ToolResult:
				results = append(results, p.ToolCallID)
			}
		}
		for _, id := range results {
			if open[id] == 0 {
				return fmt.Errorf("message %d answers %q, which nobody asked", i, id)
			}
			if open[id]--; open[id] == 0 {
				delete(open, id)
			}
		}
		if len(results) == 0 && len(open) > 0 {
			return fmt.Errorf("message %d follows calls that are not answered: %v", i, open)
		}
		for _, id := range calls {
			open[id]++
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the view ends with calls that are not answered: %v", open)
	}
	return nil
}

// arranged checks that a request holds what the view does, each part once: first
// what was put at the top, then one system message, and then the rest in order.
func arranged(view, request []message.Message) error {
	parts := func(messages []message.Message, in func(message.Message) bool) (all []string) {
		for _, m := range messages {
			for _, p := range m.Content.Parts {
				if data, err := message.EncodePart(p); in(m) && string(data) != `{"type":"text","text":"\n\n"}` {
					all = append(all, fmt.Sprint(string(data), err))
				}
			}
		}
		return all
	}
	isTop := func(m message.Message) bool { return string(m.Metadata) == `{"place":"top"}` }
	isSystem := func(m message.Message) bool { return m.Role == message.System }
	isFront := func(m message.Message) bool {
		return isSystem(m) || m.Role == message.Developer && string(m.Metadata) == `{"place":"system"}`
	}
	isRest := func(m message.Message) bool { return !isTop(m) && !isFront(m) }
	systems := 0
	for i, m := range request {
		if isSystem(m) {
			systems++
		}
		if i > 0 && (isTop(m) && !isTop(request[i-1]) || isSystem(m) && isRest(request[i-1])) || isFront(m) && !isSystem(m) {
			return fmt.Errorf("message %d of the request is out of place", i)
		}
	}
	have, want := parts(request, isSystem), parts(view, isFront)
	slices.Sort(have)
	slices.Sort(want)
	if systems > 1 || !slices.Equal(have, want) || !slices.Equal(parts(request, isTop), parts(view, isTop)) || !slices.Equal(parts(request, isRest), parts(view, isRest)) {
		return fmt.Errorf("the request, with %d system messages, does not hold what the view does", systems)
	}
	return nil
}

// based checks that what each diff applies to and each reference refers to can
// be seen before it.
func based(messages []message.Message) error {
	type version struct {
		name   string
		source blob.Digest
		lines  string
	}
	have, cut, whole := map[version]bool{}, map[version]bool{}, map[blob.Digest]bool{}
	for i, m := range messages {
		var contexts []message.Context
		for _, p := range m.Content.Parts {
			if c, is := p.(message.Context); is {
				contexts = append(contexts, c)
			}
			if r, is := p.(message.ToolResult); is {
				for _, p := range r.Parts() {
					if c, is := p.(message.Context); is {
						contexts = append(contexts, c)
					}
				}
			}
		}
		for _, c := range contexts {
			v := version{c.Names[0], c.Source, c.Lines}
			switch {
			case c.Shown == "reference only":
				if !have[v] && !cut[v] && !whole[c.Source] {
					return fmt.Errorf("message %d refers to %s, which is gone", i, c.Names[0])
				}
				if !have[v] && !whole[c.Source] {
					continue // to what is not whole, no diff applies
				}
			case c.Base != "":
				if !have[version{c.Names[0], c.Base, c.Lines}] {
					return fmt.Errorf("message %d has a diff on %s, which is gone", i, c.Names[0])
				}
			case c.Shown == "" && c.Lines == "":
				whole[c.Source] = true
			case c.Shown == "":
			default:
				cut[v] = true
				continue
			}
			have[v] = true
		}
	}
	return nil
}

// content is what the pipeline would send for a file of this text: the whole, a
// diff or a reference, by what can be seen.
func (c *rehearsal) content(name, text string) message.Context {
	source := blob.Of([]byte(text))
	whole := message.Context{Names: []string{name}, Source: source, Body: source, Text: text}
	seen := ampersat.View{Messages: c.view.Messages(), FirstTurn: c.view.FirstTurn()}.Seen()
	switch known := seen[name]; known {
	case "":
	case source:
		return message.Context{Names: []string{name}, Source: source, Shown: "reference only", Text: "[unchanged since turn 1, shown there]"}
	default:
		diff := "@@ -1 +1 @@\n" + text[:min(len(text), 50)]
		return message.Context{Names: []string{name}, Source: source, Base: known, Body: blob.Of([]byte(diff)), Text: diff, ChangedSince: "turn 1"}
	}
	return whole
}

// exchange has the model call tools and the tools answer. The shapes are those
// that stored histories have.
func (c *rehearsal) exchange(shape int, thinking bool, usage *message.Usage, prepared session.Seq, outputs ...string) {
	c.Helper()
	var ids []string
	m := message.Message{Role: message.Assistant}
	if thinking {
		m.Content.Parts = append(m.Content.Parts, message.Thinking{Thinking: "let me look at this", Signature: "c2ln" + strconv.Itoa(c.calls)})
	}
	m.Content.Parts = append(m.Content.Parts, message.Text{Text: "I look."})
	var list []string
	for range outputs {
		c.calls++
		id := "call_" + strconv.Itoa(c.calls)
		ids = append(ids, id)
		switch shape % 3 {
		case 0:
			call, err := message.Call(id, "read_file", map[string]string{"path": "src/file.go"})
			if err != nil {
				c.Fatalf("%v", err)
			}
			m.Content.Parts = append(m.Content.Parts, call)
		case 1:
			list = append(list, fmt.Sprintf(`{"id":%q,"tool":"read_file","arguments":{"path":"src/file.go"}}`, id))
		case 2:
			list = append(list, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"read_file","arguments":"{\"path\":\"src/file.go\"}"}}`, id))
		}
	}
	if len(list) > 0 {
		m.Extra = jsontext.Value(`{"tool_calls":[` + strings.Join(list, ",") + `]}`)
	}
	c.say(session.Said{Message: m, Usage: usage, Prepared: prepared})
	var together []message.Part
	for i, output := range outputs {
		switch {
		case output == "":
			continue // it never answered
		case shape%2 == 0:
			together = append(together, message.TextResult(ids[i], output))
		default:
			c.say(session.Said{Message: message.Message{Role: message.Tool, ToolCallID: ids[i], Content: message.Say(output)}})
		}
	}
	if len(together) > 0 {
		role := message.Tool
		if shape >= 3 {
			role = message.User
		}
		c.say(session.Said{Message: message.Message{Role: role, Content: message.Of(together...)}})
	}
}
