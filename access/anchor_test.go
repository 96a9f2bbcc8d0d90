package access

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The judge compares every literal at every position.
func TestAnchorsAgreeWithComparingEverywhere(t *testing.T) {
	literal := rapid.StringMatching(`[abB_.:0-]{3,7}`)
	rapid.Check(t, func(t *rapid.T) {
		literals := rapid.SliceOfNDistinct(literal, 1, 6, strings.ToLower).Draw(t, "literals")
		pieces := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(literals), rapid.StringMatching(`[aAbB_.:0 \-é@]{0,4}`))).Draw(t, "text")
		text := strings.Join(pieces, "")
		var a anchors
		for owner, literal := range literals {
			a.add(literal, owner)
		}
		var got, want []string
		a.scan(text, func(start, end, owner int) { got = append(got, fmt.Sprint(start, end, owner)) })
		for owner, literal := range literals {
			for at := range len(text) {
				if rest := text[at:]; len(rest) >= len(literal) && strings.EqualFold(rest[:len(literal)], literal) {
					want = append(want, fmt.Sprint(at, at+len(literal), owner))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q:\ngot  %v\nwant %v", literals, text, got, want)
		}
	})
}

var update = flag.Bool("update", false, "write the table of anchors anew")

func TestTheTableIsThatOfTheRules(t *testing.T) {
	var a anchors
	for owner, rule := range theRules() {
		for _, literal := range rule.anchors {
			a.add(literal, owner)
		}
	}
	if *update {
		if err := os.WriteFile("anchor_table.go", []byte(a.source()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !reflect.DeepEqual(a, theAnchors) {
		t.Fatal("anchor_table.go is not that of the rules: go test ./access -run TheTable -update")
	}
}

func TestEveryAnchorOfTheRulesIsFound(t *testing.T) {
	for owner, rule := range theRules() {
		for _, literal := range rule.anchors {
			for shift := range 8 {
				for _, spelled := range []string{literal, strings.ToUpper(literal)} {
					found := 0
					theAnchors.scan(strings.Repeat(" ", shift)+spelled, func(start, end, by int) {
						if by == owner && start == shift && end == shift+len(literal) {
							found++
						}
					})
					if found != 1 {
						t.Fatalf("%s: %q at %d is found %d times", rule.name, spelled, shift, found)
					}
				}
			}
		}
	}
}
