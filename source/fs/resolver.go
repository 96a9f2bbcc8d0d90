package fs

import (
	"cmp"
	"context"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// Bundled begins the address of what the program carries with it, in
// [ampersat.Content.ID], [ampersat.Content.Tree] and [ampersat.Query.Base]:
// "bundled:context/style.md". What is on disk is named by its absolute path.
const Bundled = "bundled:"

// Config says where a [Resolver] looks and what it may read.
type Config struct {
	// Dir is the working directory, absolute. Relative paths and names are
	// seen from here.
	Dir string
	// Root is the project that holds Dir, absolute, and whose .ampersat/ is the
	// project's. Empty means Dir.
	Root string
	// NamesFrom returns the folder that the files of the project are named from,
	// where that is not Dir, which nil and an empty folder mean. A model knows a
	// file by its name: a conversation that goes on in another folder goes on with
	// the names that it has. From a folder outside of the project the names that it
	// has say nothing, and files of the project are named by their absolute paths.
	NamesFrom func() string
	// Home is what ~ stands for. Empty means that ~ names nothing.
	Home string
	// UserDir is the user's own folder, with context/ and collections/ in it.
	UserDir string
	// Bundled has context/ and collections/ that came with the program.
	Bundled iofs.FS

	// CollectionName returns the name that the text of a collection.yaml gives,
	// empty if it gives none. With nil a collection is called as its folder is.
	CollectionName func(manifest []byte) string

	// Roots are the trees that may be read. The zero value is none.
	Roots access.Roots
	// Consent adds the paths that the person has allowed by now, if not nil, and
	// the folders that may be listed ([access.Listing]).
	Consent access.Consent

	// FS takes the place of the disk, if not nil. Dir, Root and UserDir are
	// slash paths in it, Dir is "." if empty, and Roots is not asked: a person
	// may read all of it. It must be safe for concurrent use.
	FS iofs.FS

	Limits Limits
}

// Limits bounds what one mention can cost. Zero means the default.
type Limits struct {
	// Text is the most bytes of one text that are held, whatever the query
	// allows. Default 64 MB.
	Text int
	// Decoded is the most bytes that images take while they are decoded, all
	// together: what does not fit waits, and what would not by itself is
	// described. Default 128 MB.
	Decoded int
	// Media is the most bytes of an image or a document that are read.
	// Default 32 MB.
	Media int
	// Time is how long the text of a document is looked for. Default 5 s.
	Time time.Duration
	// Silence is how long a file may give nothing while it is read. Default
	// 10 s.
	Silence time.Duration
	// Entries and Depth bound the listing of a folder. Default 5,000 and 32.
	Entries, Depth int
	// Files is the most files that a pattern gives. Default 1,000.
	Files int
}

func (l Limits) orDefault() Limits {
	return Limits{
		Text:    cmp.Or(l.Text, 64<<20),
		Decoded: cmp.Or(l.Decoded, 128<<20),
		Media:   cmp.Or(l.Media, 32<<20),
		Time:    cmp.Or(l.Time, 5*time.Second),
		Silence: cmp.Or(l.Silence, 10*time.Second),
		Entries: cmp.Or(l.Entries, 5_000),
		Depth:   cmp.Or(l.Depth, 32),
		Files:   cmp.Or(l.Files, 1_000),
	}
}

// Kinds are the kinds of mention that a [Resolver] resolves.
func Kinds() []mention.Kind {
	return []mention.Kind{mention.KindFile, mention.KindDirectory, mention.KindGlob, mention.KindSelection}
}

// Resolver is an [ampersat.Resolver] for files. It is safe for concurrent use.
type Resolver struct {
	config Config
	limits Limits

	// dir, root, user and bundled are where it looks, contexts and collections
	// the folders of that name in them, in order.
	dir, root, user, bundled location
	contexts, collections    []location

	decoding  room
	rules     rules
	manifests manifests
	disks     sync.Map // device → whether it is a disk of this machine
	links     sync.Map // root as spelled → root without links in it
}

// New returns a resolver. Nothing is read before it is asked.
func New(c Config) *Resolver {
	main := &volume{fsys: c.FS}
	if c.FS != nil {
		c.Dir = cmp.Or(c.Dir, ".")
	}
	c.Root = cmp.Or(c.Root, c.Dir)
	r := &Resolver{
		config: c, limits: c.Limits.orDefault(),
		dir: location{main, c.Dir}.clean(), root: location{main, c.Root}.clean(),
		manifests: manifests{turn: make(chan struct{}, 1), names: make(map[view]names)},
	}
	r.decoding.most = int64(r.limits.Decoded)
	if c.UserDir != "" {
		r.user = location{main, c.UserDir}.clean()
	}
	if c.Bundled != nil {
		r.bundled = location{&volume{fsys: c.Bundled, prefix: Bundled}, "."}
	}
	for _, in := range []struct {
		at   location
		path string
	}{{r.root, ".ampersat/"}, {r.user, ""}, {r.bundled, ""}} {
		if in.at.exists() {
			r.contexts = append(r.contexts, in.at.join(in.path+"context"))
			r.collections = append(r.collections, in.at.join(in.path+"collections"))
		}
	}
	r.rules.root = sync.OnceValue(r.rulesRoot)
	return r
}

// Over returns a resolver for a file system that stands for the whole project. The
// file system must be safe for concurrent use: the files that a pattern matches,
// and the mentions of a turn, are read in parallel. What it says of the size of a
// file may be wrong, or -1 for one that it does not know.
func Over(fsys iofs.FS) *Resolver { return New(Config{FS: fsys}) }

// Resolve implements [ampersat.Resolver].
func (r *Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	if r.dir.in == nil {
		return ampersat.Content{}, q.Unfit("needs a resolver that fs.New has made")
	}
	if r.dir.onDisk() {
		for _, path := range [...]string{r.dir.path, r.root.path} {
			if path != "" && !filepath.IsAbs(path) {
				return ampersat.Content{}, q.Unfit(fmt.Sprintf("needs a resolver whose folder is an absolute path, and %q is not", path))
			}
		}
	}
	a, err := r.ask(ctx, q)
	if err != nil {
		return ampersat.Content{}, err
	}
	switch m := q.Mention.(type) {
	case mention.File:
		return a.named(ctx, m.Namespace, m.Path)
	case mention.Directory:
		return a.named(ctx, m.Namespace, m.Path)
	case mention.Selection:
		return a.selection(ctx, m)
	case mention.Glob:
		return a.glob(ctx, m)
	}
	return ampersat.Content{}, q.Unfit("is not a file")
}

// named resolves what a path names, file or folder.
func (a *asking) named(ctx context.Context, namespace, path string) (ampersat.Content, error) {
	f, err := a.find(ctx, namespace, path)
	if err != nil {
		return ampersat.Content{}, err
	}
	defer f.close()
	if f.info.IsDir() {
		c, err := a.listing(ctx, f)
		if _, asked := a.q.Mention.(mention.Directory); !asked && err == nil {
			c.Mention = mention.Directory{Namespace: namespace, Path: path}
		}
		return c, err
	}
	c, err := a.load(ctx, f, a.limit())
	if _, asked := a.q.Mention.(mention.File); !asked && err == nil {
		c.Mention = mention.File{Namespace: namespace, Path: path}
	}
	if err == nil {
		c.Note = join(c.Note, a.r.rules.note(ctx, f))
	}
	return c, err
}
