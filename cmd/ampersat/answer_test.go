package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/shopspring/decimal"
)

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

// What is done about a failure is told, and not what could be.
func TestRetryIsToldOnce(t *testing.T) {
	for want, failure := range map[string]*message.Error{
		"lab x: too many requests (status 429): slow down; trying again in 600ms\n": {Kind: message.ErrRateLimit, Provider: "lab", Model: "x", Status: 429, Message: "slow down", RetryAfter: time.Second},
		"lab x: the provider is unavailable; trying again in 600ms\n":               {Kind: message.ErrUnavailable, Provider: "lab", Model: "x"},
	} {
		var errs bytes.Buffer
		newAnswer(streams{out: io.Discard, err: &errs}, askFlags{}).retry(failure, 612*time.Millisecond)
		if errs.String() != want {
			t.Errorf("%q, want %q", errs.String(), want)
		}
	}
}

// An answer whose contents could not be kept for later is one all the same.
func TestContentsThatWereNotKeptAreTold(t *testing.T) {
	var errs bytes.Buffer
	done := agent.Answer{Unflushed: errors.New("no room left")}
	newAnswer(streams{out: io.Discard, err: &errs}, askFlags{}).close(t.Context(), done, nil, nil)
	if want := "ampersat: the answer is kept, what was read for it is not (no room left): the next turn may send whole files again\n"; errs.String() != want {
		t.Errorf("%q, want %q", errs.String(), want)
	}
}

func TestDollars(t *testing.T) {
	for cost, want := range map[string]string{"1.5": "$1.5000", "0.00012": "$0.0001", "0.00001": "<$0.0001"} {
		if have := dollars(decimal.RequireFromString(cost)); have != want {
			t.Errorf("%s: %s, want %s", cost, have, want)
		}
	}
}

// NO_COLOR takes the escape sequences and leaves the layout.
func TestAnAnswerWithoutStylesIsLaidOut(t *testing.T) {
	var out bytes.Buffer
	w := streams{out: &out, outTerminal: true, columns: 40}.answerWriter()
	if _, err := io.WriteString(w, "- an **item**\n\n| a | b |\n|---|---|\n| long | x |\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "• an **item**\n\na     b\n───────\nlong  x\n"; out.String() != want || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
