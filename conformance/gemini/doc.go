// Package gemini holds our Gemini provider against Google's own SDK.
package gemini
