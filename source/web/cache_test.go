package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat/source/web"
)

// edition is a page that has a version, and a server that knows it.
type edition struct {
	mu      sync.Mutex
	text    string
	headers map[string]string
}

func (e *edition) set(text string, headers map[string]string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text, e.headers = text, headers
}

func (e *edition) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	for key, value := range e.headers {
		w.Header().Set(key, value)
	}
	tag, modified := e.headers["ETag"], e.headers["Last-Modified"]
	if tag != "" && r.Header.Get("If-None-Match") == tag || tag == "" && modified != "" && r.Header.Get("If-Modified-Since") == modified {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprintf(w, "<p>%s</p>", e.text)
}

const someDay = "Mon, 02 Jan 2006 15:04:05 GMT"

func TestCache(t *testing.T) {
	for name, test := range map[string]struct {
		headers map[string]string
		kept    bool
	}{
		"a tag":              {map[string]string{"ETag": `"v1"`}, true},
		"a weak tag":         {map[string]string{"ETag": `W/"v1"`}, true},
		"a date":             {map[string]string{"Last-Modified": someDay}, true},
		"both":               {map[string]string{"ETag": `"v1"`, "Last-Modified": someDay}, true},
		"neither":            {nil, false},
		"not to be kept":     {map[string]string{"ETag": `"v1"`, "Cache-Control": "private, No-Store"}, false},
		"different for each": {map[string]string{"ETag": `"v1"`, "Vary": "*"}, false},
		"to be asked about":  {map[string]string{"ETag": `"v1"`, "Cache-Control": "no-cache, max-age=0"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			e := new(edition)
			e.set("one", test.headers)
			s := serve(t, e.ServeHTTP)
			config := direct(t, s.URL)
			config.CacheDir = filepath.Join(t.TempDir(), "cache", "web")
			for range 2 {
				if c := load(t, config, s.URL); c.Text != "one\n" || c.Note != "" {
					t.Errorf("%q: %s", c.Text, c.Note)
				}
			}
			asked := s.asked()
			if len(asked) != 2 {
				t.Fatalf("asked %d times: what is kept must be asked about each time", len(asked))
			}
			conditional := asked[1].Header.Get("If-None-Match")+asked[1].Header.Get("If-Modified-Since") != ""
			if conditional != test.kept {
				t.Errorf("kept: %v, want %v", conditional, test.kept)
			}
			e.set("two", map[string]string{"ETag": `"v2"`})
			for range 2 {
				if c := load(t, config, s.URL); c.Text != "two\n" {
					t.Errorf("%q is stale", c.Text)
				}
			}
			e.set("three", map[string]string{"ETag": `"v3"`, "Cache-Control": "no-store"})
			load(t, config, s.URL)
			if entries := files(t, config.CacheDir); len(entries) > 0 {
				t.Errorf("%v is kept though the server says not to", entries)
			}
		})
	}
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	return all
}

// TestCacheIsPrivate holds that others on the machine do not see what was read,
// and that what is kept is of no use without consent.
func TestCacheIsPrivate(t *testing.T) {
	e := new(edition)
	e.set("one", map[string]string{"ETag": `"v1"`})
	s := serve(t, e.ServeHTTP)
	config := direct(t, s.URL)
	config.CacheDir = filepath.Join(t.TempDir(), "web")
	load(t, config, s.URL)
	for path, want := range map[string]os.FileMode{config.CacheDir: 0o700, files(t, config.CacheDir)[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	denied := direct(t)
	denied.CacheDir = config.CacheDir
	wantDenied(t, denied, s.URL, "not public", "--allow "+s.URL)
}

// TestCacheThatIsDamaged holds that whatever is found there is passed over, and
// replaced by what the server says.
func TestCacheThatIsDamaged(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte("not ours"), 0o600))
	for name, damage := range map[string]func(path string, data []byte) error{
		"empty":    func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"cut":      func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-3], 0o600) },
		"changed":  func(path string, data []byte) error { data[len(data)-2] ^= 1; return os.WriteFile(path, data, 0o600) },
		"not JSON": func(path string, data []byte) error { return os.WriteFile(path, append([]byte("x"), data...), 0o600) },
		"other": func(path string, data []byte) error {
			return os.WriteFile(path, []byte(strings.Replace(string(data), `"version":1`, `"version":9`, 1)), 0o600)
		},
		"elsewhere's": func(path string, data []byte) error {
			return os.WriteFile(path, []byte(strings.Replace(string(data), "127.0.0.1", "127.0.0.2", 1)), 0o600)
		},
		"huge":         func(path string, data []byte) error { return os.Truncate(path, 1<<40) },
		"a link out":   func(path string, _ []byte) error { return relink(path, outside) },
		"a link to it": func(path string, _ []byte) error { return relink(path, filepath.Base(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			e := new(edition)
			e.set("one", map[string]string{"ETag": `"v1"`})
			s := serve(t, e.ServeHTTP)
			config := direct(t, s.URL)
			config.CacheDir = t.TempDir()
			load(t, config, s.URL)
			path := files(t, config.CacheDir)[0]
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, damage(path, data))
			for range 2 {
				if c := load(t, config, s.URL); c.Text != "one\n" || c.Note != "" {
					t.Errorf("%q: %s", c.Text, c.Note)
				}
			}
			asked := s.asked()
			if asked[1].Header.Get("If-None-Match") != "" || asked[2].Header.Get("If-None-Match") != `"v1"` {
				t.Error("what was damaged was used, or not replaced")
			}
			if kept, err := os.ReadFile(outside); err != nil || string(kept) != "not ours" {
				t.Errorf("%q %v", kept, err)
			}
		})
	}
}

func relink(path, to string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.Symlink(to, path)
}

func TestCacheIsBounded(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Content-Type", "text/plain")
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		size := 1000
		if r.URL.Path == "/large" {
			size = 5000
		}
		fmt.Fprint(w, strings.Repeat("x", size))
	})
	config := direct(t, s.URL)
	config.CacheDir = t.TempDir()
	config.Limits = web.Limits{Cache: 6000, Entry: 2000}
	load(t, config, s.URL+"/large")
	if kept := files(t, config.CacheDir); len(kept) > 0 {
		t.Errorf("%v is too large to be kept", kept)
	}
	for i := range 20 {
		load(t, config, s.URL+"/first") // used all the time, so that it stays
		load(t, config, fmt.Sprintf("%s/%d", s.URL, i))
	}
	if kept := files(t, config.CacheDir); len(kept) < 3 || len(kept) > 5 {
		t.Errorf("%d pages are kept", len(kept))
	}
	first := 0
	for _, r := range s.asked() {
		if r.URL.Path == "/first" && r.Header.Get("If-None-Match") == "" {
			first++
		}
	}
	if first != 1 {
		t.Errorf("what is used all the time was fetched %d times", first)
	}
}

// TestCacheOfSeveral has many readers of few pages at once, as several
// processes would be: each has a resolver of its own.
func TestCacheOfSeveral(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+r.URL.Path+`"`)
		w.Header().Set("Content-Type", "text/plain")
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, strings.Repeat(r.URL.Path, 500))
	})
	config := direct(t, s.URL)
	config.CacheDir = t.TempDir()
	config.Limits.Cache = 4000
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range 20 {
				path := fmt.Sprintf("/%d", (worker+i)%5)
				c, err := resolve(config, s.URL+path)
				if err != nil || c.Text != strings.Repeat(path, 500) || c.Note != "" {
					t.Errorf("%s: %d bytes, %s, %v", path, len(c.Text), c.Note, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	e := new(edition)
	e.set("one", map[string]string{"ETag": `"v1"`})
	s := serve(t, e.ServeHTTP)
	config := direct(t, s.URL)
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	config.CacheDir = filepath.Join(file, "web")
	if c := load(t, config, s.URL); c.Text != "one\n" || !strings.Contains(c.Note, "could not be kept for later") {
		t.Errorf("%q: %s", c.Text, c.Note)
	}
}
