package fs

import (
	"cmp"
	"context"
	"fmt"
	iofs "io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
)

// glob resolves a pattern: the files that match and are not ignored, in order.
func (a *asking) glob(ctx context.Context, m mention.Glob) (ampersat.Content, error) {
	folder, pattern, err := a.split(m.Pattern)
	if err != nil {
		return ampersat.Content{}, err
	}
	candidates, err := a.candidates(ctx, m.Namespace, folder)
	if err != nil {
		return ampersat.Content{}, err
	}
	var all matches
	s := searching{asking: a, look: func(c candidate) (done bool, err error) {
		err = a.match(ctx, c, pattern, &all)
		// The copies of a collection are one, file by file; of other places
		// the first that has anything is meant.
		return m.Namespace == "" && len(all.files) > 0, err
	}}
	candidates(s.try)
	if ctx.Err() == nil && s.failed == nil && len(all.files) > 0 {
		return a.loadAll(ctx, m, all)
	}
	err = s.end(ctx, m.Namespace)
	if miss, ok := err.(*ampersat.Miss); ok && miss.Reason == nothingThere {
		miss.Reason = "no file matches"
		if n := len(all.unlisted); n > 0 {
			miss.Reason += fmt.Sprintf(", and %s could not be listed: %s", wording.Count(n, "folder"), wording.First(all.unlisted, 3))
		}
	}
	return ampersat.Content{}, err
}

// split cuts a pattern where its wildcards begin.
func (a *asking) split(pattern string) (folder, rest string, err error) {
	if !doublestar.ValidatePattern(pattern) {
		return "", "", a.miss(ampersat.Failed, "the pattern is not well formed")
	}
	folder, rest = doublestar.SplitPattern(pattern)
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return "", "", a.miss(ampersat.Failed, "a pattern cannot go up again after a wildcard")
		}
	}
	return folder, path.Clean(rest), nil
}

// matches are the files that match, in the order of their places and paths.
type matches struct {
	files []candidate
	seen  map[string]bool
	// more says that there are files that were not looked at.
	more bool
	note string
	// unlisted are the folders that could not be looked at.
	unlisted []string
}

// match adds the files of a folder that match.
func (a *asking) match(ctx context.Context, c candidate, pattern string, all *matches) error {
	f, err := a.open(c)
	if err != nil {
		return err
	}
	f.close()
	if !f.info.IsDir() {
		return nil
	}
	listed, err := a.files(ctx, f.at)
	if err != nil {
		return err
	}
	all.more = all.more || listed.More
	all.note = join(all.note, ignoredBy(listed))
	missing, notes := unlisted(listed)
	for _, dir := range missing {
		all.unlisted = append(all.unlisted, access.Redact(printable(a.r.name(c.at.join(dir)))))
	}
	all.note = join(append([]string{all.note}, notes[:min(len(notes), 3)]...)...)
	for _, file := range listed.Files {
		if !doublestar.MatchUnvalidated(pattern, file.Path) || all.seen[file.Path] {
			continue
		}
		if all.seen == nil {
			all.seen = map[string]bool{}
		}
		all.seen[file.Path] = true
		match := candidate{at: c.at.join(file.Path)}
		if c.name != "" {
			match.name = below(c.name, file.Path)
		}
		all.files = append(all.files, match)
	}
	return nil
}

// loadAll loads files in parallel, as many of them as the limits allow.
func (a *asking) loadAll(ctx context.Context, m mention.Glob, all matches) (ampersat.Content, error) {
	c := ampersat.Content{Name: m.Pattern, Note: all.note}
	if m.Namespace != "" {
		c.Name = m.Namespace + ":" + m.Pattern
	}
	chosen := all.files[:min(len(all.files), a.r.limits.Files)]
	contents := make([]ampersat.Content, len(chosen))
	errs := make([]error, len(chosen))
	limits := make([]int, len(chosen))
	var wait sync.WaitGroup
	queue := make(chan int)
	for range min(len(chosen), 4*runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range queue {
				contents[i], errs[i] = a.loadOne(ctx, m, chosen[i], limits[i])
			}
		})
	}
	// What the files may hold together is what one could: they share a limit.
	room := a.limit()
	started := 0
	for i := range chosen {
		size := min(sizeOf(chosen[i].at), a.limit())
		if room -= size; room < 0 && i > 0 || ctx.Err() != nil {
			break
		}
		limits[i] = min(size+slack, a.limit())
		started++
		queue <- i
	}
	close(queue)
	wait.Wait()
	if ctx.Err() != nil {
		return ampersat.Content{}, ctx.Err()
	}
	var refused []string
	for i := range contents[:started] {
		if errs[i] != nil {
			refused = append(refused, access.Redact(cmp.Or(chosen[i].name, a.r.name(chosen[i].at))))
			continue
		}
		c.Files = append(c.Files, contents[i])
		c.Size += contents[i].Size
	}
	if len(refused) > 0 {
		c.Note = join(c.Note, fmt.Sprintf("%s could not be read: %s", wording.Count(len(refused), "file"), wording.First(refused, 3)))
	}
	if len(c.Files) == 0 {
		return ampersat.Content{}, errs[0]
	}
	switch n := len(c.Files); {
	case all.more:
		c.Shown = fmt.Sprintf("%s of more than %s files", wording.Number(n), wording.Number(len(all.files)))
	case n < len(all.files):
		c.Shown = fmt.Sprintf("%s of %s files", wording.Number(n), wording.Number(len(all.files)))
	}
	c.Shown = join(c.Shown, withoutFolders(all.unlisted))
	return c, nil
}

// slack is how much a file of a pattern may grow until it is read.
const slack = 64 << 10

// sizeOf is about how large a file is, to know how many fit.
func sizeOf(l location) int {
	var info iofs.FileInfo
	var err error
	if l.onDisk() {
		info, err = os.Stat(l.path)
	} else {
		info, err = iofs.Stat(l.in.fsys, l.path)
	}
	if err != nil {
		return 0
	}
	return int(max(0, min(info.Size(), math.MaxInt32)))
}

// loadOne loads a file of a pattern. What panics on the way must not leave the
// goroutine that it is loaded in, where nobody catches it.
func (a *asking) loadOne(ctx context.Context, m mention.Glob, c candidate, limit int) (content ampersat.Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			content, err = ampersat.Content{}, a.miss(ampersat.Failed, fmt.Sprintf("reading it panicked: %v", p))
		}
	}()
	f, err := a.open(c)
	if err != nil {
		return ampersat.Content{}, a.refused(err)
	}
	defer f.close()
	if f.info.IsDir() {
		return ampersat.Content{}, a.miss(ampersat.Missing, "it is a link to a folder")
	}
	content, err = a.load(ctx, f, limit)
	file := mention.File{Path: cmp.Or(c.name, a.r.nameFrom(a.r.dir, c.at))} // as one would write it here
	if rest, ok := strings.CutPrefix(file.Path, m.Namespace+":"); ok && m.Namespace != "" {
		file = mention.File{Namespace: m.Namespace, Path: rest}
	}
	content.Mention = file
	return content, err
}
