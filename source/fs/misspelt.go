package fs

import (
	"context"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// misspelt says what to write in place of what names nothing: where there is such
// a file, what follows its colon was meant to be lines of it, or a symbol. It is
// empty where nothing can be said.
func (a *asking) misspelt(ctx context.Context, namespace, name string) string {
	if a.q.Named {
		return "" // nobody wrote a mention
	}
	if _, ok := strings.CutPrefix(name, "terminal:"); ok && namespace == "" {
		return "not a number of lines: write @terminal:200 for the last 200"
	}
	if reason := a.unfit(ctx, namespace, name); reason != "" || namespace == "" {
		return reason
	}
	// The file may be what looks like a namespace: Makefile:0.
	return a.unfit(ctx, "", namespace+":"+name)
}

// mostSigns is how many colons and hashes of a name are looked at.
const mostSigns = 8

func (a *asking) unfit(ctx context.Context, namespace, name string) string {
	signs := 0
	for i := range len(name) {
		if name[i] != ':' && name[i] != '#' {
			continue
		}
		if signs++; signs > mostSigns {
			return ""
		}
		file, rest := name[:i], name[i+1:]
		if !isLikeLines(rest) && !isLikeName(rest) || file == "" || !a.isFile(ctx, namespace, file) {
			continue
		}
		lines := mention.Selection{Namespace: namespace, Path: file, First: 10, Last: 20}
		switch {
		case !isLikeLines(rest):
			symbol := mention.Symbol{Namespace: namespace, Path: file, Name: rest}
			return fmt.Sprintf("%s is no line of %s: for a symbol write %s", rest, file, symbol)
		case strings.Contains(rest, ","):
			return fmt.Sprintf("%s are several ranges: write one mention for each, such as %s", rest, lines)
		case strings.Trim(rest, "0") == "":
			return fmt.Sprintf("lines are counted from one: write %s", lines)
		}
		return fmt.Sprintf("%s is no range of lines: write %s", rest, lines)
	}
	return ""
}

// isFile reports whether the asker can see a file of that name.
func (a *asking) isFile(ctx context.Context, namespace, name string) bool {
	candidates, err := a.candidates(ctx, namespace, name)
	if err != nil {
		return false
	}
	is := false
	s := searching{asking: a, look: func(c candidate) (done bool, err error) {
		f, err := a.open(c)
		if err != nil {
			return false, err
		}
		f.close()
		is = !f.info.IsDir()
		return true, nil
	}}
	candidates(s.try)
	return is
}

// isLikeLines reports whether a text was meant to be lines: 0, -5, 10..20, L3-x.
func isLikeLines(s string) bool {
	if s != "" && strings.IndexByte("-+L", s[0]) >= 0 {
		s = s[1:]
	}
	return s != "" && '0' <= s[0] && s[0] <= '9'
}

// isLikeName reports whether a text may be what a declaration is called.
func isLikeName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_', c == '$':
		case i > 0 && ('0' <= c && c <= '9' || c == '.' || c == ':'):
		default:
			return false
		}
	}
	return s != ""
}
