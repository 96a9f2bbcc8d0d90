package session_test

import (
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// A turn of a conversation as it is mostly: some hundred bytes of text.
func turn() session.Entry {
	return session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Text{
		Text: "The server closes its listener first, so that no new connection is taken, then waits for those that are open.\nSee `Close` for the order, and the test that holds it.",
	})}, Prepared: 7, FinishReason: "stop"}
}

func BenchmarkEncode(b *testing.B) {
	e := turn()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session.Encode(e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data, err := session.Encode(turn())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := session.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

// What it takes to open a long session.
func BenchmarkRead10000(b *testing.B) {
	ctx := b.Context()
	var store session.Memory
	m, err := store.Create(ctx, session.Meta{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range session.Seq(10_000) {
		if _, err := store.Append(ctx, m.ID, i, session.NoLease, turn()); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, err := range store.Read(ctx, m.ID, 1) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
