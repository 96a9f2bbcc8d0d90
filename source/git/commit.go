package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// commit is what is said about a change, and by whom.
type commit struct {
	hash    string
	parents []string
	author  string
	date    string
	message string
}

// commit is what a commit changed, after who made it and why.
func (a *asking) commit(ctx context.Context) (d difference, err error) {
	hash, err := a.resolve(ctx, a.mention.Commit)
	if err != nil {
		return d, err
	}
	c, err := a.about(ctx, hash)
	if err != nil {
		return d, err
	}
	base := ""
	if len(c.parents) > 0 {
		base = c.parents[0]
	} else if base, err = a.emptyTree(ctx); err != nil {
		return d, err
	}
	switch {
	case len(c.parents) > 1:
		a.note("a merge, shown against its first parent")
	case len(c.parents) == 0 && a.shallow:
		a.note("the first commit of this shallow clone: all its files are shown as added")
	}
	room := min(a.room/4, maxMessage/2)
	if len(c.message) > room {
		a.note("its message is cut")
	}
	name := fmt.Sprintf("commit:%s %s", hash[:min(len(hash), 7)], c.subject())
	return difference{name: strings.TrimSpace(name), header: c.header(room), args: []string{base, hash, "--"}, none: "the commit is empty"}, nil
}

// maxMessage is how much of a commit's message is read.
const maxMessage = 256 << 10

// about reads a commit. Its message may be of any length.
func (a *asking) about(ctx context.Context, hash string) (commit, error) {
	var text []byte
	err := a.git.run(ctx, "", func(r *bufio.Reader) (err error) {
		if text, err = io.ReadAll(io.LimitReader(r, maxMessage)); err != nil {
			return err
		}
		return drain(r)
	}, "log", "-1", "--no-show-signature", "--no-patch", "--no-notes", "--no-color", "--no-decorate", "--no-mailmap", "--encoding=UTF-8",
		"--format=tformat:%H%x00%P%x00%an <%ae>%x00%aI%x00%B", hash, "--")
	if err != nil {
		return commit{}, err
	}
	fields := strings.SplitN(string(text), "\x00", 5)
	if len(fields) != 5 {
		return commit{}, fmt.Errorf("git log: unexpected answer %.100q", text)
	}
	return commit{
		hash: fields[0], parents: strings.Fields(fields[1]), author: fields[2], date: fields[3],
		message: strings.TrimRight(strings.ToValidUTF8(fields[4], "\uFFFD"), "\n"),
	}, nil
}

// subject is the first line, as short as a name should be.
func (c commit) subject() string {
	const most = 72
	line, _, _ := strings.Cut(c.message, "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) > most {
		line = string([]rune(line)[:most-1]) + "…"
	}
	return line
}

// header is written as git log does, its message in no more than so many bytes.
// The message is indented, so that no line of it looks like one of a diff.
func (c commit) header(room int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "commit %s\n", c.hash)
	if len(c.parents) > 1 {
		fmt.Fprintf(&b, "Merge: %s\n", strings.Join(c.parents, " "))
	}
	fmt.Fprintf(&b, "Author: %s\nDate: %s\n\n", c.author, c.date)
	message := c.message
	if len(message) > room {
		message = strings.ToValidUTF8(message[:room], "") + " [… the rest of the message is not shown …]"
	}
	for line := range strings.SplitSeq(message, "\n") {
		b.WriteString(strings.TrimRight("    "+line, " \r") + "\n")
	}
	b.WriteString("\n")
	return b.String()
}
