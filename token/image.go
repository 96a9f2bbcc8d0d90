package token

import "math"

// Area is the rule that charges an image by its pixels: the image is scaled
// down to fit, then width times height is divided. Anthropic publishes
// Area{PixelsPerToken: 750, LongestEdge: 1568, Most: 1600} for most models, and
// a longer edge for some.
type Area struct {
	PixelsPerToken int
	// LongestEdge and Most are what larger images are scaled down to, in
	// pixels and in tokens. Zero means that they are not.
	LongestEdge, Most int
}

// Count returns about how many tokens an image costs. An image without pixels
// costs nothing.
func (a Area) Count(width, height int) int {
	if width <= 0 || height <= 0 || a.PixelsPerToken <= 0 {
		return 0
	}
	w, h := float64(width), float64(height)
	if a.LongestEdge > 0 {
		w, h = shrink(w, h, float64(a.LongestEdge)/max(w, h))
	}
	tokens := math.Ceil(w * h / float64(a.PixelsPerToken))
	if a.Most > 0 {
		tokens = min(tokens, float64(a.Most))
	}
	return int(min(tokens, math.MaxInt32))
}

// Tiles is the rule that charges an image by the squares of 512 pixels that it
// covers, after it was scaled down into a square of 2048 and then to a short
// side of 768. OpenAI publishes Tiles{Base: 85, Each: 170} for GPT-4o and
// GPT-4.1, and other numbers for other models; an image sent at low detail
// costs Base alone.
type Tiles struct {
	Base, Each int
}

// Count returns how many tokens an image costs. An image without pixels costs
// nothing.
func (t Tiles) Count(width, height int) int {
	if width <= 0 || height <= 0 {
		return 0
	}
	w, h := float64(width), float64(height)
	w, h = shrink(w, h, 2048/max(w, h))
	w, h = shrink(w, h, 768/min(w, h))
	return t.Base + t.Each*int(math.Ceil(w/512)*math.Ceil(h/512))
}

// shrink scales both sides, unless that would enlarge them. A side keeps at
// least one pixel.
func shrink(w, h, scale float64) (float64, float64) {
	if scale >= 1 {
		return w, h
	}
	return max(1, math.Floor(w*scale)), max(1, math.Floor(h*scale))
}
