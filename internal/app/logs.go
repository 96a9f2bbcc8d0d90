package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
)

// LogEvent is a line of the log: something that happened in a session, under a
// name that stays. It tells of contents how many and how large, never what they
// say, and no secret that a mention or a reason may hold.
type LogEvent struct {
	Time    time.Time   `json:"time"`
	Name    string      `json:"name"`
	Session session.ID  `json:"session"`
	Entry   session.Seq `json:"entry"`
	Fields  []LogField  `json:"-"`
}

// LogField is a detail of a [LogEvent].
type LogField struct {
	Name  string
	Value any
}

// The names of log events.
const (
	LogMentionLoaded  = "mention:loaded"
	LogMentionSkipped = "mention:skipped"
	LogSystemSet      = "system:set"
	LogUserMessage    = "user:message"
	LogRequest        = "provider:request"
	LogResponse       = "provider:response"
	LogToolCall       = "tool:call"
	LogToolResult     = "tool:result"
	LogCompaction     = "compaction"
	LogDelegation     = "delegation"
	LogReturn         = "return"
	LogNote           = "note"
)

// LogNames are all there are.
var LogNames = []string{
	LogMentionLoaded, LogMentionSkipped, LogSystemSet, LogUserMessage, LogRequest, LogResponse, LogToolCall, LogToolResult,
	LogCompaction, LogDelegation, LogReturn, LogNote,
}

// IsLogName reports whether there are events of a name, or whose name begins so.
func IsLogName(name string) bool {
	return slices.ContainsFunc(LogNames, func(known string) bool { return known == name || strings.HasPrefix(known, name+":") })
}

// LogEvents returns what an entry of a session says in the log.
func LogEvents(id session.ID, record session.Record) []LogEvent {
	var events []LogEvent
	add := func(name string, fields ...LogField) {
		fields = slices.DeleteFunc(fields, func(f LogField) bool { return f.Value == nil || f.Value == "" || f.Value == 0 })
		for i, field := range fields {
			if text, ok := field.Value.(string); ok {
				fields[i].Value = access.Redact(text)
			}
		}
		events = append(events, LogEvent{Time: record.Time, Name: name, Session: id, Entry: record.Seq, Fields: fields})
	}
	switch e := record.Entry.(type) {
	case session.Said:
		logSaid(e, add)
	case session.Prepared:
		for _, m := range readReports(e.Report) {
			name := LogMentionLoaded
			switch {
			case m.Outcome.Bad():
				name = LogMentionSkipped
			case m.Outcome == ampersat.Delegated:
				name = LogDelegation
			}
			add(name, LogField{"written", m.Written}, LogField{"kind", m.Kind}, LogField{"outcome", string(m.Outcome)},
				LogField{"tokens", m.Tokens}, LogField{"shown", m.Shown}, LogField{"reason", m.Reason})
		}
		add(LogRequest, LogField{"provider", e.Provider}, LogField{"model", e.Request.Model}, LogField{"tokens", e.Tokens},
			LogField{"kept", e.Kept}, LogField{"messages", stackOf(e.Request.Messages)}, LogField{"epoch", e.Epoch})
	case session.Compacted:
		add(LogCompaction, LogField{"epoch", e.Epoch}, LogField{"strategy", e.Strategy}, LogField{"before", e.TokensBefore},
			LogField{"after", e.TokensAfter}, LogField{"decisions", len(e.Decisions)}, LogField{"reason", e.Reason})
	case session.Delegated:
		add(LogDelegation, LogField{"agent", e.Agent}, LogField{"child", string(e.Child)}, LogField{"description", e.Description})
	case session.Returned:
		add(LogReturn, LogField{"child", string(e.Child)}, LogField{"outcome", string(e.Outcome)}, LogField{"reason", e.Reason})
	case session.Note:
		if e.Name == agent.NoteTurn {
			break // what follows says so itself
		}
		add(LogNote, LogField{"about", e.Name})
	}
	return events
}

func logSaid(e session.Said, add func(string, ...LogField)) {
	switch e.Message.Role {
	case message.System:
		add(LogSystemSet, LogField{"bytes", textSize(e.Message)}, LogField{"contexts", strings.Join(contextNames(e.Message), ", ")})
	case message.User:
		add(LogUserMessage, LogField{"bytes", textSize(e.Message)}, LogField{"mentions", countParts[message.Ref](e.Message)})
	case message.Assistant:
		if e.Prepared != 0 {
			fields := []LogField{{"finish", e.FinishReason}, {"interrupted", e.Interrupted}}
			if u := e.Usage; u != nil {
				fields = append(fields, LogField{"input", u.InputTokens}, LogField{"output", u.OutputTokens},
					LogField{"cache_read", u.CacheReadTokens}, LogField{"cache_write", u.CacheWriteTokens})
				if u.CostUSD != nil {
					fields = append(fields, LogField{"cost_usd", u.CostUSD.String()})
				}
			}
			add(LogResponse, fields...)
		}
		for _, part := range e.Message.Content.Parts {
			if call, ok := part.(message.ToolCall); ok {
				add(LogToolCall, LogField{"tool", call.Name}, LogField{"id", call.ID})
			}
		}
	case message.Tool, message.Function:
		for _, part := range e.Message.Content.Parts {
			if result, ok := part.(message.ToolResult); ok {
				failed := ""
				if strings.Contains(string(result.Extra), `"is_error":true`) {
					failed = "yes"
				}
				add(LogToolResult, LogField{"id", result.ToolCallID}, LogField{"bytes", len(result.Output)}, LogField{"failed", failed})
			}
		}
	}
}

// loggedMention is what the log reads of a report.
type loggedMention struct {
	Written string           `json:"written"`
	Kind    string           `json:"kind"`
	Outcome ampersat.Outcome `json:"outcome"`
	Tokens  int              `json:"tokens"`
	Shown   string           `json:"shown"`
	Reason  string           `json:"reason"`
}

// readReports reads the reports of a request. What a newer version wrote may be
// of another form, and is left out.
func readReports(report []byte) []loggedMention {
	var mentions []loggedMention
	if len(report) == 0 || json.Unmarshal(report, &mentions) != nil {
		return nil
	}
	return mentions
}

// stackOf is the roles of messages, in order: "system developer user".
func stackOf(messages []message.Message) string {
	roles := make([]string, len(messages))
	for i, m := range messages {
		roles[i] = string(m.Role)
	}
	return strings.Join(roles, " ")
}

func contextNames(m message.Message) []string {
	var names []string
	for _, part := range m.Content.Parts {
		if c, ok := part.(message.Context); ok {
			names = append(names, c.Names...)
		}
	}
	return names
}

func countParts[P message.Part](m message.Message) int {
	n := 0
	for _, part := range m.Content.Parts {
		if _, ok := part.(P); ok {
			n++
		}
	}
	return n
}

// textSize is how many bytes of text a message has, contents included.
func textSize(m message.Message) int {
	n := 0
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			n += len(part.Text)
		case message.Context:
			n += len(part.Text)
		case message.Ref:
			n += len(part.Written)
		}
	}
	return n
}

// LogQuery says what of the log is asked for.
type LogQuery struct {
	// Session is one session; empty means all of the project, or all there are
	// if All is set.
	Session session.ID
	All     bool
	// Names are the names of events, or what stands before their colon.
	Names []string
	// Since leaves out what is older.
	Since time.Time
	// Follow goes on until the context ends.
	Follow bool
}

func (q LogQuery) wants(e LogEvent) bool {
	if e.Time.Before(q.Since) {
		return false
	}
	return len(q.Names) == 0 || slices.ContainsFunc(q.Names, func(name string) bool {
		return e.Name == name || strings.HasPrefix(e.Name, name+":")
	})
}

// followEvery is how often the store is asked for news.
const followEvery = 250 * time.Millisecond

// Logs calls print for the events that a query asks for, session by session in
// the order in which they were last changed, the latest last. It returns the
// error of print, if there is one.
func (a *App) Logs(ctx context.Context, q LogQuery, print func(LogEvent) error) error {
	store, err := a.Store(ctx)
	if err != nil {
		return err
	}
	read := map[session.ID]session.Seq{}
	for {
		if err := a.logNews(ctx, store, q, read, print); err != nil {
			return err
		}
		if !q.Follow {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

// logNews prints what is new since the entries in read.
func (a *App) logNews(ctx context.Context, store session.Store, q LogQuery, read map[session.ID]session.Seq, print func(LogEvent) error) error {
	metas, err := a.logged(ctx, store, q)
	if err != nil {
		return err
	}
	copied := newCopies(store, metas)
	for _, meta := range slices.Backward(metas) {
		if _, begun := read[meta.ID]; !begun {
			if read[meta.ID], err = copied.in(ctx, meta); err != nil {
				return err
			}
		}
		if meta.Head <= read[meta.ID] || meta.Updated.Before(q.Since) {
			continue
		}
		for record, err := range store.Read(ctx, meta.ID, read[meta.ID]+1) {
			if err != nil {
				return fmt.Errorf("read the log of session %s: %w", meta.ID, err)
			}
			read[meta.ID] = record.Seq
			for _, event := range LogEvents(meta.ID, record) {
				if q.wants(event) {
					if err := print(event); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// logged lists the sessions that a query is about.
func (a *App) logged(ctx context.Context, store session.Store, q LogQuery) ([]session.Meta, error) {
	if q.Session != "" {
		meta, err := store.Get(ctx, q.Session)
		return []session.Meta{meta}, err
	}
	if q.All {
		return store.List(ctx, session.Query{})
	}
	return store.List(ctx, a.OwnSessions())
}
