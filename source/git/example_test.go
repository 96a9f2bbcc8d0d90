package git_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/git"
)

// A person mentions @diff in a repository without commits, in which there is
// one file.
func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), nil, 0o644); err != nil {
		fmt.Println(err)
		return
	}

	var mux ampersat.Mux
	mux.Handle(git.New(git.Config{Dir: dir}), mention.KindGitDiff)
	content, err := mux.Resolve(context.Background(), ampersat.Query{
		Mention: mention.GitDiff{},
		Asker:   access.Asker{Origin: access.FromPerson},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(content.Name)
	fmt.Println(content.Note)
	fmt.Printf("%.56s", content.Text)
	// Output:
	// diff
	// there are no commits yet
	// diff --git a/hello.txt b/hello.txt
	// new file mode 100644
}
