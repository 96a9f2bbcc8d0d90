package ampersat

import (
	"fmt"

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
	list := make([]reportJSON, 0, len(reports))
	for _, r := range reports {
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
		if r.Parent >= 0 {
			row.Parent = reports[r.Parent].Written
		}
		list = append(list, row)
	}
	encoded, err := json.Marshal(list, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encode reports: %w", err)
	}
	return encoded, nil
}
