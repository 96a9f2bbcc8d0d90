package session

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"
)

// ID names a session. It can stand in a URL, in a file name and in a mention
// as it is: 1 to 128 ASCII letters, digits, "-" and "_", beginning with a
// letter or digit.
type ID string

const maxID = 128

// NewID returns an ID that nobody else has. It is 26 characters long, and those
// of later milliseconds sort after those of earlier ones.
func NewID(at time.Time) ID {
	var id [16]byte
	// The upper 48 bits hold milliseconds until the year 10889.
	binary.BigEndian.PutUint64(id[:], uint64(at.UnixMilli())<<16)
	rand.Read(id[6:]) // never fails
	// The alphabet is in ASCII order, so that the text sorts as the bytes do. It
	// has no i, l, o and u, which are misread.
	return ID(base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding).EncodeToString(id[:]))
}

// ParseID checks that text can be an [ID].
func ParseID(text string) (ID, error) {
	if text == "" || len(text) > maxID {
		return "", fmt.Errorf("parse session id %.40q: want 1 to %d characters, have %d", text, maxID, len(text))
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i > 0 && (c == '-' || c == '_'):
		default:
			return "", fmt.Errorf("parse session id %.40q: want letters, digits, - and _, have %q at %d", text, c, i)
		}
	}
	return ID(text), nil
}
