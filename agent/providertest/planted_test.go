package providertest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// planted names the fault of the plain provider, in a process of its own.
const planted = "AMPERSAT_PLANTED_FAULT"

func TestPlain(t *testing.T) { Run(t, plainSubject(t, os.Getenv(planted))) }

// The suite must find each fault, by the group of checks that is for it.
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, fault := range []struct{ wrong, group string }{
		{"sends something else each time", "golden"},
		{"forgets results", "golden"},
		{"moves contexts to the top", "prefix"},
		{"tells how long the session is", "prefix"},
		{"forgets results", "lawful"},
		{"moves contexts to the top", "cached share"},
		{"looks back at everything each time", "cost"},
		{"forgets the start", "answer"},
		{"forgets usage", "answer"},
		{"degrades in silence", "answer"},
		{"does not look at arguments", "answer"},
		{"gives up at once", "refusal"},
		{"tells errors in lines", "refusal"},
		{"takes any end for the end", "broken stream"},
		{"passes over what it cannot read", "broken stream"},
		{"loses what came before an error", "broken stream"},
		{"keeps errors to itself", "broken stream"},
		{"ends calls that were cut", "broken stream"},
		{"does not listen to cancelling", "cancel"},
		{"forgets the time of the request", "cancel"},
		{"sends before it is asked to", "cancel"},
		{"puts the key into the address", "key"},
		{"tells the key", "key"},
	} {
		t.Run(fault.wrong+" "+fault.group, func(t *testing.T) {
			t.Parallel()
			group := strings.ReplaceAll(fault.group, " ", "_")
			run := exec.Command(os.Args[0], "-test.run=^TestPlain$/^"+group+"$", "-rapid.nofailfile", "-rapid.seed=1", "-rapid.shrinktime=1ms", "-test.timeout=5m")
			run.Env = append(os.Environ(), planted+"="+fault.wrong)
			out, err := run.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestPlain/"+group) {
				t.Errorf("it was not found (%v):\n%s", err, out)
			}
			if strings.Contains(string(out), "no tests to run") || strings.Contains(string(out), "panic: ") && !strings.Contains(string(out), "--- FAIL") {
				t.Errorf("the check did not run:\n%s", out)
			}
		})
	}
}
