package echo

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestProvider(t *testing.T) {
	for _, scenario := range providertest.Scenarios("any") {
		t.Run(scenario.Name, func(t *testing.T) { providertest.Contract(t, Provider{}, scenario.Request) })
	}
}

// The accounts of all scenarios, for the reader to judge.
func TestAccounts(t *testing.T) {
	for _, scenario := range providertest.Scenarios("any") {
		path := filepath.Join("testdata", scenario.Name+".txt")
		have := Account(scenario.Request)
		if update := flag.Lookup("update"); update.Value.String() == "true" {
			if err := os.WriteFile(path, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), have); diff != "" {
			t.Errorf("%s (-want +have):\n%s", path, diff)
		}
	}
}

func TestAccountIsSafeToShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := message.Request{Messages: providertest.Session().Draw(t, "session")}
		request.Model = rapid.SampledFrom([]string{"", "m", "\x1b[31m", "\x00"}).Draw(t, "model")
		request.Messages[0].Role += message.Role(request.Model)
		account := Account(request)
		if strings.ContainsFunc(account, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Fatalf("control characters in %q", account)
		}
		if again := Account(request); again != account {
			t.Fatalf("twice the same request, two accounts:\n%s\n%s", account, again)
		}
	})
}

func TestEchoCostsNothing(t *testing.T) {
	response, err := agent.Collect(Provider{}.Stream(t.Context(), message.Request{Messages: []message.Message{{Role: message.User, Content: message.Say("Hello")}}}))
	if err != nil || response.Usage.CostUSD == nil || !response.Usage.CostUSD.IsZero() {
		t.Errorf("%+v, %v", response.Usage, err)
	}
}
