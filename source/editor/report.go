package editor

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
)

// mostShown is how many diagnostics one mention gives.
const mostShown = 1_000

// report puts together what servers said.
type report struct {
	mention    mention.Diagnostics
	dir, scope string // absolute
	answers    []verdict
}

func (r report) content(limit int) (ampersat.Content, error) {
	var good []verdict
	var bad []string
	for _, v := range r.answers {
		if _, denied := access.IsDenied(v.err); denied {
			return ampersat.Content{}, v.err
		}
		if v.err != nil {
			if reason := v.err.Error(); !slices.Contains(bad, reason) {
				bad = append(bad, reason)
			}
			continue
		}
		good = append(good, v)
	}
	if len(good) == 0 {
		return ampersat.Content{}, &ampersat.Miss{Outcome: ampersat.Failed, Reason: strings.Join(bad, "; "), Err: errors.Join(r.errs()...)}
	}
	found, over := r.found(good)
	if len(found)+over == 0 {
		// That nothing was found yet does not mean that there is nothing.
		for _, v := range good {
			if v.unfinished != nil {
				return ampersat.Content{}, &ampersat.Miss{Outcome: ampersat.Failed, Reason: strings.Join(append(bad, v.unfinished.Error()), "; "), Err: v.unfinished}
			}
		}
	}
	lines, total := make([]string, len(found)), len(found)+over
	for i, f := range found {
		lines[i] = r.line(f)
	}
	kept := fitting(found, lines, limit)
	c := ampersat.Content{Name: strings.TrimPrefix(r.mention.String(), "@")}
	c.Text = strings.Join(kept, "")
	if total == 0 {
		c.Text = r.none(good)
	}
	for _, line := range lines {
		c.Size += int64(len(line))
	}
	c.Size = max(c.Size, int64(len(c.Text)))
	var shown []string
	if len(kept) < total {
		shown = append(shown, fmt.Sprintf("%s of %s", wording.Number(len(kept)), wording.Count(total, "diagnostic")))
	}
	for _, v := range good {
		if v.unfinished != nil {
			shown = append(shown, "what "+v.job.server.program()+" had found when time was up")
		}
		if v.opened < len(v.job.files) {
			shown = append(shown, fmt.Sprintf("of %s of %s %s files, the newest", wording.Number(v.opened), wording.Number(len(v.job.files)), v.job.server.Language))
		}
	}
	for _, v := range r.answers {
		if v.err != nil {
			shown = append(shown, "nothing from "+v.job.server.program())
		}
	}
	c.Shown, c.Note = strings.Join(shown, ", "), strings.Join(bad, "; ")
	if c.Shown == "" {
		c.Source = blob.Of([]byte(c.Text))
	}
	return c, nil
}

func (r report) errs() (errs []error) {
	for _, v := range r.answers {
		errs = append(errs, v.err)
	}
	return errs
}

// found returns what was asked for, sorted by path and position, each once, and
// how many more there are that nobody held.
func (r report) found(good []verdict) (found []finding, over int) {
	for _, v := range good {
		over += v.over
		for _, f := range v.found {
			if f.source == "" {
				f.source = v.job.server.program()
			}
			if r.wants(f.severity) && r.isInside(f.path) {
				found = append(found, f)
			}
		}
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.path, b.path), a.line-b.line, a.column-b.column, a.severity-b.severity, strings.Compare(a.text, b.text), strings.Compare(a.source, b.source))
	})
	return slices.Compact(found), over
}

// wants reports whether diagnostics of a severity are asked for. A mention that
// asks for nothing asks for errors.
func (r report) wants(severity int) bool {
	switch severity {
	case isError:
		return r.mention.Errors || !r.mention.Warnings
	case isWarning:
		return r.mention.Warnings
	}
	return false
}

func (r report) isInside(path string) bool {
	return path == r.scope || strings.HasPrefix(path, strings.TrimSuffix(r.scope, string(filepath.Separator))+string(filepath.Separator))
}

// line is a diagnostic as compilers write it.
func (r report) line(f finding) string {
	name := f.path
	if relative, err := filepath.Rel(r.dir, f.path); err == nil {
		name = relative
	}
	severity := "error"
	if f.severity == isWarning {
		severity = "warning"
	}
	// What follows the first line of a message belongs to it.
	text := strings.ReplaceAll(strings.TrimSpace(Plain(strings.ReplaceAll(f.text, "\u00a0", " "))), "\n", "\n\t")
	return fmt.Sprintf("%s:%d:%d: %s: %s (%s)\n", oneLine(filepath.ToSlash(name), 1000), f.line, f.column, severity, text, f.source)
}

// fitting returns the lines that there is room for: errors before warnings, in
// order.
func fitting(found []finding, lines []string, limit int) []string {
	room := limit
	take := make([]bool, len(lines))
	kept := 0
	for _, severity := range []int{isError, isWarning} {
		for i, f := range found {
			if f.severity != severity || kept == mostShown {
				continue
			}
			if room -= len(lines[i]); limit > 0 && room < 0 {
				return taken(lines, take)
			}
			take[i] = true
			kept++
		}
	}
	return taken(lines, take)
}

func taken(lines []string, take []bool) (kept []string) {
	for i, line := range lines {
		if take[i] {
			kept = append(kept, line)
		}
	}
	return kept
}

// none says that there is nothing to say, and who says so.
func (r report) none(good []verdict) string {
	what := "no errors"
	switch {
	case r.mention.Warnings && r.mention.Errors:
		what = "no errors and no warnings"
	case r.mention.Warnings:
		what = "no warnings"
	}
	var names []string
	for _, v := range good {
		if name := v.job.server.program(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("[%s, says %s]\n", what, strings.Join(names, ", "))
}
