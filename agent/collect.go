package agent

import (
	"errors"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Collect reads a stream to its end. With an error the response is what had
// come until then.
func Collect(stream Stream) (message.Response, error) {
	var response message.Response
	if stream == nil {
		return response, errors.New("read an answer: there is no stream")
	}
	for event, err := range stream {
		if end, ok := event.(message.MessageEnd); ok {
			response = Respond(end)
		}
		if err != nil {
			return response, err
		}
	}
	return response, nil
}

// Respond returns the response that a MessageEnd completes. What the provider
// said about its answer besides, in the event's Extra, is its metadata.
func Respond(end message.MessageEnd) message.Response {
	response := message.Response{
		Content:      message.Content{Parts: end.Content},
		Usage:        end.Usage,
		Degradations: end.Degradations,
		FinishReason: end.FinishReason,
		Metadata:     jsontext.Value(end.Extra),
	}
	for _, part := range end.Content {
		if call, ok := part.(message.ToolCall); ok {
			response.ToolCalls = append(response.ToolCalls, call)
		}
	}
	return response
}
