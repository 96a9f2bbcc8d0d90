package fs

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// held is how many bytes the pixels of a decoded image are.
func held(t *testing.T, picture image.Image) int64 {
	t.Helper()
	switch p := picture.(type) {
	case *image.Gray:
		return int64(len(p.Pix))
	case *image.Gray16:
		return int64(len(p.Pix))
	case *image.Paletted:
		return int64(len(p.Pix))
	case *image.RGBA:
		return int64(len(p.Pix))
	case *image.NRGBA:
		return int64(len(p.Pix))
	case *image.RGBA64:
		return int64(len(p.Pix))
	case *image.NRGBA64:
		return int64(len(p.Pix))
	case *image.YCbCr:
		return int64(len(p.Y) + len(p.Cb) + len(p.Cr))
	}
	t.Fatalf("a %T", picture)
	return 0
}

func TestAttackWeightIsByBytesAndNotByPixels(t *testing.T) {
	size := image.Rect(0, 0, 160, 80)
	half := color.NRGBA64{R: 0x1234, G: 0x4567, B: 0x89ab, A: 0x8000}
	transparent := image.NewNRGBA(size)
	transparent.Set(1, 1, half)
	opaque := image.NewRGBA(size)
	for at := range opaque.Pix {
		opaque.Pix[at] = 0xFF
	}
	deep := image.NewNRGBA64(size)
	deep.Set(1, 1, half)
	write := func(encode func(io.Writer) error) []byte {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	inPNG := func(p image.Image) []byte { return write(func(w io.Writer) error { return png.Encode(w, p) }) }
	photograph := write(func(w io.Writer) error { return jpeg.Encode(w, transparent, nil) })
	for _, c := range []struct {
		name, mime string
		data       []byte
		each       float64 // bytes for a pixel
	}{
		{"palette", "image/png", inPNG(image.NewPaletted(size, color.Palette{color.White, color.Black})), 1},
		{"grey", "image/png", inPNG(image.NewGray(size)), 1},
		{"deep grey", "image/png", inPNG(image.NewGray16(size)), 2},
		{"colour", "image/png", inPNG(opaque), 4},
		{"transparent", "image/png", inPNG(transparent), 4},
		{"deep", "image/png", inPNG(deep), 8},
		{"photograph", "image/jpeg", photograph, 1.5},
		{"grey photograph", "image/jpeg", write(func(w io.Writer) error { return jpeg.Encode(w, image.NewGray(size), nil) }), 1},
		{"animation", "image/gif", write(func(w io.Writer) error { return gif.Encode(w, transparent, nil) }), 2},
		{"bitmap", "image/bmp", write(func(w io.Writer) error { return bmp.Encode(w, transparent) }), 4},
		{"strips", "image/tiff", write(func(w io.Writer) error { return tiff.Encode(w, deep, nil) }), 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := decoderFor(c.mime)
			config, err := d.size(c.data)
			if err != nil {
				t.Fatal(err)
			}
			picture, err := d.decode(bytes.NewReader(c.data))
			if err != nil {
				t.Fatal(err)
			}
			have := weight(config, c.data, c.mime)
			if want := int64(c.each * 160 * 80); have != want || have < held(t, picture) {
				t.Errorf("have %d, want %d; it holds %d", have, want, held(t, picture))
			}
		})
	}
	progressive := bytes.Replace(photograph, []byte{0xFF, 0xC0}, []byte{0xFF, 0xC2}, 1)
	config := image.Config{ColorModel: color.YCbCrModel, Width: 160, Height: 80}
	if have := weight(config, progressive, "image/jpeg"); have != 5*160*80*3/2 {
		t.Errorf("progressive: %d", have)
	}
	interlaced := inPNG(transparent)
	interlaced[28] = 1
	config.ColorModel = color.NRGBAModel
	if have := weight(config, interlaced, "image/png"); have != 2*160*80*4 {
		t.Errorf("interlaced: %d", have)
	}
}

// Many pictures at once take no more memory than there is room for, one that
// needs more is not decoded, and none is forgotten.
func TestAttackManyPicturesAtOnce(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 100, 100))
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{Dir: "/", Limits: Limits{Decoded: 100_000}})
		var mu sync.Mutex
		var now, most, decoded int64
		d, _ := decoderFor("image/png")
		counted := d
		counted.decode = func(from io.Reader) (image.Image, error) {
			mu.Lock()
			now, decoded = now+40_000, decoded+1
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			now -= 40_000
			return d.decode(from)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		impatient, stop := context.WithTimeout(ctx, 1500*time.Millisecond)
		defer stop()
		var work sync.WaitGroup
		for i := range 9 {
			work.Go(func() {
				if i == 8 {
					synctest.Wait() // the others wait already
					if sent, _, note := r.prepare(impatient, b.Bytes(), "image/png", counted); sent != nil || note != context.DeadlineExceeded.Error() {
						t.Errorf("nobody waits for it any more: %q", note)
					}
					return
				}
				if sent, _, note := r.prepare(ctx, b.Bytes(), "image/png", counted); sent == nil {
					t.Error(note)
				}
			})
		}
		began := time.Now()
		work.Wait()
		if took := time.Since(began); most != 80_000 || decoded != 8 || took != 4*time.Second {
			t.Errorf("%d bytes at once, %d decoded in %v", most, decoded, took)
		}
		large := New(Config{Dir: "/", Limits: Limits{Decoded: 39_999}})
		if sent, _, note := large.prepare(ctx, b.Bytes(), "image/png", counted); sent != nil || !strings.Contains(note, "more than are decoded") || decoded != 8 {
			t.Errorf("%q", note)
		}
	})
}

// A large one that waits is not overtaken, and one that leaves lets in who came
// after it.
func TestRoomKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := room{most: 10}
		first, err := r.take(t.Context(), 6)
		if err != nil {
			t.Fatal(err)
		}
		leaving, leave := context.WithCancel(t.Context())
		large, small := make(chan error, 1), make(chan func(), 1)
		go func() {
			_, err := r.take(leaving, 10)
			large <- err
		}()
		synctest.Wait()
		go func() {
			giveBack, _ := r.take(t.Context(), 2)
			small <- giveBack
		}()
		synctest.Wait()
		if len(small) > 0 {
			t.Error("the large one was overtaken")
		}
		leave()
		if err := <-large; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		(<-small)()
		first()
		first()
		if r.taken != 0 || len(r.waiting) != 0 {
			t.Errorf("%d are taken, %d wait", r.taken, len(r.waiting))
		}
	})
}
