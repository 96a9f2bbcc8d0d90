package anthropic

import (
	"testing"

	"github.com/ampersat/ampersat/agent/providertest"
)

func BenchmarkEncode(b *testing.B) { providertest.BenchmarkEncode(b, subject()) }

func BenchmarkStream(b *testing.B) { providertest.BenchmarkStream(b, subject()) }
