package app

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
)

// permissions are what tools may do.
func (a *App) permissions(talk Talk) (*agent.Permissions, error) {
	mode, err := agent.ParseMode(a.Config.Permissions.Mode)
	if err != nil {
		return nil, err
	}
	p := &agent.Permissions{Mode: mode, Project: a.Root, Ask: talk.Ask, Known: a.isOpen, Remember: func(rule agent.Rule) {
		if err := a.Consent.RememberPermission(rule.Text()); err != nil && talk.Warn != nil {
			talk.Warn(fmt.Sprintf("it is not remembered for the project: %v", err))
		}
	}}
	p.Hint = a.hint
	p.Grant = func(action agent.Action) { a.open(action, mode) }
	remembered, err := a.Consent.Permissions()
	if err != nil {
		return nil, err
	}
	for _, text := range slices.Concat(remembered, a.Config.Permissions.Allow) {
		tool, rule, err := agent.ParseAllowed(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read permission: %w", err)
		case tool != "":
			p.Tools = append(p.Tools, tool)
		default:
			p.Allowed = append(p.Allowed, rule)
		}
	}
	return p, nil
}

// hint says how a person can allow what a tool was refused, and as little more as
// can be.
func (a *App) hint(_ string, action agent.Action) string {
	allow := "--permissions " + string(agent.ModeAll)
	switch path := filepath.Clean(action.Subject); action.Effect {
	case agent.Lists, agent.Reads:
		switch {
		case access.Inside(a.Root, path):
			allow = "--permissions " + string(agent.ModeAutoRead)
		case filepath.IsAbs(path):
			allow = access.AllowFlag(path)
		}
	case agent.Fetches:
		if address, err := url.Parse(action.Detail); err == nil && address.Host != "" {
			allow = access.AllowFlag(address.Scheme + "://" + address.Host + "/")
		}
	}
	return "to allow it: " + allow
}

// isOpen reports whether the person has opened a path or an address already.
func (a *App) isOpen(action agent.Action) bool {
	switch action.Effect {
	case agent.Lists, agent.Reads:
		subject := filepath.Clean(action.Subject)
		if action.Effect == agent.Lists && slices.Contains(a.Consent.Listings(), subject) {
			return true
		}
		return slices.ContainsFunc(a.Consent.Paths(), func(path string) bool {
			if _, byTool := a.opened.Load(path); byTool {
				return path == subject // a yes to a search is none to more of what is there
			}
			return access.Inside(path, subject)
		})
	case agent.Fetches:
		address, err := url.Parse(action.Detail)
		return err == nil && a.Consent.URL(address)
	}
	return false
}

// open opens what a tool is allowed to read, so that one yes is enough. A folder
// that may be listed stays closed but for its names, to tools and to mentions. That
// nothing is asked is no yes to addresses which are not public.
func (a *App) open(action agent.Action, mode agent.Mode) {
	switch action.Effect {
	case agent.Lists, agent.Reads:
		path := filepath.Clean(action.Subject)
		if !filepath.IsAbs(path) || access.Inside(a.Root, path) || slices.Contains(a.Consent.Paths(), path) {
			return
		}
		// A clean absolute path is always well formed.
		if action.Effect == agent.Lists {
			_ = a.Consent.Allow(access.Listing{Path: path})
			return
		}
		a.opened.Store(path, true)
		_ = a.Consent.Allow(access.Path{Path: path})
	case agent.Fetches:
		address, err := url.Parse(action.Detail)
		if err != nil || mode == agent.ModeAll {
			return
		}
		grant, err := access.ParseGrant(address.Scheme+"://"+address.Host, a.Dir, a.home)
		if err == nil {
			_ = a.Consent.Allow(grant)
		}
	}
}
