package mention

import (
	"fmt"

	"github.com/ampersat/ampersat/internal/union"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const tag = "kind"

// Encode writes m as one flat JSON object: {"kind":"file","path":"a.md"}.
func Encode(m Mention) (jsontext.Value, error) {
	switch m := m.(type) {
	case nil:
		return nil, fmt.Errorf("encode mention: there is none")
	case Unknown:
		return jsontext.Value(m.Raw), nil
	case File:
		return m.encode(), nil
	default:
		return union.Join(tag, string(m.Kind()), m)
	}
}

// encode writes what [union.Join] would, which a test holds. Most mentions are
// files, and a prompt may have thousands.
func (f File) encode() jsontext.Value {
	out := append(make(jsontext.Value, 0, len(f.Namespace)+len(f.Path)+64), `{"`+tag+`":"`+string(KindFile)+`"`...)
	if f.Namespace != "" {
		out = append(out, `,"namespace":`...)
		out, _ = jsontext.AppendQuote(out, f.Namespace) // bytes that are not UTF-8 are replaced
	}
	out = append(out, `,"path":`...)
	out, _ = jsontext.AppendQuote(out, f.Path)
	return append(out, '}')
}

// Decode reads what [Encode] wrote. Members that the kind does not have are
// returned in rest, nil if there are none; a kind that is not known becomes an
// [Unknown] that holds the whole object.
func Decode(object jsontext.Value) (m Mention, rest jsontext.Value, err error) {
	name, fields, err := union.Split(object, tag)
	if err != nil {
		return nil, nil, fmt.Errorf("decode mention: %w", err)
	}
	decode, known := variants[Kind(name)]
	if !known {
		return Unknown{Name: name, Raw: string(object)}, nil, nil
	}
	if m, rest, err = decode(fields); err != nil {
		return nil, nil, fmt.Errorf("decode %s mention: %w", name, err)
	}
	return m, rest, nil
}

var variants = map[Kind]func(jsontext.Value) (Mention, jsontext.Value, error){
	KindFile:        variant[File],
	KindDirectory:   variant[Directory],
	KindGlob:        variant[Glob],
	KindSelection:   variant[Selection],
	KindSymbol:      variant[Symbol],
	KindURL:         variant[URL],
	KindImage:       variant[Image],
	KindResource:    variant[Resource],
	KindAgent:       variant[Agent],
	KindSubtask:     variant[Subtask],
	KindDiagnostics: variant[Diagnostics],
	KindGitDiff:     variant[GitDiff],
	KindTerminal:    variant[Terminal],
	KindSession:     variant[Session],
	KindCustom:      variant[Custom],
}

func variant[M Mention](fields jsontext.Value) (Mention, jsontext.Value, error) {
	var v struct {
		Mention M              `json:",embed"`
		Rest    jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(fields, &v); err != nil {
		return nil, nil, err
	}
	return v.Mention, v.Rest, nil
}

// MarshalJSON writes the ref as one flat object: the mention's kind, where it
// stands, and the mention's own members. Alternatives are not written.
func (r Ref) MarshalJSON() ([]byte, error) {
	object, err := Encode(r.Mention)
	if err != nil {
		return nil, err
	}
	kind, fields, err := union.Split(object, tag)
	if err != nil {
		return nil, err
	}
	return union.Join(tag, kind, struct {
		Written string         `json:"written"`
		Start   int            `json:"start"`
		End     int            `json:"end"`
		Fields  jsontext.Value `json:",embed"`
		Bare    bool           `json:"bare,omitzero"`
	}{r.Written, r.Start, r.End, fields, r.Bare})
}
