package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A terminal that does not say how large it is obeys as any other would: what the
// model writes is shown to it, with and without styles, and so is what is exported.
func TestATerminalOfNoSizeObeysNothing(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		piece(out, "Words \x1b]0;pwned\x07 and more.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	everybody := p.environment
	for _, variable := range []string{"NO_COLOR=1", "TERM=dumb", "TERM=xterm"} {
		p.environment = append(everybody[:len(everybody):len(everybody)], variable)
		for _, args := range [][]string{{"ask", "--profile", "none", "--quiet", "a question"}, {"session", "export", "last"}} {
			screen := newPty(t) // which has no columns and no lines
			code, shown := screen.ends(screen.sits(p.command(args...)))
			if code != exitDone || !strings.Contains(shown, "pwned") || strings.Contains(shown, "\x1b]0;") || strings.Contains(shown, "\a") {
				t.Errorf("%s, %s: exit %d: %q", variable, args, code, shown)
			}
		}
	}
}
