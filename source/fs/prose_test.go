package fs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What people write to be read may mention files; in source code and data an @ is
// something else, even where it looks just like a mention.
func TestMentionsAreFollowedInProse(t *testing.T) {
	const text = "see @README.md and @gone.md\n"
	prose := []string{
		"a.md", "A.MD", "a.markdown", "rule.mdc", "notes.Rmd", "a.txt", "a.text", "a.rst", "a.adoc", "a.asciidoc", "a.org",
		"NOTES", "TODO", "AGENTS", ".cursorrules", ".windsurfrules", "docs.v2/NOTES",
	}
	other := []string{
		"a.go", "a.ts", "a.tsx", "a.py", "a.css", "a.scss", "a.vue", "a.sh", "a.sql", "a.mdx", "package.json", "a.yaml", "a.toml", "a.csv", "a.log", "a.unheard-of",
		"CODEOWNERS", ".github/CODEOWNERS", "Makefile", "GNUmakefile", "Dockerfile", "Jenkinsfile", "justfile", ".gitignore", ".env.example", "a.",
	}
	files := map[string]string{"README.md": "hello", "script": "#!/bin/sh\n" + text}
	for _, name := range append(prose, other...) {
		files[name] = text
	}
	p := newPlace(t, files)
	for _, suffix := range []string{"", ":1"} {
		for _, name := range prose {
			told, _ := p.prepare(t, `@"`+name+`"`+suffix)
			if diff := cmp.Diff([]string{`@"` + name + `"` + suffix + " loaded", "  @README.md loaded", "  @gone.md missing"}, told); diff != "" {
				t.Errorf("%s: -want +got\n%s", name, diff)
			}
		}
		for _, name := range append(other, "script") {
			told, _ := p.prepare(t, `@"`+name+`"`+suffix)
			if diff := cmp.Diff([]string{`@"` + name + `"` + suffix + " loaded"}, told); diff != "" {
				t.Errorf("%s: -want +got\n%s", name, diff)
			}
		}
	}
	if told, _ := p.prepare(t, "@script:2"); len(told) != 1 {
		t.Errorf("a line in the middle of a script: %v", told)
	}
}

// What a compiler would call an import, a person called a mention.
func TestImportsAreNoMentions(t *testing.T) {
	p := newPlace(t, map[string]string{
		"README.md":  "hello",
		"src/a.ts":   "import x from '@scope/pkg/dist/index.js'\nimport(\"@types/foo.d.ts\")\nconst q = \"@README.md\"\n",
		"src/b.scss": "@use \"@material/theme.scss\";\n",
		"test_c.py":  "@pytest.mark.parametrize(\"f\", [\"@README.md\", \"@a.json\"])\n",
	})
	told, _ := p.prepare(t, "@src/a.ts @src/b.scss @test_c.py @src/*")
	want := []string{"@src/a.ts loaded", "@src/b.scss loaded", "@test_c.py loaded", "@src/* loaded", "  @src/a.ts duplicate", "  @src/b.scss duplicate"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
