package openai

import (
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ofThinking returns the reasoning that a thinking part carries. Its Content is
// the item itself, as the decoder keeps it; in histories of others it is the
// encrypted content and the item's id, both strings.
func ofThinking(part message.Thinking) item {
	if len(part.Content) == 0 {
		return item{}
	}
	if part.Content[0].Kind() == '{' {
		return ofItem(part.Content[0])
	}
	words := make([]string, 2)
	for i := range min(2, len(part.Content)) {
		_ = json.Unmarshal(part.Content[i], &words[i]) // empty if it is something else
	}
	summary := []jsontext.Value{}
	if part.Thinking != "" {
		text, _ := jsontext.AppendQuote(nil, part.Thinking)
		summary = append(summary, jsontext.Value(`{"type":"summary_text","text":`+string(text)+`}`))
	}
	return item{Type: "reasoning", ID: words[1], Summary: &summary, EncryptedContent: words[0]}
}

// ofReasoning returns the reasoning of a part that is such an item already.
func ofReasoning(part message.Reasoning) item {
	sent := ofItem(part.Extra)
	if part.Summary != nil {
		sent.Summary = &part.Summary
	}
	return sent
}

func ofItem(raw jsontext.Value) item {
	var kept struct {
		ID               string           `json:"id"`
		Summary          []jsontext.Value `json:"summary"`
		EncryptedContent string           `json:"encrypted_content"`
	}
	if raw.Kind() != '{' || json.Unmarshal(raw, &kept) != nil {
		return item{}
	}
	if kept.Summary == nil {
		kept.Summary = []jsontext.Value{}
	}
	return item{Type: "reasoning", ID: kept.ID, Summary: &kept.Summary, EncryptedContent: kept.EncryptedContent}
}

// stamp says who thought something.
type stamp struct {
	Provider string `json:"provider,omitzero"`
	Model    string `json:"model,omitzero"`
}

func (s stamp) extra() jsontext.Value {
	if s == (stamp{}) {
		return nil
	}
	extra, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return extra
}

func stampOf(extra jsontext.Value) (s stamp) {
	if extra != nil {
		_ = json.Unmarshal(extra, &s) // without a stamp nobody knows
	}
	return s
}
