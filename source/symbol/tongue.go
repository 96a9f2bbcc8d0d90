package symbol

import (
	"path"
	"strings"
)

// tongue is how a family of languages writes comments and strings.
type tongue struct {
	// line are the marks of comments up to the end of the line.
	line []string
	// block are the marks around comments that go over lines; nested if they
	// stand in one another.
	block  [2]string
	nested bool
	// quotes are the ways to write a string, those with longer marks first.
	quotes []quote
	// char is a character in single quotes, which also stand alone: 'a of Rust.
	char bool
	// regex is /a pattern/ where a value may begin.
	regex bool
	// raw are strings with any number of # around them: r#"..."# of Rust, after
	// this letter, and #"..."# of Swift, without one.
	raw string
	// rawBracket is R"x(...)x" of C++, longBracket [==[...]==] of Lua.
	rawBracket, longBracket bool
	// here are strings of the lines up to a word, after this mark.
	here string
	// words says that a # in the middle of a word is no comment.
	words bool
	// pages says that code stands between <? and ?> only.
	pages bool
	// begin is a comment of the lines from =begin to =end.
	begin bool
	// directives are lines with a # that the compiler takes out first, labels
	// words with a colon: both stand in the first column wherever they are.
	directives, labels bool
}

// quote is a way to write a string.
type quote struct {
	open, close string
	// lines says that it may go over lines, plain that a backslash means nothing
	// in it, doubled that its end written twice is no end.
	lines, plain, doubled bool
	// inner begins code in it, up to the bracket that closes it.
	inner string
}

// tongueOf returns how a file is written, nil if that is not known.
func tongueOf(name string) *tongue {
	double, single := quote{open: `"`, close: `"`}, quote{open: `'`, close: `'`}
	three := func(mark string) quote { return quote{open: mark, close: mark, lines: true} }
	plain := func(open, close string) quote { return quote{open: open, close: close, lines: true, plain: true} }
	slashes := tongue{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: []quote{double}, char: true}
	hashes := tongue{line: []string{"#"}, quotes: []quote{three(`"""`), three(`'''`), double, single}}
	t := slashes
	switch strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) {
	case "go":
		t.quotes, t.labels = []quote{double, plain("`", "`")}, true
	case "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm":
		t.rawBracket, t.directives, t.labels = true, true, true
	case "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx":
		t.quotes, t.char, t.regex = []quote{double, single, {open: "`", close: "`", lines: true, inner: "${"}}, false, true
	case "java":
		t.quotes = []quote{three(`"""`), double}
	case "kt", "kts", "scala":
		t.quotes, t.nested = []quote{plain(`"""`, `"""`), double}, true
	case "groovy":
		t.quotes, t.char = []quote{three(`"""`), three(`'''`), double, single}, false
	case "dart":
		t.quotes = []quote{plain(`r"""`, `"""`), plain(`r'''`, `'''`), three(`"""`), three(`'''`), {open: `r"`, close: `"`, plain: true}, {open: `r'`, close: `'`, plain: true}, double, single}
		t.char, t.nested = false, true
	case "swift":
		t.quotes, t.char, t.raw, t.nested = []quote{three(`"""`), double}, false, "#", true
	case "rs":
		t.quotes, t.raw, t.nested = []quote{{open: `"`, close: `"`, lines: true}}, "r", true
	case "cs":
		verbatim := func(open string) quote {
			return quote{open: open, close: `"`, lines: true, plain: true, doubled: true}
		}
		t.quotes, t.directives = []quote{plain(`"""`, `"""`), verbatim(`@$"`), verbatim(`@"`), double}, true
	case "proto":
		t.quotes, t.char = []quote{double, single}, false
	case "php":
		t.line, t.quotes, t.char = []string{"//", "#"}, []quote{{open: `"`, close: `"`, lines: true}, {open: `'`, close: `'`, lines: true}}, false
		t.here, t.pages = "<<<", true
	case "py", "pyi", "pyw", "ex", "exs":
		t = hashes
	case "rb":
		t = hashes
		t.quotes, t.here, t.begin = []quote{double, single}, "<<", true
	case "sh", "bash":
		t = hashes
		t.quotes = []quote{{open: `$'`, close: `'`, lines: true}, plain(`'`, `'`), {open: `"`, close: `"`, lines: true, inner: "$("}}
		t.here, t.words = "<<", true
	case "lua":
		t = tongue{line: []string{"--"}, quotes: []quote{double, single}, longBracket: true}
	default:
		return nil
	}
	return &t
}
