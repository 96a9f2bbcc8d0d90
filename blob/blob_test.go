package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// The digests were computed by sha256sum.
func TestDigestIsSHA256(t *testing.T) {
	for content, want := range map[string]Digest{
		"":        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc":     "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"hello\n": "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
	} {
		if got := Of([]byte(content)); got != want {
			t.Errorf("%q: got %s, want %s", content, got, want)
		}
	}
	if Of(nil) != Of([]byte{}) {
		t.Error("no bytes have two digests")
	}
}

// A digest may be computed while a file is read.
func TestFromSumIsOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOf(rapid.Byte()).Draw(t, "content")
		hash := sha256.New()
		if _, err := io.Copy(hash, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		digest := FromSum([sha256.Size]byte(hash.Sum(nil)))
		if digest != Of(content) {
			t.Fatalf("got %s, want %s", digest, Of(content))
		}
		if parsed, err := Parse(string(digest)); err != nil || parsed != digest {
			t.Fatalf("%s parses as %q, %v", digest, parsed, err)
		}
		if len(digest) != len("sha256:")+64 || !strings.HasPrefix(string(digest), "sha256:"+digest.Short()) || len(digest.Short()) != 12 {
			t.Fatalf("%s has the short form %s", digest, digest.Short())
		}
	})
}

func TestParseRefuses(t *testing.T) {
	good := string(Of(nil))
	for rule, text := range map[string]string{
		"nothing":              "",
		"only the prefix":      "sha256:",
		"no prefix":            strings.TrimPrefix(good, "sha256:"),
		"another algorithm":    strings.Replace(good, "sha256", "sha512", 1),
		"prefix in upper case": strings.Replace(good, "sha256", "SHA256", 1),
		"digits in upper case": "sha256:" + strings.ToUpper(strings.TrimPrefix(good, "sha256:")),
		"a digit too few":      good[:len(good)-1],
		"a digit too many":     good + "0",
		"not a digit":          good[:len(good)-1] + "g",
		"not a digit, inside":  strings.Replace(good, "1", "-", 1),
		"white space before":   " " + good,
		"white space after":    good[:len(good)-1] + "\n",
	} {
		t.Run(rule, func(t *testing.T) {
			digest, err := Parse(text)
			if err == nil || digest != "" {
				t.Fatalf("got %q, %v; want an error", digest, err)
			}
			if !strings.HasPrefix(err.Error(), "parse digest ") || !strings.Contains(err.Error(), `"sha256:"`) {
				t.Errorf("the error does not tell what is wanted: %v", err)
			}
		})
	}
	if _, err := Parse(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 300 {
		t.Errorf("a megabyte that is no digest gives an error of its own length")
	}
}

func TestShortOfWhatIsNoDigest(t *testing.T) {
	for digest, want := range map[Digest]string{"": "", "sha256:": "", "sha256:abc": "abc", "x": "x"} {
		if got := digest.Short(); got != want {
			t.Errorf("%q: got %q, want %q", digest, got, want)
		}
	}
}

func TestMemoryGivesBackWhatWasPut(t *testing.T) {
	ctx := t.Context()
	var store Memory
	for _, content := range []string{"", "a", "b", "a", "\x00\xff"} {
		digest, err := store.Put(ctx, []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if digest != Of([]byte(content)) {
			t.Errorf("%q was put as %s", content, digest)
		}
		got, err := store.Get(ctx, digest)
		if err != nil || string(got) != content {
			t.Errorf("got %q, %v; want %q", got, err, content)
		}
	}
	if len(store.data) != 4 {
		t.Errorf("four different contents are kept %d times", len(store.data))
	}
}

// A caller may use its buffer again after Put.
func TestMemoryKeepsItsOwnCopy(t *testing.T) {
	ctx := t.Context()
	var store Memory
	buffer := []byte("before")
	digest, err := store.Put(ctx, buffer)
	if err != nil {
		t.Fatal(err)
	}
	copy(buffer, "after!")
	got, err := store.Get(ctx, digest)
	if err != nil || string(got) != "before" {
		t.Fatalf("got %q, %v; want what was put", got, err)
	}
	// Appending to what Get returned must not write into what is kept.
	_ = append(got, "more"...)
	if again, _ := store.Get(ctx, digest); string(again) != "before" || Of(again) != digest {
		t.Errorf("got %q after an append", again)
	}
	if cap(got) != len(got) {
		t.Errorf("Get returns room for %d bytes after its %d", cap(got)-len(got), len(got))
	}
}

func TestMemoryTellsWhatItDoesNotHold(t *testing.T) {
	ctx := t.Context()
	var store Memory
	missing := Of([]byte("missing"))
	for range 2 {
		got, err := store.Get(ctx, missing)
		if got != nil || !errors.Is(err, ErrNotFound) {
			t.Fatalf("got %q, %v; want ErrNotFound", got, err)
		}
		if !strings.Contains(err.Error(), missing.Short()) {
			t.Errorf("%q does not say which", err)
		}
		if _, err := store.Put(ctx, []byte("something else")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Get(ctx, ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("the zero digest gives %v, want ErrNotFound", err)
	}
}

func TestMemoryHeedsACancelledContext(t *testing.T) {
	var store Memory
	held, err := store.Put(t.Context(), []byte("held"))
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if digest, err := store.Put(cancelled, []byte("late")); digest != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("Put gives %q, %v", digest, err)
	}
	if got, err := store.Get(cancelled, held); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Get gives %q, %v", got, err)
	}
	if _, err := store.Get(t.Context(), Of([]byte("late"))); !errors.Is(err, ErrNotFound) {
		t.Errorf("what was refused is held: %v", err)
	}
}

// Many writers put the same few contents while readers read them; the race
// detector is the judge.
func TestMemoryIsSafeForConcurrentUse(t *testing.T) {
	ctx := t.Context()
	var store Memory
	var group sync.WaitGroup
	for worker := range 16 {
		group.Go(func() {
			for i := range 200 {
				content := fmt.Appendf(nil, "content %d", (worker+i)%10)
				digest, err := store.Put(ctx, content)
				if err != nil {
					t.Error(err)
					return
				}
				content[0] = 'X'
				got, err := store.Get(ctx, digest)
				if err != nil || Of(got) != digest {
					t.Errorf("%s: got %q, %v", digest, got, err)
					return
				}
				if other := Of(fmt.Appendf(nil, "content %d", i%10)); i > 20 {
					if _, err := store.Get(ctx, other); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
	if len(store.data) != 10 {
		t.Errorf("ten contents are kept %d times", len(store.data))
	}
}
