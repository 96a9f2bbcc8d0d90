package collection

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func zipOf(t testing.TB, files map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		must(t, err)
		_, err = f.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func zipWith(t testing.TB, name string, mode fs.FileMode, text string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []*zip.FileHeader{{Name: "ok.md"}, {Name: name}} {
		if h.Name == name {
			h.SetMode(mode)
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = f.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

type tarEntry struct {
	tar.Header
	text string
}

func file(name, text string) tarEntry {
	return tarEntry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o777, Size: int64(len(text))}, text}
}

func special(name string, kind byte, link string) tarEntry {
	return tarEntry{tar.Header{Name: name, Typeflag: kind, Linkname: link, Mode: 0o777}, ""}
}

func tarOf(t testing.TB, entries ...tarEntry) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		must(t, w.WriteHeader(&e.Header))
		_, err := w.Write([]byte(e.text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func gz(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// TestHostileArchives are refused, and leave nothing, least of all outside.
func TestHostileArchives(t *testing.T) {
	many := make([]tarEntry, 30)
	for i := range many {
		many[i] = file(fmt.Sprintf("%d.md", i), "x")
	}
	deep := strings.Repeat("d/", 40) + "x.md"
	ok := file("ok.md", "ok")
	zeros := strings.Repeat("\x00", 3<<20)
	for name, test := range map[string]struct {
		suffix string
		data   []byte
		why    string
	}{
		"up, in a tar":           {".tar", tarOf(t, ok, file("../evil.md", "x")), "leads elsewhere"},
		"up, in the middle":      {".tar", tarOf(t, ok, file("a/../../evil.md", "x")), "leads elsewhere"},
		"up, in a zip":           {".zip", zipWith(t, "../evil.md", 0o644, "x"), "leads elsewhere"},
		"absolute":               {".tar", tarOf(t, ok, file("/tmp/evil.md", "x")), "leads elsewhere"},
		"absolute, in a zip":     {".zip", zipWith(t, "/tmp/evil.md", 0o644, "x"), "leads elsewhere"},
		"backslashes":            {".zip", zipWith(t, `..\evil.md`, 0o644, "x"), "leads elsewhere"},
		"a drive":                {".zip", zipWith(t, "C:evil.md", 0o644, "x"), "leads elsewhere"},
		"an escape in a name":    {".tar", tarOf(t, ok, file("a\x1b[31m.md", "x")), "cannot be shown"},
		"a name that turns":      {".tar", tarOf(t, ok, file("a\u202ecod.md", "x")), "cannot be shown"},
		"a symbolic link":        {".tar", tarOf(t, ok, special("l.md", tar.TypeSymlink, "/etc/hosts")), "symbolic link"},
		"through a link":         {".tar", tarOf(t, special("l", tar.TypeSymlink, "/tmp"), file("l/x.md", "x")), "symbolic link"},
		"a link in a zip":        {".zip", zipWith(t, "l.md", fs.ModeSymlink|0o777, "/etc/hosts"), "symbolic link"},
		"a hard link":            {".tar", tarOf(t, ok, special("l.md", tar.TypeLink, "/etc/hosts")), "link to another file"},
		"a pipe":                 {".tar", tarOf(t, ok, special("p.md", tar.TypeFifo, "")), "neither a file nor a folder"},
		"a device":               {".tar", tarOf(t, ok, special("d.md", tar.TypeChar, "")), "neither a file nor a folder"},
		"a device in a zip":      {".zip", zipWith(t, "d.md", fs.ModeDevice|0o644, ""), "neither a file nor a folder"},
		"a file twice":           {".tar", tarOf(t, ok, file("ok.md", "other")), "is there twice"},
		"twice but for case":     {".tar", tarOf(t, ok, file("OK.md", "other")), "one file on some systems"},
		"folders but for case":   {".tar", tarOf(t, file("a/x.md", ""), file("A/y.md", "")), "one file on some systems"},
		"a file and a folder":    {".tar", tarOf(t, ok, file("ok.md/x.md", "other")), "as a file and as a folder"},
		"too many files":         {".tar", tarOf(t, many...), "more than 20 files and folders"},
		"too deep":               {".tar", tarOf(t, file(deep, "x")), "folders deep"},
		"a name that is long":    {".tar", tarOf(t, file(strings.Repeat("x", 240)+".md", "x")), "too long"},
		"a large file":           {".tar", tarOf(t, file("l.md", strings.Repeat("x", 5<<20))), "more than 4 MB"},
		"too much in all":        {".tar", tarOf(t, file("1.md", zeros), file("2.md", zeros), file("3.md", zeros)), "more than 8 MB"},
		"a bomb":                 {".tar.gz", gz(t, tarOf(t, file("1.md", zeros), file("2.md", zeros))), "more than 100 times its size"},
		"a bomb in a zip":        {".zip", zipOf(t, map[string]string{"1.md": zeros}), "more than 100 times its size"},
		"a bomb of headers":      {".tgz", gz(t, bytes.Repeat(tarOf(t, special("g", tar.TypeDir, ""))[:512], 40_000)), "more than 100 times its size"},
		"not a zip":              {".zip", []byte("nothing of the kind"), "not a ZIP archive"},
		"not a tar":              {".tar", bytes.Repeat([]byte("x"), 1024), "not a tar archive"},
		"not packed":             {".tar.gz", []byte("plain"), "not packed with gzip"},
		"cut short":              {".tar.gz", gz(t, tarOf(t, file("a.md", strings.Repeat("random 1234", 1000))))[:60], "unexpected EOF"},
		"nothing in it":          {".tar", tarOf(t), "nothing to mention"},
		"no Markdown in it":      {".tar", tarOf(t, file("run.sh", "echo ran")), "nothing to mention"},
		"an archive that is big": {".tar", make([]byte, 17<<20), "more than 16 MB"},
		"a manifest of aliases":  {".tar", tarOf(t, ok, file("collection.yaml", "a: &a [x,x]\nname: *a")), "plain text"},
		"a manifest of nonsense": {".tar", tarOf(t, ok, file("collection.yaml", "name: [")), "collection.yaml"},
		"a manifest of a list":   {".tar", tarOf(t, ok, file("collection.yaml", "- a")), "keys and values"},
		"a manifest of 100 KB":   {".tar", tarOf(t, ok, file("collection.yaml", strings.Repeat("# x\n", 25_000))), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.reset(Limits{Files: 20, File: 4 << 20, Bytes: 8 << 20, Archive: 16 << 20})
			w.install(Request{Source: "expertise"})
			must(t, os.WriteFile(filepath.Join(w.base, "evil"+test.suffix), test.data, 0o644))
			w.refused(Request{Source: "evil" + test.suffix}, test.why)
			if found, err := filepath.Glob(filepath.Join(w.base, "*", "evil.md")); err != nil || len(found) > 0 {
				t.Errorf("%v was written", found)
			}
		})
	}
}

func TestHostileFolders(t *testing.T) {
	w := newWorld(t)
	w.write("linked", plain)
	must(t, os.Symlink("/etc/hosts", filepath.Join(w.base, "linked", "hosts.md")))
	w.refused(Request{Source: "linked"}, "symbolic link")
	w.write("up", plain)
	for subfolder, why := range map[string]string{"..": "does not lie in it", "/etc": "does not lie in it", "a/../..": "does not lie in it", "nowhere": "no folder nowhere", "context/coding.md": "no folder"} {
		w.refused(Request{Source: "up", Subfolder: subfolder}, why)
	}
	// What is installed from around where it goes does not copy itself.
	w.write("project", map[string]string{"a.md": "a", "collection.yaml": "name: around"})
	result := w.install(Request{Source: w.project, Scope: Project})
	if result.Files != 2 && result.Files != 3 {
		t.Errorf("%+v", result)
	}
	// A project whose folder leads out of it is not written to.
	w = newWorld(t)
	outside := w.write("outside", map[string]string{"keep.md": "x"})
	must(t, os.Symlink(outside, filepath.Join(w.project, ".ampersat")))
	if _, err := w.Install(t.Context(), Request{Source: "expertise", Scope: Project}); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Errorf("%v", err)
	}
	if found, err := os.ReadDir(outside); err != nil || len(found) != 1 {
		t.Errorf("%v was written outside", found)
	}
}

// TestHostileRepositories holds that nothing of a repository runs, and that no
// address or version is taken for something else.
func TestHostileRepositories(t *testing.T) {
	w := newWorld(t)
	marker := filepath.Join(w.base, "marker")
	touch := "touch '" + marker + "'"
	// The person's own configuration has filters, as that for large files is.
	must(t, os.WriteFile(filepath.Join(w.base, "gitconfig"), []byte("[filter \"lfs\"]\n\tsmudge = "+touch+"\n\tclean = cat\n\tprocess = \n[core]\n\thooksPath = "+filepath.Join(w.base, "hooks")+"\n"), 0o644))
	inner := w.repository("inner", map[string]string{"secret.md": "inner"})
	must(t, os.Remove(filepath.Join(w.base, "gitconfig")))
	address := w.repository("repo", map[string]string{
		".gitattributes": "*.md filter=lfs diff=x\nhidden.md export-ignore\n", "a.md": "$Format:%H$", "hidden.md": "x", "run.sh": "echo ran",
	})
	dir := filepath.Join(w.base, "repo")
	w.git(dir, "submodule", "--quiet", "add", inner, "sub")
	w.commit(dir, "with a submodule")
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-merge", "pre-auto-gc"} {
		w.write("hooks", map[string]string{hook: "#!/bin/sh\n" + touch + "\n"})
		w.write("repo/.git/hooks", map[string]string{hook: "#!/bin/sh\n" + touch + "\n"})
	}
	w.git(dir, "config", "uploadpack.packObjectsHook", touch+"; exec \"$@\"")
	must(t, os.WriteFile(filepath.Join(w.base, "gitconfig"), []byte("[filter \"lfs\"]\n\tsmudge = "+touch+"\n\tclean = cat\n\trequired = true\n[core]\n\thooksPath = "+filepath.Join(w.base, "hooks")+"\n"), 0o644))
	result := w.install(Request{Source: address})
	if _, err := os.Stat(marker); err == nil {
		t.Error("something ran")
	}
	if result.Name != "repo" || w.read(result, "a.md") == "" {
		t.Errorf("%+v", result)
	}
	for _, name := range []string{"sub/secret.md", ".git", "hidden.md"} {
		if _, err := os.Stat(filepath.Join(result.Path, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	must(t, os.Symlink("/etc/hosts", filepath.Join(dir, "link.md")))
	w.git(dir, "-c", "core.hooksPath=/dev/null", "add", "link.md")
	w.git(dir, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message", "with a link")
	before := w.tree()
	if _, err := w.Update(t.Context(), "repo", "", false); err == nil || !strings.Contains(err.Error(), "symbolic link") || w.tree() != before {
		t.Errorf("%v", err)
	}
	for source, why := range map[string]string{
		"ext::sh -c touch% " + marker:         "not written as an address",
		"ext::touch":                          "name a program",
		"http://example.invalid/x.git":        "http is not used",
		"git://example.invalid/x.git":         "git is not used",
		"ftp://example.invalid/x":             "ftp is not used",
		"https://a:b@example.invalid/x.git":   "login",
		"https://token@example.invalid/x.git": "login",
		"https://example.invalid/x.tar.gz":    "save it and install the file",
		"file://host/x":                       "three slashes",
		"--upload-pack=touch:x":               "not written as an address",
		"file:///no/such/repository":          "",
	} {
		w.refused(Request{Source: source}, why)
	}
	for _, ref := range []string{"-x", "--upload-pack=x", "a b", "a:b", "+main", "a..b", "main^", "a\nb", "main@{1}"} {
		w.refused(Request{Source: address, Ref: ref}, "is no branch, tag or commit")
	}
	w.refused(Request{Source: "expertise", Ref: "main"}, "only a repository has versions")
	w.refused(Request{Source: "no/such"}, "the index has expertise")
	w.refused(Request{Source: ""}, "there is no source")
	w.refused(Request{Source: address, Scope: "moon"}, "use user or project")
	w.write("", map[string]string{"a.txt": "x"})
	w.refused(Request{Source: "a.txt"}, "no archive that is read")
	if _, err := os.Stat(marker); err == nil {
		t.Error("something ran")
	}
}

// TestRepositoriesThatTakeTooMuch are given up.
func TestRepositoriesThatTakeTooMuch(t *testing.T) {
	w := newWorld(t)
	address := w.repository("repo", plain)
	w.reset(Limits{Time: time.Nanosecond})
	w.refused(Request{Source: address}, "it took longer than 1ns")
	// An ssh that never answers, and leaves something behind that holds on.
	script := filepath.Join(w.write("bin", map[string]string{"ssh": "#!/bin/sh\nsleep 600 & sleep 600\n"}), "ssh")
	t.Setenv("GIT_SSH_COMMAND", script)
	w.reset(Limits{Time: 200 * time.Millisecond})
	start := time.Now()
	w.refused(Request{Source: "git@example.invalid:x.git"}, "it took longer than 200ms")
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	// An ssh that sends without end.
	w.write("bin", map[string]string{"ssh": "#!/bin/sh\nwhile [ -d objects ]; do head -c 1000000 /dev/zero >> flood; done\n"})
	w.reset(Limits{Repository: 1 << 20})
	w.refused(Request{Source: "ssh://example.invalid/x.git"}, "the repository has more than 1 MB")
}
