package openai

import (
	"cmp"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What follows plays the servers: answers as they stream them, with all that they
// say besides.

type object = map[string]any

func encoded(value any) string {
	out, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err)
	}
	return string(out)
}

// responsesStream numbers and names the events of one answer.
type responsesStream struct{ events []string }

func (s *responsesStream) send(kind string, members object) {
	event := object{"type": kind, "sequence_number": len(s.events)}
	for name, value := range members {
		event[name] = value
	}
	s.events = append(s.events, "event: "+kind+"\ndata: "+encoded(event)+"\n\n")
}

func wireResponses(r providertest.Reply) []string {
	s := &responsesStream{}
	head := func(status string, more object) object {
		response := object{
			"id": "resp_1", "object": "response", "created_at": 1760000000, "status": status, "model": "gpt-6-sol-2026-08-01",
			"output": []any{}, "error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{},
			"parallel_tool_calls": true, "temperature": 1, "top_p": 1, "tool_choice": "auto", "tools": []any{},
		}
		for name, value := range more {
			response[name] = value
		}
		return object{"response": response}
	}
	s.send("response.created", head("in_progress", nil))
	s.send("response.in_progress", head("in_progress", nil))
	output := []any{}
	if r.Thinking != "" {
		output = append(output, s.reasoning(len(output), r))
	}
	if len(r.Text) > 0 {
		output = append(output, s.message(len(output), r.Text))
	}
	for _, call := range r.Calls {
		output = append(output, s.call(len(output), call))
	}
	done := object{"output": output, "usage": object{
		"input_tokens": r.Input + r.Cached, "input_tokens_details": object{"cached_tokens": r.Cached, "cache_write_tokens": 0},
		"output_tokens": r.Output, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": r.Input + r.Cached + r.Output,
	}}
	reason := map[string]string{agent.FinishLength: "max_output_tokens", agent.FinishFilter: "content_filter"}[r.Finish]
	if reason == "" {
		s.send("response.completed", head("completed", done))
	} else {
		done["incomplete_details"] = object{"reason": reason}
		s.send("response.incomplete", head("incomplete", done))
	}
	return s.events
}

func (s *responsesStream) reasoning(index int, r providertest.Reply) any {
	at := func(more object) object {
		more["output_index"] = index
		return more
	}
	part := object{"type": "summary_text", "text": r.Thinking}
	item := object{"type": "reasoning", "id": "rs_1", "summary": []any{part}, "encrypted_content": r.Signature}
	s.send("response.output_item.added", at(object{"item": object{"type": "reasoning", "id": "rs_1", "summary": []any{}}}))
	s.send("response.reasoning_summary_part.added", at(object{"item_id": "rs_1", "summary_index": 0, "part": object{"type": "summary_text", "text": ""}}))
	s.send("response.reasoning_summary_text.delta", at(object{"item_id": "rs_1", "summary_index": 0, "delta": r.Thinking}))
	s.send("response.reasoning_summary_text.done", at(object{"item_id": "rs_1", "summary_index": 0, "text": r.Thinking}))
	s.send("response.reasoning_summary_part.done", at(object{"item_id": "rs_1", "summary_index": 0, "part": part}))
	s.send("response.output_item.done", at(object{"item": item}))
	return item
}

func (s *responsesStream) message(index int, pieces []string) any {
	at := func(more object) object {
		more["output_index"] = index
		return more
	}
	text := strings.Join(pieces, "")
	part := func(text string) object {
		return object{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
	}
	item := object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{part(text)}}
	s.send("response.output_item.added", at(object{"item": object{"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []any{}}}))
	s.send("response.content_part.added", at(object{"item_id": "msg_1", "content_index": 0, "part": part("")}))
	for _, piece := range pieces {
		s.send("response.output_text.delta", at(object{"item_id": "msg_1", "content_index": 0, "delta": piece, "logprobs": []any{}}))
	}
	s.send("response.output_text.done", at(object{"item_id": "msg_1", "content_index": 0, "text": text, "logprobs": []any{}}))
	s.send("response.content_part.done", at(object{"item_id": "msg_1", "content_index": 0, "part": part(text)}))
	s.send("response.output_item.done", at(object{"item": item}))
	return item
}

func (s *responsesStream) call(index int, call providertest.Call) any {
	at := func(more object) object {
		more["output_index"] = index
		return more
	}
	item := func(status, arguments string) object {
		return object{"type": "function_call", "id": "fc_" + call.ID, "call_id": call.ID, "name": call.Name, "status": status, "arguments": arguments}
	}
	arguments := cmp.Or(strings.Join(call.Arguments, ""), "{}")
	s.send("response.output_item.added", at(object{"item": item("in_progress", "")}))
	for _, piece := range call.Arguments {
		s.send("response.function_call_arguments.delta", at(object{"item_id": "fc_" + call.ID, "delta": piece}))
	}
	s.send("response.function_call_arguments.done", at(object{"item_id": "fc_" + call.ID, "arguments": arguments, "name": call.Name}))
	s.send("response.output_item.done", at(object{"item": item("completed", arguments)}))
	return item("completed", arguments)
}

func wireResponsesError(kind message.ErrorKind, words string) string {
	s := &responsesStream{}
	code := "server_error"
	if kind == message.ErrInvalidRequest {
		code = "invalid_prompt"
	}
	s.send("error", object{"code": code, "message": words, "param": nil})
	return s.events[0]
}

func wireChat(r providertest.Reply) (events []string) {
	send := func(choices []any, usage any) {
		chunk := object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1760000000, "model": "gpt-oss:20b", "choices": choices}
		if usage != nil {
			chunk["usage"] = usage
		}
		events = append(events, "data: "+encoded(chunk)+"\n\n")
	}
	delta := func(delta object) {
		send([]any{object{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
	}
	delta(object{"role": "assistant", "content": ""})
	if r.Thinking != "" {
		delta(object{"reasoning_content": r.Thinking})
	}
	for _, piece := range r.Text {
		delta(object{"content": piece})
	}
	for i, call := range r.Calls {
		delta(object{"tool_calls": []any{object{"index": i, "id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": ""}}}})
		for _, piece := range call.Arguments {
			delta(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": piece}}}})
		}
	}
	send([]any{object{"index": 0, "delta": object{}, "finish_reason": r.Finish}}, nil)
	send([]any{}, object{
		"prompt_tokens": r.Input + r.Cached, "prompt_tokens_details": object{"cached_tokens": r.Cached},
		"completion_tokens": r.Output, "completion_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": r.Input + r.Cached + r.Output,
	})
	return append(events, "data: [DONE]\n\n")
}

func wireChatError(kind message.ErrorKind, words string) string {
	code := "server_error"
	if kind == message.ErrInvalidRequest {
		code = "invalid_request_error"
	}
	return "data: " + encoded(object{"error": object{"message": words, "type": code, "code": nil}}) + "\n\n"
}

func errorBody(status int, words string) string {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	return encoded(object{"error": object{"message": words, "type": kind, "param": nil, "code": nil}})
}
