package agent

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/model"
	experiment "github.com/go-json-experiment/json"
)

func TestASecretIsNotShown(t *testing.T) {
	endpoint := Endpoint{Key: "sk-secret"}
	var logged strings.Builder
	for _, handler := range []slog.Handler{slog.NewTextHandler(&logged, nil), slog.NewJSONHandler(&logged, nil)} {
		slog.New(handler).Info("start", "key", endpoint.Key, "keys", map[string]Secret{"a": endpoint.Key})
	}
	old, err := json.Marshal(map[string]any{"key": endpoint.Key})
	if err != nil {
		t.Fatal(err)
	}
	new, err := experiment.Marshal(map[string]any{"key": endpoint.Key})
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s %q %v", endpoint, endpoint, endpoint, endpoint.Key, endpoint.Key, []any{&endpoint.Key, endpoint.Key}) + logged.String() + string(old) + string(new)
	if strings.Contains(shown, "sk-secret") {
		t.Error(shown)
	}
	if !strings.Contains(shown, "(secret)") || Secret("").String() != "" {
		t.Error("one cannot see whether there is a secret")
	}
}

func TestAnEndpointHasCards(t *testing.T) {
	if card := (Endpoint{}).Cards().Find("anthropic", "claude-sonnet-4-5"); !card.Known {
		t.Error("the default table is not used")
	}
	mine, err := model.Read([]byte(`{"p":{"m":{"window":7}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if card := (Endpoint{Models: &mine}).Cards().Find("p", "m"); card.Window != 7 {
		t.Errorf("%+v", card)
	}
}
