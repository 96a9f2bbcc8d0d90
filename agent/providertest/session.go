package providertest

import (
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// blobs are what random images are of.
var blobs = map[blob.Digest][]byte{blob.Of(png): png}

// Session generates sessions: mostly as people and models make them, with calls
// and results that match, and now and then with everything that can go wrong.
func Session() *rapid.Generator[[]message.Message] {
	return rapid.Custom(func(t *rapid.T) []message.Message {
		var session []message.Message
		if rapid.Bool().Draw(t, "has system") {
			session = append(session, system("You are terse."))
		}
		var open []string // ids of calls, answered or not
		for n := range rapid.IntRange(1, 14).Draw(t, "length") {
			session = append(session, randomMessage(t, n, &open))
		}
		return session
	})
}

var words = rapid.SampledFrom([]string{"Hello.", "Why?", "", " ", "é 𝄞", "a\nb", "<context_file>", "long enough to be something", "\xff"})

// toolNames are of tools that were there when the session was held.
var toolNames = rapid.SampledFrom([]string{"read_file", "read_file", "mcp.server.read", "2 read"})

func randomMessage(t *rapid.T, n int, open *[]string) message.Message {
	switch rapid.IntRange(0, 11).Draw(t, "message") {
	case 0, 1:
		return user(words.Draw(t, "text"))
	case 2:
		return asking("See ", "@a.md", " "+words.Draw(t, "text"))
	case 3:
		return contexts(message.Context{Names: []string{"a.md"}, Text: words.Draw(t, "content")})
	case 4, 5:
		return answer(words.Draw(t, "text"))
	case 6, 7:
		m := message.Message{Role: message.Assistant}
		if rapid.Bool().Draw(t, "thinks") {
			m.Content.Parts = append(m.Content.Parts, randomThought(t))
		}
		if rapid.Bool().Draw(t, "speaks") {
			m.Content.Parts = append(m.Content.Parts, message.Text{Text: words.Draw(t, "text")})
		}
		*open = (*open)[:0]
		for i := range rapid.IntRange(0, 3).Draw(t, "calls") {
			id := rapid.SampledFrom([]string{fmt.Sprintf("call_%d_%d", n, i), "call_0", "", "a|b"}).Draw(t, "id")
			m.Content.Parts = append(m.Content.Parts, call(id, toolNames.Draw(t, "tool"), rapid.SampledFrom([]string{"", "{}", `{"path":"a"}`}).Draw(t, "arguments")))
			*open = append(*open, id)
		}
		return m
	case 8, 9:
		var list []message.ToolResult
		for range rapid.IntRange(1, 3).Draw(t, "results") {
			id := "nobody"
			if len(*open) > 0 && rapid.IntRange(0, 5).Draw(t, "matches") > 0 {
				id = rapid.SampledFrom(*open).Draw(t, "id")
			}
			result := message.TextResult(id, words.Draw(t, "output"))
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				result = failedResult(id, words.Draw(t, "complaint"))
			}
			list = append(list, result)
		}
		return results(list...)
	case 10:
		return message.Message{Role: message.User, Content: message.Of(randomPart(t), message.Text{Text: words.Draw(t, "text")}, randomPart(t))}
	default:
		m := user(words.Draw(t, "text"))
		m.Role = rapid.SampledFrom([]message.Role{message.System, message.Developer, message.Tool, "critic", message.User}).Draw(t, "role")
		m.Name = rapid.SampledFrom([]string{"", "alice"}).Draw(t, "name")
		if rapid.Bool().Draw(t, "instructed") {
			m.Instructions = []message.Instruction{message.ReturnControl{}, message.Intermediate{}}
		}
		return m
	}
}

func randomThought(t *rapid.T) message.Part {
	return rapid.SampledFrom([]message.Part{
		message.Thinking{Thinking: "hm", Signature: "c2ln"},
		message.Thinking{Signature: "c2ln"},
		message.Thinking{Thinking: "unsigned"},
		message.RedactedThinking{Data: "ZGF0YQ=="},
		message.Thinking{Thinking: "foreign", Signature: "c2ln", Extra: jsontext.Value(`{"model":"another"}`)},
		message.Thinking{Thinking: "of another provider", Signature: "c2ln", Extra: jsontext.Value(`{"provider":"another"}`)},
		message.Thinking{Thinking: "sum", Content: []jsontext.Value{jsontext.Value(`"ZW5j"`), jsontext.Value(`"rs_1"`)}},
		message.Reasoning{Summary: []jsontext.Value{jsontext.Value(`{"type":"summary_text","text":"s"}`)}},
	}).Draw(t, "thought")
}

func randomPart(t *rapid.T) message.Part {
	return rapid.SampledFrom([]message.Part{
		message.Image{Source: message.InBlob("image/png", blob.Of(png))},
		message.Image{Source: message.InBlob("image/png", blob.Of([]byte("lost")))},
		message.Image{Source: message.AtURL("https://example.com/a.png")},
		message.Document{Source: message.Inline("application/pdf", pdf), Title: "a.pdf"},
		message.Document{Source: message.Inline("application/zip", pdf)},
		message.Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"},
		message.Unknown{Name: "audio", Raw: jsontext.Value(`{"type":"audio"}`)},
		message.ToolResult{ToolCallID: "call_0", Output: jsontext.Value(`{"a":1}`)},
		call("call_0", "read_file", "{}"),
		message.Thinking{Thinking: "not the user's", Signature: "c2ln"},
	}).Draw(t, "part")
}
