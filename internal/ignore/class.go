package ignore

import "strings"

// class is a set of bytes: what a bracket expression matches.
type class [4]uint64

func (c *class) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }
func (c *class) add(b byte)      { c[b>>6] |= 1 << (b & 63) }

func (c *class) addRange(first, last byte) {
	for b := int(first); b <= int(last); b++ {
		c.add(byte(b))
	}
}

// readClass reads the bracket expression that glob begins with, and returns how
// long it is: 0 for one that is not closed or names no class there is. No class
// holds the slash, negated or not.
func readClass(glob string) (*class, int) {
	i := 1
	negated := i < len(glob) && (glob[i] == '!' || glob[i] == '^')
	if negated {
		i++
	}
	set := &class{}
	var previous byte // what a hyphen would begin a range with; 0 for nothing
	for first := true; ; first = false {
		if i >= len(glob) {
			return nil, 0
		}
		b := glob[i]
		switch {
		case b == ']' && !first:
			if negated {
				for word := range set {
					set[word] = ^set[word]
				}
			}
			set['/'>>6] &^= 1 << ('/' & 63)
			return set, i + 1
		case b == '\\':
			if i++; i == len(glob) {
				return nil, 0
			}
			set.add(glob[i])
			previous = glob[i]
		case b == '-' && previous != 0 && i+1 < len(glob) && glob[i+1] != ']':
			i++
			if glob[i] == '\\' {
				if i++; i == len(glob) {
					return nil, 0
				}
			}
			set.addRange(previous, glob[i])
			previous = 0
		case strings.HasPrefix(glob[i:], "[:"):
			name := glob[i+2:]
			end := strings.IndexByte(name, ']')
			if end < 0 {
				return nil, 0
			}
			if end == 0 || name[end-1] != ':' {
				set.add('[') // no named class, a bracket like any other byte
				previous = '['
				break
			}
			if !set.addNamed(name[:end-1]) {
				return nil, 0
			}
			i += 2 + end
			previous = 0
		default:
			set.add(b)
			previous = b
		}
		i++
	}
}

// addNamed adds a POSIX class. As in git only ASCII belongs to one, and the
// vertical tab and the form feed are no space.
func (c *class) addNamed(name string) bool {
	switch name {
	case "alnum":
		c.addNamed("alpha")
		c.addNamed("digit")
	case "alpha":
		c.addNamed("lower")
		c.addNamed("upper")
	case "blank":
		c.add(' ')
		c.add('\t')
	case "cntrl":
		c.addRange(0, 0x1f)
		c.add(0x7f)
	case "digit":
		c.addRange('0', '9')
	case "graph":
		c.addRange('!', '~')
	case "lower":
		c.addRange('a', 'z')
	case "print":
		c.addRange(' ', '~')
	case "punct":
		c.addRange('!', '/')
		c.addRange(':', '@')
		c.addRange('[', '`')
		c.addRange('{', '~')
	case "space":
		for _, b := range []byte(" \t\n\r") {
			c.add(b)
		}
	case "upper":
		c.addRange('A', 'Z')
	case "xdigit":
		c.addNamed("digit")
		c.addRange('a', 'f')
		c.addRange('A', 'F')
	default:
		return false
	}
	return true
}
