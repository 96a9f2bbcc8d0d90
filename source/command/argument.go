package command

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// places are how the place of the argument is written.
var places = [...]string{"{}", "{arg}"}

// hasPlace reports whether a text has a place for the argument.
func hasPlace(text string) bool {
	return slices.ContainsFunc(places[:], func(place string) bool { return strings.Contains(text, place) })
}

// beginsWithPlace reports whether a text begins with the place of the argument.
func beginsWithPlace(text string) bool {
	return slices.ContainsFunc(places[:], func(place string) bool { return strings.HasPrefix(text, place) })
}

// put puts a value in its place. A value with a place in it is not looked at
// again.
func put(text, value string) string {
	return strings.NewReplacer(places[0], value, places[1], value).Replace(text)
}

// words is the command line for an argument.
func (s Scheme) words(arg string) ([]string, error) {
	if hasPlace(s.Command[0]) {
		return nil, fmt.Errorf("the program of %s is %q; a mention cannot choose the program", s.Name, s.Command[0])
	}
	words := slices.Clone(s.Command)
	if !slices.ContainsFunc(words[1:], hasPlace) {
		words = append(words, places[0])
	}
	end := false // of the options
	for i, word := range words[1:] {
		if !end && beginsWithPlace(word) && strings.HasPrefix(arg, "-") {
			return nil, fmt.Errorf("%q begins with a hyphen, and %s could take it for an option; put -- before {} in the configuration if it knows that", arg, words[0])
		}
		end = end || word == "--"
		words[i+1] = put(word, arg)
	}
	return words, nil
}

// address is the URL for an argument.
func (s Scheme) address(arg string) (*url.URL, error) {
	if !hasPlace(s.URL) {
		return nil, fmt.Errorf("the URL of %s has no {} where the argument goes", s.Name)
	}
	before, query, asks := strings.Cut(s.URL, "?")
	// Whatever may be in a host would not be what was configured.
	probe, err := url.Parse(put(before, "x"))
	if err != nil || probe.Scheme != "http" && probe.Scheme != "https" || probe.Host == "" {
		return nil, fmt.Errorf("the URL of %s is no address; it begins with http:// or https://", s.Name)
	}
	if other, err := url.Parse(put(before, "y")); err != nil || other.Scheme != probe.Scheme || other.Host != probe.Host || other.User.String() != probe.User.String() {
		return nil, fmt.Errorf("the URL of %s has {} in its host; a mention cannot choose the host", s.Name)
	}
	if hasPlace(before) && (arg == "." || arg == "..") {
		return nil, errors.New("it is a way up, and no name")
	}
	full := put(before, url.PathEscape(arg))
	if asks {
		full += "?" + put(query, url.QueryEscape(arg))
	}
	u, err := url.Parse(full)
	if err != nil {
		return nil, fmt.Errorf("the URL of %s is no address", s.Name)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
