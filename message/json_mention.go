package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/mention"
)

func (r *Ref) describe(s *shape) {
	if s.writing {
		r.write(s)
		return
	}
	text(s, "written", &r.Written)
	text(s, "captured", &r.Captured)
	r.read(s)
}

// write puts the mention's members among those of the part.
func (r *Ref) write(s *shape) {
	object, err := mention.Encode(r.Mention)
	if err != nil {
		s.fail("", err)
		return
	}
	own, _, err := appendMembers(nil, object)
	if err != nil {
		s.fail("", err)
		return
	}
	for _, m := range own {
		// A mention of a kind that is not known keeps whatever stood beside it;
		// what the part itself has a field for is the part's to say.
		switch name := string(m.name); {
		case name == tag, name == "written" && r.Written != "", name == "captured" && r.Captured != "":
			continue
		}
		s.overrule(string(m.name))
		s.comma()
		s.out = append(s.out, m.key...)
		s.out = append(s.out, ':')
		s.out = append(s.out, m.value...)
	}
	text(s, "written", &r.Written)
	text(s, "captured", &r.Captured)
}

// read takes the mention's members. The mention must write what was read, or
// else something would be lost: members that it leaves out stay in the rest,
// and if it adds one or says it differently it is not the mention that was
// read.
func (r *Ref) read(s *shape) {
	object := s.remaining()
	if object == nil {
		s.fail("kind", errors.New("it is missing"))
		return
	}
	m, _, err := mention.Decode(object)
	if err != nil {
		s.fail("", err)
		return
	}
	r.Mention = m
	if _, unknown := m.(mention.Unknown); unknown {
		for i := range s.members {
			s.members[i].taken = true
		}
		return
	}
	again, err := mention.Encode(m)
	if err != nil {
		s.fail("", err)
		return
	}
	var room [8]member
	written, _, err := appendMembers(room[:0], again)
	if err != nil {
		s.fail("", err)
		return
	}
	for _, w := range written {
		was := s.find(string(w.name))
		if was == nil {
			s.fail(string(w.name), errors.New("it is missing"))
			return
		}
		if !bytes.Equal(was.value, w.value) && (was.value[0] != '"' || w.value[0] != '"') {
			s.fail(string(w.name), fmt.Errorf("want %s, have %s", w.value, was.value))
			return
		}
		was.taken = true
	}
}
