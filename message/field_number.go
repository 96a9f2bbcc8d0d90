package message

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
)

// The functions in this file are the vocabulary of a description for numbers,
// which come in many spellings.

// integer is a whole number that is left out when it is zero.
func integer(s *shape, name string, v *int) {
	if s.writing {
		if !s.standsInteger(name, *v) && *v != 0 {
			s.name(name)
			s.out = strconv.AppendInt(s.out, int64(*v), 10)
		}
		return
	}
	if m := s.present(name); m != nil {
		n, ok := readInteger(m.value)
		if !ok {
			s.misfit(m, "a whole number that fits 64 bits")
			return
		}
		*v = n
		m.taken = n != 0 && string(m.value) == strconv.Itoa(n)
	}
}

// count is a whole number that is always written. An object without it is
// inexact.
func count(s *shape, name string, v *int) {
	if s.writing {
		if !s.standsInteger(name, *v) {
			s.name(name)
			s.out = strconv.AppendInt(s.out, int64(*v), 10)
		}
		return
	}
	m := s.present(name)
	if m == nil {
		s.inexact = true
		return
	}
	n, ok := readInteger(m.value)
	if !ok {
		s.inexact = true
		s.misfit(m, "a whole number that fits 64 bits")
		return
	}
	*v = n
	m.taken = string(m.value) == strconv.Itoa(n)
}

func (s *shape) standsInteger(name string, v int) bool {
	return s.stands(name, func(old []byte) bool {
		n, _ := readInteger(old)
		return n == v
	})
}

// number is a number that is left out when it is nil.
func number(s *shape, name string, v **float64) {
	if s.writing {
		if *v != nil && (math.IsNaN(**v) || math.IsInf(**v, 0)) {
			s.fail(name, fmt.Errorf("%v is not a number that JSON can say", **v))
			return
		}
		stands := s.stands(name, func(old []byte) bool {
			f, err := strconv.ParseFloat(string(old), 64)
			return err != nil && *v == nil || err == nil && *v != nil && f == **v
		})
		if !stands && *v != nil {
			s.name(name)
			s.out = jsontext.AppendFloat(s.out, **v, 64)
		}
		return
	}
	if m := s.present(name); m != nil {
		f, err := strconv.ParseFloat(string(m.value), 64)
		if err != nil {
			s.misfit(m, "a number that fits 64 bits")
			return
		}
		*v = &f
		m.taken = string(m.value) == string(jsontext.AppendFloat(nil, f, 64))
	}
}

// seconds is a duration, left out when it is zero.
func seconds(s *shape, name string, v *time.Duration) {
	if s.writing {
		if *v < 0 {
			s.fail(name, fmt.Errorf("%s is negative", *v))
			return
		}
		stands := s.stands(name, func(old []byte) bool {
			d, _ := readSeconds(old)
			return d == *v
		})
		if !stands && *v != 0 {
			s.name(name)
			s.out = append(s.out, decimal.New(int64(*v), -9).String()...)
		}
		return
	}
	if m := s.present(name); m != nil {
		d, ok := readSeconds(m.value)
		if !ok {
			s.misfit(m, "a number of seconds")
			return
		}
		*v = d
		m.taken = d != 0 && string(m.value) == decimal.New(int64(d), -9).String()
	}
}

// readSeconds rounds to nanoseconds.
func readSeconds(value []byte) (time.Duration, bool) {
	d, ok := readDecimal(string(value))
	if d = d.Shift(9).Round(0); !ok || d.IsNegative() || !d.BigInt().IsInt64() {
		return 0, false
	}
	return time.Duration(d.IntPart()), true
}

// money is a decimal written as a string, so that no reader rounds it. It is
// left out when it is nil. A number is read too.
func money(s *shape, name string, v **decimal.Decimal) {
	if s.writing {
		stands := s.stands(name, func(old []byte) bool {
			d, ok := readDecimal(unquoted(old))
			return !ok && *v == nil || ok && *v != nil && d.Equal(**v)
		})
		if !stands && *v != nil {
			s.name(name)
			s.quote((*v).String())
		}
		return
	}
	if m := s.present(name); m != nil {
		d, ok := readDecimal(unquoted(m.value))
		if !ok {
			s.misfit(m, "a decimal number in a string")
			return
		}
		*v = &d
		m.taken = m.value[0] == '"' && unquoted(m.value) == d.String()
	}
}

func unquoted(value []byte) string {
	if value[0] == '"' {
		return readString(value)
	}
	return string(value)
}

// readInteger accepts every spelling of a whole number: 1000, 1e3, 1000.0.
func readInteger(value []byte) (int, bool) {
	if n, err := strconv.Atoi(string(value)); err == nil {
		return n, true
	}
	d, ok := readDecimal(string(value))
	if !ok || !d.IsInteger() || !d.BigInt().IsInt64() {
		return 0, false
	}
	return int(d.IntPart()), true
}

// maxDecimal bounds what a decimal may look like: writing 1e999999999 out
// would take a gigabyte.
const maxDecimal = 100

func readDecimal(number string) (decimal.Decimal, bool) {
	if len(number) > maxDecimal || number == "" || !strings.ContainsRune("-0123456789", rune(number[0])) {
		return decimal.Decimal{}, false
	}
	if e := strings.IndexAny(number, "eE"); e >= 0 {
		if exponent, err := strconv.Atoi(number[e+1:]); err != nil || max(exponent, -exponent) > maxDecimal {
			return decimal.Decimal{}, false
		}
	}
	d, err := decimal.NewFromString(number)
	return d, err == nil
}
