package app

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// talkative is a tool of somebody else.
type talkative struct {
	parts []message.Part
	err   error
}

func (talkative) Spec() message.ToolSpec                    { return message.ToolSpec{Name: "docs__search"} }
func (talkative) Plan(jsontext.Value) (agent.Action, error) { return agent.Action{}, nil }
func (t talkative) Run(context.Context, agent.Call) (agent.Result, error) {
	return agent.Result{Parts: t.parts}, t.err
}

func TestSecretsInTheResultOfSomebodyElsesToolAreWithheld(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	tool := scanned{talkative{parts: []message.Part{
		message.Text{Text: "nothing to hide"}, message.Text{Text: "token: " + secret}, message.Context{Names: []string{"x"}, Text: "token: " + secret},
		message.Image{Source: message.Inline("image/png", []byte("\x89PNG\x00"+secret+"\x00"))}, message.Document{Source: message.AtURL("https://example.org/?t=" + secret)},
	}}, new(access.Memory)}
	failing := scanned{talkative{err: errors.New("login with " + secret + " failed")}, new(access.Memory)}
	if _, err := failing.Run(context.Background(), agent.Call{}); err == nil || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	result, err := tool.Run(context.Background(), agent.Call{})
	if err != nil || !result.Failed || len(result.Parts) != 5 {
		t.Fatalf("%+v %v", result, err)
	}
	if message.Flatten(message.Of(result.Parts[0])) != "nothing to hide" {
		t.Errorf("%+v", result.Parts[0])
	}
	for _, part := range result.Parts[1:] {
		text, ok := part.(message.Text)
		if !ok || strings.Contains(text.Text, secret) || !strings.Contains(text.Text, "withheld") {
			t.Errorf("%+v", part)
		}
	}
}
