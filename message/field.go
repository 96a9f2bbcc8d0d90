package message

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions in this file are the vocabulary of a description: each deals
// with one member in both directions. See [shape] for what happens to a member
// that the field cannot say.

// must is a string that is always there.
func must[T ~string](s *shape, name string, v *T) {
	if s.writing {
		s.overrule(name)
		s.name(name)
		s.quote(string(*v))
		return
	}
	m := s.find(name)
	switch {
	case m == nil:
		s.fail(name, errors.New("it is missing"))
	case m.value[0] != '"':
		s.fail(name, fmt.Errorf("want a string, have %s", kindOf(m.value)))
	default:
		m.taken = true
		*v = T(readString(m.value))
	}
}

// text is a string that is left out when it is empty.
func text[T ~string](s *shape, name string, v *T) {
	if s.writing {
		stands := s.stands(name, func(old []byte) bool {
			return old[0] != '"' && *v == "" || old[0] == '"' && readString(old) == string(*v)
		})
		if !stands && *v != "" {
			s.name(name)
			s.quote(string(*v))
		}
		return
	}
	m := s.present(name)
	switch {
	case m == nil:
	case m.value[0] != '"':
		s.misfit(m, "a string")
	case len(m.value) > 2:
		m.taken = true
		*v = T(readString(m.value))
	}
}

// raw is any JSON, or only an object if first is '{'. It is left out when it
// is nil.
func raw(s *shape, name string, v *jsontext.Value, first byte) {
	if s.writing {
		if *v == nil {
			return
		}
		if !v.IsValid() {
			s.fail(name, fmt.Errorf("not JSON: %.40q", []byte(*v)))
			return
		}
		if i := skipSpace(*v, 0); first != 0 && (*v)[i] != first {
			s.fail(name, fmt.Errorf("want an object, have %s", kindOf(*v)))
			return
		}
		s.overrule(name)
		s.name(name)
		s.out = append(s.out, *v...)
		return
	}
	m := s.find(name)
	switch {
	case m == nil:
	case first == 0 || m.value[0] == first:
		m.taken = true
		*v = bytes.Clone(m.value)
	case m.value[0] != 'n':
		s.misfit(m, "an object")
	}
}

// values is a list of any JSON. It is left out when it is nil.
func values(s *shape, name string, v *[]jsontext.Value) {
	list(s, name, v, func(value []byte) (jsontext.Value, error) {
		return bytes.Clone(value), nil
	}, func(out []byte, value jsontext.Value) ([]byte, error) {
		if !value.IsValid() {
			return out, fmt.Errorf("not JSON: %.40q", []byte(value))
		}
		return append(out, value...), nil
	})
}

// words is a list of strings. It is left out when it is nil.
func words(s *shape, name string, v *[]string) {
	list(s, name, v, func(value []byte) (string, error) {
		if value[0] != '"' {
			return "", fmt.Errorf("want a string, have %s", kindOf(value))
		}
		return readString(value), nil
	}, func(out []byte, word string) ([]byte, error) {
		return appendString(out, word), nil
	})
}

// list is a list whose elements read and write deal with. It is left out when
// it is nil. A list with an element that does not fit does not fit as a whole.
func list[T any](s *shape, name string, v *[]T, read func([]byte) (T, error), write func([]byte, T) ([]byte, error)) {
	if s.writing {
		if *v == nil {
			return
		}
		s.overrule(name)
		s.name(name)
		var err error
		if s.out, err = appendList(s.out, *v, write); err != nil {
			s.fail(name, err)
		}
		return
	}
	m := s.present(name)
	if m == nil {
		return
	}
	elements, err := readList(m.value, read)
	if err != nil {
		if s.strict {
			s.fail(name, err)
		}
		return
	}
	m.taken = true
	*v = elements
}

func readList[T any](array []byte, read func([]byte) (T, error)) ([]T, error) {
	elements := []T{}
	err := eachElement(array, func(i int, value []byte) error {
		element, err := read(value)
		if err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
		elements = append(elements, element)
		return nil
	})
	return elements, err
}

func appendList[T any](out []byte, elements []T, write func([]byte, T) ([]byte, error)) ([]byte, error) {
	out = append(out, '[')
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = write(out, element); err != nil {
			return out, fmt.Errorf("%d: %w", i, err)
		}
	}
	return append(out, ']'), nil
}

// objects is a list of objects. It is left out when it is nil.
func objects[T any, P interface {
	*T
	shaped
}](s *shape, name string, v *[]T) {
	strict := s.strict
	list(s, name, v, func(value []byte) (T, error) {
		var element T
		_, err := readObject(value, P(&element), strict)
		return element, err
	}, func(out []byte, element T) ([]byte, error) {
		return appendObject(out, "", "", P(&element))
	})
}

// object is an object that is left out when it is nil.
func object[T any, P interface {
	*T
	shaped
}](s *shape, name string, v **T) {
	if s.writing {
		var written []byte
		if *v != nil {
			var err error
			if written, err = appendObject(nil, "", "", P(*v)); err != nil {
				s.fail(name, err)
				return
			}
		}
		stands := s.stands(name, func(old []byte) bool {
			before := new(T)
			if _, err := readObject(old, P(before), false); err != nil {
				return *v == nil
			}
			again, err := appendObject(nil, "", "", P(before))
			return err == nil && bytes.Equal(again, written)
		})
		if !stands && *v != nil {
			s.name(name)
			s.out = append(s.out, written...)
		}
		return
	}
	m := s.present(name)
	if m == nil {
		return
	}
	value := new(T)
	inexact, err := readObject(m.value, P(value), s.strict)
	if err != nil {
		if s.strict {
			s.fail(name, err)
		}
		return
	}
	m.taken = !inexact
	*v = value
}

// flag is a boolean that is left out when it has its default.
func flag(s *shape, name string, v *bool, byDefault bool) {
	if s.writing {
		stands := s.stands(name, func(old []byte) bool {
			switch old[0] {
			case 't':
				return *v
			case 'f':
				return !*v
			default:
				return *v == byDefault
			}
		})
		if !stands && *v != byDefault {
			s.name(name)
			s.out = strconv.AppendBool(s.out, *v)
		}
		return
	}
	*v = byDefault
	m := s.present(name)
	switch {
	case m == nil:
	case m.value[0] != 't' && m.value[0] != 'f':
		s.misfit(m, "a boolean")
	default:
		*v = m.value[0] == 't'
		m.taken = *v != byDefault
	}
}
