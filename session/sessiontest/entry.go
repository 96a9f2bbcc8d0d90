package sessiontest

import (
	"strconv"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// Entries returns an entry of each kind with every field set, and some that are
// as empty as they may be. They carry what a newer version might write: unknown
// kinds and members, at every level, in spellings that a JSON library would
// change. Each call returns values of its own.
func Entries() []session.Entry {
	spelled := func() jsontext.Value { return jsontext.Value(`{"a":[1.50, 1e3],"\u0062":"\u00e9\/"}`) }
	picture := blob.Of([]byte("picture"))
	usage := func() *message.Usage {
		return &message.Usage{InputTokens: 1200, OutputTokens: 34, TotalTokens: 1234, CacheReadTokens: 1000, CostUSD: new(decimal.RequireFromString("0.00310")), Extra: jsontext.Value(`{"tier":"\u0062atch"}`)}
	}
	asked := message.Message{
		Role: message.User,
		Content: message.Of(
			message.Text{Text: "Compare "},
			message.Ref{Mention: mention.Selection{Path: "a b.go", First: 10, Last: 20}, Written: `@"a b.go":10-20`, Extra: jsontext.Value(`{"later":true}`)},
			message.Text{Text: " with "},
			message.Ref{Mention: mention.Image{Digest: picture, MIME: "image/png"}, Written: "@image", Captured: picture},
			message.Unknown{Name: "hologram", Raw: jsontext.Value(`{ "type":"hologram", "depth":3.0, "name":"\u0068" }`)},
		),
		Instructions: []message.Instruction{message.Intermediate{}},
		Metadata:     jsontext.Value(`{"n": 1}`),
		Extra:        spelled(),
	}
	called := message.Message{Role: message.Assistant, Content: message.Of(
		message.Thinking{Thinking: "hm", Signature: "c2ln"},
		message.ToolCall{ID: "call_1", Name: "read_file", Input: jsontext.Value(`{"path": "a"}`)},
	)}
	digest := blob.Of([]byte("request"))
	return []session.Entry{
		session.Said{Message: asked},
		session.Said{
			Message: called, Prepared: 2, Usage: usage(), FinishReason: "tool_use", Interrupted: "cancelled by the person",
			Degradations: []message.Degradation{{Requested: "a", Actual: "b", Reason: "c"}, {Requested: "d", Extra: jsontext.Value(`{"x":{"y": 1}}`)}},
			Extra:        spelled(),
		},
		say(""),
		session.Prepared{
			Provider: "anthropic", Options: jsontext.Value(`{"beta": ["x"]}`),
			Request: message.Request{
				Messages: []message.Message{asked, called}, Model: "m", MaxOutputTokens: 4096, Temperature: new(0.5), Stream: true,
				Tools: []message.ToolSpec{{Name: "read_file", Description: "reads", Parameters: jsontext.Value(`{"type": "object"}`)}},
				Extra: jsontext.Value(`{"seed":[ 7 ]}`),
			},
			Digest: digest, Blobs: []blob.Digest{picture}, Through: 3, Epoch: 1, Tokens: 950,
			Report: jsontext.Value(`[{"written": "@a", "outcome":"loaded"}]`), Extra: spelled(),
		},
		session.Prepared{Provider: "echo", Base: 4, Kept: 2, SameTools: true, Links: 1, Digest: digest},
		session.Compacted{
			Epoch: 1, Strategy: "smart", Reason: "92 % of the window is full", Through: 5,
			Decisions: []session.Decision{
				{Seq: 1, Part: 2, Action: session.Stub, Text: "@a b.go", Reason: "it can be fetched again", Extra: spelled()},
				{Seq: 2, Action: session.Evict},
			},
			Summary: &message.Message{Role: message.Developer, Content: message.Say("so far")},
			Notice:  "Earlier content was left out.", TokensBefore: 190000, TokensAfter: 90000, TokensTarget: 100000, Extra: spelled(),
		},
		session.Compacted{Epoch: 2},
		session.Compacted{Epoch: 3, Through: 90, Resume: &session.Resume{
			Spans:     []session.Span{{First: 1, Last: 1}, {First: 70, Last: 90}},
			Decisions: []session.Decision{{Seq: 70, Part: 1, Action: session.Stub, Text: "@a.go"}, {Seq: 71, Action: session.Evict, Reason: "undone"}},
			Pinned:    []session.Seq{1, 80}, Turns: 30, Extra: spelled(),
		}},
		session.Delegated{
			Child: "child-1", Agent: "reviewer", Description: "review", Call: "call_2",
			Prompt: message.Of(message.Text{Text: "check "}, message.Ref{Mention: mention.File{Path: "a.go"}, Written: "@a.go"}),
			Extra:  spelled(),
		},
		session.Delegated{Prompt: message.Say("You are a poet.")},
		session.Returned{Delegated: 8, Child: "child-1", Outcome: session.Limited, Reason: "50 rounds", Result: message.Say("half of it"), Usage: usage(), Extra: spelled()},
		session.Returned{Outcome: "later"},
		session.Note{Name: "undo", Value: jsontext.Value(`{"to" : 3, "why":"\u0061"}`), Extra: spelled()},
		session.Note{Name: "pin"},
		session.Unknown{Name: "hologram", Raw: jsontext.Value(`{ "depth": 3.00, "kind" :"hologram", "\u0061": null }`)},
		session.Unknown{Name: "said", Raw: jsontext.Value(`{"kind":"said","message":"a later version writes only its digest"}`)},
		session.Prepared{Provider: "anthropic", Choice: "work/claude-sonnet-5", Digest: digest},
		session.Compacted{Epoch: 4, Through: 95, Notice: "Earlier content was left out.", NoticeBefore: 94},
		session.Compacted{Epoch: 5, Through: 99, TokensBefore: 60000, TokensAfter: 30000, TokensTarget: 32000, Provider: "anthropic", Model: "claude-sonnet-5"},
	}
}

// numberedNote is a note that tells itself from others.
func numberedNote(n int) session.Note {
	return session.Note{Name: "n", Value: jsontext.Value(strconv.Itoa(n))}
}

// AnyEntry generates entries that a store must take.
func AnyEntry() *rapid.Generator[session.Entry] {
	return rapid.Custom(func(t *rapid.T) session.Entry {
		switch rapid.IntRange(0, 6).Draw(t, "entry") {
		case 0:
			return session.Said{
				Message: anyMessage.Draw(t, "message"), Prepared: anySeq(0).Draw(t, "prepared"), FinishReason: anyText.Draw(t, "finish"),
				Interrupted: anyText.Draw(t, "interrupted"), Extra: anyExtra.Draw(t, "extra"),
			}
		case 1:
			p := session.Prepared{
				Provider: someText.Draw(t, "provider"), Choice: anyText.Draw(t, "choice"), Options: anyRaw.Draw(t, "options"), Digest: blob.Of(nil), Through: anySeq(0).Draw(t, "through"),
				Epoch: rapid.IntRange(0, 3).Draw(t, "epoch"), Tokens: rapid.IntRange(0, 1<<40).Draw(t, "tokens"), Report: anyRaw.Draw(t, "report"), Extra: anyExtra.Draw(t, "extra"),
			}
			p.Request.Model = anyText.Draw(t, "model")
			if messages := rapid.SliceOfN(anyMessage, 0, 3).Draw(t, "messages"); len(messages) > 0 {
				p.Request.Messages = messages
			}
			if rapid.Bool().Draw(t, "continues") {
				p.Base, p.Kept, p.SameTools, p.Links = anySeq(1).Draw(t, "base"), rapid.IntRange(0, 9).Draw(t, "kept"), rapid.Bool().Draw(t, "tools"), rapid.IntRange(1, 9).Draw(t, "links")
			}
			return p
		case 2:
			c := session.Compacted{Epoch: rapid.IntRange(1, 9).Draw(t, "epoch"), Strategy: anyText.Draw(t, "strategy"), Through: anySeq(0).Draw(t, "through"), Notice: anyText.Draw(t, "notice"), NoticeBefore: anySeq(0).Draw(t, "notice before"), Provider: anyText.Draw(t, "provider"), Model: anyText.Draw(t, "model"), Extra: anyExtra.Draw(t, "extra")}
			for range rapid.IntRange(0, 3).Draw(t, "decisions") {
				c.Decisions = append(c.Decisions, session.Decision{
					Seq: anySeq(1).Draw(t, "seq"), Part: rapid.IntRange(0, 3).Draw(t, "part"), Action: rapid.SampledFrom([]session.Action{session.Evict, session.Stub, "later"}).Draw(t, "action"),
					Text: anyText.Draw(t, "text"), Reason: anyText.Draw(t, "reason"), Extra: anyExtra.Draw(t, "extra"),
				})
			}
			return c
		case 3:
			return session.Delegated{Child: session.ID(anyText.Draw(t, "child")), Agent: someText.Draw(t, "agent"), Prompt: anyContent.Draw(t, "prompt"), Call: anyText.Draw(t, "call"), Extra: anyExtra.Draw(t, "extra")}
		case 4:
			return session.Returned{Delegated: anySeq(0).Draw(t, "delegated"), Outcome: session.Outcome(someText.Draw(t, "outcome")), Result: anyContent.Draw(t, "result"), Extra: anyExtra.Draw(t, "extra")}
		case 5:
			return session.Note{Name: someText.Draw(t, "name"), Value: anyRaw.Draw(t, "value"), Extra: anyExtra.Draw(t, "extra")}
		default:
			return session.Unknown{Name: "hologram", Raw: jsontext.Value(`{ "kind":"\u0068ologram" , "n":` + strconv.Itoa(rapid.Int().Draw(t, "n")) + `.0}`)}
		}
	})
}

var (
	anyText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "hi", "null", `"kind"`, `\u0041`, "a\nb\x00\x1b[31m", "é\u2028\uFFFD𝄞", "@a.md", "'; --"}))
	// someText has something to say.
	someText   = anyText.Filter(func(s string) bool { return s != "" })
	anyRaw     = rapid.SampledFrom([]jsontext.Value{nil, jsontext.Value("null"), jsontext.Value(`[1.0, {"kind":"\u00e9"} ]`), jsontext.Value(`{"a" :1e3}`), jsontext.Value(`"\u0061"`)})
	anyExtra   = rapid.SampledFrom([]jsontext.Value{nil, jsontext.Value(`{"later":{ "kind": 1 }}`), jsontext.Value(`{"x":"\u0061","later":null}`)})
	anyContent = rapid.Custom(func(t *rapid.T) message.Content {
		if rapid.Bool().Draw(t, "plain") {
			return message.Say(anyText.Draw(t, "said"))
		}
		var c message.Content
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			c.Parts = append(c.Parts, rapid.OneOf(
				rapid.Map(anyText, func(s string) message.Part { return message.Text{Text: s} }),
				rapid.Map(anyText, func(s string) message.Part {
					return message.Ref{Mention: mention.File{Path: s}, Written: "@" + s}
				}),
				rapid.Just[message.Part](message.Unknown{Name: "hologram", Raw: jsontext.Value(`{"type":"hologram", "x":"\u0061"}`)}),
			).Draw(t, "part"))
		}
		return c
	})
	anyMessage = rapid.Custom(func(t *rapid.T) message.Message {
		return message.Message{Role: rapid.SampledFrom([]message.Role{message.User, message.Assistant, "later"}).Draw(t, "role"), Content: anyContent.Draw(t, "content"), Extra: anyExtra.Draw(t, "extra")}
	})
)

func anySeq(least int) *rapid.Generator[session.Seq] {
	return rapid.Map(rapid.IntRange(least, 1<<40), func(n int) session.Seq { return session.Seq(n) })
}
