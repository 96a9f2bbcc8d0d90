package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/web"
)

// A page becomes Markdown. An address that is not public, such as that of a
// server on this machine, must be allowed.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Manual</title><nav><a href="/">Home</a></nav>
			<h1>Gadgets</h1><p>They are <em>small</em>.</p><h2 id="parts">Parts</h2><p>Cogs.</p>`)
	}))
	defer server.Close()

	consent := new(access.Memory)
	resolver := web.New(web.Config{Consent: consent, Decode: fs.New(fs.Config{}).Decode})
	ask := func(address string) {
		content, err := resolver.Resolve(context.Background(), ampersat.Query{
			Mention: mention.URL{URL: address}, Asker: access.Asker{Origin: access.FromPerson},
		})
		if denied, ok := access.IsDenied(err); ok {
			fmt.Println("denied:", denied.Detail)
			return
		}
		fmt.Println(content.Note)
		fmt.Print(content.Text)
	}
	ask(server.URL)
	if err := consent.Allow(access.URL{Prefix: server.URL}); err != nil {
		fmt.Println(err)
	}
	ask(server.URL)
	ask(server.URL + "#parts")

	// Output:
	// denied: the address 127.0.0.1 is private, local or otherwise not public
	// "Manual"
	// # Gadgets
	//
	// They are *small*.
	//
	// ## Parts
	//
	// Cogs.
	// "Manual"
	// ## Parts
	//
	// Cogs.
}
