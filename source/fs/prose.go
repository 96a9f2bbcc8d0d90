package fs

import (
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat"
)

// mentions says where the mentions in the text of a file are looked for. Nobody
// mentions anything in source code and data: there an @ is an import, a decorator
// or an owner, so that a string would send a file, and another be missing. What is
// left without a tree is not searched.
func (a *asking) mentions(c *ampersat.Content, f *found, beginning string) {
	if isProse(filepath.Base(f.at.path), beginning) {
		c.Tree, c.Folder = a.tree(f.at).address(), f.at.parent().address()
	}
}

// isProse reports whether a file is written for readers, by its name; one whose
// name does not tell, by its beginning.
func isProse(name, beginning string) bool {
	stem, extension, dotted := cutLast(name, '.')
	if !dotted {
		return !isRecipe(stem) && !strings.HasPrefix(beginning, "#!")
	}
	switch strings.ToLower(extension) {
	case "md", "markdown", "mdown", "mkd", "mdc", "rmd", "qmd",
		"txt", "text", "rst", "adoc", "asciidoc", "asc", "org",
		"cursorrules", "windsurfrules", "clinerules": // these are the whole name, without the dot
		return true
	}
	return false
}

// isRecipe reports whether a file without an extension is one that programs read:
// a Makefile, a Dockerfile, a Jenkinsfile, the owners of code.
func isRecipe(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "codeowners", "owners", "build", "workspace", "configure", "gradlew", "mvnw":
		return true
	}
	return strings.HasSuffix(name, "file")
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
