package git_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/git"
)

// privateKey is a key that nobody has, in lines of 64 letters.
func privateKey(seed uint64, lines int) []string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	random := rand.New(rand.NewPCG(seed, 2))
	key := []string{"-----BEGIN PRIVATE KEY-----"}
	for range lines {
		line := make([]byte, 64)
		for i := range line {
			line[i] = letters[random.IntN(len(letters))]
		}
		key = append(key, string(line))
	}
	return append(key, "-----END PRIVATE KEY-----")
}

func numbered(from, to int) (lines []string) {
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf("(line %d)", i))
	}
	return lines
}

func joined(parts ...[]string) string {
	var b strings.Builder
	for _, part := range parts {
		for _, line := range part {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// A diff shows some lines of a file. If they are of a key, whose first line need
// not be among them, the file is left out, and others are not.
func TestAttackDiffInTheMiddleOfAKey(t *testing.T) {
	key, other := privateKey(1, 40), privateKey(2, 40)
	const token = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	swapped := append([]string{}, key...)
	swapped[20] = other[20]
	notes := []string{"Notes"}                         // which git takes for a heading
	far := strings.Repeat("far ", 15)                  // to the right
	quoted := []string{key[40] + `" as it is written`} // the end of a key, and more
	long := numbered(0, 40_000)                        // more than is looked at in one go
	for _, test := range []struct {
		name          string
		before, after string
		held          bool
	}{
		{"a line of the key", joined(numbered(0, 9), key, numbered(9, 20)), joined(numbered(0, 9), swapped, numbered(9, 20)), true},
		{"taken away from the key", joined(key), joined(key[:20], key[22:]), true},
		{"the end of the key is near", joined(key, numbered(0, 20)), joined(key, []string{"new"}, numbered(0, 20)), true},
		{"the key goes", joined(numbered(0, 9), key), joined(numbered(0, 9)), true},
		{"the key comes", joined(numbered(0, 9)), joined(numbered(0, 9), key), true},
		{"only the old one is a key", joined(key), joined(key[1:20], []string{"."}, key[20:]), true},
		{"far into a long file", joined(long, key, long), joined(long, swapped, long), true},
		{"a token", joined(numbered(0, 9)), joined(numbered(0, 9), []string{"token: " + token}), true},
		// The line above a hunk that git takes for a heading is the last of the key.
		{"the heading", joined(key[:41], numbered(0, 9)), joined(key[:41], numbered(0, 6), []string{"new"}, numbered(6, 9)), true},
		// It is cut after 80 bytes, and shows the first 20 of the token.
		{"the heading ends inside a token", joined([]string{far + token}, numbered(0, 9)), joined([]string{far + token}, numbered(0, 8)), true},
		{"the heading has the end of a key", joined(key[:40], quoted, numbered(0, 9)), joined(key[:40], quoted, numbered(0, 8)), true},
		{"a heading like a token", joined([]string{token}, []string{"ghp_aB3dE is how it begins"}, numbered(0, 9)), joined([]string{token}, []string{"ghp_aB3dE is how it begins"}, numbered(0, 8)), false},
		{"beside the key", joined(numbered(0, 20), key, notes, numbered(20, 40)), joined(numbered(0, 20), key, notes, numbered(20, 39)), false},
		{"before the key", joined(numbered(0, 20), key), joined(numbered(1, 20), key), false},
		{"no key", joined(numbered(0, 20)), joined(numbered(1, 20)), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t)
			r.commit("first", map[string]string{"notes.txt": test.before, "b.txt": "1\n"})
			r.write(map[string]string{"notes.txt": test.after, "b.txt": "2\n"})
			c := r.load(mention.GitDiff{})
			wantParts(t, c, "diff --git a/b.txt b/b.txt\n", "+2\n")
			left := strings.Contains(c.Text, "[left out: a/notes.txt b/notes.txt: it holds secrets: ")
			if left != test.held || left != strings.Contains(c.Note, "notes.txt is left out: it holds secrets: ") {
				t.Fatalf("left out: %v, note %q:\n%s", left, c.Note, c.Text)
			}
			for _, line := range append(key[1:41:41], append(other[1:41:41], token[:20])...) {
				if strings.Contains(c.Text, line) {
					t.Errorf("%s is shown", line)
				}
			}
			if !test.held {
				return
			}
			// What the note says to type shows the file, all at once.
			_, flags, _ := strings.Cut(c.Note, "to allow it: ")
			var consent access.Memory
			for flag := range strings.SplitSeq(flags, " ") {
				if flag == "--allow" {
					continue
				}
				g, err := access.ParseGrant(strings.Trim(flag, "'"), r.dir, "")
				must(t, err)
				must(t, consent.Allow(g))
			}
			p := &ampersat.Pipeline{Resolver: git.New(git.Config{Dir: r.dir, Consent: &consent}), Consent: &consent}
			stack, err := p.Prepare(t.Context(), ampersat.Ask("@diff"))
			must(t, err)
			if report := stack.Reports[0]; report.Outcome != ampersat.Loaded || report.Reason != "" {
				t.Errorf("%s was allowed, and it is %s: %s", flags, report.Outcome, report.Reason)
			}
		})
	}
}

// What git takes for a heading can be configured, and begin inside a secret.
func TestAttackHeadingBeginsInsideASecret(t *testing.T) {
	const token = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	r := newRepository(t)
	r.git("config", "diff.notes.xfuncname", "^token ghp_a(.*)$")
	line := []string{"token " + token + " of mine"}
	r.commit("first", map[string]string{".gitattributes": "*.txt diff=notes\n", "notes.txt": joined(line, numbered(0, 9))})
	r.write(map[string]string{"notes.txt": joined(line, numbered(0, 8))})
	if shown := r.git("diff"); !strings.Contains(shown, "@@ "+token[5:]+" of mine\n") {
		t.Fatalf("the heading is another:\n%s", shown)
	}
	c := r.load(mention.GitDiff{})
	if strings.Contains(c.Text, token[20:]) || !strings.Contains(c.Note, "notes.txt is left out: it holds secrets: ") {
		t.Errorf("note %q:\n%s", c.Note, c.Text)
	}
}

// To allow one file allows no other.
func TestAllowedFileOfADiffAllowsNoOther(t *testing.T) {
	const one, two = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5", "ghp_cB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	r := newRepository(t)
	r.write(map[string]string{"one": one + "\n", "two": two + "\n"})
	var consent access.Memory
	must(t, consent.Allow(access.Secret{Name: filepath.Join(r.dir, "one")}))
	p := &ampersat.Pipeline{Resolver: git.New(git.Config{Dir: r.dir, Consent: &consent}), Consent: &consent}
	stack, err := p.Prepare(t.Context(), ampersat.Ask("@diff"))
	must(t, err)
	said := fmt.Sprintf("%+v", stack.All())
	if !strings.Contains(said, one) || strings.Contains(said, two) || !strings.Contains(stack.Reports[0].Reason, "two is left out") {
		t.Errorf("%+v\n%s", stack.Reports[0], said)
	}
}

// A name that holds a token is neither in what is noted of a file that is left out
// nor among the refs that are similar.
func TestAttackTokenInANameThatIsTold(t *testing.T) {
	const token = "gh" + "p_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	r := newRepository(t)
	r.commit("one", map[string]string{"fine.txt": "fine\n"})
	r.write(map[string]string{"notes_" + token + ".md": "see " + token + "\n"})
	r.git("add", "-A")
	if c := r.load(mention.GitDiff{}); !strings.Contains(c.Note, "notes_***.md is left out: it holds secrets: ") || strings.Contains(c.Note, token) {
		t.Errorf("%q", c.Note)
	}
	r.git("branch", "see-"+token)
	r.missed(mention.GitDiff{Base: "see-" + token[:len(token)-1]}, ampersat.Missing, `similar: see-***`)
}

// A file that may hold a login by its name is left out for what is in it.
func TestNamesThatTellTogetherWithTheContent(t *testing.T) {
	r := newRepository(t)
	r.commit("one", map[string]string{"fine.txt": "fine\n"})
	for content, left := range map[string]bool{
		`{"auths":{"r":{"auth":"bWU6c2VzYW1l"}}}`: true,
		`{"credsStore":"desktop"}`:                false,
		"":                                        false,
	} {
		r.write(map[string]string{".docker/config.json": content})
		r.git("add", "-A")
		if c := r.load(mention.GitDiff{}); strings.Contains(c.Note, ".docker/config.json is left out: it holds secrets: docker-credentials") != left {
			t.Errorf("%s: %q", content, c.Note)
		}
	}
}
