package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// WouldAsk returns the provider and the model that a conversation under a profile
// would ask, those that speak an API if it is not empty. Before is who answered last
// in a session that goes on. Both are empty if there is nobody to ask. Nothing is
// opened, and no key is read.
func (a *App) WouldAsk(m profile.Merged, before, api string) (provider, modelName string, err error) {
	c, provider, modelName, err := a.pick(m, before)
	switch {
	case err != nil || api == "" || provider != "" && c.APIOf(provider) == api:
		return provider, modelName, err
	case provider == WireProvider(api): // OpenAI's models are on Azure too
		return api, modelName, nil
	}
	return api, cmp.Or(c.Providers[api].Model, UsualModel(api)), nil
}

// Body is what would be sent to an API.
type Body struct {
	// JSON is the body, to the byte.
	JSON jsontext.Value
	// Degradations are what in it differs from what was asked.
	Degradations []message.Degradation
}

// encoder is a provider that can say what it would send.
type encoder interface {
	agent.Provider
	Encode(message.Request) (jsontext.Value, []message.Degradation, error)
}

// stage opens what would be asked, for its encoding alone: without a key.
func (a *App) stage(m profile.Merged, api string) (encoder, string, error) {
	name, modelName, err := a.WouldAsk(m, "", api)
	if err != nil {
		return nil, "", err
	}
	c, err := withProviders(a.Config, m.Providers)
	if err != nil {
		return nil, "", err
	}
	endpoint := agent.Endpoint{Key: "none"}
	if api == "azure" && c.Providers[name].Resource == "" {
		endpoint.BaseURL = "https://azure.invalid" // where it is does not matter
	}
	opened, err := connect(c, name, endpoint)
	if err != nil {
		return nil, "", err
	}
	by, ok := opened.(encoder)
	if !ok {
		return nil, "", fmt.Errorf("encode for %s: it has no body", name)
	}
	return by, modelName, nil
}

// Encode returns the body of a request to an API, for the model that would be
// asked there.
func (a *App) Encode(api string, request message.Request) (Body, error) {
	by, modelName, err := a.stage(profile.Merged{}, api)
	if err != nil {
		return Body{}, err
	}
	request.Model = modelName
	body, degradations, err := by.Encode(request)
	return Body{body, degradations}, err
}

// Rehearsal is a new conversation in which everything is as in one that
// [App.Talk] opens, up to where the first request would leave. Nothing is sent or
// kept, and no program is started but for mentions.
type Rehearsal struct {
	*Dialogue
	provider *recorder
	// begun is what the conversation begins with.
	begun ampersat.Stack
}

// Rehearse opens one for an API. Warn is told what people should know.
func (a *App) Rehearse(api string, warn func(string)) (*Rehearsal, error) {
	name, merged, err := a.wantedProfile()
	if err != nil {
		return nil, err
	}
	by, modelName, err := a.stage(merged, api)
	if err != nil {
		return nil, err
	}
	r := &Rehearsal{provider: &recorder{encoder: by}}
	talk, chosen := Talk{Warn: warn}, Chosen{Provider: r.provider, Model: modelName}
	conf, err := a.conversation(talk, name, merged, chosen, new(session.Memory))
	if err != nil {
		return nil, err
	}
	if begin := conf.System; begin != nil {
		conf.System = func(ctx context.Context) (ampersat.Stack, error) {
			r.begun, err = begin(ctx)
			return r.begun, err
		}
	}
	if hasTools(talk, chosen) && a.hasServerTools(merged) {
		talk.warn("the tools of MCP servers are not in it, since no server is started for this")
	}
	r.Dialogue = a.dialogue(merged, conf)
	r.Conversation, err = agent.Start(conf, session.Meta{Dir: a.Root})
	return r, err
}

// Body returns what would be sent if the turn were the first, and the stack that
// is in it. It can be called once.
func (r *Rehearsal) Body(ctx context.Context, turn ampersat.Turn) (Body, ampersat.Stack, error) {
	turn.Place, turn.Budget = r.Place, r.Budget
	done, err := r.Turn(ctx, turn, nil)
	if !errors.Is(err, errRecorded) {
		return Body{}, ampersat.Stack{}, err
	}
	body, degradations, err := r.provider.Encode(r.provider.request)
	return Body{body, degradations}, Join(r.begun, done.Stack), err
}

// errRecorded is how a request ends that is not sent.
var errRecorded = errors.New("the request was not sent")

// recorder keeps the request that it is to send.
type recorder struct {
	encoder
	request message.Request
}

// Stream implements [agent.Provider].
func (r *recorder) Stream(_ context.Context, request message.Request) agent.Stream {
	r.request = request
	return func(yield func(message.Event, error) bool) { yield(nil, errRecorded) }
}
