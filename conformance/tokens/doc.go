// Package tokens measures the estimate of package token against tokenizers.
package tokens
