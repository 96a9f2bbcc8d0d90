package zed

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json"
)

// The kinds of Zed that have no kind of ours, by the name that a
// [mention.Unknown] holds them under.
const (
	kindRule          = "zed-rule"
	kindSkill         = "zed-skill"
	kindMergeConflict = "zed-merge-conflict"
)

// foreign is the JSON of such a mention: its URI as it came.
type foreign struct {
	Kind string `json:"kind"`
	URI  string `json:"uri"`
}

func foreignMention(kind, uri string) (mention.Mention, error) {
	raw, err := json.Marshal(foreign{kind, uri})
	if err != nil {
		return nil, err
	}
	return mention.Unknown{Name: kind, Raw: string(raw)}, nil
}

// foreignURI returns the URI that m holds.
func foreignURI(m mention.Unknown) (string, error) {
	if !strings.HasPrefix(m.Name, "zed-") {
		return "", fmt.Errorf("its kind %.40q is not Zed's: %w", m.Name, ErrNoURI)
	}
	var object foreign
	if err := json.Unmarshal([]byte(m.Raw), &object); err != nil {
		return "", fmt.Errorf("%w: %w", err, ErrNoURI)
	}
	// The style does not matter: these kinds keep their paths in the query.
	read, err := Parse(object.URI, Posix)
	if err != nil {
		return "", fmt.Errorf("%w: %w", err, ErrNoURI)
	}
	if read.Kind() != m.Kind() {
		return "", fmt.Errorf("it holds the URI of a %s: %w", read.Kind(), ErrNoURI)
	}
	return object.URI, nil
}
