package echo

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/token"
)

// Name is the provider's name.
const Name = "echo"

// pieceLength is about how long the pieces of an answer are.
const pieceLength = 24

// Provider implements [agent.Provider]. The zero value is ready to use, and safe
// for concurrent use.
type Provider struct {
	// As is what it is called, [Name] if it is empty.
	As string
}

var _ agent.Provider = Provider{}

// Name implements [agent.Provider].
func (p Provider) Name() string { return cmp.Or(p.As, Name) }

// Model implements [agent.Provider]. Echo can do everything, and costs nothing.
func (p Provider) Model(name string) model.Card {
	card := model.Default().Find(Name, name)
	card.Provider = p.Name()
	return card
}

// Stream implements [agent.Provider].
func (p Provider) Stream(ctx context.Context, request message.Request) agent.Stream {
	return func(yield func(message.Event, error) bool) {
		account := Account(request)
		input := 0
		for _, m := range request.Messages {
			input += tokens(m)
		}
		if failure := p.cancelled(ctx, request.Model); failure != nil {
			yield(nil, failure)
			return
		}
		if !yield(message.MessageStart{}, nil) {
			return
		}
		said := 0
		end := func(reason string) message.MessageEnd {
			output := token.Estimate(account[:said])
			end := message.MessageEnd{
				FinishReason: reason,
				Usage:        &message.Usage{InputTokens: input, OutputTokens: output, TotalTokens: input + output},
			}
			if said > 0 {
				end.Content = []message.Part{message.Text{Text: account[:said]}}
			}
			if cost, known := p.Model(request.Model).Cost(*end.Usage); known {
				end.Usage.CostUSD = &cost
			}
			return end
		}
		for said < len(account) {
			if failure := p.cancelled(ctx, request.Model); failure != nil {
				yield(end(agent.FinishError), failure)
				return
			}
			piece := first(account[said:])
			said += len(piece)
			if !yield(message.TextDelta{Text: piece}, nil) {
				return
			}
		}
		yield(end(agent.FinishStop), nil)
	}
}

func (p Provider) cancelled(ctx context.Context, model string) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return nil
	case ctx.Err() == context.DeadlineExceeded:
		return &message.Error{Kind: message.ErrTimeout, Provider: p.Name(), Model: model, Retryable: true, Err: cause}
	default:
		return &message.Error{Kind: message.ErrAborted, Provider: p.Name(), Model: model, Err: cause}
	}
}

// first returns the piece that text begins with: some words, or as much of a long
// one.
func first(text string) string {
	if len(text) <= pieceLength {
		return text
	}
	if space := strings.LastIndexAny(text[:pieceLength], " \n"); space >= 0 {
		return text[:space+1]
	}
	cut := pieceLength
	for cut > 1 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}
