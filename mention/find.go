package mention

// Find returns the mentions in text, in order.
func Find(text string) []Ref { return nil }
