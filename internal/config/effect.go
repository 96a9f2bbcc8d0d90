package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Effect is one thing that a project could do if it were trusted.
type Effect struct {
	// Kind is run (a program), reach (an address), send (a key), read (a path),
	// permit (a tool), set (anything else that needs trust) or text (a file that
	// becomes part of the system message).
	Kind string `json:"kind"`
	// What says it for people, in one line.
	What string `json:"what"`
	// From is the file, with its line where there is one.
	From string `json:"from"`
}

// Effects returns what the project's file could do if it were trusted, in the
// order of the file. Everything in it that needs trust is in one of them.
func (l *Loaded) Effects() []Effect {
	wanted := assemble(Config{}, slices.Values(l.project))
	var effects []Effect
	done := map[string]bool{}
	for _, s := range l.project {
		if s.trust == "" {
			continue
		}
		add := func(kind, format string, args ...any) {
			effects = append(effects, Effect{kind, fmt.Sprintf(format, args...), s.From.String()})
		}
		if n := wholeEntry(s.path); n > 0 {
			if entry := dotted(s.path[:n]); !done[entry] {
				done[entry] = true
				add(wanted.entry(s.path[0], s.path[1]))
			}
			continue
		}
		switch {
		case s.Key == "allow.paths":
			for _, path := range wanted.Allow.Paths {
				add("read", "%s", path)
			}
		case s.Key == "allow.urls":
			for _, address := range wanted.Allow.URLs {
				add("reach", "%s", address)
			}
		case s.Key == "permissions.mode":
			add("permit", "tools work in the mode %s", s.Value)
		case s.Key == "permissions.allow":
			for _, tool := range wanted.Permissions.Allow {
				add("permit", "%s without asking", tool)
			}
		case s.path[0] == "providers" && s.path[2] == "base_url":
			add("reach", "the provider %s at %s", s.path[1], s.Value)
		case s.path[0] == "providers" && s.path[2] == "key":
			add("send", "the key in %s to the provider %s", s.Value, s.path[1])
		default:
			add("set", "%s = %s", s.Key, s.Value)
		}
	}
	return effects
}

// entry describes a server or a command, with the secrets it gets.
func (c Config) entry(group, name string) (kind, format string, what any) {
	var address string
	var command []string
	var with []string
	title := ""
	switch group {
	case "mcp":
		s := c.MCP[name]
		title, address = "MCP server "+name, s.URL
		if s.Command != "" {
			command = append([]string{s.Command}, s.Args...)
		}
		for _, values := range []map[string]Text{s.Env, s.Headers} {
			for _, key := range slices.Sorted(maps.Keys(values)) {
				with = append(with, key+"="+values[key].String())
			}
		}
	case "custom":
		title, address, command = "@"+name+":", c.Custom[name].URL, c.Custom[name].Command
	case "language_servers":
		title, command = "language server for "+name, c.LanguageServers[name].Command
	}
	kind, line := "reach", address
	if len(command) > 0 {
		kind, line = "run", commandLineOf(command)
	}
	if len(with) > 0 {
		line += " with " + strings.Join(with, ", ")
	}
	return kind, "%s", title + " → " + line
}

// commandLineOf writes a command so that its words can be told apart.
func commandLineOf(words []string) string {
	var quoted []string
	for _, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`;|&<>()*?[]{}~#") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		quoted = append(quoted, word)
	}
	return strings.Join(quoted, " ")
}

// Effects returns the files that become part of the system message, or of what
// agents are told, if the project is trusted.
func (s Snapshot) Effects() []Effect {
	var effects []Effect
	for _, f := range s.Files {
		switch {
		case f.Path == filepath.ToSlash(filepath.Join(folder, FileName)):
			// Its effects are told one by one.
		case f.Link != "":
			effects = append(effects, Effect{"text", fmt.Sprintf("%s, a link to %s", f.Path, f.Link), f.Path})
		default:
			effects = append(effects, Effect{"text", fmt.Sprintf("%s, %d bytes", f.Path, f.Size), f.Path})
		}
	}
	return effects
}
