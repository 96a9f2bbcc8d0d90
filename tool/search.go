package tool

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/ignore"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed search.md
var aboutSearch string

const (
	// usualMatches is how many lines are shown where no number is given, and
	// mostMatches how many can be asked for.
	usualMatches, mostMatches = 100, 1_000
	// mostFiles is how many files are looked at.
	mostFiles = 200_000
	// searchTime is how long a search may take.
	searchTime = 30 * time.Second
)

// Search is the arguments of search.
type Search struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path,omitzero"`
	Glob       string `json:"glob,omitzero"`
	IgnoreCase bool   `json:"ignore_case,omitzero"`
	Max        int    `json:"max,omitzero"`
}

type search struct{ *kit }

// Spec implements [agent.Tool].
func (*search) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name: "search", Description: aboutSearch,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"pattern":{"type":"string","description":"a regular expression in RE2 syntax, matched within a line"},` +
			`"path":{"type":"string","description":"the folder or file to search; the working directory if left out"},` +
			`"glob":{"type":"string","description":"only files that match, such as *.go or src/**/*.ts"},` +
			`"ignore_case":{"type":"boolean","description":"whether upper and lower case are the same"},` +
			`"max":{"type":"integer","description":"how many lines to show at most; 100 if left out, 1000 at most"}` +
			`},"required":["pattern"]}`),
	}
}

// hunt is a search that can be started.
type hunt struct {
	pattern pattern
	path    string
	glob    string
	max     int
}

func (t *search) arguments(input jsontext.Value) (Search, hunt, error) {
	a, err := arguments[Search]("search", input)
	if err != nil {
		return a, hunt{}, err
	}
	if a.Path == "" {
		a.Path = "."
	}
	h := hunt{glob: filepath.ToSlash(a.Glob), max: a.Max}
	if h.path, err = t.path(a.Path); err == nil {
		h.pattern, err = parsePattern(a.Pattern, a.IgnoreCase)
	}
	switch {
	case err != nil:
	case !filepath.IsAbs(h.path):
		err = errNoDisk
	case !doublestar.ValidatePattern(h.glob):
		err = fmt.Errorf("glob %q is not a pattern", a.Glob)
	case a.Max < 0 || a.Max > mostMatches:
		err = fmt.Errorf("max must be from 1 to %s", wording.Number(mostMatches))
	case a.Max == 0:
		h.max = usualMatches
	}
	if err != nil {
		return a, hunt{}, fmt.Errorf("search: %w", err)
	}
	return a, h, nil
}

// Plan implements [agent.Tool].
func (t *search) Plan(input jsontext.Value) (agent.Action, error) {
	a, h, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	return agent.Action{Effect: agent.Reads, Subject: folder(t.subject(h.path)), Summary: oneLine(fmt.Sprintf("search %s for %s", t.name(h.path), a.Pattern))}, nil
}

// Run implements [agent.Tool].
func (t *search) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, h, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, searchTime, errSearchTime)
	defer cancel()
	text, err := t.find(limited, h)
	if ctx.Err() != nil {
		return said(text), ctx.Err()
	}
	if err != nil {
		return said(text), fmt.Errorf("search %s: %w", a.Path, err)
	}
	return said(text), nil
}

// errNoDisk is for tools whose pipeline reads something else than the disk, of
// which nothing may be searched.
var errNoDisk = errors.New("it searches files on the disk, and there is no folder of it to search here; list_files and read_file read what there is")

var errSearchTime = errors.New("it took longer than 30 seconds; search a smaller folder, or fewer files with glob")

// said is a result of nothing but text.
func said(text string) agent.Result {
	if text == "" {
		return agent.Result{}
	}
	return agent.Result{Parts: []message.Part{message.Text{Text: text}}}
}

// find returns the lines that match, and an error with those that were found
// before it.
func (t *search) find(ctx context.Context, h hunt) (string, error) {
	roots, err := t.Roots.WithConsent(t.Consent)
	if err != nil {
		return "", err
	}
	if len(roots.List()) == 0 {
		return "", errNoDisk
	}
	base, files, more, err := t.files(ctx, roots, h)
	if err != nil {
		return "", err
	}
	s := &scan{kit: t.kit, roots: roots, base: base, pattern: h.pattern, max: h.max}
	err = s.all(ctx, files)
	var b strings.Builder
	for _, line := range s.lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	switch {
	case err != nil:
		return b.String(), err
	case len(s.lines) == 0:
		fmt.Fprintf(&b, "no line matches, in %s\n", wording.Count(len(files), "file"))
	case s.full:
		fmt.Fprintf(&b, "[these are the first %s; more lines match: narrow the pattern, the path or the glob]\n", wording.Count(len(s.lines), "line"))
	}
	if more {
		fmt.Fprintf(&b, "[only the first %s files were searched: name a smaller folder]\n", wording.Number(mostFiles))
	}
	if n := s.unread.Load(); n > 0 {
		fmt.Fprintf(&b, "[%s could not be read]\n", wording.Count(n, "file"))
	}
	if s.withheld != "" {
		fmt.Fprintf(&b, "[%s]\n", s.withheld)
	}
	return b.String(), nil
}

// files lists what is to be searched: slash paths below base, in order.
func (t *search) files(ctx context.Context, roots access.Roots, h hunt) (base string, files []string, more bool, err error) {
	file, info, err := roots.Open(h.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, false, errors.New("nothing there")
	case err != nil:
		if denied, ok := access.IsDenied(err); ok {
			return "", nil, false, denied
		}
		return "", nil, false, cause(err)
	}
	file.Close()
	if !info.IsDir() {
		return filepath.Dir(h.path), []string{filepath.Base(h.path)}, false, nil
	}
	root, _ := roots.Find(h.path)
	dir, err := filepath.Rel(root.Path, h.path)
	if err != nil {
		return "", nil, false, err
	}
	listing, err := ignore.List(ctx, root.Path, filepath.ToSlash(dir), ignore.Options{Max: mostFiles})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return "", nil, false, err
	}
	for _, f := range listing.Files {
		// A link is not followed: what it leads to is found where it is.
		if f.Type == 0 && matchesGlob(h.glob, f.Path) {
			files = append(files, f.Path)
		}
	}
	return h.path, files, listing.More, nil
}

// matchesGlob holds a path, seen from the folder that is searched, to a glob. A
// glob without a slash is about names alone.
func matchesGlob(glob, file string) bool {
	switch {
	case glob == "":
		return true
	case !strings.Contains(glob, "/"):
		file = path.Base(file)
	}
	return doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "./"), file)
}
