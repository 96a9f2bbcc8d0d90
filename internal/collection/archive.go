package collection

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// unpack stages the files of an archive.
func (l *Library) unpack(ctx context.Context, archive string, into *staging) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > l.limits.Archive {
		return fmt.Errorf("it has more than %s", size(l.limits.Archive))
	}
	into.packed = info.Size()
	switch lower := strings.ToLower(archive); {
	case strings.HasSuffix(lower, ".zip"):
		return unpackZip(ctx, file, info.Size(), into)
	case strings.HasSuffix(lower, ".tar"):
		return unpackTar(ctx, file, into)
	}
	packed, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("it is not packed with gzip: %w", err)
	}
	defer packed.Close()
	// Headers count as well: an archive may have nothing else.
	return unpackTar(ctx, &bounded{packed, into.room() + int64(into.limits.Files)*4096 + 1<<20, into.limits.Ratio}, into)
}

// bounded reads so much, and fails where there is more.
type bounded struct {
	from  io.Reader
	left  int64
	ratio int64
}

// Read implements [io.Reader].
func (b *bounded) Read(buffer []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("it unpacks to more than %d times its size", b.ratio)
	}
	n, err := b.from.Read(buffer[:min(int64(len(buffer)), b.left)])
	b.left -= int64(n)
	return n, err
}

func unpackZip(ctx context.Context, file io.ReaderAt, size int64, into *staging) error {
	archive, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("it is not a ZIP archive that can be read: %w", err)
	}
	for _, f := range archive.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := unzip(f, into); err != nil {
			return err
		}
	}
	return nil
}

func unzip(f *zip.File, into *staging) error {
	e := entry{name: f.Name, mode: f.Mode().Type()}
	if !e.mode.IsRegular() {
		return into.add(e)
	}
	if f.Flags&1 != 0 {
		return fmt.Errorf("%q is encrypted", f.Name)
	}
	body, err := f.Open()
	if err != nil {
		return fmt.Errorf("%q: %w", f.Name, err)
	}
	defer body.Close()
	e.body = body
	return into.add(e)
}

func unpackTar(ctx context.Context, from io.Reader, into *staging) error {
	archive := tar.NewReader(from)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return fmt.Errorf("it is not a tar archive that can be read: %w", err)
		case header.Typeflag == tar.TypeXGlobalHeader:
			continue // what git says of the commit
		case header.Typeflag == tar.TypeLink:
			return fmt.Errorf("%q is a link to another file, and a collection may have none", header.Name)
		}
		if err := into.add(entry{name: header.Name, mode: header.FileInfo().Mode().Type(), body: archive}); err != nil {
			return err
		}
	}
}
