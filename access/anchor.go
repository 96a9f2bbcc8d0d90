package access

// anchors finds many short literals in one pass over a text, whatever the case
// of their letters.
//
// The pass looks at the three bytes that begin at every second position: one
// multiplication and one byte of a 32 KB table tell whether a literal may be
// there. Of each literal, two such trigrams are in the table, one that begins at
// an even distance from its start and one at an odd distance, so that one of
// them is met wherever the literal lies; the rarest of each are taken. Literals
// are compared only where the table says so, at a few positions in a hundred of
// ordinary text. An automaton would need no comparing, but each of its steps
// waits for a load, and it takes three times as long.
//
// The table of the rules' anchors is made beforehand, so that the first scan has
// nothing to build: a test says if it is not that of the rules, and writes it with
// -update.
type anchors struct {
	// some is one where a trigram of that hash is asked for. It is all that
	// most positions touch, and small enough for the first cache.
	some [1 << hashBits]uint8
	// bucket is the first of the probes for a hash; zero is none.
	bucket [1 << hashBits]uint16
	// probes are all of them, from the second place on.
	probes []probe
}

// probe is a literal, in lower case, the distance from its start at which the
// trigram lies, and whose literal it is. The next one is that of the same hash,
// zero if there is none.
type probe struct {
	literal  string
	distance uint16
	owner    uint16
	next     uint16
}

const (
	hashBits = 15
	// folding keeps five bits of each byte, in which the two cases of a letter
	// are equal.
	folding = 0x1f1f1f1f1f1f1f1f
)

// hash maps the three low bytes of a folded word to a place in the table. The
// factor was chosen, among some thousands, so that few of the common trigrams of
// source text share a place with one that is asked for.
func hash(word uint64) uint32 {
	return uint32(word) << 8 * 0xD4568A75 >> (32 - hashBits)
}

// scan calls hit with where each literal starts and ends, and its owner. The
// starts come in order, give or take the length of a literal.
func (a *anchors) scan(text string, hit func(start, end, owner int)) {
	at := 0
	for ; at+8 <= len(text); at += 6 {
		word := load(text[at:at+8]) & folding
		h0, h2, h4 := hash(word), hash(word>>16), hash(word>>32)
		if a.some[h0]|a.some[h2]|a.some[h4] == 0 {
			continue
		}
		a.compare(h0, text, at, hit)
		a.compare(h2, text, at+2, hit)
		a.compare(h4, text, at+4, hit)
	}
	for ; at < len(text); at += 2 {
		var tail [8]byte
		copy(tail[:3], text[at:])
		a.compare(hash(load(string(tail[:]))&folding), text, at, hit)
	}
}

// load reads eight bytes. The compiler makes it one instruction.
func load(t string) uint64 {
	_ = t[7]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

func (a *anchors) compare(hash uint32, text string, at int, hit func(start, end, owner int)) {
	for next := a.bucket[hash]; next != 0; {
		p := &a.probes[next]
		if start := at - int(p.distance); start >= 0 && hasFold(text[start:], p.literal) {
			hit(start, start+len(p.literal), int(p.owner))
		}
		next = p.next
	}
}

// hasFold reports whether text begins with prefix, which is in lower case,
// whatever the case of text's ASCII letters.
func hasFold(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if b := text[i]; b != prefix[i] && (b < 'A' || b > 'Z' || b+'a'-'A' != prefix[i]) {
			return false
		}
	}
	return true
}
