package command

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// place is where the argument goes.
const place = "{}"

// words is the command line for an argument.
func (s Scheme) words(arg string) ([]string, error) {
	if strings.Contains(s.Command[0], place) {
		return nil, fmt.Errorf("the program of %s is %q; a mention cannot choose the program", s.Name, s.Command[0])
	}
	words := slices.Clone(s.Command)
	if !slices.ContainsFunc(words[1:], func(word string) bool { return strings.Contains(word, place) }) {
		words = append(words, place)
	}
	end := false // of the options
	for i, word := range words[1:] {
		if !end && strings.HasPrefix(word, place) && strings.HasPrefix(arg, "-") {
			return nil, fmt.Errorf("%q begins with a hyphen, and %s could take it for an option; put -- before {} in the configuration if it knows that", arg, words[0])
		}
		end = end || word == "--"
		words[i+1] = strings.ReplaceAll(word, place, arg)
	}
	return words, nil
}

// address is the URL for an argument.
func (s Scheme) address(arg string) (*url.URL, error) {
	if !strings.Contains(s.URL, place) {
		return nil, fmt.Errorf("the URL of %s has no {} where the argument goes", s.Name)
	}
	before, query, asks := strings.Cut(s.URL, "?")
	// Whatever may be in a host would not be what was configured.
	probe, err := url.Parse(strings.ReplaceAll(before, place, "x"))
	if err != nil || probe.Scheme != "http" && probe.Scheme != "https" || probe.Host == "" {
		return nil, fmt.Errorf("the URL of %s is no address; it begins with http:// or https://", s.Name)
	}
	if other, err := url.Parse(strings.ReplaceAll(before, place, "y")); err != nil || other.Scheme != probe.Scheme || other.Host != probe.Host || other.User.String() != probe.User.String() {
		return nil, fmt.Errorf("the URL of %s has {} in its host; a mention cannot choose the host", s.Name)
	}
	full := strings.ReplaceAll(before, place, url.PathEscape(arg))
	for segment := range strings.SplitSeq(full, "/") {
		if segment == "." || segment == ".." {
			return nil, errors.New("it is a way up, and no name")
		}
	}
	if asks {
		full += "?" + strings.ReplaceAll(query, place, url.QueryEscape(arg))
	}
	u, err := url.Parse(full)
	if err != nil {
		return nil, fmt.Errorf("the URL of %s is no address", s.Name)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
