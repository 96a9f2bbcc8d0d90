package dialogue

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ampersat/ampersat/message"
)

// isDataURL reports whether an address is no address but the bytes themselves. No
// provider can fetch these, and most refuse them where an address stands.
func isDataURL(address string) bool {
	return len(address) >= len("data:") && strings.EqualFold(address[:len("data:")], "data:")
}

// readDataURL returns the bytes that a data: URL holds. What they are is told by the
// source, and else by the URL.
func readDataURL(source message.Source) (Media, error) {
	head, body, has := strings.Cut(source.URL[len("data:"):], ",")
	if !has {
		return Media{}, errors.New("its data: URL has no comma before the data")
	}
	data, err := url.PathUnescape(body)
	if err != nil {
		return Media{}, fmt.Errorf("its data: URL cannot be read: %w", err)
	}
	kind, options, _ := strings.Cut(head, ";")
	raw := []byte(data)
	if options = ";" + options; strings.EqualFold(strings.TrimSpace(options[strings.LastIndexByte(options, ';')+1:]), "base64") {
		// Whether it is padded, and which of the two alphabets it is in, is told by none.
		plain := strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(data)
		if raw, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(plain, "=")); err != nil {
			return Media{}, fmt.Errorf("the data of its data: URL is not base64: %w", err)
		}
	}
	if len(raw) == 0 {
		return Media{}, errors.New("its data: URL holds nothing")
	}
	media := Media{MIME: source.MIME, Base64: base64.StdEncoding.EncodeToString(raw)}
	if media.MIME == "" {
		media.MIME = strings.ToLower(strings.TrimSpace(kind))
	}
	switch media.MIME {
	case "image/jpg": // which many write
		media.MIME = "image/jpeg"
	case "":
		media.MIME = "text/plain" // says the standard
		for mime, magic := range map[string]string{"image/jpeg": "\xff\xd8\xff", "image/png": "\x89PNG", "image/gif": "GIF8", "application/pdf": "%PDF-"} {
			if strings.HasPrefix(string(raw[:min(len(raw), 8)]), magic) {
				media.MIME = mime
			}
		}
	}
	return media, nil
}
