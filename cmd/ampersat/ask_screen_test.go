package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal the answer is rendered, and nothing in it is obeyed.
func TestAskRendersTheAnswerOnATerminal(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		for _, text := range []string{"# A title\n\nsome **bo", "ld** words\x1b[31m\n\n- an item\n"} {
			piece(out, text, "")
		}
		piece(out, "", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	t.Setenv("HOME", filepath.Dir(p.dir))
	t.Setenv("AMPERSAT_HOME", "")
	t.Chdir(p.dir)
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"ask", "--quiet", "hello"}, streams{in: strings.NewReader(""), out: &out, err: &errs, outTerminal: true, styled: true, columns: 80})
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	have := out.String()
	for _, want := range []string{"\x1b[1mA\x1b[0m", "\x1b[1mbold\x1b[0m", "• \x1b[0man item", `\x1b[31m`} {
		if !strings.Contains(have, want) {
			t.Errorf("no %q in %q", want, have)
		}
	}
	if strings.Contains(have, "\x1b[31m") || strings.Contains(have, "**") {
		t.Errorf("%q", have)
	}
}
