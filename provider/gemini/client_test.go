package gemini

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct{ base, model, want string }{
		{"", "gemini-3.5-flash", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse"},
		{"https://a.example/", "models/m", "https://a.example/v1beta/models/m:streamGenerateContent?alt=sse"},
		{"https://a.example/proxy", "tunedModels/mine", "https://a.example/proxy/v1beta/tunedModels/mine:streamGenerateContent?alt=sse"},
		{"http://127.0.0.1:4010/v1", "m", "http://127.0.0.1:4010/v1/models/m:streamGenerateContent?alt=sse"},
		{"https://a.example/v1alpha/", "m", "https://a.example/v1alpha/models/m:streamGenerateContent?alt=sse"},
		{"https://a.example", "../../b?c=d#e", "https://a.example/v1beta/models/..%2F..%2Fb%3Fc=d%23e:streamGenerateContent?alt=sse"},
	} {
		server := &answering{replies: []*http.Response{refusing(404, noModel)}}
		_, err := agent.Collect(open(c.base, server).Stream(t.Context(), message.Request{Model: c.model, Messages: []message.Message{user("a")}}))
		if !errors.Is(err, message.ErrNotFound) {
			t.Fatal(err)
		}
		if have := server.asked[0].URL.String(); have != c.want {
			t.Errorf("%s %s: asked at %s", c.base, c.model, have)
		}
	}
}

func TestConfiguration(t *testing.T) {
	for _, c := range []struct {
		config agent.Endpoint
		says   string
	}{
		{agent.Endpoint{}, "GEMINI_API_KEY"},
		{agent.Endpoint{Key: "k", BaseURL: "a.example"}, "a.example"},
		{agent.Endpoint{Key: "k", BaseURL: "ftp://a.example"}, "ftp://a.example"},
	} {
		_, err := New(Config{Endpoint: c.config})
		if !errors.Is(err, message.ErrConfiguration) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.config, err)
		}
	}
}

func TestRequestsThatAreNotSent(t *testing.T) {
	for name, request := range map[string]message.Request{
		"without a model":    {Messages: []message.Message{user("a")}},
		"without any words":  {Model: "gemini-3.5-flash"},
		"without good parts": {Model: "gemini-3.5-flash", Messages: []message.Message{{Role: message.User, Content: message.Of(nil)}}},
	} {
		server := &answering{}
		_, err := agent.Collect(open("https://a.example", server).Stream(t.Context(), request))
		if !errors.Is(err, message.ErrInvalidRequest) || len(server.asked) > 0 {
			t.Errorf("%s: %v, asked %d times", name, err, len(server.asked))
		}
	}
}

func TestCardsAreFoundUnderTheFullName(t *testing.T) {
	if card := open("https://a.example", nil).Model("models/gemini-3.5-flash-001"); !card.Known || card.Price == nil {
		t.Errorf("%+v", card)
	}
}
