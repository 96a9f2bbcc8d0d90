package fs_test

import (
	"context"
	"errors"
	"io"
	iofs "io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// blocking is a file that gives some bytes and then waits for what never comes,
// as those do in which a kernel tells what happens next.
type blocking struct {
	size  int64
	gives io.Reader
	waits chan struct{} // closed when a read waits
	woken chan struct{} // ends it
	done  chan struct{} // closed with the file
}

func newBlocking(size int64, gives string) *blocking {
	return &blocking{size: size, gives: strings.NewReader(gives), waits: make(chan struct{}), woken: make(chan struct{}), done: make(chan struct{})}
}

func (b *blocking) Stat() (iofs.FileInfo, error) { return sized{b.size}, nil }
func (b *blocking) Close() error                 { close(b.done); return nil }
func (b *blocking) Read(buffer []byte) (int, error) {
	if n, err := b.gives.Read(buffer); err == nil {
		return n, nil
	}
	close(b.waits)
	<-b.woken
	return 0, os.ErrDeadlineExceeded
}

// wakeable is a blocking file whose read can be ended.
type wakeable struct {
	*blocking
	once sync.Once
}

func (w *wakeable) SetReadDeadline(time.Time) error {
	w.once.Do(func() { close(w.woken) })
	return nil
}

// over is a resolver for a file of which each opening is told.
func over(limits fs.Limits, open func() iofs.File) *fs.Resolver {
	return fs.New(fs.Config{Limits: limits, FS: opens(func(string) (iofs.File, error) { return open(), nil })})
}

func TestAttackFileThatBlocks(t *testing.T) {
	for name, test := range map[string]struct {
		size  int64
		gives string
		m     mention.Mention
		limit int
	}{
		"that says it is empty":       {0, "", file("f"), 0},
		"after its beginning":         {0, "begin\n", file("f"), 0},
		"that says its size":          {1000, "begin\n", file("f"), 0},
		"that says it is large":       {1 << 40, "begin\n", file("f"), 100},
		"of which lines are wanted":   {0, "begin\n", lines("f", 1, 1), 0},
		"of which far lines are":      {1 << 40, strings.Repeat("line\n", 100), lines("f", 200, 201), 200},
		"between its head and lines ": {1 << 40, strings.Repeat("line\n", 100), lines("f", 1, 1), 400},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := over(fs.Limits{}, func() iofs.File {
					return &wakeable{blocking: newBlocking(test.size, test.gives)}
				})
				c, err := r.Resolve(t.Context(), ampersat.Query{Mention: test.m, Asker: person, Limit: test.limit})
				miss := missing(t, c, err, ampersat.Failed)
				if miss.Reason != "it cannot be read: it gives nothing, after 10s still" {
					t.Error(miss)
				}
			})
		})
	}
}

// The first signal ends the context, and that ends the reading.
func TestAttackFileThatBlocksAndTheProgramIsToEnd(t *testing.T) {
	f := newBlocking(0, "begin\n")
	looks := 0
	r := over(fs.Limits{}, func() iofs.File {
		if looks++; looks == 1 { // at what it is, before it is opened
			return newBlocking(0, "")
		}
		return f
	})
	ctx, cancel := context.WithCancel(t.Context())
	within(t, time.Minute, func() {
		result := make(chan error, 1)
		go func() {
			_, err := r.Resolve(ctx, ampersat.Query{Mention: file("f"), Asker: person})
			result <- err
		}()
		<-f.waits
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		// Nobody can end the read, and nobody closes the file during it.
		select {
		case <-f.done:
			t.Error("it was closed while it was read")
		default:
		}
		close(f.woken)
		<-f.done
	})
}

// A file that gives something now and then is read to its end, however long that
// takes in all.
func TestSlowFileIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := over(fs.Limits{}, func() iofs.File { return &slow{left: 12, pause: 9 * time.Second} })
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
		if err != nil || c.Text != strings.Repeat("x", 12) {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

type slow struct {
	left  int
	pause time.Duration
}

func (s *slow) Stat() (iofs.FileInfo, error) { return sized{0}, nil }
func (s *slow) Close() error                 { return nil }
func (s *slow) Read(buffer []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(s.pause)
	s.left--
	buffer[0] = 'x'
	return 1, nil
}

// made is a file that the kernel makes up when it is read, and says is a page
// long.
type made struct{ *strings.Reader }

func (made) Stat() (iofs.FileInfo, error) { return sized{4096}, nil }
func (made) Close() error                 { return nil }

func TestAttackFileWhoseSizeIsNotItsLength(t *testing.T) {
	text := strings.Repeat("always [madvise] never\n", 20) // 460 bytes
	for _, limit := range []int{0, 4096, 4000, 600, 500, 460} {
		for name, open := range map[string]func() iofs.File{
			"a file":                   func() iofs.File { return made{strings.NewReader(text)} },
			"one that cannot be wound": func() iofs.File { return struct{ iofs.File }{made{strings.NewReader(text)}} },
		} {
			c, err := over(fs.Limits{}, open).Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: limit})
			if err != nil || c.Note != "" {
				t.Errorf("%s, limit %d: %q, %v", name, limit, c.Note, err)
			}
			whole := c.Text == text && c.Source != "" && c.Size == 460 && c.Shown == ""
			cut := strings.HasPrefix(text, c.Text) && strings.HasPrefix(c.Shown, "the first ") && c.Source == ""
			if !whole && !(cut && strings.Contains(name, "wound") && limit*3/4 < 460 && limit > 0) {
				t.Errorf("%s, limit %d: %+v", name, limit, c)
			}
		}
	}
	// One that is cut short while it is read says so.
	f := &cutShort{made: made{strings.NewReader(text)}}
	c, err := over(fs.Limits{}, func() iofs.File { f.looked = 0; return f }).Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
	if err != nil || c.Note != "it became shorter while it was read" {
		t.Errorf("%+v, %v", c, err)
	}
}

// cutShort says another size when it is looked at again.
type cutShort struct {
	made
	looked int
}

func (c *cutShort) Stat() (iofs.FileInfo, error) {
	if c.looked++; c.looked > 1 {
		return sized{460}, nil
	}
	return sized{4096}, nil
}
