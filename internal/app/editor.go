package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/config"
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
func (a *App) handleEditor(mux *ampersat.Mux, o Options, files *fs.Resolver) {
	a.pictures = pictures{files: files, blobs: new(blob.Memory)}
	mux.Handle(fs.Pictures{Files: files, Blobs: a.pictures.blobs}, mention.KindImage)
	mux.Handle(editor.NewTerminal(editor.TerminalConfig{File: o.Terminal, Lines: a.Config.Terminal.Lines}), mention.KindTerminal)
	a.diagnostics = editor.New(editor.Config{
		Dir: a.Dir, Root: a.Root, Servers: languageServers(a.Config.LanguageServers),
		Trust: func() error {
			if a.trusts() {
				return nil
			}
			return access.CheckTrust(new(access.Memory), "what language servers report", access.Trust{})
		},
	})
	mux.Handle(a.diagnostics, mention.KindDiagnostics)
}

// languageServers are those that were configured. What an entry leaves out is as
// for the server that is known for the language, if there is one.
func languageServers(configured map[string]config.LanguageServer) []editor.Server {
	var servers []editor.Server
	for _, language := range slices.Sorted(maps.Keys(configured)) {
		c := configured[language]
		server := editor.Server{Language: language, Loose: true}
		for _, known := range editor.Servers() {
			if known.Language == language {
				server = known
			}
		}
		if len(c.Command) > 0 {
			if len(server.Command) == 0 || filepath.Base(c.Command[0]) != server.Command[0] {
				// What the known server is told, or how it is installed, is not for
				// another.
				server.Install, server.Options, server.Env, server.Flush = "", nil, nil, nil
			}
			server.Command = c.Command
		}
		if len(c.RootMarkers) > 0 {
			server.Marks = c.RootMarkers
		}
		if len(c.Extensions) > 0 {
			known := server.Files
			server.Files = map[string]string{}
			for _, extension := range c.Extensions {
				extension = "." + strings.ToLower(strings.TrimPrefix(extension, "."))
				server.Files[extension] = cmp.Or(known[extension], language)
			}
		}
		server.Timeout = time.Duration(c.Timeout)
		servers = append(servers, server)
	}
	return servers
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
