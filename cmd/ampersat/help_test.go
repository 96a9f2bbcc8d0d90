package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionLine(t *testing.T) {
	built := func(settings ...debug.BuildSetting) *debug.BuildInfo { return &debug.BuildInfo{Settings: settings} }
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "1f2e3d"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, test := range []struct {
		version string
		info    *debug.BuildInfo
		want    string
	}{
		{"v1.2.3", built(revision), "ampersat version v1.2.3"},
		{"", nil, "ampersat (built from source)"},
		{"", built(modified), "ampersat (built from source)"},
		{"", built(revision), "ampersat (built from source, commit 1f2e3d)"},
		{"", built(revision, modified), "ampersat (built from source, commit 1f2e3d, changed since)"},
	} {
		if have := versionLine(test.version, test.info); have != test.want {
			t.Errorf("%q, want %q", have, test.want)
		}
	}
}
