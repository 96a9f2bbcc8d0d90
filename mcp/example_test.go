package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
)

// A person mentions a resource of a server by its name.
func Example() {
	guide := sdk.NewServer(&sdk.Implementation{Name: "guide"}, nil)
	guide.AddResource(&sdk.Resource{URI: "guide://start", Name: "start"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "guide://start", Text: "Begin at the beginning."}}}, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return guide }, nil))
	defer web.Close()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()

	client := mcp.New(mcp.Config{Servers: []mcp.Server{{Name: "docs", URL: web.URL, Transport: transport}}})
	defer client.Close()
	mux := new(ampersat.Mux)
	mux.Handle(client, mention.KindResource)
	for _, namespace := range client.Namespaces() {
		if err := mux.Name(namespace); err != nil {
			panic(err)
		}
	}
	pipeline := &ampersat.Pipeline{Resolver: mux}
	stack, err := pipeline.Prepare(context.Background(), ampersat.Ask("Explain @docs:start"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, report := range stack.Reports {
		fmt.Println(report.Written, report.Outcome, report.Name)
	}
	// Output:
	// @docs:start loaded docs:guide://start
}
