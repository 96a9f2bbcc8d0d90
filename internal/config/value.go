package config

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Duration is a time, written 30s or 5m.
type Duration time.Duration

// Tokens is a number of them, written 2000 or 32k.
type Tokens int

// Size is a number of bytes, written 512KB or 10MB.
type Size int64

// Path is a file or a folder, absolute and clean. It may be written ~/x, or
// relative to the folder that the file of configuration is about: the project,
// or the user's own folder.
type Path string

// Decimal is a number as it was written, so that no digit of a price is lost.
type Decimal string

// String writes it as it is read.
func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// String writes it as it is read.
func (s Size) String() string {
	for _, unit := range units {
		if s >= unit.bytes && s%unit.bytes == 0 {
			return strconv.FormatInt(int64(s/unit.bytes), 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

type unit struct {
	name  string
	bytes Size
}

var units = [...]unit{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}

func parseDuration(text string) (Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a time; write it like 30s or 5m", text)
	case d <= 0:
		return 0, fmt.Errorf("%q is not more than nothing", text)
	}
	return Duration(d), nil
}

func parseSize(text string) (Size, error) {
	digits, factor := text, Size(1)
	for _, unit := range units {
		if before, ok := strings.CutSuffix(strings.ToUpper(text), unit.name); ok {
			digits, factor = strings.TrimSpace(before), unit.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a size; write it like 512KB or 10MB", text)
	case n <= 0:
		return 0, fmt.Errorf("%q is not more than nothing", text)
	case Size(n) > math.MaxInt64/factor:
		return 0, fmt.Errorf("%q is larger than anything", text)
	}
	return Size(n) * factor, nil
}

func parseInt(text string) (int, error) {
	n, err := strconv.ParseInt(text, 0, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is too large or too small", text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a whole number", text)
	case n < 0:
		return 0, fmt.Errorf("%d is less than nothing", n)
	}
	return int(n), nil
}

func parseFraction(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, fmt.Errorf("%q is not a part; write a number from 0 to 1", text)
	}
	return f, nil
}

func parseBool(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", text)
}

func parseDecimal(text string) (Decimal, error) {
	// An exponent of nine digits would be as many zeros when it is used.
	if d, err := decimal.NewFromString(text); err != nil || len(text) > 40 || strings.ContainsAny(text, "eE") || d.IsNegative() {
		return "", fmt.Errorf("%q is not a price; write a number like 2.50", text)
	}
	return Decimal(text), nil
}

// place is what paths in a layer are relative to.
type place struct{ home, dir string }

func (p place) path(text string) (Path, error) {
	full := text
	switch {
	case text == "" || strings.ContainsRune(text, 0):
		return "", fmt.Errorf("%q is not a path", text)
	case text == "~" || strings.HasPrefix(text, "~/"):
		if p.home == "" {
			return "", fmt.Errorf("%q: nobody knows where the home is", text)
		}
		full = filepath.Join(p.home, text[1:])
	case !filepath.IsAbs(text):
		if p.dir == "" {
			return "", fmt.Errorf("%q is relative, and there is no folder that it is relative to", text)
		}
		full = filepath.Join(p.dir, text)
	}
	return Path(filepath.Clean(full)), nil
}

// checkURL refuses what is not an address of the web, or holds a password.
func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%q is not an address; write it with http:// or https://", text)
	case u.User != nil:
		// The text is not repeated: it holds what must not be shown.
		return fmt.Errorf("an address with a login in it; keep the password in the environment")
	}
	return nil
}
