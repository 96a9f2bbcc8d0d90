package symbol_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/symbol"
)

// A person mentions @server.go#Close.
func Example() {
	files := fs.Over(fstest.MapFS{"server.go": {Data: []byte(`package server

type Server struct{}

// Close ends it.
func (s *Server) Close() error { return nil }
`)}})
	var mux ampersat.Mux
	mux.Handle(symbol.Resolver{Files: files}, mention.KindSymbol)
	content, err := mux.Resolve(context.Background(), ampersat.Query{
		Mention: mention.Symbol{Path: "server.go", Name: "Close"},
		Asker:   access.Asker{Origin: access.FromPerson},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(content.Symbol, content.Lines)
	fmt.Print(content.Text)
	// Output:
	// Server.Close 5-6
	// // Close ends it.
	// func (s *Server) Close() error { return nil }
}
