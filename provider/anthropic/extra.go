package anthropic

import (
	"fmt"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// extra is what comes of a block besides text, thinking and calls. It is kept as it
// comes, and put into the answer when the block is over.
type extra struct {
	// citations is of a text.
	citations []jsontext.Value
	// block is one of a type that is not known here, as it began, such as the use of
	// a tool that the provider runs itself. Input is what came of its input since,
	// and deltas all else.
	block  jsontext.Value
	input  []byte
	half   rune // of a character in the input
	deltas []jsontext.Value
}

func (d *decoder) extra(key string) *extra {
	if d.extras == nil {
		d.extras = make(map[string]*extra)
	}
	if d.extras[key] == nil {
		d.extras[key] = &extra{}
	}
	return d.extras[key]
}

// cite adds to the citations of a text.
func (d *decoder) cite(key string, citations ...jsontext.Value) {
	for _, citation := range citations {
		if len(citation) > 0 {
			e := d.extra(key)
			e.citations = append(e.citations, dialogue.Keepable(citation))
		}
	}
}

// other begins a block of a type that is not known here.
func (d *decoder) other(key string, block jsontext.Value) error {
	part, err := message.DecodePart(block)
	if err != nil {
		return fmt.Errorf("content block: %w", err)
	}
	d.extra(key).block = block
	d.answer.Put(key, part)
	return nil
}

// keep keeps a piece of a type that is not known here, of a block whose type is not
// either.
func (d *decoder) keep(key string, piece delta) {
	if e := d.extras[key]; e != nil && e.block != nil {
		kind, _ := jsontext.AppendQuote(nil, piece.Type)
		e.deltas = append(e.deltas, dialogue.Keepable(dialogue.With(piece.Rest, "type", kind)))
	}
}

// settle puts what has come of a block into the answer.
func (d *decoder) settle(key string) {
	e := d.extras[key]
	if e == nil {
		return
	}
	delete(d.extras, key)
	if e.block == nil {
		d.answer.Describe(key, withList(nil, "citations", e.citations))
		return
	}
	block := e.block
	if input := jsontext.Value(e.input); len(input) > 0 {
		name := "input"
		if !input.IsValid() {
			name = dialogue.RawArguments
			input, _ = jsontext.AppendQuote(nil, e.input)
		}
		block = dialogue.With(block, name, input)
	}
	block = withList(block, "citations", e.citations)
	block = withList(block, "deltas", e.deltas)
	if part, err := message.DecodePart(block); err == nil {
		d.answer.Put(key, part)
	}
}

// withList returns an object with a list in it, unless that is empty.
func withList(object jsontext.Value, name string, list []jsontext.Value) jsontext.Value {
	written, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return object
	}
	return dialogue.With(object, name, written)
}
