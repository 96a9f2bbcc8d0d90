package editor

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Server says how a language server is started and what it is for.
type Server struct {
	// Language is what people call it: "go". Of two servers for one language
	// the one in [Config.Servers] counts.
	Language string
	// Command is the program and its arguments. It talks over its standard
	// input and output.
	Command []string
	// Install is the command that installs it, for people.
	Install string
	// Marks are files that a project in the language has in its topmost folder.
	// If there are none anywhere, any file of the language will do where Loose
	// is set.
	Marks []string
	Loose bool
	// Files maps the extensions of files, with their dots, to what the protocol
	// calls the language of such a file.
	Files map[string]string
	// Options are sent when the server starts, and Settings when it asks for
	// them, by section. Both may be nil.
	Options  jsontext.Value
	Settings map[string]jsontext.Value
	// Flush returns a command of the server that answers only when it has looked
	// at a file, for one that publishes what it finds step by step. Nil means that
	// there is none.
	Flush func(path string) (command string, arguments []any)
	// Env is added to its environment, as NAME=VALUE.
	Env []string
	// Timeout is how long this server may take. Zero means [Config.Timeout].
	Timeout time.Duration
}

// Servers are the servers that are known without any configuration.
func Servers() []Server {
	return []Server{
		{
			Language: "go", Command: []string{"gopls"}, Install: "go install golang.org/x/tools/gopls@latest",
			Marks: []string{"go.mod", "go.work"}, Files: map[string]string{".go": "go"},
			// It answers when it is asked, and does not wait for more typing.
			Options: jsontext.Value(`{"pullDiagnostics":true,"diagnosticsDelay":"0s"}`),
			// It would start a process that outlives it, to report how it is used.
			Env: []string{"GO_TELEMETRY_CHILD=2"},
		},
		{
			Language: "typescript", Command: []string{"typescript-language-server", "--stdio"}, Install: "npm install -g typescript-language-server typescript",
			Marks: []string{"tsconfig.json", "jsconfig.json", "package.json"},
			Files: map[string]string{
				".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact",
				".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact",
			},
			// It would fetch types of what is imported.
			Options: jsontext.Value(`{"disableAutomaticTypingAcquisition":true}`),
			Flush: func(path string) (string, []any) {
				return "typescript.tsserverRequest", []any{"semanticDiagnosticsSync", map[string]string{"file": path}}
			},
		},
		{
			Language: "python", Command: []string{"pyright-langserver", "--stdio"}, Install: "npm install -g pyright",
			Marks: []string{"pyproject.toml", "pyrightconfig.json", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"}, Loose: true,
			Files: map[string]string{".py": "python", ".pyi": "python"},
		},
		{
			Language: "rust", Command: []string{"rust-analyzer"}, Install: "rustup component add rust-analyzer",
			Marks: []string{"Cargo.toml"}, Files: map[string]string{".rs": "rust"},
		},
		{
			Language: "c", Command: []string{"clangd"}, Install: "apt-get install clangd",
			Marks: []string{"compile_commands.json", "compile_flags.txt", "CMakeLists.txt", "meson.build", ".clangd"},
			Files: map[string]string{
				".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp", ".m": "objective-c", ".mm": "objective-cpp",
			},
		},
	}
}

// servers are the known servers, with those that were configured in the place of
// their like.
func servers(configured []Server) []Server {
	all := slices.Clone(configured)
	for _, known := range Servers() {
		if !slices.ContainsFunc(configured, func(s Server) bool { return s.Language == known.Language }) {
			all = append(all, known)
		}
	}
	return all
}

// program is what a server is called.
func (s Server) program() string {
	if len(s.Command) == 0 {
		return "the server for " + s.Language
	}
	name := s.Command[0]
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// job is what one server is to look at.
type job struct {
	server Server
	// root is the topmost folder of the project, a slash path below that of the
	// listing; files are slash paths there as well.
	root  string
	files []string
}

// mostRoots is how many projects in one language are looked at together.
const mostRoots = 4

// plan says which servers look at which files. The listing has slash paths from
// the top; above are the folders that enclose the scope, innermost first, with
// the names of the files in each.
func plan(all []Server, listing []string, above []folder) (jobs []job) {
	for _, server := range all {
		var files []string
		roots := map[string]bool{}
		for _, file := range listing {
			if server.Files[strings.ToLower(path.Ext(file))] != "" {
				files = append(files, file)
			}
			if slices.Contains(server.Marks, path.Base(file)) {
				roots[path.Dir(file)] = true
			}
		}
		if len(files) == 0 {
			continue
		}
		if root, ok := enclosing(server, above); ok {
			jobs = append(jobs, job{server, root, files})
			continue
		}
		found := outermost(roots)
		if len(found) == 0 && server.Loose {
			found = []string{above[len(above)-1].path}
		}
		for _, root := range found[:min(len(found), mostRoots)] {
			var inside []string
			for _, file := range files {
				if isBelow(file, root) {
					inside = append(inside, file)
				}
			}
			if len(inside) > 0 {
				jobs = append(jobs, job{server, root, inside})
			}
		}
	}
	return jobs
}

// folder is a folder and the names of what is in it.
type folder struct {
	path  string
	names []string
}

// enclosing returns the innermost folder that has a mark of the language.
func enclosing(server Server, above []folder) (root string, ok bool) {
	for _, f := range above {
		for _, mark := range server.Marks {
			if slices.Contains(f.names, mark) {
				return f.path, true
			}
		}
	}
	return "", false
}

// outermost returns the folders that are in none of the others, sorted.
func outermost(folders map[string]bool) []string {
	var found []string
	for f := range folders {
		inside := false
		for up := f; up != "." && !inside; {
			up = path.Dir(up)
			inside = folders[up]
		}
		if !inside {
			found = append(found, f)
		}
	}
	slices.Sort(found)
	return found
}

// isBelow reports whether a slash path is a folder or below it.
func isBelow(file, folder string) bool {
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}
