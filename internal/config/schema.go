package config

import (
	"reflect"
	"slices"
	"strings"
)

// shape is one place of the configuration as the fields and tags of [Config]
// describe it.
type shape struct {
	typ reflect.Type
	// trust is what it would do in a project's file, empty if it is harmless. It
	// holds for all that is inside.
	trust string
	// adds says that lists of all layers count, whole that an entry of the map is
	// replaced as one.
	adds, whole bool
	// isEntry says that it is the value of a map, whose name somebody chose.
	isEntry bool
}

func wholeShape() shape { return shape{typ: reflect.TypeFor[Config]()} }

// isGroup reports whether a place has keys of its own.
func (s shape) isGroup() bool { return s.isMap() || s.typ.Kind() == reflect.Struct && !s.isLeaf() }
func (s shape) isMap() bool   { return s.typ.Kind() == reflect.Map }

// isLeaf reports whether a place holds a value.
func (s shape) isLeaf() bool {
	return s.typ == reflect.TypeFor[Secret]() || s.typ == reflect.TypeFor[Text]() ||
		s.typ.Kind() != reflect.Map && s.typ.Kind() != reflect.Struct
}

// child returns the place of a key, or of an entry of a map.
func (s shape) child(name string) (shape, bool) {
	if s.isMap() {
		return shape{typ: s.typ.Elem(), trust: s.trust, isEntry: true}, true
	}
	for i := range s.typ.NumField() {
		field := s.typ.Field(i)
		if field.Tag.Get("key") != name {
			continue
		}
		inner := shape{typ: field.Type, trust: s.trust, adds: field.Tag.Get("adds") != "", whole: field.Tag.Get("whole") != ""}
		if trust := field.Tag.Get("trust"); trust != "" {
			inner.trust = trust
		}
		return inner, true
	}
	return shape{}, false
}

// keys returns the keys of a struct.
func (s shape) keys() []string {
	keys := make([]string, s.typ.NumField())
	for i := range keys {
		keys[i] = s.typ.Field(i).Tag.Get("key")
	}
	return keys
}

// shapeAt returns the place of a path.
func shapeAt(path []string) (shape, bool) {
	s, ok := wholeShape(), true
	for _, name := range path {
		if !s.isGroup() {
			return shape{}, false
		}
		if s, ok = s.child(name); !ok {
			return shape{}, false
		}
	}
	return s, true
}

// wholeEntry returns how much of a path names an entry that is replaced as one,
// zero if nothing does.
func wholeEntry(path []string) int {
	if s, ok := shapeAt(path[:1]); ok && s.whole && len(path) > 1 {
		return 2
	}
	return 0
}

// put sets the value of a leaf.
func put(v reflect.Value, path []string, value any) {
	if len(path) == 0 {
		if v.Kind() == reflect.Pointer {
			pointed := reflect.New(v.Type().Elem())
			pointed.Elem().Set(reflect.ValueOf(value))
			value = pointed.Interface()
		}
		v.Set(reflect.ValueOf(value))
		return
	}
	if v.Kind() == reflect.Map {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		// An entry of a map can't be set in place.
		entry := reflect.New(v.Type().Elem()).Elem()
		if held := v.MapIndex(reflect.ValueOf(path[0])); held.IsValid() {
			entry.Set(held)
		}
		put(entry, path[1:], value)
		v.SetMapIndex(reflect.ValueOf(path[0]), entry)
		return
	}
	put(v.Field(slices.Index(shape{typ: v.Type()}.keys(), path[0])), path[1:], value)
}

// leaves calls yield for every value that is set, in the order of the struct
// and, in maps, of the names.
func leaves(v reflect.Value, path []string, yield func(path []string, v reflect.Value)) {
	s := shape{typ: v.Type()}
	switch {
	case s.isLeaf():
		yield(slices.Clone(path), v)
	case s.isMap():
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			leaves(v.MapIndex(key), append(path, key.String()), yield)
		}
	default:
		for i, key := range s.keys() {
			leaves(v.Field(i), append(path, key), yield)
		}
	}
}
