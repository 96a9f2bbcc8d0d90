// Package anthropic holds our Anthropic provider against Anthropic's own SDK.
package anthropic
