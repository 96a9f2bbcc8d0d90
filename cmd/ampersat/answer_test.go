package main

import "testing"

func TestTheGistOfAFailureHasItsEnd(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"nothing there\n":                "nothing there",
		"[exit code 3]":                  "[exit code 3]",
		"ran\n[exit code 3]":             "ran [exit code 3]",
		"ran\nand ran\n\n[exit code 3]":  "ran … [exit code 3]",
		"error: one\ntwo\n":              "error: one …",
		"one\n[a link](https://a.b) not": "one …",
	} {
		if have := gist(text); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}
