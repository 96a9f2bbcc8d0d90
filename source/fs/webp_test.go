package fs_test

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// WebP comes as models accept it, whether it is mentioned or attached: as it is
// if it fits, and else scaled down as a PNG, which keeps what shines through.
func TestWebP(t *testing.T) {
	for _, kind := range []string{"lossy", "lossless", "lossy-alpha", "lossless-alpha"} {
		for size, want := range map[string]struct {
			as            string
			width, height int
			note          string
		}{
			"small": {"image/webp", 40, 20, ""},
			"large": {"image/png", 1568, 392, "scaled from 2,000x500 to 1,568x392 pixels"},
		} {
			name := size + "-" + kind + ".webp"
			data, err := os.ReadFile(filepath.Join("testdata/webp", name))
			must(t, err)
			for how, c := range map[string]ampersat.Content{"mentioned": mentioned(t, name, data), "attached": attached(t, name, data)} {
				t.Run(name+" "+how, func(t *testing.T) {
					picture, as := sent(t, c)
					if size := picture.Bounds(); size.Dx() != want.width || size.Dy() != want.height {
						t.Errorf("it is %v", size)
					}
					if c.MIME != "image/webp" || as != want.as || c.Note != want.note || c.Name != name || c.PartTokens == 0 {
						t.Errorf("%s of %s as %s, %q, %d tokens", c.Name, c.MIME, as, c.Note, c.PartTokens)
					}
					if want.note == "" && string(c.Blobs[c.Source]) != string(data) {
						t.Error("what fits is not sent as it is")
					}
					colours, alpha := "rgbw", uint32(0xFFFF)
					if strings.HasSuffix(kind, "alpha") {
						colours, alpha = "rgb", 0
					}
					if have := quarters(t, picture); !strings.HasPrefix(have, colours) {
						t.Errorf("its quarters are %s, want %s", have, colours)
					}
					if have := lastQuarter(picture); have != alpha {
						t.Errorf("its last quarter has the alpha %x, want %x", have, alpha)
					}
				})
			}
		}
	}
}

// mentioned is a picture that is a file of the project.
func mentioned(t *testing.T, name string, data []byte) ampersat.Content {
	t.Helper()
	return newPlace(t, map[string]string{name: string(data)}).load(t, mention.File{Path: name})
}

// attached is a picture that came with a message.
func attached(t *testing.T, name string, data []byte) ampersat.Content {
	t.Helper()
	files := fs.New(newPlace(t, nil).config)
	m, kept, err := files.Attach(name, data)
	must(t, err)
	if m.MIME != "image/webp" || m.Digest != blob.Of(data) || string(kept) != string(data) {
		t.Errorf("%s is attached as %+v, %d bytes of %d", name, m, len(kept), len(data))
	}
	blobs := new(blob.Memory)
	_, err = blobs.Put(context.Background(), kept)
	must(t, err)
	c, err := fs.Pictures{Files: files, Blobs: blobs}.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person})
	must(t, err)
	return c
}

// lastQuarter is how much the quarter that may be transparent is not.
func lastQuarter(picture image.Image) uint32 {
	b := picture.Bounds()
	_, _, _, alpha := picture.At(b.Min.X+3*b.Dx()/4, b.Min.Y+3*b.Dy()/4).RGBA()
	return alpha
}

// An animated one is sent as it is, if it fits. It cannot be scaled, and that is
// said.
func TestAnimatedWebP(t *testing.T) {
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("testdata/webp", name))
		must(t, err)
		return data
	}
	small, large := read("small-animated.webp"), read("large-animated.webp")
	for _, c := range []ampersat.Content{mentioned(t, "a.webp", small), attached(t, "a.webp", small)} {
		if len(c.Parts) != 1 || string(c.Blobs[c.Source]) != string(small) || c.Note != "" {
			t.Errorf("%+v", c)
		}
	}
	if c := mentioned(t, "a.webp", large); len(c.Parts) != 0 || !strings.Contains(c.Note, "it cannot be decoded") {
		t.Errorf("%+v", c)
	}
	if _, _, err := fs.New(newPlace(t, nil).config).Attach("a.webp", large); err == nil || !strings.Contains(err.Error(), "attach a.webp: it cannot be decoded") {
		t.Errorf("%v", err)
	}
}

// What is cut off, anywhere, is no picture: it is described, and not attached.
func TestBrokenWebP(t *testing.T) {
	for _, kind := range []string{"lossy", "lossless", "lossy-alpha", "lossless-alpha"} {
		data, err := os.ReadFile(filepath.Join("testdata/webp", "small-"+kind+".webp"))
		must(t, err)
		for _, length := range []int{12, 20, 30, len(data) / 2, len(data) * 3 / 4} {
			if c := mentioned(t, "a.webp", data[:length]); len(c.Parts) != 0 || c.Note == "" {
				t.Errorf("%s cut to %d of %d bytes: %+v", kind, length, len(data), c)
			}
			if _, _, err := fs.New(newPlace(t, nil).config).Attach("a.webp", data[:length]); err == nil {
				t.Errorf("%s cut to %d of %d bytes is attached", kind, length, len(data))
			}
		}
	}
}
