package profile_test

import (
	"fmt"
	"testing/fstest"

	"github.com/ampersat/ampersat/internal/profile"
)

// A profile is merged with what it extends; its body is its own.
func ExampleLibrary_Profile() {
	library := profile.New(profile.Config{Bundled: fstest.MapFS{
		"collections/foundation/profiles/base.md": {Data: []byte("---\nprofile: {model: anthropic/claude-sonnet-5-5}\ntools: [read_file]\n---\nBe kind.")},
		"collections/foundation/profiles/dev.md":  {Data: []byte("---\nprofile: {extends: base}\ntools: [edit_file]\n---\nWrite code.")},
	}})
	dev, err := library.Profile("foundation:dev")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dev.Model, dev.Tools[0].ID, dev.Tools[1].ID)
	fmt.Println(dev.Body)

	_, err = library.Profile("dve")
	fmt.Println(err)
	// Output:
	// anthropic/claude-sonnet-5-5 read_file edit_file
	// Write code.
	// there is no profile called "dve", did you mean "dev"?
}
