package fs_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
)

// drawn is a picture in some format.
func drawn(t *testing.T, format string, width, height int) []byte {
	t.Helper()
	picture := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	picture.SetColorIndex(width/2, height/2, 1)
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, picture)
	case "jpeg":
		err = jpeg.Encode(&b, picture, nil)
	case "gif":
		err = gif.Encode(&b, picture, nil)
	case "bmp":
		err = bmp.Encode(&b, picture)
	case "tiff":
		err = tiff.Encode(&b, picture, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A picture that was attached comes out of the store as models accept it.
func TestAttachedPictures(t *testing.T) {
	files := fs.Over(fstest.MapFS{})
	ctx := context.Background()
	for _, c := range []struct {
		format        string
		width, height int
		mime          string // of the mention
		same          bool   // the bytes stay as they are
		note          string
	}{
		{"png", 20, 10, "image/png", true, ""},
		{"jpeg", 20, 10, "image/jpeg", true, ""},
		{"gif", 20, 10, "image/gif", true, ""},
		{"bmp", 20, 10, "image/png", false, ""},
		{"tiff", 20, 10, "image/png", false, ""},
		{"png", 3136, 100, "image/png", true, "scaled from 3,136x100 to 1,568x50 pixels"},
		{"tiff", 3136, 100, "image/png", false, "scaled from 3,136x100 to 1,568x50 pixels"},
	} {
		data := drawn(t, c.format, c.width, c.height)
		m, kept, err := files.Attach("shot."+c.format, data)
		if err != nil {
			t.Fatal(err)
		}
		if m.MIME != c.mime || m.Name != "shot."+c.format || m.Digest != blob.Of(kept) || bytes.Equal(kept, data) != c.same {
			t.Errorf("%s: have %+v, %d bytes of %d", c.format, m, len(kept), len(data))
		}
		blobs := new(blob.Memory)
		if _, err := blobs.Put(ctx, kept); err != nil {
			t.Fatal(err)
		}
		content, err := fs.Pictures{Files: files, Blobs: blobs}.Resolve(ctx, ampersat.Query{Mention: m, Asker: access.Asker{Origin: access.FromPerson}})
		if err != nil {
			t.Fatal(err)
		}
		if len(content.Parts) != 1 || content.Note != c.note || content.Name != m.Name || content.Text != "" || content.PartTokens == 0 {
			t.Errorf("%s: have %+v", c.format, content)
			continue
		}
		source := content.Parts[0].(message.Image).Source
		sent, err := source.Bytes(content.Blobs)
		if err != nil {
			t.Fatal(err)
		}
		if config, _, err := image.DecodeConfig(bytes.NewReader(sent)); err != nil || max(config.Width, config.Height) > 1568 {
			t.Errorf("%s: %v, %v", c.format, config, err)
		}
	}
}

func TestRefusedPictures(t *testing.T) {
	files := fs.New(fs.Config{FS: fstest.MapFS{}, Limits: fs.Limits{Media: 10_000, Decoded: 1_000_000}})
	whole := drawn(t, "png", 50, 50)
	for name, c := range map[string]struct {
		data   []byte
		reason string
	}{
		"empty":          {nil, "attach empty: it is empty"},
		"text":           {[]byte("hello"), "it is no picture that models accept, but text; use PNG"},
		"avif":           {[]byte("\x00\x00\x00 ftypavif...."), "but AVIF image"},
		"broken off":     {whole[:len(whole)/2], "it cannot be decoded"},
		"too many":       {drawn(t, "png", 2000, 2000), "are more than are decoded"},
		"too many bytes": {append(bytes.Clone(whole), make([]byte, 10_000)...), "more than the 10,000 bytes"},
	} {
		_, kept, err := files.Attach(name, c.data)
		if err == nil || kept != nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: have %v", name, err)
		}
	}
	if _, _, err := files.Attach("", nil); err == nil || err.Error() != "attach a picture: it is empty" {
		t.Errorf("without a name: %v", err)
	}
}

// What the store does not have, or has wrongly, is a miss.
func TestPicturesThatAreGone(t *testing.T) {
	ctx := context.Background()
	blobs := new(blob.Memory)
	digest, err := blobs.Put(ctx, []byte("no picture"))
	if err != nil {
		t.Fatal(err)
	}
	pictures := fs.Pictures{Files: fs.Over(fstest.MapFS{}), Blobs: blobs}
	person := access.Asker{Origin: access.FromPerson}
	for want, m := range map[ampersat.Outcome]mention.Mention{
		ampersat.Missing: mention.Image{Digest: blob.Of(nil), MIME: "image/png"},
		ampersat.Failed:  mention.Image{Digest: digest, MIME: "image/png"},
	} {
		_, err := pictures.Resolve(ctx, ampersat.Query{Mention: m, Asker: person})
		var miss *ampersat.Miss
		if !errors.As(err, &miss) || miss.Outcome != want {
			t.Errorf("want %s, have %v", want, err)
		}
	}
	_, err = pictures.Resolve(ctx, ampersat.Query{Mention: mention.Image{Digest: digest}, Asker: access.Asker{Origin: access.FromFile}})
	if _, ok := access.IsDenied(err); !ok {
		t.Errorf("a file names a picture of the store: %v", err)
	}
	if _, err := pictures.Resolve(ctx, ampersat.Query{Mention: mention.Terminal{}, Asker: person}); err == nil {
		t.Error("a terminal is a picture")
	}
}
