package mention

import "fmt"

// String implements [Mention].
func (m File) String() string        { return written(m) }
func (m Directory) String() string   { return written(m) }
func (m Glob) String() string        { return written(m) }
func (m Selection) String() string   { return written(m) }
func (m Symbol) String() string      { return written(m) }
func (m URL) String() string         { return written(m) }
func (m Image) String() string       { return "" }
func (m Resource) String() string    { return written(m) }
func (m Agent) String() string       { return written(m) }
func (m Subtask) String() string     { return written(m) }
func (m Diagnostics) String() string { return written(m) }
func (m GitDiff) String() string     { return written(m) }
func (m Terminal) String() string    { return written(m) }
func (m Session) String() string     { return written(m) }
func (m Custom) String() string      { return written(m) }
func (m Unknown) String() string     { return "" }

func written(m Mention) string { return fmt.Sprint("@", m.Kind()) }
