package ampersat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/blob"
)

// knowledge is what the model knows of a file: what it was shown, and what it was
// told since without being shown.
type knowledge struct {
	// sights are what it was shown, the latest of each part. What a later sight of
	// the whole file replaces is not among them.
	sights []*sight
	// told is the last that it was told, and at where in the view. What was shown
	// after that is current, as far as the model knows.
	told standing
	at   int
}

// standing is how a file stands to what was shown of it.
type standing string

const (
	// asShown: what was shown is current. This is what a model takes for granted.
	asShown standing = ""
	changed standing = "changed"
	// withheld is changed, and the new version may not be read.
	withheld standing = "withheld"
	// folder is changed, to something that is no file.
	folder  standing = "folder"
	removed standing = "removed"
	// unsure: it cannot be read, or compared.
	unsure standing = "unsure"
)

// say is what the model is told of files, one or several. The beginning is what
// it is read back by; see standingOf.
func (s standing) say(turn, files int) string {
	versions := "the new version has"
	if files > 1 {
		versions = "the new versions have"
	}
	switch s {
	case changed:
		return fmt.Sprintf("changed since turn %d; %s not been sent", turn, versions)
	case withheld:
		return fmt.Sprintf("changed since turn %d; %s not been sent, and may not be read", turn, versions)
	case folder:
		return fmt.Sprintf("changed since turn %d: no longer a file, but a folder", turn)
	case removed:
		return fmt.Sprintf("removed since turn %d", turn)
	case unsure:
		return fmt.Sprintf("perhaps changed since turn %d: it cannot be read now", turn)
	}
	return fmt.Sprintf("again as shown in turn %d", turn)
}

// standingOf reads what was told of a file. Withheld and folder are changed: the model needs
// to know no more. It reports false for notes about something else.
func standingOf(name, text string) (standing, bool) {
	for beginning, s := range map[string]standing{
		"[changed since ": changed, "[removed since ": removed, "[perhaps changed since ": unsure, "[again as shown ": asShown,
	} {
		if strings.HasPrefix(text, beginning) {
			return s, true
		}
	}
	return changed, saysOutdated(text, name)
}

// heard notes that the model was told something of a file. That is about what it was
// shown in earlier turns: what is shown in the same one is current.
func (s *seen) heard(name, text string) {
	if k := s.files[name]; k != nil {
		if standing, ok := standingOf(name, text); ok {
			k.told, k.at = standing, s.began
		}
	}
}

// saw notes that the model was shown something of a file. If it was told that it
// has changed, what it was shown before may be outdated, as it knows; of lines that
// have changed it learns nothing about others.
func (s *seen) saw(now *sight, hasChanged bool) {
	if now.kind != "" {
		return
	}
	k := s.files[now.name]
	if k == nil {
		k = new(knowledge)
		s.files[now.name] = k
		s.names = append(s.names, now.name)
	}
	if now.isAll() {
		k.sights = nil
	} else if hasChanged && now.lines+now.symbol == "" && len(k.sights) > 0 {
		k.told, k.at = changed, now.at-1
	}
	k.sights = slices.DeleteFunc(k.sights, func(old *sight) bool { return old.isReplacedBy(now.lines, now.symbol, now.source) })
	k.sights = append(k.sights, now)
}

// isReplacedBy reports whether a sight is of the same part as another. A symbol may
// have moved, where the file is another.
func (s *sight) isReplacedBy(lines, symbol string, source blob.Digest) bool {
	return s.symbol == symbol && (s.lines == lines || symbol != "" && s.source != source)
}

// beside returns what the model knows besides some parts that it is sent now.
func (k *knowledge) beside(parts []*block) *knowledge {
	if len(parts) == 0 {
		return k
	}
	rest := *k
	rest.sights = slices.DeleteFunc(slices.Clone(k.sights), func(s *sight) bool {
		return slices.ContainsFunc(parts, func(b *block) bool { return s.isReplacedBy(b.content.Lines, b.content.Symbol, b.content.Source) })
	})
	return &rest
}

// confirmed notes that the model was told that something is as it was shown.
func (s *seen) confirmed(before *sight) {
	before.at = s.at
	if before.isAll() {
		s.all[before.called] = s.at
	}
	if k := s.files[before.name]; k != nil && before.kind == "" && before.isAll() {
		k.sights = []*sight{before}
	}
}

// learn notes what the model is told in this turn of files that nobody mentions.
func (s seen) learn(all []news) {
	for _, n := range all {
		if n.standing != asShown {
			s.learns[n.name] = true
		}
	}
}

// isTakenForCurrent reports whether the model was told nothing else of the whole files
// that a block is of, as it was shown them, and is not told so now.
func (s seen) isTakenForCurrent(b *block) bool {
	return contextKind(b.kind) != "" || !slices.ContainsFunc(b.names, func(name string) bool {
		k, shown := s.files[name], s.named[piece{called: called{name: name}}]
		return s.learns[name] || k != nil && shown != nil && k.told != asShown && shown.at <= k.at
	})
}

// isAll reports whether a sight is of the whole file.
func (s *sight) isAll() bool { return s.whole && s.lines == "" && s.symbol == "" }

// news is something that the model is to be told of a file.
type news struct {
	name     string
	standing standing
	turn     int
}

// newsOf compares how a file stands with what the model knows. Differing are the
// sights that are not current, unclear says that of some it is not known.
func (k *knowledge) newsOf(name string, is standing, differing []*sight, unclear bool) (news, bool) {
	latest := func(of []*sight) (turn int, fresh bool) {
		for _, s := range of {
			turn = max(turn, s.turn)
			fresh = fresh || s.at > k.at || k.told == asShown
		}
		return turn, fresh
	}
	turn, fresh := latest(k.sights)
	switch is {
	case asShown:
		outdated := slices.DeleteFunc(slices.Clone(k.sights), func(s *sight) bool { return s.at > k.at })
		if k.told == asShown || len(outdated) == 0 {
			return news{}, false
		}
		if turn, _ = latest(outdated); unclear {
			return news{name, unsure, turn}, k.told == removed
		}
		return news{name, asShown, turn}, true
	case unsure:
		return news{name, is, turn}, fresh || k.told == removed
	case removed:
		return news{name, is, turn}, fresh || k.told != removed
	}
	turn, fresh = latest(differing)
	return news{name, is, turn}, fresh || k.told != changed
}
