package mention

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Names as files really have them, and worse.
var nameRunes = []rune("abcXYZ019._-+~ @#:;,'\"`()[]{}<>|\\*?!$%&=\n\t\réя日本—…“”«»\u00a0👋")

func anyName() *rapid.Generator[string] {
	odd := rapid.StringOfN(rapid.SampledFrom(nameRunes), 1, 12, -1)
	plain := rapid.StringMatching(`[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,10}`)
	return rapid.OneOf(plain, odd, rapid.SampledFrom([]string{"diff", "main.go", "a b.md", "staged", "all", "C:", "file", "terminal", "x:10", "x:L10", "x:10-", "a#L3", "1,2", "..", "~"}))
}

func anyPath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		prefix := rapid.SampledFrom([]string{"", "", "", "../", "~/", "/", `C:\`, "C:/"}).Draw(t, "prefix")
		path := prefix + strings.Join(rapid.SliceOfN(anyName(), 1, 3).Draw(t, "names"), "/")
		// As Find leaves them: no "./" in front, no slash at the end.
		path = strings.TrimRight(cleanPath(path), `/`)
		if isDrive(path) {
			path = strings.TrimRight(path, `/\`)
		}
		if path == "" || isFolder(path) || len(path) == 2 && path[1] == ':' {
			path = "x"
		}
		if strings.HasSuffix(path, `:\`) {
			path += "x" // a folder that looks like a drive cannot be written behind a namespace
		}
		return path
	})
}

func anyNamespace() *rapid.Generator[string] {
	return rapid.OneOf(rapid.Just(""), rapid.SampledFrom([]string{"foundation", "my-company", "user", "project", "a_b", "v1.2"}))
}

func anyRef() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"main", "HEAD~2", "v1.0", "feature/x", "staged", "HEAD@{1}", "origin/main^", "my ref"}), rapid.StringMatching(`[a-z][a-z0-9/-]{0,8}`))
}

// writable generates every mention that can be written.
func writable() *rapid.Generator[Mention] {
	line := rapid.IntRange(1, 99999)
	as := func(f func(t *rapid.T) Mention) *rapid.Generator[Mention] { return rapid.Custom(f) }
	return rapid.OneOf(
		as(func(t *rapid.T) Mention {
			return File{anyNamespace().Filter(func(ns string) bool { return true }).Draw(t, "ns"), anyPath().Draw(t, "path")}
		}),
		as(func(t *rapid.T) Mention {
			return Directory{anyNamespace().Draw(t, "ns"), anyPath().Draw(t, "path")}
		}),
		as(func(t *rapid.T) Mention {
			return Glob{anyNamespace().Draw(t, "ns"), anyPath().Draw(t, "path") + "/*.go"}
		}),
		as(func(t *rapid.T) Mention {
			column := rapid.SampledFrom([]int{0, 0, 7}).Draw(t, "column")
			last := rapid.OneOf(line, rapid.Just(0)).Draw(t, "last")
			if last == 0 {
				column = 0
			}
			return Selection{anyNamespace().Draw(t, "ns"), anyPath().Draw(t, "path"), line.Draw(t, "first"), last, column}
		}),
		as(func(t *rapid.T) Mention {
			return Symbol{Namespace: anyNamespace().Draw(t, "ns"), Path: anyPath().Draw(t, "path"), Name: anyName().Draw(t, "name"), First: 3, Last: 9}
		}),
		as(func(t *rapid.T) Mention {
			return URL{rapid.SampledFrom([]string{"https://", "http://"}).Draw(t, "scheme") + anyPath().Draw(t, "rest")}
		}),
		as(func(t *rapid.T) Mention {
			scheme := rapid.SampledFrom([]string{"file:///", "memo://", "urn:isbn:", "demo://resource/"}).Draw(t, "scheme")
			return Resource{rapid.SampledFrom([]string{"docs", "server-everything"}).Draw(t, "server"), scheme + anyName().Draw(t, "rest")}
		}),
		as(func(t *rapid.T) Mention { return Agent{anyName().Draw(t, "name")} }),
		as(func(t *rapid.T) Mention {
			prompt := rapid.StringOf(rapid.SampledFrom(nameRunes)).Draw(t, "prompt")
			return Subtask{anyName().Draw(t, "agent"), prompt, "for display"}
		}),
		as(func(t *rapid.T) Mention {
			d := Diagnostics{Errors: rapid.Bool().Draw(t, "errors"), Warnings: rapid.Bool().Draw(t, "warnings")}
			if !d.Errors {
				d.Warnings = true
			}
			if rapid.Bool().Draw(t, "below") {
				d.Path = anyPath().Draw(t, "path")
			}
			return d
		}),
		as(func(t *rapid.T) Mention {
			switch rapid.IntRange(0, 4).Draw(t, "form") {
			case 0:
				return GitDiff{}
			case 1:
				return GitDiff{Staged: true}
			case 2:
				return GitDiff{Commit: anyRef().Draw(t, "commit")}
			case 3:
				return GitDiff{Base: anyRef().Draw(t, "base")}
			}
			return GitDiff{Base: anyRef().Draw(t, "base"), Head: anyRef().Draw(t, "head"), MergeBase: rapid.Bool().Draw(t, "merge base")}
		}),
		as(func(t *rapid.T) Mention { return Terminal{rapid.IntRange(0, 5000).Draw(t, "lines")} }),
		as(func(t *rapid.T) Mention { return Session{anyName().Draw(t, "id"), "for display"} }),
	)
}

func TestStringIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := writable().Draw(t, "mention")
		written := m.String()
		refs := Find(written)
		if len(refs) != 1 || refs[0].Written != written || !readsAs(refs[0], m) {
			t.Fatalf("%#v is written %q, which reads as %+v", m, written, refs)
		}
		// It is the same in a sentence.
		if refs := Find("(see " + written + ", please)"); len(refs) != 1 || refs[0].Written != written || !readsAs(refs[0], m) {
			t.Fatalf("%#v is written %q, which in a sentence reads as %+v", m, written, refs)
		}
	})
}

func TestCustomIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Custom{rapid.SampledFrom([]string{"jira", "my-tool", "a_b"}).Draw(t, "scheme"), anyName().Draw(t, "arg")}
		refs := Find(m.String())
		if len(refs) != 1 {
			t.Fatalf("%#v is written %q", m, m.String())
		}
		if scheme, arg, ok := refs[0].Namespaced(); !ok || scheme != m.Scheme || arg != m.Arg {
			t.Fatalf("%#v is written %q, which reads as %q %q", m, m.String(), scheme, arg)
		}
	})
}

func TestWhatCannotBeWritten(t *testing.T) {
	for _, m := range []Mention{
		Image{Digest: "sha256:x", MIME: "image/png"}, Unknown{Name: "x", Raw: `{"kind":"x"}`}, Selection{First: 1, Last: 2},
		Diagnostics{}, File{}, File{Namespace: "diff", Path: "x"}, File{Path: "./x"}, GitDiff{Base: "a..b"}, Selection{Path: "x", First: 0, Last: 0},
	} {
		if s := m.String(); s != "" {
			t.Errorf("%#v is written %q", m, s)
		}
	}
}

func TestStringIsNatural(t *testing.T) {
	for want, m := range map[string]Mention{
		"@docs/api.md":                      File{Path: "docs/api.md"},
		`@"a b.md"`:                         File{Path: "a b.md"},
		"@./diff":                           File{Path: "diff"},
		"@file:a*b":                         File{Path: "a*b"},
		"@internal/":                        Directory{Path: "internal"},
		"@f.go:10-20":                       Selection{Path: "f.go", First: 10, Last: 20},
		"@f.go:10-":                         Selection{Path: "f.go", First: 10},
		"@f.go:10:5":                        Selection{Path: "f.go", First: 10, Last: 10, Column: 5},
		`@"a b.go":10`:                      Selection{Path: "a b.go", First: 10, Last: 10},
		"@f.go#Close":                       Symbol{Path: "f.go", Name: "Close"},
		`@doc.md#"Getting started"`:         Symbol{Path: "doc.md", Name: "Getting started"},
		"@foundation:context/AGENTS.md":     File{Namespace: "foundation", Path: "context/AGENTS.md"},
		"@task:reviewer(check (all) of it)": Subtask{Agent: "reviewer", Prompt: "check (all) of it"},
		`@task:reviewer(smile :\))`:         Subtask{Agent: "reviewer", Prompt: "smile :)"},
		"@diff:A...B":                       GitDiff{Base: "A", Head: "B", MergeBase: true},
		"@diagnostics:warnings:src":         Diagnostics{Warnings: true, Path: "src"},
		"@https://go.dev/doc":               URL{"https://go.dev/doc"},
		"@docs:file:///guide.md":            Resource{"docs", "file:///guide.md"},
	} {
		if got := m.String(); got != want {
			t.Errorf("%#v is written %s, want %s", m, got, want)
		}
	}
}
