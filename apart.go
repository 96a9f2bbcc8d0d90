package ampersat

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// tellApart gives different things different names. A model knows a thing by what
// it is called, now and in later turns; where a resolver calls two things the
// same, the later one is called as it is mentioned. So it is in later turns: the
// view holds what tells the two apart.
func (x *expansion) tellApart(s seen) {
	holders := make(map[called]*item, len(x.typed))
	numbers := map[called]int{}
	x.walk(func(it *item) {
		if it.outcome != "" || it.same != nil || len(it.content.Files) > 0 {
			return
		}
		own := it.called()
		free := func(name string) bool {
			thing := called{own.kind, name}
			holder, owner := holders[thing], s.owners[thing]
			return name != "" && (holder == nil || holder.isSameThing(it)) && (owner == "" || it.id() == "" || owner == it.id())
		}
		// As it was told apart in an earlier turn, as it is called, as it is mentioned.
		apart := ""
		if own.kind != "" { // the path of a file may be that of another, elsewhere
			apart = strings.TrimPrefix(it.ref.Mention.String(), "@")
		}
		if owner := s.owners[called{own.kind, apart}]; owner != "" && owner == it.id() && free(apart) {
			it.rename(apart)
		} else if !free(own.name) && free(apart) {
			it.rename(apart)
		}
		for !free(it.content.Name) {
			numbers[own]++
			it.rename(fmt.Sprintf("%s (%d)", own.name, numbers[own]+1))
		}
		if thing := it.called(); holders[thing] == nil {
			holders[thing] = it
		}
	})
}

// rename calls the content of one item something else. Others may share it.
func (it *item) rename(name string) {
	c := *it.content
	c.Name = name
	it.content = &c
}

// id tells a thing of one's own from others that are called the same, across
// turns. It is a digest, since where something is may be nobody's business. What
// came with a mention has none: it is another thing every time.
func (it *item) id() string {
	if it.ref.Mention.Kind() != mention.KindCustom || it.captured != "" {
		return ""
	}
	id := it.content.ID
	if id == "" {
		id = it.ref.Mention.String()
	}
	return blob.Of([]byte(id)).Short()
}

// isSameThing reports whether two contents with one name are of one thing.
func (it *item) isSameThing(other *item) bool {
	a, b := it.content, other.content
	switch {
	case a.ID != "" && b.ID != "":
		return a.ID == b.ID
	case it.id() != other.id():
		return false
	}
	// Of two parts nobody can tell; the same part is the same if it is equal.
	return a.Lines != b.Lines || a.Symbol != b.Symbol || it.identity() == other.identity()
}
