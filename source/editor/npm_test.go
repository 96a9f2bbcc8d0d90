package editor_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat/source/editor"
)

// npmServer is a language server from npm, as it is pinned: the script that node
// runs in the place of its program.
func npmServer(t testing.TB, language, script string) editor.Server {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: language servers from npm cannot run")
	}
	path, err := filepath.Abs(filepath.Join("../../.cache/npm/servers/node_modules", script))
	must(t, err)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the language servers are missing: scripts/need installs them")
	}
	for _, s := range editor.Servers() {
		if s.Language == language {
			s.Command = append([]string{node, path}, s.Command[1:]...)
			return s
		}
	}
	t.Fatalf("there is no server for %s", language)
	return editor.Server{}
}

func TestTypeScript(t *testing.T) {
	t.Parallel()
	server := npmServer(t, "typescript", "typescript-language-server/lib/cli.mjs")
	library, err := filepath.Abs("../../.cache/npm/servers/node_modules/typescript/lib")
	must(t, err)
	quoted, err := jsontext.AppendQuote(nil, library)
	must(t, err)
	server.Options = jsontext.Value(`{"disableAutomaticTypingAcquisition":true,"tsserver":{"path":` + string(quoted) + `}}`)
	dir := project(t, map[string]string{
		"tsconfig.json": `{"compilerOptions": {"strict": true, "types": [], "lib": ["es5"]}}`,
		"a.ts":          "export const a: number = \"x\";\n",
		"b.ts":          "import { a } from \"./a\";\nexport const b: string = a;\n",
		"c.ts":          "export const c = 1;\n",
	})
	d := newDiagnostics(t, editor.Config{Dir: dir, Servers: []editor.Server{server}, Quiet: 3 * time.Second, Silent: 2 * time.Minute, Timeout: 5 * time.Minute})
	const a, b = "a.ts:1:14: error: Type 'string' is not assignable to type 'number'. (typescript)\n",
		"b.ts:2:14: error: Type 'number' is not assignable to type 'string'. (typescript)\n"
	wantDiagnostics(t, diagnose(t, d, errorsOnly), a+b)
	write(t, filepath.Join(dir, "a.ts"), "export const a: string = \"x\";\n")
	write(t, filepath.Join(dir, "b.ts"), "import { a } from \"./a\";\nexport const b: string = a; \n")
	wantDiagnostics(t, diagnose(t, d, errorsOnly), "[no errors, says node]\n")
}

func TestPyright(t *testing.T) {
	t.Parallel()
	server := npmServer(t, "python", "pyright/langserver.index.js")
	dir := project(t, map[string]string{
		"a.py":     "x: int = \"a\"\n",
		"sub/b.py": "import nowhere\nimport hdbcli\n",
	})
	d := newDiagnostics(t, editor.Config{Dir: dir, Servers: []editor.Server{server}, Quiet: time.Second, Silent: 2 * time.Minute, Timeout: 5 * time.Minute})
	const a, b, c = "a.py:1:10: error: Type \"Literal['a']\" is not assignable to declared type \"int\"\n\t  \"Literal['a']\" is not assignable to \"int\" (Pyright)\n",
		"sub/b.py:1:8: error: Import \"nowhere\" could not be resolved (Pyright)\n",
		"sub/b.py:2:8: warning: Import \"hdbcli\" could not be resolved from source (Pyright)\n"
	wantDiagnostics(t, diagnose(t, d, errorsOnly), a+b)
	wantDiagnostics(t, diagnose(t, d, all), a+b+c)
}
