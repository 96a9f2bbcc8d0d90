package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/editor"
	"github.com/ampersat/ampersat/source/fs"
)

// pictures are what the person attached.
type pictures struct {
	files *fs.Resolver
	blobs *blob.Memory
}

// handleEditor adds the kinds that a person has before them while they work.
func handleEditor(mux *ampersat.Mux, o Options, files *fs.Resolver) pictures {
	p := pictures{files: files, blobs: new(blob.Memory)}
	mux.Handle(fs.Pictures{Files: files, Blobs: p.blobs}, mention.KindImage)
	mux.Handle(editor.NewTerminal(editor.TerminalConfig{File: o.Terminal}), mention.KindTerminal)
	return p
}

// Attach reads a picture that the person attached and returns its mention, to
// be added to a message. The path is relative to the current directory, and may
// be anywhere: the person named it.
func (a *App) Attach(ctx context.Context, path string) (message.Ref, error) {
	data, err := readPicture(path)
	if err != nil {
		return message.Ref{}, fmt.Errorf("attach %s: %w", path, err)
	}
	m, data, err := a.pictures.files.Attach(filepath.Base(path), data)
	if err != nil {
		return message.Ref{}, err
	}
	if _, err := a.pictures.blobs.Put(ctx, data); err != nil {
		return message.Ref{}, err
	}
	return message.Ref{Mention: m}, nil
}

// readPicture reads a file that is not longer than any picture.
func readPicture(path string) ([]byte, error) {
	const most = 32 << 20
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err == nil && info.Size() > most {
		err = fmt.Errorf("it is longer than the %d bytes that a picture may have", most)
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	if err != nil {
		var failed *os.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most+1))
}
