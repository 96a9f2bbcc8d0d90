package collection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ampersat/ampersat/mention"
)

// Manifest is what a collection says of itself.
type Manifest struct {
	Name        string `json:"name,omitzero"`
	Version     string `json:"version,omitzero"`
	Description string `json:"description,omitzero"`
}

const (
	manifestName = "collection.yaml"
	readmeName   = "README.md"
	maxManifest  = 64 << 10
)

// readManifest reads what a collection says of itself: in its collection.yaml,
// else in the front matter of its README.md, at the top or below collection:.
// Nothing is said where there is neither.
func readManifest(fsys fs.FS) (Manifest, error) {
	text, err := readSmall(fsys, manifestName)
	switch {
	case err == nil:
		m, err := parseManifest(text)
		if err != nil {
			return Manifest{}, fmt.Errorf("%s: %w", manifestName, err)
		}
		return m, nil
	case !errors.Is(err, fs.ErrNotExist):
		return Manifest{}, fmt.Errorf("%s: %w", manifestName, err)
	}
	text, err = readSmall(fsys, readmeName)
	if err != nil {
		return Manifest{}, nil // no README, or one that is a text of its own
	}
	front, ok := frontMatter(text)
	if !ok {
		return Manifest{}, nil
	}
	// A README may be written for another program, and mean something else.
	m, err := parseManifest(front)
	if err != nil || checkCalled(m.Name) != nil {
		return Manifest{}, nil
	}
	return m, nil
}

// NameIn returns the name that the text of a collection.yaml gives, empty if it
// gives none by which something could be mentioned.
func NameIn(manifest []byte) string {
	if len(manifest) > maxManifest {
		return ""
	}
	m, err := parseManifest(plainText(string(manifest)))
	if err != nil || checkCalled(m.Name) != nil {
		return ""
	}
	return m.Name
}

// plainText is a text without a byte order mark, its lines as on Unix.
func plainText(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}

func readSmall(fsys fs.FS, name string) (string, error) {
	// Looked at before it is opened: opening a pipe would wait.
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a file")
	}
	file, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxManifest+1))
	if err == nil && len(text) > maxManifest {
		err = errors.New("it is too long")
	}
	return plainText(string(text)), err
}

// frontMatter returns what stands between two lines of three hyphens.
func frontMatter(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", false
	}
	front, _, ok := strings.Cut(rest, "\n---\n")
	return front, ok
}

// parseManifest reads a few plain values. The document is never expanded, so
// that aliases in it are worth nothing.
func parseManifest(text string) (Manifest, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return Manifest{}, err
	}
	if len(document.Content) == 0 {
		return Manifest{}, nil
	}
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		return Manifest{}, errors.New("it must be keys and values")
	}
	if inner := valueOf(top, "collection"); inner != nil && inner.Kind == yaml.MappingNode {
		top = inner
	}
	var m Manifest
	for key, to := range map[string]*string{"name": &m.Name, "version": &m.Version, "description": &m.Description} {
		value := valueOf(top, key)
		if value == nil {
			continue
		}
		if value.Kind != yaml.ScalarNode {
			return Manifest{}, fmt.Errorf("line %d: %s must be a plain text", value.Line, key)
		}
		*to = strings.Join(strings.Fields(value.Value), " ")
	}
	return m, nil
}

func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// checkCalled refuses a name that no mention could name.
func checkCalled(name string) error {
	if name == "" {
		return fmt.Errorf("it has no name; put one into its %s", manifestName)
	}
	refs := mention.Find("@" + name + ":x.md")
	if len(refs) == 1 {
		if file, ok := refs[0].Mention.(mention.File); ok && file.Namespace == name && file.Path == "x.md" && name != "user" && name != "project" {
			if len(name) <= 100 && checkName(name) == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("it is called %q, by which nothing could be mentioned; put another name into its %s, of letters, digits and hyphens", name, manifestName)
}

// isCollection reports whether there is something in it that can be mentioned.
func isCollection(fsys fs.FS) (bool, error) {
	found := errors.New("found")
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(strings.ToLower(name), ".md") || name == manifestName) {
			return found
		}
		return err
	})
	if errors.Is(err, found) {
		return true, nil
	}
	return false, err
}
