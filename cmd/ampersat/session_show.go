package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

// showFlags is what the person said to "ampersat session show".
type showFlags struct {
	options app.Options
	turn    int
	step    int
	log     bool
	json    bool
}

func sessionShowCommand(io streams) *cobra.Command {
	flags := showFlags{options: app.Options{AnyConfig: true}}
	command := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show a conversation, or what the model got in one of its turns",
		Long: `Show prints a conversation as it went: what was said, which tools were called,
what was compacted, when and why. With --turn it prints the exact messages that
were sent to the model in a turn, as the log has them.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if err := oneArgument(command, args); err != nil {
				return err
			}
			if flags.turn < 0 || flags.step < 1 || flags.turn == 0 && command.Flags().Changed("turn") {
				return &usageError{command, errors.New("turns and steps are counted from one")}
			}
			if flags.turn == 0 && command.Flags().Changed("step") {
				return &usageError{command, errors.New("--step is one of the requests of a turn; say which with --turn")}
			}
			return withSession(command.Context(), flags.options, args[0], func(_ *app.App, store session.Store, meta session.Meta) error {
				return showSession(command.Context(), io, store, meta, flags)
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.options.Dir, "dir", "C", "", "work in this folder")
	f.IntVar(&flags.turn, "turn", 0, "show what the model got in this turn, counted from one")
	f.IntVar(&flags.step, "step", 1, "with --turn: which of its requests, counted from one")
	f.BoolVar(&flags.log, "log", false, "number the entries of the log")
	f.BoolVar(&flags.json, "json", false, "print JSON: with --turn the request, else the records, one a line")
	return command
}

func showSession(ctx context.Context, io streams, store session.Store, meta session.Meta, flags showFlags) error {
	if flags.turn > 0 {
		return showTurn(ctx, io, store, meta, flags)
	}
	var pinned map[session.Seq]bool
	if !flags.json {
		var err error
		if pinned, err = pinnedIn(ctx, store, meta.ID); err != nil {
			return err
		}
		fmt.Fprintln(io.out, io.paint(fmt.Sprintf("%s  %s  %s", meta.ID, when(meta.Updated), oneLine(meta.Title)), faint))
	}
	for record, err := range store.Read(ctx, meta.ID, 1) {
		if err != nil {
			return err
		}
		if flags.json {
			err = printRecord(io, record)
		} else {
			showRecord(io, record, flags.log, pinned[record.Seq])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pinnedIn returns the entries of a session that are pinned: a later entry says so.
func pinnedIn(ctx context.Context, store session.Store, id session.ID) (map[session.Seq]bool, error) {
	pinned := map[session.Seq]bool{}
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return nil, err
		}
		if note, ok := record.Entry.(session.Note); ok {
			if seq, is, ok := note.Pins(); ok {
				pinned[seq] = is
			}
		}
	}
	return pinned, nil
}

func printRecord(io streams, record session.Record) error {
	entry, err := session.Encode(record.Entry)
	if err != nil {
		return err
	}
	return io.printJSON(map[string]any{"seq": record.Seq, "time": record.Time, "entry": entry})
}

// showRecord shows an entry as people read it. What was prepared repeats what
// was said, and is a line in the log alone.
func showRecord(io streams, record session.Record, numbered, pinned bool) {
	number := ""
	if numbered {
		number = fmt.Sprintf("%d ", record.Seq)
	}
	remark := func(format string, args ...any) {
		fmt.Fprintln(io.out, io.paint(oneLine(number+fmt.Sprintf(format, args...)), faint))
	}
	switch e := record.Entry.(type) {
	case session.Said:
		fmt.Fprintln(io.out)
		mark := ""
		if pinned {
			mark = "(pinned) "
		}
		fmt.Fprintln(io.out, io.paint("── "+number+oneLine(string(e.Message.Role))+" "+mark, faint))
		fmt.Fprintln(io.out, strings.TrimSuffix(shown(talk(e.Message)), "\n"))
		if e.Interrupted != "" {
			remark("[interrupted: %s]", e.Interrupted)
		}
	case session.Compacted:
		fmt.Fprintln(io.out)
		remark("── compacted %s, %s: %s → %s tokens; %s", when(record.Time), e.Strategy, wording.Number(e.TokensBefore), wording.Number(e.TokensAfter), e.Reason)
		for _, d := range e.Decisions {
			remark("   entry %d: %s %s", d.Seq, d.Action, d.Reason)
		}
	case session.Delegated:
		fmt.Fprintln(io.out)
		remark("── delegated to %s, session %s: %s", e.Agent, e.Child, e.Description)
	case session.Returned:
		remark("── returned: %s %s", e.Outcome, e.Reason)
	case session.Prepared:
		if numbered {
			remark("request to %s, about %s tokens", cmp.Or(e.Choice, e.Provider+"/"+e.Request.Model), wording.Number(e.Tokens))
		}
	case session.Note:
		if through, ok := e.Undoes(); ok {
			fmt.Fprintln(io.out)
			remark("── undone %s: what was said after entry %d is taken back", when(record.Time), through)
		} else if numbered {
			remark("%s", noteText(e))
		}
	case session.Unknown:
		remark("── %s, which this version does not know", e.Name)
	}
}

// noteText is a note as people read it. One that only somebody else can read is
// shown as it is.
func noteText(n session.Note) string {
	switch n.Name {
	case agent.NoteTurn:
		var begun agent.Begun
		if json.Unmarshal(n.Value, &begun) != nil {
			break
		}
		if begun.Profile.Name == "" {
			return "a turn begins"
		}
		return "a turn begins; the profile of the session is " + begun.Profile.Name
	case agent.NoteActing:
		var acting agent.Acting
		if json.Unmarshal(n.Value, &acting) != nil {
			break
		}
		return "a tool begins: " + cmp.Or(acting.Summary, acting.Tool)
	case agent.NoteChanging, agent.NoteChanged:
		var changed agent.Changed
		if json.Unmarshal(n.Value, &changed) != nil {
			break
		}
		var paths []string
		for _, c := range changed.Changes {
			paths = append(paths, c.Path)
		}
		if n.Name == agent.NoteChanging {
			return "a tool is about to write " + strings.Join(paths, ", ")
		}
		return "a tool wrote " + cmp.Or(strings.Join(paths, ", "), "nothing")
	case export.LostNote:
		var lost struct {
			Reason string `json:"reason"`
		}
		if json.Unmarshal(n.Value, &lost) != nil {
			break
		}
		return "this entry is lost: " + lost.Reason
	}
	return strings.TrimSpace(fmt.Sprintf("note %s %s", n.Name, n.Value))
}

// talk is a message as it is read in a conversation: mentions as they were
// written, contents by name.
func talk(m message.Message) string {
	var pieces []string
	text := ""
	flush := func() {
		if text != "" {
			pieces = append(pieces, text)
		}
		text = ""
	}
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			text += part.Text
			continue
		case message.Ref:
			text += part.Written
			continue
		case message.Context:
			flush()
			pieces = append(pieces, fmt.Sprintf("[%s, %s bytes]", strings.Join(part.Names, ", "), wording.Number(len(part.Text))))
		case message.ToolResult:
			flush()
			pieces = append(pieces, result(part))
		default:
			flush()
			pieces = append(pieces, plainMessage(message.Message{Content: message.Of(part)}))
		}
	}
	flush()
	return strings.Join(pieces, "\n")
}

// result is what a tool returned, its contents by name.
func result(r message.ToolResult) string {
	return talk(message.Message{Content: message.Of(r.Parts()...)})
}

// showTurn shows the exact request of a turn, and says if it had others.
func showTurn(ctx context.Context, io streams, store session.Store, meta session.Meta, flags showFlags) error {
	var requests []session.Seq
	turns := 0
	for record, err := range store.Read(ctx, meta.ID, 1) {
		if err != nil {
			return err
		}
		switch e := record.Entry.(type) {
		case session.Said:
			if e.Message.Role == message.User {
				turns++
			}
		case session.Prepared:
			if turns == flags.turn {
				requests = append(requests, record.Seq)
			}
		}
	}
	switch {
	case flags.turn > turns:
		return fmt.Errorf("show turn %d of session %s: the session has %s", flags.turn, shortID(meta.ID), wording.Count(turns, "turn"))
	case flags.step > len(requests):
		return fmt.Errorf("show turn %d of session %s: there is no request %d in it; it has %s", flags.turn, shortID(meta.ID), flags.step, wording.Count(len(requests), "request"))
	}
	request, err := session.Sent(ctx, store, meta.ID, requests[flags.step-1])
	if err != nil {
		return err
	}
	if err := printRequest(io, request, flags.json); err != nil {
		return err
	}
	if len(requests) > 1 {
		fmt.Fprintf(io.err, "request %d of %d in turn %d; --step N shows another\n", flags.step, len(requests), flags.turn)
	}
	return nil
}

func printRequest(io streams, request message.Request, asJSON bool) error {
	if asJSON {
		encoded, err := message.EncodeRequest(request)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(io.out, "%s\n", encoded)
		return err
	}
	for i, m := range request.Messages {
		if i > 0 {
			fmt.Fprintln(io.out)
		}
		fmt.Fprintln(io.out, io.paint("── "+oneLine(string(m.Role))+" ", faint))
		fmt.Fprintln(io.out, strings.TrimSuffix(shown(plainMessage(m)), "\n"))
	}
	return nil
}
