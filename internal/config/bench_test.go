package config

import "testing"

// BenchmarkNothing is what every prompt pays where nobody configured anything.
func BenchmarkNothing(b *testing.B) {
	w := newWorld(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		o := w.options()
		if _, err := Load(o); err != nil {
			b.Fatal(err)
		}
		if err := NewConsent(o.Project).Load(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBoth reads two files of the usual size, of a project that is
// trusted.
func BenchmarkBoth(b *testing.B) {
	w := newWorld(b, map[string]string{userConfig: everything, projectConfig: everything, "AGENTS.md": "See @docs/style.md\n", "docs/style.md": "short\n"})
	p := w.open()
	s, err := p.Snapshot()
	if err == nil {
		err = p.Agree(s, testTime)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if l, err := Load(w.options()); err != nil || len(l.Blocked) > 0 {
			b.Fatal(err, l.Blocked)
		}
	}
}
