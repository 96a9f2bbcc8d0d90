package token_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ampersat/ampersat/token"
	"pgregory.net/rapid"
)

func TestEstimateOfShortTexts(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		least, most int
	}{
		{"nothing", "", 0, 0},
		{"a space", " ", 1, 1},
		{"a line break", "\n", 1, 1},
		{"a letter", "a", 1, 1},
		{"a word", "context", 1, 1},
		{"a sentence", "The quick brown fox jumps over the lazy dog.", 9, 12},
		{"an identifier", "getElementById", 2, 4},
		{"a path", "internal/server/handler.go", 4, 7},
		{"capitals", "HTTP_STATUS_CODES", 4, 8},
		{"a year", "2026", 1, 2},
		{"twelve digits", "123456789012", 4, 5},
		{"a space and a number", "in 1984", 3, 4},
		{"an indented line", "\n\t\t\treturn nil", 3, 5},
		{"a rule", strings.Repeat("-", 40), 1, 4},
		{"a closing", "}));\n", 1, 3},
		{"noise", "$%&!@*^#~?", 4, 8},
		{"a digest", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 30, 45},
		{"base64", "q83vEjRWeJq8ze8BI0VniavN7xI0VniavN3vASNFZ4mrze8S", 24, 40},
		{"chinese", "今天天气很好", 4, 7},
		{"japanese", "ありがとうございます", 5, 9},
		{"korean", "안녕하세요", 3, 5},
		{"russian", "Привет, мир", 3, 6},
		{"arabic", "مرحبا بالعالم", 3, 6},
		{"hindi", "नमस्ते दुनिया", 3, 8},
		{"german", "Größe", 2, 3},
		{"emoji", "🎉🚀", 2, 5},
		{"an emoji of four joined with joiners", "👩‍💻", 3, 6},
		{"bytes that are not text", "\xff\xfe\x80", 3, 3},
		{"half a rune", "\xe4\xbb", 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := token.Estimate(c.text); got < c.least || got > c.most {
				t.Errorf("Estimate(%q) = %d, want %d to %d", c.text, got, c.least, c.most)
			}
		})
	}
}

// text is any text, and much of what makes the scanner change its mind: long
// runs of one kind, pieces that alternate, bytes that are no text.
var text = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-z]{1,12} `),
		rapid.StringMatching(`[A-Za-z0-9+/]{1,80}`),
		rapid.StringMatching(`[0-9a-f]{1,80}`),
		rapid.StringMatching(`[ \t\n]{1,9}`),
		rapid.StringMatching(`[!-/:-@]{1,70}`),
		rapid.StringMatching(`[你好世界あいうアイウ한국어]{1,9}`),
		rapid.StringMatching(`[äöüßéа-яا-ي]{1,9}`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 9), func(b []byte) string { return string(b) }),
		rapid.Custom(func(t *rapid.T) string {
			run := rapid.SampledFrom([]string{"a", "A", "7", " ", "\n", "-", "a1", "aB", "é", "中", "🎉", "\x80", "+a"}).Draw(t, "run")
			return strings.Repeat(run, rapid.IntRange(1, 200).Draw(t, "times"))
		}),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
})

// seam is how many tokens the place where two texts meet may make or save: a
// long piece, the history of alternating pieces, and rounding.
const seam = 20

func TestEstimateIsAboutAdditive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		alone, other, both := token.Estimate(a), token.Estimate(b), token.Estimate(a+b)
		if both > alone+other+seam {
			t.Errorf("together %d, alone %d and %d", both, alone, other)
		}
		if both < alone+other-seam {
			t.Errorf("together only %d, alone %d and %d", both, alone, other)
		}
	})
}

// severed is by how many tokens a beginning may cost more than the whole: a word
// that is cut through may look like base64, of which eight letters cost that much.
const severed = 5

func TestEstimateOfABeginningIsNotMore(t *testing.T) {
	check := func(t failer, a, b string) {
		t.Helper()
		if part, whole := token.Estimate(a), token.Estimate(a+b); part > whole+severed {
			t.Fatalf("the beginning %q has %d, with %q it has %d", a, part, b, whole)
		}
	}
	check(t, "aBaBaBaBaBaaaaaa", "aa ")
	rapid.Check(t, func(t *rapid.T) { check(t, text.Draw(t, "a"), text.Draw(t, "b")) })
}

// The constant of additivity is one only if it does not grow with the text: a
// few bytes before a long one must not change how all of it is read.
func TestEstimateForgetsWhatStandsFarBefore(t *testing.T) {
	starts := []string{"x", "7", " ", "\n", "-", "é", "中", "\x80", "a1b2c3d4", "aBcDeFgHiJkL", "ab+", "--", "a1b2c3d4e5f6-"}
	for _, run := range []string{"a", "A", "7", " ", "\n", "-", "-+", "a1", "ab1", "abcdef1", "aB", "abcdeF", "é", "éa", "中", "🎉", "\x80", "+a", "a+1b", "word ", "abcdefghijklmnopqrstuvwxyzabcdefA"} {
		for _, start := range starts {
			for _, repeats := range []int{100, 10_000} {
				long := strings.Repeat(run, repeats)
				if d := token.Estimate(start+long) - token.Estimate(start) - token.Estimate(long); d < -seam || d > seam {
					t.Errorf("%q before %d of %q makes a difference of %d tokens", start, repeats, run, d)
				}
			}
		}
	}
}

func TestEstimateIsLinear(t *testing.T) {
	for _, run := range []string{"a", "A", "7", " ", "\n", "-", "-+", "a1", "aB", "é", "中", "🎉", "\x80", "The mention stays where it was written. "} {
		once := token.Estimate(strings.Repeat(run, 10_000))
		tenfold := token.Estimate(strings.Repeat(run, 100_000))
		if math.Abs(float64(tenfold-10*once)) > 0.01*float64(tenfold)+10 {
			t.Errorf("ten thousand %q are %d tokens, ten times as many %d", run, once, tenfold)
		}
	}
}

func TestHeadAndTailFitTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := text.Draw(t, "text")
		tokens := rapid.IntRange(-1, 200).Draw(t, "tokens")
		e := token.Estimator{Factor: rapid.SampledFrom([]float64{0, 1, 0.7, 1.31, 3}).Draw(t, "factor")}
		checkCut(t, e, text, tokens)
	})
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkCut holds Head and Tail to what they promise.
func checkCut(t failer, e token.Estimator, text string, tokens int) {
	t.Helper()
	head, tail := e.Head(text, tokens), e.Tail(text, tokens)
	if head < 0 || head > len(text) || tail < 0 || tail > len(text) {
		t.Fatalf("cut %d bytes at %d and %d", len(text), head, tail)
	}
	begin, end := text[:head], text[tail:]
	if n := e.Count(begin); n > max(0, tokens) {
		t.Fatalf("the beginning has %d tokens of %d", n, tokens)
	}
	if n := e.Count(end); n > max(0, tokens) {
		t.Fatalf("the end has %d tokens of %d", n, tokens)
	}
	if e.Count(text) <= tokens && (begin != text || end != text) {
		t.Fatalf("%d tokens were cut although %d are allowed", e.Count(text), tokens)
	}
	if utf8.ValidString(text) && !(utf8.ValidString(begin) && utf8.ValidString(end)) {
		t.Fatalf("a rune was cut: %q, %q", begin, end)
	}
	// A piece of 32 letters costs at most 16 tokens, times the factor.
	waste := int(20*max(1, e.Factor)) + 1
	if begin != text && e.Count(begin) < tokens-waste {
		t.Fatalf("the beginning has only %d tokens of %d", e.Count(begin), tokens)
	}
	if end != text && e.Count(end) < tokens-waste-int(seam*max(1, e.Factor)) {
		t.Fatalf("the end has only %d tokens of %d", e.Count(end), tokens)
	}
}

func TestHeadAndTailKeepWords(t *testing.T) {
	text := strings.Repeat("mentions are first-class context ", 100)
	for tokens := range 300 {
		head, tail := token.Estimator{}.Head(text, tokens), token.Estimator{}.Tail(text, tokens)
		for _, at := range []int{head, tail} {
			if at > 0 && at < len(text) && isLetter(text[at-1]) && isLetter(text[at]) {
				t.Fatalf("%d tokens: cut within a word: %q", tokens, text[at-1:at+1])
			}
		}
	}
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' }

func TestEstimatorIgnoresAFactorThatIsNone(t *testing.T) {
	const text = "mentions are first-class context"
	for _, factor := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		e := token.Estimator{Factor: factor}
		if got, want := e.Count(text), token.Estimate(text); got != want {
			t.Errorf("with %v: %d, want %d", factor, got, want)
		}
		if got := e.Head(text, math.MaxInt); got != len(text) {
			t.Errorf("with %v: cut at %d", factor, got)
		}
	}
}

func FuzzEstimate(f *testing.F) {
	f.Add("The quick brown fox", "e3b0c44298fc1c149afb", 3)
	f.Add("今天天气很好\xff", "-----\n\t\tfunc", 7)
	f.Add("🎉👩‍💻", strings.Repeat("aB1", 30), 1)
	f.Fuzz(func(t *testing.T, a, b string, tokens int) {
		alone, other, both := token.Estimate(a), token.Estimate(b), token.Estimate(a+b)
		if (alone == 0) != (a == "") || alone < 0 {
			t.Fatalf("%d tokens in %d bytes", alone, len(a))
		}
		if both < max(alone, other)-seam || both > alone+other+seam {
			t.Fatalf("together %d, alone %d and %d", both, alone, other)
		}
		checkCut(t, token.Estimator{}, a+b, tokens)
	})
}
