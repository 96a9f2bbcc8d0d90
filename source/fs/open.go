package fs

import (
	"context"
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// asking is one query being answered.
type asking struct {
	r     *Resolver
	q     ampersat.Query
	all   access.Roots // what may be read at all
	roots access.Roots // what this asker may read
	free  bool         // whether the asker may mention anything
	// ended returns the error of the context, once it has ended.
	ended func() error
}

func (r *Resolver) ask(ctx context.Context, q ampersat.Query) (*asking, error) {
	a := &asking{r: r, q: q, all: r.config.Roots, ended: ctx.Err}
	if r.config.Consent != nil {
		var err error
		if a.all, err = a.all.WithConsent(r.config.Consent); err != nil {
			return nil, err
		}
	}
	a.roots = a.all.For(q.Asker)
	// Only those who may mention anything may mention an agent.
	a.free = q.Asker.Allow(mention.Agent{}) == nil
	return a, nil
}

// limit is how many bytes of text are of use.
func (a *asking) limit() int {
	if a.q.Limit > 0 {
		return min(a.q.Limit, a.r.limits.Text)
	}
	return a.r.limits.Text
}

// found is an open file or folder.
type found struct {
	// at is where it really is: links are resolved.
	at   location
	name string
	file iofs.File
	info iofs.FileInfo
	// heard is how many bytes have been read, left whether somebody stopped
	// waiting for more; see [await].
	heard atomic.Int64
	left  bool
}

// errHidden is for what this asker may not even look for.
var errHidden = errors.New("outside the tree of the file that mentions it")

// find opens the first candidate that exists.
func (a *asking) find(ctx context.Context, namespace, name string) (*found, error) {
	candidates, err := a.candidates(ctx, namespace, name)
	if err != nil {
		return nil, err
	}
	var f *found
	s := searching{asking: a, look: func(c candidate) (done bool, err error) {
		f, err = a.open(c)
		return err == nil, err
	}}
	candidates(s.try)
	if f != nil {
		return f, nil
	}
	err = s.end(ctx, namespace)
	if miss, ok := errors.AsType[*ampersat.Miss](err); ok && miss.Outcome == ampersat.Missing {
		if reason := a.misspelt(ctx, namespace, name); reason != "" {
			miss.Reason, miss.Looked, miss.Meant = access.Redact(reason), nil, true
		}
	}
	return nil, err
}

// searching is a walk along the places where something may be.
type searching struct {
	*asking
	// look looks at one place, and says whether there is no need to go on.
	look   func(c candidate) (done bool, err error)
	failed error // why the first that is there cannot be opened
	hidden error // why the first that may not be looked for is not
	looked []location
	absent int
}

// try looks at one place, and says whether to go on.
func (s *searching) try(c candidate) bool {
	done, err := s.look(c)
	switch {
	case errors.Is(err, errHidden):
		if s.hidden == nil {
			s.hidden = err
		}
		return true
	case err != nil && !isAbsent(err):
		s.failed = err
		return false
	case done:
		return false
	}
	s.absent++
	if c.place.exists() {
		s.looked = append(s.looked, c.place)
	}
	return true
}

// end is the error for a walk that found nothing, or did not come to its end.
func (s *searching) end(ctx context.Context, namespace string) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // not all places were looked at
	case s.failed != nil:
		return s.refused(s.failed)
	case s.absent == 0 && s.hidden != nil:
		return s.refused(s.hidden)
	}
	return s.nothing(ctx, namespace, s.looked, s.hidden != nil)
}

// isAbsent reports whether an error says that there is nothing of that name.
func isAbsent(err error) bool {
	return errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// refused turns an error of the file system into one for people. A link that leads
// elsewhere, or a file of a pattern, has a name that nobody wrote.
func (a *asking) refused(err error) error {
	if denied, ok := access.IsDenied(err); ok {
		told := *denied
		told.What, told.Detail, told.Grant = access.Redact(told.What), access.Redact(told.Detail), access.Redact(told.Grant)
		return &told
	}
	var miss *ampersat.Miss
	if errors.As(err, &miss) {
		return err
	}
	miss = a.miss(ampersat.Failed, "it cannot be read: "+cause(err))
	if errors.Is(err, iofs.ErrPermission) {
		miss.Reason = "there is no permission to read it"
	}
	miss.Err = err
	return miss
}

// cause is an error without the path in it.
func cause(err error) string {
	var path *iofs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// open opens a candidate. An error that is [errHidden] says nothing about
// whether it exists.
func (a *asking) open(c candidate) (*found, error) {
	if c.at.onDisk() {
		return a.openDisk(c)
	}
	return a.openFS(c)
}

func (a *asking) openDisk(c candidate) (*found, error) {
	if denied := a.roots.Check(c.at.path); denied != nil {
		if !a.free {
			return nil, errors.Join(errHidden, denied)
		}
		if _, err := os.Lstat(c.at.path); isAbsent(err) {
			return nil, err
		}
		return a.openListed(c, denied)
	}
	file, info, err := a.roots.Open(c.at.path)
	if _, denied := access.IsDenied(err); denied && a.free {
		return a.openListed(c, err) // a link may lead there
	}
	if err != nil {
		return nil, err
	}
	f := &found{at: c.at, name: c.name, file: file, info: info}
	f.at.path = a.spelled(c.at.path, file.Real())
	if f.name == "" {
		f.name = a.r.name(c.at)
	}
	return f, nil
}

// openListed opens a folder that is denied but for its names: who may list it has
// it listed, and nothing of what is in its files.
func (a *asking) openListed(c candidate, denied error) (*found, error) {
	consent, ok := a.r.config.Consent.(interface{ Listings() []string })
	if !ok || a.q.Mention.Kind() == mention.KindGlob { // which is about contents
		return nil, denied
	}
	real, err := filepath.EvalSymlinks(c.at.path)
	if err != nil || !slices.Contains(consent.Listings(), real) {
		return nil, denied
	}
	folder, err := access.NewRoots(access.Root{Path: real, Place: access.Allowed})
	if err != nil {
		return nil, err
	}
	file, info, err := folder.Open(real)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		file.Close()
		return nil, denied
	}
	f := &found{at: location{c.at.in, real}, name: c.name, file: file, info: info}
	if f.name == "" {
		f.name = a.r.name(c.at)
	}
	return f, nil
}

func (a *asking) openFS(c candidate) (*found, error) {
	outside := &access.Denied{What: c.at.address(), Reason: access.ReasonOutside, Detail: "it is outside the files that can be read here"}
	if !iofs.ValidPath(c.at.path) {
		if a.free {
			return nil, outside
		}
		return nil, errors.Join(errHidden, outside)
	}
	if !a.free {
		if !c.at.inside(a.r.at(a.q.Asker.Tree)) {
			outside.Detail = "it is outside the tree of the file that mentions it; mention it yourself"
			return nil, errors.Join(errHidden, outside)
		}
		if err := noLinks(c.at); err != nil {
			return nil, err
		}
	}
	// Looked at before it is opened: opening a pipe would wait.
	tree := lasting{c.at.in.fsys, a.ended}
	info, err := iofs.Stat(tree, c.at.path)
	if err != nil {
		return nil, err
	}
	if err := regular(c.at, info); err != nil {
		return nil, err
	}
	file, err := tree.Open(c.at.path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = regular(c.at, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f := &found{at: c.at, name: c.name, file: file, info: info}
	if f.name == "" {
		f.name = a.r.name(c.at)
	}
	return f, nil
}

func regular(l location, info iofs.FileInfo) error {
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return &access.Denied{What: l.address(), Reason: access.ReasonSpecial, Detail: "it is neither a file nor a directory"}
	}
	return nil
}

// noLinks refuses a path with a link on it, where the file system can tell. It
// is not known where such a link leads.
func noLinks(l location) error {
	links, ok := l.in.fsys.(iofs.ReadLinkFS)
	if !ok {
		return nil
	}
	for at := l; at.path != "."; at = at.parent() {
		info, err := links.Lstat(at.path)
		if err == nil && info.Mode()&iofs.ModeSymlink != 0 {
			return &access.Denied{What: l.address(), Reason: access.ReasonEscape, Detail: "there is a symbolic link on the way to it"}
		}
	}
	return nil
}
