package editor

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	// longestDocument is how long a file may be to be opened with a server.
	longestDocument = 1 << 20
	// mostTries is how often a question is asked again that a server put off.
	mostTries = 20
)

// patience is how long a server is waited for.
type patience struct {
	// quiet is how long it must have said nothing to be done.
	quiet time.Duration
	// silent is how long it is waited for if it has not said anything about a
	// file yet, and is not known to be working.
	silent time.Duration
}

// question is what a server is asked.
type question struct {
	// open are the files to look at, all is every file in its language. Both are
	// slash paths below top, absolute.
	top       string
	open, all []string
}

// consult has the server look at files, and waits until it has. What it found
// is on its board then, or what it has found so far if the context ends before.
func (p *client) consult(ctx context.Context, q question, wait patience) error {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	opened, err := p.tell(ctx, q)
	if err == nil && p.offer.Load() == nil {
		if err = p.flush(ctx, opened); err == nil {
			err = p.settle(ctx, wait, true)
		}
	}
	// It may have said only now that it can be asked.
	if offer := p.offer.Load(); err == nil && offer != nil {
		if err = p.ask(ctx, opened, *offer); err == nil {
			err = p.settle(ctx, wait, false)
		}
	}
	return err
}

// tell brings the server up to date with the files on disk, and returns the
// paths of those that it has open of the ones in question.
func (p *client) tell(ctx context.Context, q question) (opened []string, err error) {
	root, err := os.OpenRoot(q.top)
	if err != nil {
		return nil, &failure{what: "the project cannot be read: " + cause(err).Error(), err: err}
	}
	defer root.Close()
	if err := p.watch(ctx, root, q); err != nil {
		return nil, err
	}
	for _, name := range q.open {
		full := filepath.Join(q.top, filepath.FromSlash(name))
		text, ok := readDocument(root, name)
		before, isOpen := p.docs[full]
		switch {
		case !ok: // it is gone, or no text; what is open is closed below
			continue
		case !isOpen:
			p.board.await(full, 1)
			p.docs[full] = document{1, text}
			language := p.spec.Files[strings.ToLower(path.Ext(name))]
			err = p.notify(ctx, "textDocument/didOpen", documentParams{textDocument{URI: uriOf(full), LanguageID: language, Version: 1, Text: text}})
		case before.text != text:
			err = p.change(ctx, full, document{before.version + 1, text})
		}
		if err != nil {
			return nil, err
		}
		opened = append(opened, full)
	}
	return opened, p.refresh(ctx, root, q)
}

// refresh tells the server about the other files that it has open, which may
// have changed or gone.
func (p *client) refresh(ctx context.Context, root *os.Root, q question) error {
	var others []string
	for full := range p.docs {
		others = append(others, full)
	}
	slices.Sort(others)
	for _, full := range others {
		name, err := filepath.Rel(q.top, full)
		if err != nil {
			continue
		}
		text, ok := readDocument(root, filepath.ToSlash(name))
		switch {
		case !ok:
			delete(p.docs, full)
			p.board.forget(full)
			err = p.notify(ctx, "textDocument/didClose", documentParams{textDocument{URI: uriOf(full)}})
		case text != p.docs[full].text:
			err = p.change(ctx, full, document{p.docs[full].version + 1, text})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *client) change(ctx context.Context, full string, now document) error {
	p.board.await(full, now.version)
	p.docs[full] = now
	document := textDocument{URI: uriOf(full), Version: now.version}
	if err := p.notify(ctx, "textDocument/didChange", didChangeParams{document, []contentChange{{now.text}}}); err != nil {
		return err
	}
	// Some look at the whole project only then.
	return p.notify(ctx, "textDocument/didSave", documentParams{textDocument{URI: uriOf(full)}})
}

// watch tells the server which files have come, changed or gone since it was
// last asked.
func (p *client) watch(ctx context.Context, root *os.Root, q question) error {
	// Also what is outside the question, and was seen before.
	names := slices.Clone(q.all)
	for full := range p.seen {
		if name, err := filepath.Rel(q.top, full); err == nil {
			names = append(names, filepath.ToSlash(name))
		}
	}
	now := make(map[string]stamp, len(names))
	for _, name := range names {
		if info, err := root.Lstat(filepath.FromSlash(name)); err == nil {
			now[filepath.Join(q.top, filepath.FromSlash(name))] = stamp{info.Size(), info.ModTime()}
		}
	}
	var events []fileEvent
	for full, is := range now {
		if was, known := p.seen[full]; !known {
			p.board.came(full)
			events = append(events, fileEvent{uriOf(full), fileCreated})
		} else if was != is {
			events = append(events, fileEvent{uriOf(full), fileChanged})
		}
	}
	for full := range p.seen {
		if _, there := now[full]; !there {
			events = append(events, fileEvent{uriOf(full), fileDeleted})
			p.board.forget(full)
		}
	}
	first := len(p.seen) == 0
	p.seen = now
	if first || len(events) == 0 {
		return nil
	}
	slices.SortFunc(events, func(a, b fileEvent) int { return strings.Compare(a.URI, b.URI) })
	p.board.tell()
	return p.notify(ctx, "workspace/didChangeWatchedFiles", watchedFilesParams{events})
}

// readDocument reads a file that a server can look at.
func readDocument(root *os.Root, name string) (text string, ok bool) {
	name = filepath.FromSlash(name)
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > longestDocument {
		return "", false
	}
	file, err := root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return "", false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Mode()&fs.ModeType != 0 {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(file, longestDocument+1))
	return string(data), err == nil && len(data) <= longestDocument
}

// ask asks the server about each file, and about all if it can be asked that.
func (p *client) ask(ctx context.Context, opened []string, provider diagnosticOptions) error {
	for _, full := range opened {
		var report documentReport
		params := diagnosticParams{textDocument{URI: uriOf(full)}, provider.Identifier}
		answered, err := p.patiently(ctx, "textDocument/diagnostic", params, &report)
		if err != nil {
			return err
		}
		if answered {
			p.board.answered(full)
		}
		if answered && report.Kind != "unchanged" {
			p.board.pull(full, report.Items)
		}
	}
	if !provider.WorkspaceDiagnostics {
		return nil
	}
	var reports workspaceReport
	params := workspaceDiagnosticParams{Identifier: provider.Identifier, PreviousResultIDs: []string{}}
	if _, err := p.patiently(ctx, "workspace/diagnostic", params, &reports); err != nil {
		return err
	}
	for _, report := range reports.Items {
		if full, ok := pathOf(report.URI); ok && report.Kind != "unchanged" {
			p.board.pull(full, report.Items)
		}
	}
	return nil
}

// flush waits until the server has looked at files, if it can be told to. What it
// finds it publishes; that it cannot be told after all is no error.
func (p *client) flush(ctx context.Context, opened []string) error {
	if p.spec.Flush == nil {
		return nil
	}
	for _, full := range opened {
		command, arguments := p.spec.Flush(full)
		if _, err := p.patiently(ctx, "workspace/executeCommand", commandParams{command, arguments}, nil); err != nil {
			return err
		}
	}
	p.board.heard() // now it will publish something
	return nil
}

// patiently asks again if the server says that it is not ready. What it cannot
// do after all is no error: it will publish something.
func (p *client) patiently(ctx context.Context, method string, params, result any) (answered bool, err error) {
	for try := 1; ; try++ {
		err := p.call(ctx, method, params, result)
		answer := (*jsonrpc2.Error)(nil)
		if err == nil || !errors.As(err, &answer) {
			return err == nil, err
		}
		if answer.Code != codeServerCancelled && answer.Code != codeContentModified || try == mostTries {
			return false, nil
		}
		select {
		case <-time.After(time.Duration(try) * 50 * time.Millisecond):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// settle waits until the server has said something about each file, is not
// working, and is quiet; or, if offers count, until it says that it can be asked.
func (p *client) settle(ctx context.Context, wait patience, offers bool) error {
	for {
		if offers && p.offer.Load() != nil {
			return nil
		}
		working, awaited, last := p.board.state()
		enough := wait.quiet
		if awaited > 0 {
			enough = wait.silent
		}
		left := enough - time.Since(last)
		var over <-chan time.Time
		if !working {
			if left <= 0 {
				p.board.answered("") // it has nothing to say about the others
				return nil
			}
			over = time.After(left)
		}
		select {
		case <-p.board.changed:
		case <-over:
		case <-p.conn.DisconnectNotify():
			return jsonrpc2.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
