package web

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
)

// errPacked ends the reading of an answer that is longer packed than anything
// that would be read of it unpacked.
var errPacked = errors.New("it is packed, and to more than is read")

// readBody reads an answer and unpacks it, at most limit bytes of it. Cut says
// that there was more.
func readBody(response *http.Response, limit int) (data []byte, cut bool, err error) {
	packed := &bounded{from: response.Body, left: int64(limit) + 1<<20}
	var unpacked io.Reader
	switch encoding := strings.ToLower(strings.TrimSpace(response.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		unpacked = response.Body
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(packed)
		if errors.Is(err, gzip.ErrHeader) {
			return nil, false, failed("the server says that it is packed with gzip, and it is not")
		}
		if err != nil {
			return nil, false, err
		}
		unpacked = z
	case "br":
		unpacked = brotli.NewReader(packed)
	default:
		return nil, false, failed("it is packed as %q, which was not asked for", encoding)
	}
	data, err = io.ReadAll(io.LimitReader(unpacked, int64(limit)+1))
	switch {
	case len(data) > limit:
		return data[:limit], true, nil
	case err != nil && packed.failed == nil && unpacked != io.Reader(response.Body) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, false, failed("it cannot be unpacked: %v", err)
	}
	return data, false, err
}

// bounded reads so much and no more, and remembers why it could not.
type bounded struct {
	from   io.Reader
	left   int64
	failed error
}

// Read implements [io.Reader].
func (b *bounded) Read(buffer []byte) (int, error) {
	if b.left <= 0 {
		b.failed = errPacked
		return 0, errPacked
	}
	n, err := b.from.Read(buffer[:min(int64(len(buffer)), b.left)])
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}
