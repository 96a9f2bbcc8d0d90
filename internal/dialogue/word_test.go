package dialogue

import (
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

func TestReadChoice(t *testing.T) {
	for value, want := range map[string]struct {
		choice Choice
		name   string
		known  bool
	}{
		``:                           {"", "", true},
		`null`:                       {"", "", true},
		`"auto"`:                     {ChooseAuto, "", true},
		`"none"`:                     {ChooseNone, "", true},
		`"required"`:                 {ChooseAny, "", true},
		`"any"`:                      {ChooseAny, "", true},
		`{"type":"any"}`:             {ChooseAny, "", true},
		`{"mode":"auto"}`:            {ChooseAuto, "", true},
		`{"type":"tool","name":"a"}`: {ChooseTool, "a", true},
		`{"name":"a"}`:               {ChooseTool, "a", true},
		`{"type":"function","function":{"name":"a"}}`: {ChooseTool, "a", true},
		`{"type":"tool"}`: {"", "", false},
		`"sometimes"`:     {"", "", false},
		`{}`:              {"", "", false},
		`7`:               {"", "", false},
		`"\ud800"`:        {"", "", false},
	} {
		choice, name, known := ReadChoice(jsontext.Value(value))
		if choice != want.choice || name != want.name || known != want.known {
			t.Errorf("%s: %q %q %v", value, choice, name, known)
		}
	}
}

func TestReadEffort(t *testing.T) {
	for word, want := range map[string]Effort{"": "", "none": NoEffort, "Off": NoEffort, "disabled": NoEffort, "minimal": LowEffort, "LOW": LowEffort, "medium": MediumEffort, "high": HighEffort, "xhigh": ExtraEffort, "max": MaxEffort} {
		if have, known := ReadEffort(word); have != want || !known {
			t.Errorf("%q: %q %v", word, have, known)
		}
	}
	if _, known := ReadEffort("heroic"); known {
		t.Error("heroic is known")
	}
	last := 0
	for _, effort := range []Effort{NoEffort, LowEffort, MediumEffort, HighEffort, ExtraEffort, MaxEffort} {
		if budget := effort.Budget(1_000_000); budget < last || budget > 0 && budget == last {
			t.Errorf("%s: %d after %d", effort, budget, last)
		} else {
			last = budget
		}
		if budget := effort.Budget(1000); budget > 500 {
			t.Errorf("%s: %d of 1000", effort, budget)
		}
	}
}

func TestReadMedia(t *testing.T) {
	data := []byte("png")
	blobs := map[blob.Digest][]byte{blob.Of(data): data}
	for _, c := range []struct {
		source message.Source
		want   Media
		fails  bool
	}{
		{message.Inline("image/png", data), Media{MIME: "image/png", Base64: "cG5n"}, false},
		{message.InBlob("image/png", blob.Of(data)), Media{MIME: "image/png", Base64: "cG5n"}, false},
		{message.AtURL("https://a"), Media{URL: "https://a"}, false},
		{message.AtURL("data:image/png;base64,cG5n"), Media{MIME: "image/png", Base64: "cG5n"}, false},
		{message.AtURL("DATA:Image/PNG;name=a.png;Base64,cG5n"), Media{MIME: "image/png", Base64: "cG5n"}, false},
		{message.AtURL("data:image/png;base64,-_-_YQ%3D%3D"), Media{MIME: "image/png", Base64: "+/+/YQ=="}, false},
		{message.AtURL("data:image/png;base64,YQ"), Media{MIME: "image/png", Base64: "YQ=="}, false},
		{message.AtURL("data:image/jpg;base64,/9j/4AAQ"), Media{MIME: "image/jpeg", Base64: "/9j/4AAQ"}, false},
		{message.AtURL("data:;base64,/9j/4AAQ"), Media{MIME: "image/jpeg", Base64: "/9j/4AAQ"}, false},
		{message.AtURL("data:,a%20b"), Media{MIME: "text/plain", Base64: "YSBi"}, false},
		{message.AtURL("data:text/plain;charset=utf-8,a+b"), Media{MIME: "text/plain", Base64: "YSti"}, false},
		{message.Source{Type: message.SourceURL, MIME: "image/png", URL: "data:;base64,cG5n"}, Media{MIME: "image/png", Base64: "cG5n"}, false},
		{message.AtURL("data:image/png;base64,!"), Media{}, true},
		{message.AtURL("data:image/png;base64,"), Media{}, true},
		{message.AtURL("data:image/png,%zz"), Media{}, true},
		{message.AtURL("data:image/png"), Media{}, true},
		{message.AtURL("data:"), Media{}, true},
		{message.InBlob("image/png", blob.Of([]byte("lost"))), Media{}, true},
		{message.Source{Type: message.SourceBase64, Data: "!"}, Media{}, true},
		{message.Source{Type: "file"}, Media{}, true},
	} {
		have, err := ReadMedia(c.source, blobs)
		if have != c.want || (err != nil) != c.fails {
			t.Errorf("%+v: %+v, %v", c.source, have, err)
		}
	}
}
