package fs

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// A key is found wherever it is in a piece of what a picture says, whatever stands
// before and after that piece, and however the letters are written.
func TestAttackKeyAnywhereInAPicture(t *testing.T) {
	const key = "AK" + "IAIEQH746YNG7BY3A4"
	in := map[string]func(kind, body, sum string) string{
		"image/png": func(kind, body, sum string) string {
			return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + kind + body + sum
		},
		"image/jpeg": func(kind, body, sum string) string {
			marker := 0xE0 + kind[0]&0x0F // of an application
			return "\xFF" + string([]byte{marker}) + string(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))) + body
		},
		"image/gif": func(kind, body, sum string) string {
			out := "\x21\xFE"
			for size := 1 + int(kind[0]); len(body) > 0; body = body[size:] {
				size = min(size, len(body))
				out += string([]byte{byte(size)}) + body[:size]
			}
			return out + "\x00"
		},
		"image/webp": func(kind, body, sum string) string {
			out := kind + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
			return out + sum[:len(body)%2]
		},
	}
	begins := map[string]string{
		"image/png":  "\x89PNG\r\n\x1a\n",
		"image/jpeg": "\xFF\xD8",
		"image/gif":  "GIF89a\x01\x00\x01\x00\x00\x00\x00",
		"image/webp": "RIFF\x00\x00\x00\x00WEBP",
	}
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.StringMatching(`[a-z]{3}[A-Z]`)
		sums := rapid.StringMatching(`[A-Za-z0-9]{4}`)
		mime := rapid.SampledFrom([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}).Draw(t, "format")
		piece := func(label, body string) string {
			return in[mime](kinds.Draw(t, label), body, sums.Draw(t, label+", its sum"))
		}
		text := rapid.StringMatching(`[A-Za-z0-9 ]{0,80}`)
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		if before != "" {
			before += " "
		}
		if after != "" {
			after = " " + after
		}
		body := before + key + after
		switch rapid.SampledFrom([]string{"as it is", "low byte first", "high byte first"}).Draw(t, "letters") {
		case "low byte first":
			body = rapid.StringMatching(`[A-Z\x01]{0,3}`).Draw(t, "numbers") + doubled(body, "", "\x00")
		case "high byte first":
			body = rapid.StringMatching(`[A-Z\x01]{0,3}`).Draw(t, "numbers") + doubled(body, "\x00", "")
		}
		picture := begins[mime] + piece("the one before", text.Draw(t, "its text")) + piece("the one", body) + piece("the one after", text.Draw(t, "its text"))
		s := new(sieve)
		searchPicture([]byte(picture), mime, s)
		if found, note := s.result(); len(found) == 0 || found[0].Rule != "aws-access-key" || note != "" {
			t.Fatalf("%q: %v, %q", picture, found, note)
		}
	})
}

// doubled puts a byte before and after each letter.
func doubled(text, before, after string) string {
	out := ""
	for _, letter := range text {
		out += before + string(letter) + after
	}
	return out
}

// Whatever a picture holds, looking through it ends, and within what it holds.
func FuzzSearchPicture(f *testing.F) {
	for _, seed := range []string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\x08eXIfMM\x00\x2a\x00\x00\x00\x08",
		"\xFF\xD8\xFF\xE1\x00\x12Exif\x00\x00II\x2a\x00\x08\x00\x00\x00\x01\x00",
		"GIF89a\x01\x00\x01\x00\x00\x00\x00\x21\xFF\x01a\x01b\x00;",
		"RIFF\x00\x00\x00\x00WEBPANMF\x01\x00\x00\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mime := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
			searchPicture(data, mime, new(sieve))
		}
	})
}
