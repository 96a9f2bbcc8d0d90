package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// guideServer is an MCP server for the scripts, with a resource and a tool. It
// leaves a file where it runs, so that a script can tell whether it did.
func guideServer() {
	if err := os.WriteFile("guide-ran", []byte(os.Getenv("GUIDE_TOKEN")), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) > 1 && os.Args[1] == "broken" {
		fmt.Fprintln(os.Stderr, "guide: there is no guide")
		os.Exit(1)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "guide", Version: "1"}, nil)
	server.AddResource(&mcp.Resource{URI: "guide://start", Name: "start", MIMEType: "text/markdown"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "guide://start", MIMEType: "text/markdown", Text: "# Begin here\n"}}}, nil
	})
	type question struct {
		Word string `json:"word"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "define", Description: "Say what a word means."}, func(_ context.Context, _ *mcp.CallToolRequest, q question) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: q.Word + " is a word"}}}, nil, nil
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
