package access

import (
	"errors"
	"strconv"
	"strings"
)

// Denied is the error for everything that is refused. It is the same in every
// front end: what, why, and what grants it.
type Denied struct {
	// What was refused: a path, an address, a mention.
	What string
	// Reason is for branching.
	Reason Reason
	// Detail is for people: one clause, lower case.
	Detail string
	// Grant is what the person can type to allow it, quoted for a shell, such
	// as "--allow /etc/hosts" or "ampersat trust". It is empty if nothing does. It
	// is meant for the command line of ampersat: another program goes by What and
	// Reason, and allows by [Memory.Allow] what its person agrees to.
	Grant string
	// Findings are the secrets that were found, if that is the reason.
	Findings []Finding
}

// Reason tells refusals apart.
type Reason string

const (
	// ReasonOrigin: nobody who may ask has asked.
	ReasonOrigin Reason = "origin"
	// ReasonKind: the asker may not mention this kind of thing.
	ReasonKind Reason = "kind"
	// ReasonOutside: the path lies in no tree that may be read.
	ReasonOutside Reason = "outside"
	// ReasonEscape: the path lies inside, but a symbolic link on it leads out.
	ReasonEscape Reason = "escape"
	// ReasonSpecial: it is a device, a pipe or a socket.
	ReasonSpecial Reason = "special"
	// ReasonAddress: the address is private, local or otherwise not allowed.
	ReasonAddress Reason = "address"
	// ReasonTrust: it runs or widens something, and the project is not trusted.
	ReasonTrust Reason = "trust"
	// ReasonSecret: the content holds secrets.
	ReasonSecret Reason = "secret"
)

// Error says what was refused, why, and what grants it. Control characters are
// shown, not sent to the terminal.
func (d *Denied) Error() string {
	if d == nil {
		return "read: a refusal of nothing"
	}
	var b strings.Builder
	if d.Reason == ReasonTrust {
		b.WriteString("use ") // what would run
	} else {
		b.WriteString("read ")
	}
	b.WriteString(shown(d.What))
	b.WriteString(": ")
	b.WriteString(shown(d.Detail))
	if d.Grant != "" {
		b.WriteString(" (to allow it: ")
		b.WriteString(shown(d.Grant))
		b.WriteString(")")
	}
	return b.String()
}

// IsDenied returns the [*Denied] in err's tree, if there is one.
func IsDenied(err error) (*Denied, bool) {
	var denied *Denied
	ok := errors.As(err, &denied)
	return denied, ok
}

// shown escapes what a terminal would obey.
func shown(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

const trustCommand = "ampersat trust"

// AllowFlag is the flag that grants what [ParseGrant] reads in arg, ready to be
// copied into a shell.
func AllowFlag(arg string) string { return "--allow " + shellQuote(arg) }

// shellQuote makes one word of text. A file may be called "; rm -rf ~", and
// people copy hints.
func shellQuote(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
