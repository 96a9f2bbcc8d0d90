package export

import (
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types of lines.
const (
	TypeSession = "session"
	TypeEntry   = "entry"
	TypeBlob    = "blob"
	TypeLost    = "lost"
)

// Line is a line of an export. Only what its type needs is set:
//
//	{"type":"session","session":ID,"meta":{...}}
//	{"type":"entry","session":ID,"seq":1,"time":"...","entry":{...}}
//	{"type":"blob","digest":"sha256:...","data":BASE64}
//	{"type":"lost","session":ID,"seq":5,"through":9,"reason":"..."}
//
// The entries of a session stand together, in order.
type Line struct {
	Type    string         `json:"type"`
	Session session.ID     `json:"session,omitzero"`
	Meta    *session.Meta  `json:"meta,omitzero"`
	Seq     session.Seq    `json:"seq,omitzero"`
	Time    time.Time      `json:"time,omitzero"`
	Entry   jsontext.Value `json:"entry,omitzero"`
	Digest  blob.Digest    `json:"digest,omitzero"`
	Data    *[]byte        `json:"data,omitzero"`
	// Through is the last of several entries that are lost.
	Through session.Seq `json:"through,omitzero"`
	// Raw is what is left of an entry that is not as it was written.
	Raw    string `json:"raw,omitzero"`
	Reason string `json:"reason,omitzero"`
}

// Append appends the line to out, with its line end.
func (l Line) Append(out []byte) ([]byte, error) {
	// An entry goes in as it was stored. A JSON library would tidy it up; only
	// line breaks, which are space between tokens, cannot stay.
	entry := l.Entry
	l.Entry = nil
	text, err := json.Marshal(l)
	if err != nil {
		return out, err
	}
	out = append(out, text...)
	if entry != nil {
		out = append(out[:len(out)-1], `,"entry":`...)
		out = append(out, strings.NewReplacer("\n", " ", "\r", " ").Replace(string(entry))...)
		out = append(out, '}')
	}
	return append(out, '\n'), nil
}
