// Package sse reads server-sent events, the form in which providers and MCP
// servers stream.
//
// It follows the parsing rules of the HTML standard: lines end with CR, LF or
// both, a byte order mark at the beginning is skipped, several data lines are
// joined by newlines, comments and unknown fields are passed over, and an event
// that the end of the stream cuts off is not an event. It works on bytes, so that
// it does not matter where a network packet ends, not even within a character.
//
// It differs in one thing: an event may not be longer than a limit. A server
// that sends no end of a line would otherwise fill the memory.
package sse
