package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	"github.com/ampersat/ampersat/blob"
	"go.yaml.in/yaml/v4"
)

// maxFile is how large a file of configuration may be.
const maxFile = 1 << 20

// layerFile is what a file of configuration says.
type layerFile struct {
	settings []Setting
	problems Problems
	// digest is that of the bytes that were read, empty if there is no file.
	digest blob.Digest
}

// readFile reads a file. One that is not there says nothing, which costs no
// more than looking. The user's own file may be a link; in a project, where the
// link would be trusted and not what it leads to, it must be a file.
func readFile(path string, file Origin, at place, link bool) (layerFile, error) {
	data, err := contentOf(path, link)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNoFolder):
		return layerFile{}, nil
	case errors.Is(err, errLink), errors.Is(err, errDangling), errors.Is(err, errNoFile), errors.Is(err, errLarge):
		return layerFile{problems: Problems{{Origin: file, Text: err.Error()}}}, nil
	case err != nil:
		return layerFile{}, fmt.Errorf("read configuration: %w", err)
	}
	d := decoder{file: file, place: at}
	if root := d.parse(data); root != nil {
		d.decode(root, wholeShape(), nil)
	}
	return layerFile{d.settings, d.problems, blob.Of(data)}, nil
}

var (
	errNoFolder = errors.New("the folder around it is a file")
	errLink     = errors.New("it is a symbolic link; put a file in its place")
	errDangling = errors.New("it is a symbolic link to something that is not there; mend the link, or remove it")
	errNoFile   = errors.New("it is not a file")
	errLarge    = fmt.Errorf("it is larger than %d MB, which no configuration is", maxFile>>20)
)

// contentOf returns the bytes of a file that is one.
func contentOf(path string, link bool) ([]byte, error) {
	stat := os.Lstat
	if link {
		stat = os.Stat
	}
	info, err := stat(path)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, errNoFolder
	case errors.Is(err, fs.ErrNotExist) && link && isLink(path):
		return nil, errDangling
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case info.Size() > maxFile:
		return nil, errLarge
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = errLarge
	}
	return data, err
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// parse returns the one document of a file, or nil if there is none.
func (d *decoder) parse(data []byte) *yaml.Node {
	fault := func(at Origin, format string, args ...any) *yaml.Node {
		at.Layer, at.Name = d.file.Layer, d.file.Name
		d.problems = append(d.problems, Problem{Origin: at, Text: fmt.Sprintf(format, args...)})
		return nil
	}
	// The parser knows neither the line of these nor a word for them.
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fault(lineOf(data, i), "a zero byte; the file must be text in UTF-8")
	}
	if i := invalid(data); i >= 0 {
		return fault(lineOf(data, i), "a byte that is not UTF-8")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return fault(Origin{}, "%s", err)
	}
	var document, second yaml.Node
	err = loader.Load(&document)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if err = loader.Load(&second); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			return fault(Origin{Line: second.Line, Column: second.Column}, "a second document begins; a file of configuration has one")
		}
	}
	if err != nil {
		return fault(syntax(data, err))
	}
	if len(document.Content) != 1 || isNull(document.Content[0]) {
		return nil
	}
	return document.Content[0]
}

// syntax says what the parser did not understand, and where.
func syntax(data []byte, err error) (Origin, string, any) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return Origin{}, "%s", err.Error()
	}
	where := Origin{Line: load.Mark.Line, Column: max(1, load.Mark.Column)}
	if line := lineAt(data, where.Line); len(bytes.TrimLeft(line, " ")) > 0 && bytes.TrimLeft(line, " ")[0] == '\t' {
		return where, "%s", "a tab at the beginning of a line; YAML takes spaces alone"
	}
	return where, "%s", load.Message
}

func invalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// lineOf returns the line and column of an offset.
func lineOf(data []byte, offset int) Origin {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Origin{Line: bytes.Count(before, []byte{'\n'}) + 1, Column: utf8.RuneCount(before[start:]) + 1}
}

// lineAt returns a line by its number.
func lineAt(data []byte, number int) []byte {
	for ; number > 1; number-- {
		_, after, ok := bytes.Cut(data, []byte{'\n'})
		if !ok {
			return nil
		}
		data = after
	}
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	return line
}
