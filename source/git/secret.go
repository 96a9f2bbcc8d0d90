package git

import (
	"bufio"
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/access"
)

// A diff shows some lines of a file. Of a key whose first line is not among them
// the others look like nothing, so that secrets are looked for in both versions
// of each file, whole.

// secret is one in a version of a file.
type secret struct {
	access.Finding
	// isNew says which version it is in, first and last on which lines.
	isNew       bool
	first, last int
	text        string // which is told to nobody
}

const (
	hunkStart = "@@ "
	// wholeFiles makes git show all of a file around what has changed.
	wholeFiles = "-U100000000"
	// scanAtOnce is how much of a version is looked at in one go, scanAgain how
	// much of it is looked at again with the next, since a secret may begin there.
	scanAtOnce = 1 << 20
	scanAgain  = 64 << 10
	// mostSecrets is how many are told apart in a file. One with more is left out,
	// whatever is shown of it.
	mostSecrets = 1000
)

// leaveOut takes the files out of a diff that show secrets nobody allowed.
func (a *asking) leaveOut(ctx context.Context, d difference, s *sections) error {
	v := versions{full: a.full, found: map[string][]secret{}}
	for _, c := range s.largest {
		if c.withheld == "" {
			v.found[c.name] = nil
		}
	}
	if len(v.found) == 0 {
		return nil
	}
	args := append(diffCommand[:len(diffCommand):len(diffCommand)], wholeFiles)
	if err := a.git.run(ctx, "", v.read, append(args, d.args...)...); err != nil {
		return err
	}
	s.review(func(c *section) (string, bool) { return a.judge(c, v.found[c.name]) })
	return nil
}

// versions looks for secrets in the files of a diff.
type versions struct {
	full func(path string) string
	// found are the secrets of the files that matter, by the names of their
	// sections.
	found map[string][]secret
}

// read takes a diff that shows whole files.
func (v *versions) read(r *bufio.Reader) error {
	var name string
	var before, after version
	finish := func() {
		if found := unlike(after.finish(), before.finish()); len(found) > 0 {
			v.found[name] = append(v.found[name], found...)
		}
	}
	matters, inHunk, sign := false, false, byte(0)
	err := pieces(r, func(text []byte, begin bool) {
		line := text
		if begin {
			switch {
			case bytes.HasPrefix(text, []byte(sectionStart)):
				finish()
				name = strings.TrimSuffix(string(text[len(sectionStart):]), "\n")
				_, matters = v.found[name]
				_, path := paths(name)
				before.begin(v.full(path), false)
				after.begin(v.full(path), true)
				inHunk = false
			case bytes.HasPrefix(text, []byte(hunkStart)):
				inHunk = matters
			}
			sign = 0
			if inHunk && len(text) > 0 && !bytes.HasPrefix(text, []byte(hunkStart)) {
				sign, line = text[0], text[1:]
			}
		}
		if sign == ' ' || sign == '-' {
			before.add(line)
		}
		if sign == ' ' || sign == '+' {
			after.add(line)
		}
	})
	if err == nil {
		finish()
	}
	return err
}

// unlike returns the secrets of a version, and those of the other that are not
// the same.
func unlike(new, old []secret) []secret {
	for _, s := range old {
		if !slices.ContainsFunc(new, func(n secret) bool { return n.Rule == s.Rule && n.text == s.text && n.Line > 0 }) {
			new = append(new, s)
		}
	}
	return new
}

// version is one of the two texts of a file, as it comes.
type version struct {
	name  string
	isNew bool
	text  []byte
	line  int // that text begins with, counted from one
	found []secret
}

// begin makes a version that of another file.
func (v *version) begin(name string, isNew bool) {
	*v = version{name: name, isNew: isNew, text: v.text[:0], line: 1}
}

func (v *version) add(text []byte) {
	v.text = append(v.text, text...)
	if len(v.text) < scanAtOnce {
		return
	}
	v.scan()
	keep := len(v.text) - scanAgain
	if end := bytes.IndexByte(v.text[keep:], '\n'); end >= 0 {
		keep += end + 1
	}
	v.line += bytes.Count(v.text[:keep], []byte("\n"))
	v.text = append(v.text[:0], v.text[keep:]...)
}

func (v *version) finish() []secret {
	if len(v.text) > 0 {
		v.scan()
	}
	return v.found
}

func (v *version) scan() {
	for _, f := range access.Scan(v.name, v.text) {
		s := secret{Finding: f, isNew: v.isNew, text: string(v.text[f.Start:f.End])}
		if len(v.found) >= mostSecrets {
			s.Line = 0
			v.found = append(v.found, s)
			return
		}
		if f.Line > 0 {
			s.Line = v.line + f.Line - 1
			s.first = s.Line
			s.last = s.first + strings.Count(strings.TrimSuffix(s.text, "\n"), "\n")
		}
		again := func(o secret) bool { return o.Rule == s.Rule && o.first == s.first && o.text == s.text }
		if !slices.ContainsFunc(v.found, again) {
			v.found = append(v.found, s)
		}
	}
}

// lines are some of a version, from the first to before the end.
type lines struct{ first, end int }

// hunk is a part of a diff: the lines of both versions that it shows, and the line
// above them that git takes for their heading.
type hunk struct {
	before, after lines
	heading       string
}

// parseHunk reads "@@ -1,2 +3,4 @@ heading". No line of a file begins so: there is
// a sign before it.
func parseHunk(line []byte) (h hunk, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(hunkStart))
	if !ok {
		return h, false
	}
	ranges, heading, _ := strings.Cut(string(rest), " @@")
	before, after, _ := strings.Cut(ranges, " ")
	return hunk{parseLines(before), parseLines(after), strings.TrimSpace(heading)}, true
}

// parseLines reads "-1,2", and "+3" for one line.
func parseLines(text string) (l lines) {
	first, count, several := strings.Cut(strings.TrimLeft(text, "-+"), ",")
	l.first, _ = strconv.Atoi(first)
	l.end = l.first + 1
	if several {
		n, _ := strconv.Atoi(count)
		l.end = l.first + n
	}
	return l
}

// hunks are those of the diff of a file.
func hunks(diff []byte) (all []hunk) {
	for line := range bytes.Lines(diff) {
		if h, ok := parseHunk(line); ok {
			all = append(all, h)
		}
	}
	return all
}

// shows reports whether a hunk shows a part of a secret.
func (h hunk) shows(s secret) bool {
	shown := h.before
	if s.isNew {
		shown = h.after
	}
	return s.Line == 0 || s.first < shown.end && s.last >= shown.first || h.headingShows(s.text)
}

// headingShows reports whether the heading has some of a secret in it. It is a
// piece of a line: git cuts it after 80 bytes, and what it counts as the heading
// need not begin where the line does. So it may end or begin inside the secret.
func (h hunk) headingShows(secret string) bool {
	const tells = 8 // what is shorter tells nothing
	if strings.Contains(h.heading, secret) {
		return true
	}
	if len(h.heading) < tells {
		return false
	}
	for line := range strings.Lines(secret) {
		if line = strings.TrimSpace(line); len(line) < tells {
			continue
		}
		if strings.Contains(line, h.heading) || strings.Contains(h.heading, line) {
			return true
		}
		for i := range len(h.heading) - tells + 1 {
			if strings.HasPrefix(line, h.heading[i:]) || strings.HasSuffix(line, h.heading[:i+tells]) {
				return true
			}
		}
	}
	return false
}

// judge says why the diff of a file may not be shown, and notes it. Allowed says
// that it shows secrets which may be.
func (a *asking) judge(c *section, found []secret) (why string, allowed bool) {
	var shown []access.Finding
	parts := hunks(c.text)
	for _, s := range found {
		if slices.ContainsFunc(parts, func(h hunk) bool { return h.shows(s) }) {
			shown = append(shown, s.Finding)
		}
	}
	if len(shown) == 0 {
		return "", false
	}
	_, path := paths(c.name)
	why = a.refuse(path, access.CheckSecrets(a.consent, a.full(path), shown))
	return why, why == ""
}

// isAllowed reports whether all secrets in a text are in the diffs of files whose
// secrets the person has allowed. The diffs begin at an offset.
func (s *sections) isAllowed(text string, offset int) bool {
	if !slices.ContainsFunc(s.all, func(c *section) bool { return c.allowed }) {
		return false
	}
	found := access.ScanString("", text)
	for _, c := range s.all {
		end := offset + len(c.text)
		found = slices.DeleteFunc(found, func(f access.Finding) bool { return c.allowed && offset <= f.Start && f.End <= end })
		offset = end
	}
	return len(found) == 0
}

// refuse says why the diff of a file may not be shown, and notes it.
func (a *asking) refuse(path string, err error) string {
	if err == nil {
		return ""
	}
	reason := err.Error()
	if denied, ok := access.IsDenied(err); ok {
		reason = denied.Detail
		a.note("%s is left out: %s; to allow it: %s", path, denied.Detail, denied.Grant)
	}
	return reason
}

// full is the absolute path of a file in the work tree.
func (a *asking) full(path string) string { return filepath.Join(a.top, filepath.FromSlash(path)) }
