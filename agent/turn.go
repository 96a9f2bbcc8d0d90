package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// turn is a turn that is running.
type turn struct {
	*Conversation
	lease session.Lease
	id    session.ID

	mu    sync.Mutex // events come from several tools at once
	watch func(Event)
	seq   int

	// And so do notes of what they do. Once a call has ended it appends none, so
	// that between calls the log and the view are the turn's alone.
	noting sync.Mutex

	answer Answer
	// said is where the message is in the log, once something was appended.
	said session.Seq
	// report is what became of the mentions, for the first request.
	report jsontext.Value
	// shrunk says that the provider found a request too long already.
	shrunk bool
}

// Turn runs one turn: the message is prepared and written to the log, then
// requests are sent and their tool calls run until the model has nothing more
// to do. Each request is in the log before it leaves, and each answer and each
// result when it has come.
//
// Watch, if it is not nil, is told what happens, from one goroutine at a time;
// the last thing is an [Ended]. It returns soon: the turn waits for it, also when
// it was cancelled. Of a turn that does not begin, because of an [ErrBusy], it is
// told nothing.
//
// # Errors
//
// Whatever the error, the log is well-formed: what had come of an answer is kept,
// and every call has a result. Whether the message itself was kept is told by
// [Answer.Said]; whoever watches knows it by the first [Requested], or by the
// [Compacted] that made room for it. If it was not, the turn can be tried again.
// To test for:
//
//   - when the context ends, the turn does so soon, and errors.Is holds for the
//     context's error, [context.Canceled] or [context.DeadlineExceeded], and for
//     its cause;
//   - [ErrBusy]: this conversation has a turn already;
//   - [*session.HeldError], a [session.ErrHeld]: somebody else has the session.
//     [session.ErrLost]: somebody has taken it away during the turn, and
//     [session.ErrConflict]: somebody has written to it all the same;
//   - [session.ErrExists], in a first turn: the id of the new session is taken.
//     [session.ErrNotFound]: the session was deleted. [session.ErrClosed]: the
//     store was closed;
//   - [*message.Error]: the provider, with a kind that says what can be done;
//   - [*session.TooLargeError]: what cannot be left out does not fit the window;
//   - [ErrSteps]: the model did not come to an end;
//   - [*NotKeptError]: something has come or was done that is not in the log;
//   - whatever Config.System or Config.Admit returned.
func (c *Conversation) Turn(ctx context.Context, said ampersat.Turn, watch func(Event)) (Answer, error) {
	if !c.mu.TryLock() {
		return Answer{}, ErrBusy
	}
	defer c.mu.Unlock()
	if c.view == nil {
		return Answer{}, errNotBegun
	}
	t := &turn{Conversation: c, watch: watch, id: session.NewID(time.Now())}
	t.answer.Turn = t.id
	err := stopped(ctx, explain(ctx, t.run(ctx, said)))
	t.emit(func(s message.Stamp) Event { return Ended{Stamp: s, Answer: t.answer.own(), Err: err} })
	return t.answer, err
}

func (t *turn) run(ctx context.Context, said ampersat.Turn) (err error) {
	// What an earlier turn could neither write nor take back was not said.
	if err := t.view.Unstage(ctx); err != nil {
		return err
	}
	var entries []session.Entry
	var taken taking
	// What was begun is brought to its end also where something panics that is
	// not ours.
	defer func() {
		if taken.Holding == nil {
			return
		}
		// A lease that cannot be released runs out by itself.
		_ = taken.Release()
		t.dropEmpty(ctx)
	}()
	if t.new != nil {
		entries, err = t.prepareWhile(ctx, said, &taken)
	} else {
		taken = t.take(ctx)
	}
	if taken.err != nil {
		return errors.Join(err, taken.err)
	}
	ctx, t.lease = taken.Context(), taken.Lease
	if t.new == nil {
		if err = t.view.Refresh(ctx); err == nil { // another process may have been here
			t.show()
			entries, err = t.prepare(ctx, said)
		}
	}
	if err != nil {
		return explain(ctx, err)
	}
	defer func() { err = errors.Join(err, t.unstage(ctx)) }()
	t.said = t.view.Head() + session.Seq(place(entries, said.Message.Role)) + 1
	if err := t.view.Stage(entries...); err != nil {
		return explain(ctx, err)
	}
	defer t.flush(ctx)
	return explain(ctx, t.steps(ctx))
}

// prepareWhile creates the session, and reads meanwhile what the message
// mentions.
func (t *turn) prepareWhile(ctx context.Context, said ampersat.Turn, taken *taking) ([]session.Entry, error) {
	creating := make(chan taking, 1)
	go func() { creating <- t.create(ctx) }()
	defer func() { *taken = <-creating }()
	return t.prepare(ctx, said)
}

// unstage forgets a message that did not get into the log.
func (t *turn) unstage(ctx context.Context) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	return t.view.Unstage(ctx)
}

// create adds a new session to the store, and takes it.
func (t *turn) create(ctx context.Context) taking {
	if _, err := t.config.Store.Create(ctx, *t.new); err != nil {
		return taking{err: fmt.Errorf("start a session: %w", err)}
	}
	taken := t.take(ctx)
	if taken.err != nil {
		t.dropEmpty(ctx) // it is ours: it was created just now
	}
	return taken
}

// dropEmpty removes a new session again in which nothing was said.
func (t *turn) dropEmpty(ctx context.Context) {
	if t.new == nil {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	// That it stays is no harm.
	_ = t.config.Store.Delete(ctx, t.Conversation.id)
}

// flush keeps what the pipeline has read, for the differences of later turns.
func (t *turn) flush(ctx context.Context) {
	if t.config.Late == nil {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	t.answer.Unflushed = t.config.Late.Flush(ctx)
}

// steps sends requests until the model is done.
func (t *turn) steps(ctx context.Context) error {
	for t.answer.Steps < t.config.MaxSteps {
		more, err := t.step(ctx)
		if err != nil || !more {
			return err
		}
	}
	return fmt.Errorf("%w after %d requests, as many as a turn may take; what it did is kept, and another turn goes on", ErrSteps, t.config.MaxSteps)
}

// isFirst reports whether nothing was said in the session yet. Notes of a front
// end do not count.
func (t *turn) isFirst() bool { return len(t.view.Messages()) == 0 }

// begin returns what a session begins with, nothing if it has begun.
func (t *turn) begin(ctx context.Context) (ampersat.Stack, error) {
	if t.config.System == nil || !t.isFirst() {
		return ampersat.Stack{}, nil
	}
	return t.config.System(ctx)
}

// prepare returns the message of the turn for the log, after what the session
// begins with: both or nothing.
func (t *turn) prepare(ctx context.Context, said ampersat.Turn) ([]session.Entry, error) {
	beginning, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	card := t.config.Provider.Model(t.config.Model)
	said.View = t.View()
	// What is gone is no longer seen, and does not become part of what is said now.
	if said.View.Messages, _, err = t.load(ctx, said.View.Messages); err != nil {
		return nil, err
	}
	said.View.Messages = append(said.View.Messages, beginning.All()...)
	said.BoundThinking = said.BoundThinking || card.BoundThinking
	said.NoImages = said.NoImages || card.Known && !card.Images
	said.NoDocuments = said.NoDocuments || card.Known && !card.Documents
	said.Budget.Turn = t.room(said, beginning)
	stack, err := t.config.Pipeline.Prepare(ctx, said)
	if err != nil {
		return nil, err
	}
	t.answer.Stack = ownStack(stack)
	t.emit(func(s message.Stamp) Event { return Resolved{Stamp: s, Stack: ownStack(stack)} })
	if t.config.Admit != nil {
		if err := t.config.Admit(ownStack(stack)); err != nil {
			return nil, err
		}
	}
	if t.report, err = ampersat.EncodeReports(stack.Reports); err != nil {
		return nil, err
	}
	begun, err := t.entries(ctx, beginning)
	if err != nil {
		return nil, err
	}
	stack.Messages = ofTurn(said.View.Messages, stack.Messages)
	entries, err := t.entries(ctx, stack)
	if err != nil {
		return nil, err
	}
	note := Begun{ID: t.id, Notes: true}
	if t.isFirst() {
		note.Profile, note.Dir = t.config.Profile, t.config.Dir
	}
	value, err := json.Marshal(note, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("note that a turn begins: %w", err)
	}
	return slices.Concat(begun, []session.Entry{session.Note{Name: NoteTurn, Value: value}}, entries), nil
}

// room is how many tokens the contents of a message may cost: as many as are
// asked for, or half of the window. What can be taken out does not count, since
// compaction makes room; what cannot does, or else the contents would go again.
func (t *turn) room(said ampersat.Turn, beginning ampersat.Stack) int {
	want := cmp.Or(said.Budget.Turn, t.config.Policy.Window/2)
	if t.config.Policy.Window == 0 {
		return want
	}
	return max(1, t.view.Room(want, append(beginning.All(), said.Message)...)) // zero would be the default
}

// place finds the message itself among the entries that it was prepared to.
func place(entries []session.Entry, role message.Role) int {
	for i, entry := range slices.Backward(entries) {
		if said, ok := entry.(session.Said); ok && said.Message.Role == role {
			return i
		}
	}
	return len(entries) - 1
}

// entries returns a prepared message for the log, and keeps what it needs.
func (t *turn) entries(ctx context.Context, stack ampersat.Stack) (entries []session.Entry, err error) {
	if err := t.keep(ctx, stack.Blobs); err != nil {
		return nil, err
	}
	for _, m := range stack.All() {
		for _, digest := range m.Blobs() {
			data, err := t.bytes(ctx, digest)
			if err != nil {
				return nil, fmt.Errorf("read what the message shows: %w; put it into the blobs of the store first", err)
			}
			t.blobs[digest] = data
		}
	}
	for _, m := range stack.Top {
		entries = append(entries, session.Said{Message: session.AtTop(m)})
	}
	for _, m := range stack.Messages {
		entries = append(entries, session.Said{Message: m})
	}
	return entries, nil
}

// ofTurn returns the messages of a turn as they belong to it: contents that stand
// in the system message are its own, and go with it. Seen are the messages before.
func ofTurn(seen, messages []message.Message) []message.Message {
	messages = slices.Clone(messages)
	for i, m := range messages {
		switch {
		case m.Role != message.System:
		case slices.ContainsFunc(m.Content.Parts, func(p message.Part) bool { return p.Type() != message.TypeContext }):
			messages[i] = joined(seen, m)
		default:
			messages[i] = session.InSystem(m)
		}
	}
	return messages
}

// joined returns the system message with the contents of another: there is one
// in a session, and the model reads the last.
func joined(seen []message.Message, system message.Message) message.Message {
	if len(seen) == 0 || seen[0].Role != message.System {
		return system
	}
	parts := seen[0].Content.Parts
	body := slices.IndexFunc(parts, func(p message.Part) bool { return p.Type() != message.TypeContext })
	if body < 0 {
		body = len(parts)
	}
	all := seen[0]
	all.Content = message.Of(slices.Concat(parts[:body], system.Content.Parts, parts[body:])...)
	return all
}

// append adds entries to the log, and to the view.
func (t *turn) append(ctx context.Context, entries ...session.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	_, err := t.view.Append(ctx, t.lease.Token, entries...)
	if err == nil {
		t.new = nil
		t.answer.Said = cmp.Or(t.answer.Said, t.said)
		t.show()
	}
	return err
}

// close appends what ends a step, whatever has become of the context: what came
// is not lost because somebody pressed Ctrl-C.
func (t *turn) close(ctx context.Context, entries ...session.Entry) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	if err := t.append(ctx, entries...); err != nil {
		return &NotKeptError{err}
	}
	return nil
}

// emit tells the watcher of an event, which is made with its stamp. If that
// makes none, there is nothing to tell.
func (t *turn) emit(event func(message.Stamp) Event) {
	if t.watch == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := event(message.Stamp{
		Time: time.Now().UTC().Format(time.RFC3339Nano), SessionID: string(t.Conversation.id), TurnID: string(t.id), Seq: t.seq + 1,
	})
	if e == nil {
		return
	}
	t.seq++
	t.watch(e)
}

// finishTools writes the results of a step's calls to the log. What they changed
// is there already.
func (t *turn) finishTools(ctx context.Context, jobs []*job) error {
	var results []message.Part
	var unkept error
	blobs := map[blob.Digest][]byte{}
	for _, j := range jobs {
		results = append(results, j.whole)
		for _, digest := range digestsIn(j.result) {
			if data, brought := j.blobs[digest]; brought {
				blobs[digest] = data
			}
		}
		unkept = errors.Join(unkept, j.unkept)
	}
	storing, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	kept := t.keep(storing, blobs)
	if kept != nil {
		// What was done is done, and is written down all the same; only what could
		// not be shown again is left out.
		for i, j := range jobs {
			if len(digestsIn(j.result)) > 0 {
				results[i] = message.TextResult(j.call.ID, "error: "+kept.Error())
			}
		}
	}
	// What the model is to read next has to fit: it is not taken out again.
	fitted, _ := t.view.Fit(message.Message{Role: message.Tool, Content: message.Of(results...)})
	said := session.Said{Message: fitted}
	return errors.Join(unkept, kept, t.close(ctx, said))
}
