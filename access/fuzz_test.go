package access

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever the text, findings are in order, do not overlap, lie on the lines
// they name, show no secret, and are the same for bytes and for a string.
func FuzzScan(f *testing.F) {
	m := newMade(11)
	f.Add("a.txt", "token = \""+"gh"+"p_"+m.of(alnum, 36)+"\"\n")
	f.Add(".env", "API_KEY="+m.of(alnum, 32)+"\nURL=https://me:q7Wz2mLx9@host\n")
	f.Add("k.pem", "-----BEGIN PRIVATE KEY-----\n"+m.of(base64, 64)+"\n-----END PRIVATE KEY-----")
	f.Add("a.ini", ";password="+m.of(alnum, 12)+"\npwd = \"a1B2c3D4e5\"\n<password>")
	f.Add("s.yaml", "kind: Secret\ndata:\n  a: c2Vzc2hvb21hYQ==\n")
	for _, unit := range []string{"eyJ.eyJ.", "xoxb-1-", "key=", "curl -u a:b ", "AccountKey=", "\xff\x00"} {
		f.Add("x", strings.Repeat(unit, 9))
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		s := scanner{name: name, text: text}
		s.scan()
		if s.work > 300*len(text)+2000 {
			t.Errorf("%d bytes looked at in %d", s.work, len(text))
		}
		found := ScanString(name, text)
		if again := Scan(name, []byte(text)); fmt.Sprint(again) != fmt.Sprint(found) {
			t.Errorf("bytes: %v\nstring: %v", again, found)
		}
		end := 0
		for i, f := range found {
			if f.Line == 0 {
				if i != 0 || f.Start != 0 || f.End != 0 {
					t.Errorf("%d: %+v", i, f)
				}
				continue
			}
			if f.Start < end || f.End <= f.Start || f.End > len(text) {
				t.Fatalf("%+v after %d in %d bytes", f, end, len(text))
			}
			end = f.End
			if line := 1 + strings.Count(text[:f.Start], "\n"); line != f.Line || !isID(f.ID) {
				t.Errorf("%+v is on line %d", f, line)
			}
			// A prefix of at most sixteen bytes is public.
			if secret := text[f.Start:f.End]; len(secret) > 24 && strings.Contains(f.Preview, secret[:len(secret)-8]) {
				t.Errorf("%q shows the secret", f.Preview)
			}
		}
	})
}

// Opening is by the letters of the path first: what Inside denies is never
// opened.
func FuzzInside(f *testing.F) {
	f.Add("/a/b", "/a/b/../c")
	f.Add("/", "//x")
	f.Fuzz(func(t *testing.T, tree, path string) {
		if !Inside(tree, path) {
			return
		}
		clean, err := absolute(path)
		if err != nil || strings.Contains("/"+clean+"/", "/../") {
			t.Fatalf("Inside(%q, %q), and it cleans to %q, %v", tree, path, clean, err)
		}
		if base, err := absolute(tree); err != nil || !strings.HasPrefix(clean+"/", strings.TrimSuffix(base, "/")+"/") {
			t.Fatalf("Inside(%q, %q)", tree, path)
		}
	})
}
