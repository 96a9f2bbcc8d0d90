package token_test

import (
	"math"
	"testing"

	"github.com/ampersat/ampersat/token"
)

var (
	anthropic = token.Area{PixelsPerToken: 750, LongestEdge: 1568, Most: 1600}
	openAI    = token.Tiles{Base: 85, Each: 170}
)

// The first three of each are the examples that the providers publish.
func TestImages(t *testing.T) {
	for _, c := range []struct {
		name          string
		count         func(width, height int) int
		width, height int
		want          int
	}{
		{"area: small", anthropic.Count, 200, 200, 54},
		{"area: a megapixel", anthropic.Count, 1000, 1000, 1334},
		{"area: the largest square", anthropic.Count, 1092, 1092, 1590},
		{"area: larger is scaled down", anthropic.Count, 4000, 4000, 1600},
		{"area: a long strip", anthropic.Count, 15680, 100, 21},
		{"area: no limits", token.Area{PixelsPerToken: 750}.Count, 2000, 2000, 5334},
		{"area: no rule", token.Area{}.Count, 2000, 2000, 0},
		{"area: one pixel", anthropic.Count, 1, 1, 1},
		{"area: nothing", anthropic.Count, 0, 100, 0},
		{"area: negative", anthropic.Count, -5, 100, 0},
		{"area: beyond measure", token.Area{PixelsPerToken: 1}.Count, math.MaxInt, math.MaxInt, math.MaxInt32},
		{"tiles: a square", openAI.Count, 1024, 1024, 765},
		{"tiles: a tall one", openAI.Count, 2048, 4096, 1105},
		{"tiles: one tile", openAI.Count, 512, 512, 255},
		{"tiles: one pixel more", openAI.Count, 513, 512, 425},
		{"tiles: exact threes", openAI.Count, 2000, 1000, 1105},
		{"tiles: a long strip", openAI.Count, 1 << 20, 1, 85 + 4*170},
		{"tiles: nothing", openAI.Count, 100, 0, 0},
		{"tiles: beyond measure", openAI.Count, math.MaxInt, math.MaxInt, 765},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.count(c.width, c.height); got != c.want {
				t.Errorf("%d × %d pixels are %d tokens, want %d", c.width, c.height, got, c.want)
			}
		})
	}
}
