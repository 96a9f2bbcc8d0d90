package fs

import (
	"cmp"
	"context"
	"iter"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
)

// candidate is a place where something may be.
type candidate struct {
	at location
	// name is what it will be called, empty for its own name.
	name string
	// place is where it is looked for, nowhere if that goes without saying.
	place location
}

// candidates lists where a path may be, in order. The path of a pattern is the
// part before its first wildcard.
func (a *asking) candidates(ctx context.Context, namespace, name string) (iter.Seq[candidate], error) {
	r := a.r
	switch {
	case strings.ContainsRune(name, 0):
		return nil, a.miss(ampersat.Missing, "no name holds a zero byte")
	case namespace != "":
		return a.namespaced(ctx, namespace, name)
	case name == "":
		return nil, a.miss(ampersat.Missing, "there is no path")
	case isDrive(name) && (runtime.GOOS != "windows" || !r.dir.onDisk()):
		return nil, a.miss(ampersat.Missing, "it is a path on a Windows drive, and there are none here")
	case name == "~" || strings.HasPrefix(name, "~/"):
		if r.config.Home == "" {
			return nil, a.miss(ampersat.Missing, "there is no home folder here")
		}
		return only(candidate{at: location{r.dir.in, r.config.Home}.join(name[1:]), name: path.Clean(name)}), nil
	case strings.HasPrefix(name, "/") || r.dir.onDisk() && filepath.IsAbs(name):
		if !r.dir.onDisk() {
			return nil, a.miss(ampersat.Missing, "there are no absolute paths here")
		}
		if !filepath.IsAbs(name) {
			name = filepath.VolumeName(r.dir.path) + name
		}
		return only(candidate{at: location{r.dir.in, filepath.Clean(name)}, name: filepath.ToSlash(filepath.Clean(name))}), nil
	}
	if a.q.Named {
		if a.r.isElsewhere(a.r.naming()) {
			if space, _, ok := strings.Cut(name, ":"); !ok || space != "user" && !a.isCollection(ctx, space) {
				return nil, &access.Denied{What: name, Reason: access.ReasonOutside, Detail: "it is a name from another project"}
			}
		}
		return a.called(ctx, name), nil
	}
	return a.relative(name), nil
}

func only(c candidate) iter.Seq[candidate] {
	return func(yield func(candidate) bool) { yield(c) }
}

// relative lists where a plain path may be. The first place usually has it, so
// that the others are not even spelled out.
func (a *asking) relative(name string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		base := location{}
		if a.q.Base != "" {
			base = a.r.at(a.q.Base)
		}
		if base.exists() && !yield(candidate{at: base.join(name), place: base}) {
			return
		}
		if a.r.dir.exists() && base != a.r.dir && !yield(candidate{at: a.r.dir.join(name), place: a.r.dir}) {
			return
		}
		for _, context := range a.r.contexts {
			// Context is looked for by its name; .. does not lead out of it.
			at := context.join(name)
			if context != base && at.inside(context) && !yield(candidate{at: at, place: context}) {
				return
			}
		}
	}
}

// called lists where a file may be that was given a name before: where it would
// be called just that, and nowhere else.
func (a *asking) called(ctx context.Context, name string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		isIt := func(c candidate) bool { return cmp.Or(c.name, a.r.name(c.at)) == name }
		if c := (candidate{at: a.r.naming().join(name)}); isIt(c) && !yield(c) {
			return
		}
		if namespace, rest, ok := strings.Cut(name, ":"); ok && namespace != "" {
			// What is no name of a collection names nothing.
			if places, err := a.namespaced(ctx, namespace, rest); err == nil {
				for c := range places {
					if isIt(c) && !yield(c) {
						return
					}
				}
			}
		}
		for _, context := range a.r.contexts {
			if c := (candidate{at: context.join(name), place: context}); isIt(c) && !yield(c) {
				return
			}
		}
	}
}

// namespaced lists where a path in a namespace may be.
func (a *asking) namespaced(ctx context.Context, namespace, name string) (iter.Seq[candidate], error) {
	r := a.r
	if !isCollectionName(namespace) {
		return nil, a.miss(ampersat.Missing, "that is no name of a collection")
	}
	var places iter.Seq[location]
	switch {
	case namespace == "user" && !r.user.exists():
		return nil, a.miss(ampersat.Missing, "there is no folder of the user's here")
	case namespace == "user":
		places = slices.Values([]location{r.user})
	case namespace == "project":
		places = slices.Values([]location{r.root.join(".ampersat")})
	default:
		places = a.collectionsCalled(ctx, namespace)
	}
	for place := range places { // the first is as good as any
		if !place.join(name).inside(place) {
			return nil, a.miss(ampersat.Missing, "it leads out of "+namespace+":")
		}
		break
	}
	return func(yield func(candidate) bool) {
		for place := range places {
			c := candidate{at: place.join(name), name: below(namespace+":", name), place: place}
			if c.at.inside(r.root) {
				c.name = "" // seen from the working directory it has a path
			}
			if !yield(c) {
				return
			}
		}
	}, nil
}

// below is the name of something in a folder that was named. That of a whole
// namespace ends in its colon.
func below(folder, name string) string {
	switch name = path.Clean(name); {
	case name == ".":
		return folder
	case strings.HasSuffix(folder, ":"):
		return folder + name
	}
	return path.Join(folder, name)
}

func isDrive(name string) bool {
	return len(name) >= 3 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') &&
		(name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

// miss is the error for a mention that did not resolve.
func (a *asking) miss(outcome ampersat.Outcome, reason string) *ampersat.Miss {
	return &ampersat.Miss{Mention: a.q.Mention, Outcome: outcome, Reason: reason}
}

// nothingThere is what is said of a path.
const nothingThere = "nothing there"

// nothing is the miss for what is in none of the places.
func (a *asking) nothing(ctx context.Context, namespace string, looked []location, hidden bool) *ampersat.Miss {
	miss := a.miss(ampersat.Missing, nothingThere)
	switch {
	case namespace == "" || namespace == "user" || namespace == "project":
	case a.isCollection(ctx, namespace):
		miss.Meant = true
	default:
		miss.Reason = "there is no collection called " + namespace
	}
	if hidden {
		miss.Reason = nothingThere + " in the tree of the file that mentions it"
	}
	for _, place := range looked {
		miss.Looked = append(miss.Looked, a.r.short(place))
	}
	return miss
}

// isCollection reports whether the asker can see a collection of that name.
func (a *asking) isCollection(ctx context.Context, name string) bool {
	for place := range a.collectionsCalled(ctx, name) {
		if f, err := a.open(candidate{at: place}); err == nil {
			f.close()
			return true
		}
	}
	return false
}
