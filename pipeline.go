package ampersat

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
)

// Pipeline turns a message with mentions into what a model reads. All front
// ends use this one. Its fields are set before it is used and not changed
// after; a Pipeline is safe for concurrent use, and so must its functions be. A
// panic in the Resolver or the Consent fails a mention; one in any other of them
// ends Prepare.
type Pipeline struct {
	// Resolver fetches what is mentioned, usually a [*Mux], or something around
	// one: see there how to wrap it.
	Resolver Resolver
	// Counter counts tokens. Nil means [token.Estimator].
	Counter token.Counter
	// Consent is what the person has allowed. Nil means nothing.
	Consent access.Consent
	// Agents reports whether there is an agent of that name. Nil means none.
	Agents func(name string) bool
	// Blobs keeps the text of whole files by digest, so that a later turn can
	// send the difference to what the model has seen. A diff needs this and
	// Diff; without either, changed files are sent whole.
	Blobs blob.Store
	// Diff returns a unified diff of two versions of a file. Nil means that what
	// has changed is sent whole. None comes with this package; Unified of
	// github.com/aymanbagabas/go-udiff is one, see the example.
	Diff func(name, before, after string) string
	// Outline shortens source code to its declarations, keeping what is about
	// the prompt. It reports false for text that it cannot outline. Nil means that
	// source code is cut like any text.
	Outline Outliner
	// Tools are the tools that the placement [AsTool] may pretend to have been
	// called, as the request declares them. Nil means none: then all contents
	// stand before the message, as with [Before], and a note in [Stack.Notes] says
	// so of each. See the example.
	Tools ToolNames
	// OnPrepared sees every stack before it is returned: also those of tools that
	// read files, and of the system message. The stack is the caller's too, so it is
	// not to be changed; to refuse one, see Admit of package agent's Config. A panic in
	// it is the caller's.
	OnPrepared func(Stack)
}

// Outliner shortens source code until fits says that it fits; see
// [Pipeline.Outline]. Name is that of the file, and prompt what the person
// wrote. It returns the outline, and what of the source it shows, for people:
// "outline, 180 of 5204 lines". Package source/symbol has one.
type Outliner func(name, text, prompt string, fits func(string) bool) (outline, shown string, ok bool)

// Turn is a message to prepare, and where it stands.
type Turn struct {
	// Message has mentions in its text, or as parts. It is not changed.
	Message message.Message
	// Asker is who wrote it. The zero value is a person, but for what an assistant
	// or a tool says: that mentions nothing, unless this says who answers for it.
	Asker access.Asker
	// Base is the folder of the file that the message is the text of, for a
	// profile or an agent's instruction. Empty for what a person typed.
	Base string
	// Place says where the contents go. Empty, and anything that is not among
	// the [Placements], means [Before].
	Place Placement
	// Budget is how many tokens the contents may cost.
	Budget Budget
	// View is what the model can still see of the earlier turns.
	View View
	// BoundThinking says that the model's turns with tool calls must carry its
	// own signed thinking, so that none can be made up for it.
	BoundThinking bool
	// NoImages and NoDocuments say what the model does not take. It is described
	// then, with its text if it has any.
	NoImages, NoDocuments bool
	// Flat says that the turn is no more than what it mentions, as the call of a
	// tool is: mentions in what is read are not followed, and nothing is said of
	// other files that have changed.
	Flat bool
}

// Ask returns the turn of a person who typed text.
func Ask(text string) Turn {
	return Turn{Message: message.Message{Role: message.User, Content: message.Say(text)}}
}

// Stack is a prepared message: what is to be added to the conversation.
type Stack struct {
	// Top are the messages that stand before all others, system text included.
	// Only the placement [Top] has any.
	Top []message.Message
	// Messages are the context and the message itself, in order.
	Messages []message.Message
	// Reports says what became of each mention, in the order of the text, each
	// one's nested mentions directly after it.
	Reports []Report
	// Notes are further remarks for people: a placement that fell back, a file
	// that changed and was not mentioned again.
	Notes []string
	// Tokens is what the messages cost, context and text.
	Tokens int
	// Blobs holds the bytes of images and documents in the messages.
	Blobs map[blob.Digest][]byte
}

// All returns the messages in the order of the conversation.
func (s Stack) All() []message.Message {
	return append(append([]message.Message{}, s.Top...), s.Messages...)
}

// Bad returns the reports of mentions that the model does not get.
func (s Stack) Bad() []Report {
	var bad []Report
	for _, r := range s.Reports {
		if r.Outcome.Bad() {
			bad = append(bad, r)
		}
	}
	return bad
}

// Prepare resolves the mentions of a message and places what they name. A
// mention that cannot be resolved is a report. There are two errors: that of the
// context, cancelled or past its deadline, and that of [Pipeline.Blobs], where
// something could not be put into it.
func (p *Pipeline) Prepare(ctx context.Context, turn Turn) (Stack, error) {
	if turn.Asker.Origin == "" && turn.Message.Role != message.Assistant && turn.Message.Role != message.Tool && turn.Message.Role != message.Function {
		turn.Asker.Origin = access.FromPerson
	}
	if turn.Place == "" {
		turn.Place = Before
	}
	x := newExpansion(p, turn)
	if err := x.run(ctx); err != nil {
		return Stack{}, err
	}
	seen := turn.View.read()
	x.tellApart(seen)
	if err := x.readOn(ctx, seen); err != nil {
		return Stack{}, err
	}
	blocks := part(x.fold(), seen)
	news, err := x.stale(ctx, seen, blocks)
	if err != nil {
		return Stack{}, err
	}
	seen.learn(news)
	if err := p.compareAll(ctx, blocks, turn, seen); err != nil {
		return Stack{}, err
	}
	fitted, notice := p.fitBeside(blocks, x.gaps(), news, turn, seen)
	if err := p.keep(ctx, fitted.kept); err != nil {
		return Stack{}, err
	}
	stack := p.place(turn, x, fitted, notice)
	if p.OnPrepared != nil {
		p.OnPrepared(stack)
	}
	return stack, nil
}

func (p *Pipeline) counter() token.Counter {
	if p.Counter == nil {
		return token.Estimator{}
	}
	return p.Counter
}

// keep puts the text of whole files where a later turn finds it.
func (p *Pipeline) keep(ctx context.Context, blocks []*block) error {
	if p.Blobs == nil {
		return nil
	}
	for _, b := range blocks {
		if !b.content.isWhole() || b.context.Shown != "" {
			continue
		}
		if _, err := p.Blobs.Put(ctx, []byte(b.content.Text)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("keep what %s is: %w", b.names[0], err)
		}
	}
	return nil
}
