package ampersat

import (
	"fmt"
	"strconv"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// reportJSON is a [Report] as programs read it: the members of the mention
// stand among those of the report.
type reportJSON struct {
	Written string         `json:"written"`
	Start   int            `json:"start"`
	End     int            `json:"end"`
	Fields  jsontext.Value `json:",embed"`
	Outcome Outcome        `json:"outcome"`
	Reason  string         `json:"reason,omitzero"`
	Shown   string         `json:"shown,omitzero"`
	Bytes   int            `json:"bytes"`
	Tokens  int            `json:"tokens"`
	Digest  blob.Digest    `json:"digest,omitzero"`
	Parent  string         `json:"parent,omitzero"`
}

// EncodeReports writes the reports of one stack as a JSON list, for programs
// and for the log. A nested mention names its parent as it was written.
func EncodeReports(reports []Report) (jsontext.Value, error) {
	out := append(make(jsontext.Value, 0, 320*len(reports)+2), '[')
	for i, r := range reports {
		fields, err := mention.Encode(r.Mention)
		if err != nil {
			return nil, fmt.Errorf("encode report of %s: %w", r.Written, err)
		}
		row := reportJSON{
			Written: r.Written, Start: r.Start, End: r.End, Fields: fields, Outcome: r.Outcome,
			Reason: r.Reason, Shown: r.Shown, Bytes: r.Bytes, Tokens: r.Tokens, Digest: r.Digest,
		}
		if r.Mention.Kind() == mention.KindImage {
			row.Digest = "" // it is a member of the mention
		}
		if r.Parent >= 0 && r.Parent < len(reports) {
			row.Parent = reports[r.Parent].Written
		}
		if i > 0 {
			out = append(out, ',')
		}
		if _, unknown := r.Mention.(mention.Unknown); !unknown {
			out = row.append(out)
			continue
		}
		// What somebody else's mention is made of may be anything, even what
		// the report has already.
		encoded, err := json.Marshal(row, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, fmt.Errorf("encode report of %s: %w", r.Written, err)
		}
		out = append(out, encoded...)
	}
	return append(out, ']'), nil
}

// append writes what the JSON package would, which a test holds. There may be
// thousands, and this is quicker.
func (row reportJSON) append(out []byte) []byte {
	text := func(name, value string) {
		out = append(out, name...)
		out, _ = jsontext.AppendQuote(out, value) // bytes that are not UTF-8 are replaced
	}
	number := func(name string, value int) {
		out = strconv.AppendInt(append(out, name...), int64(value), 10)
	}
	optional := func(name, value string) {
		if value != "" {
			text(name, value)
		}
	}
	text(`{"written":`, row.Written)
	number(`,"start":`, row.Start)
	number(`,"end":`, row.End)
	text(`,"outcome":`, string(row.Outcome))
	optional(`,"reason":`, row.Reason)
	optional(`,"shown":`, row.Shown)
	number(`,"bytes":`, row.Bytes)
	number(`,"tokens":`, row.Tokens)
	optional(`,"digest":`, string(row.Digest))
	optional(`,"parent":`, row.Parent)
	out = append(out, ',')
	return append(out, row.Fields[1:]...) // which has a kind at least
}
