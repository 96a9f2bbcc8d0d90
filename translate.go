package ampersat

import "github.com/ampersat/ampersat/message"

// translate makes text of a block that the model does not take as it is: what it
// is, and the text that it has. That costs what it costs, and is said.
func (p *Pipeline) translate(b *block, turn Turn) {
	why := turn.refuses(b.content.Parts)
	if why == "" {
		return
	}
	shown := "described only: "
	if b.content.Text != "" {
		shown = "described, with its text: "
	}
	c := *b.content
	c.Text, c.Shown = b.description()+c.Text, c.besides(shown+why)
	c.Parts, c.Blobs, c.PartTokens = nil, nil, 0
	c.Size = max(c.Size, int64(len(c.Text)))
	c.tokens = p.counter().Count(c.Text)
	b.content, b.translated = &c, true
}

// refuses says why the model does not take some parts, empty if it does.
func (t Turn) refuses(parts []message.Part) string {
	for _, part := range parts {
		switch part.(type) {
		case message.Image:
			if t.NoImages {
				return "the model takes no images"
			}
		case message.Document:
			if t.NoDocuments {
				return "the model takes no documents"
			}
		}
	}
	return ""
}
