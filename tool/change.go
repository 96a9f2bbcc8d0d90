package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/aymanbagabas/go-udiff"
)

const (
	// maxTold is the longest difference that the model is told of an edit that
	// it has made itself.
	maxTold = 8 << 10
	// maxCompared is the longest text of which differences are looked for.
	maxCompared = 4 << 20
)

// put writes a file, when what is needed to undo it is kept.
func (k *kit) put(ctx context.Context, call agent.Call, t target, was present, content string) (agent.Result, error) {
	k.writing.Lock()
	defer k.writing.Unlock()
	if err := t.writable(was); err != nil {
		return agent.Result{}, err
	}
	after := blob.Of([]byte(content))
	result := agent.Result{
		Changes: []agent.Change{{Path: t.spelled, After: after, Folders: t.missing(), Beside: newBeside()}},
		Blobs:   map[blob.Digest][]byte{after: []byte(content)},
	}
	if was.exists {
		before := blob.Of(was.raw)
		result.Changes[0].Before, result.Changes[0].Mode = before, uint32(was.mode)
		result.Blobs[before] = was.raw
	}
	if call.Changing != nil {
		if err := call.Changing(ctx, slices.Clone(result.Changes), result.Blobs); err != nil {
			return agent.Result{}, err
		}
	}
	touched, err := t.write(ctx, []byte(content), was, result.Changes[0].Beside)
	result.Changes[0].Beside = ""
	if !touched {
		return agent.Result{}, err
	}
	k.own.wrote(t.real, written{momentOf(call.View), was.digest(), blob.Of([]byte(strings.TrimPrefix(content, byteOrderMark)))})
	return result, err
}

// changed tells the model what it has made of a file, so that afterwards it is
// known to have seen it: the text that it gave stands in its own call.
func changed(s sight, base blob.Digest, text, told string) message.Context {
	c := message.Context{Names: s.names, Source: blob.Of([]byte(text)), Body: blob.Of([]byte(told)), ChangedSince: "this call", Text: told}
	if base != "" {
		c.Base = base
	}
	return c
}

// difference shows a person what would change.
func difference(name, before, after string) string {
	if len(before)+len(after) > maxCompared {
		return fmt.Sprintf("%s of %s become %s: too long to compare\n", wording.Count(len(before), "byte"), name, wording.Count(len(after), "byte"))
	}
	old := "a/" + name
	if before == "" {
		old = "/dev/null"
	}
	return udiff.Unified(old, "b/"+name, before, after)
}

// oneLine makes a line of what a person is shown.
func oneLine(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return text
}
