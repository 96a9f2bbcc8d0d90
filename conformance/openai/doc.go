// Package openai holds our OpenAI providers against OpenAI's own SDK.
package openai
