package ampersat

import (
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// Reports are written by hand for speed; the JSON package is the judge.
func TestReportsAreWrittenAsTheJSONPackageDoes(t *testing.T) {
	anyText := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string { return anyText.Draw(t, label) }
		var m mention.Mention = mention.File{Namespace: text("namespace"), Path: text("path")}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			m = mention.Selection{Path: text("path"), First: rapid.Int().Draw(t, "first"), Last: 2}
		case 1:
			m = mention.Unknown{Name: "later", Raw: `{"kind":"later","x":[1, 2]}`}
		case 2:
			m = mention.Terminal{}
		}
		fields, err := mention.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		r := Report{
			Mention: m, Written: text("written"), Start: rapid.Int().Draw(t, "start"), End: 7, Outcome: Outcome(text("outcome")), Reason: text("reason"),
			Shown: text("shown"), Bytes: rapid.Int().Draw(t, "bytes"), Tokens: 3, Digest: blob.Digest(text("digest")), Parent: -1,
		}
		row := reportJSON{
			Written: r.Written, Start: r.Start, End: r.End, Fields: fields, Outcome: r.Outcome, Reason: r.Reason,
			Shown: r.Shown, Bytes: r.Bytes, Tokens: r.Tokens, Digest: r.Digest,
		}
		child, nested := r, row
		child.Parent, nested.Parent = 0, r.Written
		want, err := json.Marshal([]reportJSON{row, nested}, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Fatal(err)
		}
		have, err := EncodeReports([]Report{r, child})
		if err != nil || string(have) != string(want) {
			t.Fatalf("have %s, %v\nwant %s", have, err, want)
		}
	})
	if have, err := EncodeReports(nil); err != nil || string(have) != "[]" {
		t.Errorf("%s, %v", have, err)
	}
	clash := []Report{{Mention: mention.Unknown{Name: "later", Raw: `{"kind":"later","written":"twice"}`}, Written: "@x", Parent: -1}}
	if have, err := EncodeReports(clash); err == nil {
		t.Errorf("two members of one name: %s", have)
	}
}
