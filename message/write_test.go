package message

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Written in pieces, a message is what it is in one piece.
func TestWriteRenderedIsTheEncodingOfTheRendered(t *testing.T) {
	same := func(t fatal, m Message) {
		t.Helper()
		want, wantErr := Encode(m.Rendered())
		var have bytes.Buffer
		err := WriteRendered(&have, m)
		if (err == nil) != (wantErr == nil) || err == nil && have.String() != string(want) {
			t.Fatalf("have %s, %v\nwant %s, %v", have.String(), err, want, wantErr)
		}
	}
	rapid.Check(t, func(t *rapid.T) { same(t, anyMessage.Draw(t, "message")) })

	var parts []Part
	for i := range 300 {
		text := strings.Repeat("a line with a \"quote\"\n", i)
		switch i % 3 {
		case 1:
			text += "</context_file> & more"
		case 2:
			text += "not UTF-8: \xff"
		}
		parts = append(parts, Context{Names: []string{fmt.Sprintf("f%d.md", i)}, Text: text})
	}
	long := Message{Role: Developer, Content: Of(parts...), Name: "after the content"}
	same(t, long)
	long.Instructions = []Instruction{ReturnControl{}}
	same(t, long)
	parts[200] = nil
	same(t, long)
}

// full is a disk that has room for so many bytes.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteRenderedTellsOfAFullDisk(t *testing.T) {
	m := Message{Role: User, Content: Of(Context{Text: strings.Repeat("x", pieceSize)}, Context{Text: strings.Repeat("y", 2*pieceSize)}, Text{Text: "z"})}
	all, err := Encode(m.Rendered())
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []full{0, pieceSize + 100, full(len(all)) - 1} {
		if err := WriteRendered(&room, m); !errors.Is(err, errFull) {
			t.Errorf("%v", err)
		}
	}
}
