//go:build soak && linux

package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ampersat/ampersat/session"
)

// The same as TestFullDisk on a disk that really is full: a small one of its
// own, which grows later.
func TestAFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("a file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	store := opened(t, filepath.Join(dir, "sessions.db"), Options{})
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	var head session.Seq
	var err error
	add := func() {
		var next session.Seq
		if next, err = store.Append(ctx, m.ID, head, session.NoLease, note("%d %s", head+1, strings.Repeat("x", 3000))); err == nil {
			head = next
		}
	}
	for err == nil && head < 1000 {
		add()
	}
	if !errors.Is(err, ErrFull) || head == 0 {
		t.Fatalf("after %d entries: %v, want an ErrFull", head, err)
	}
	whole := func() {
		t.Helper()
		log := records(t, store, m.ID)
		if len(log) != int(head) {
			t.Fatalf("have %d records, want %d", len(log), head)
		}
		for i, r := range log {
			if !strings.HasPrefix(r.Entry.(session.Note).Name, fmt.Sprintf("%d x", i+1)) {
				t.Fatalf("record %d is %.20q", i+1, r.Entry.(session.Note).Name)
			}
		}
		integrity(t, store)
	}
	whole()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Fatal(err)
	}
	err = nil
	for range 20 {
		if add(); err != nil {
			t.Fatal(err)
		}
	}
	whole()
}

// The same as TestKilledProcessOnAFullDisk on disks that really are full.
func TestKilledProcessOnAFullFileSystem(t *testing.T) {
	for kill := range kills {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
			t.Skipf("a file system cannot be mounted here: %v", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, 0) }) // if the test failed
		path := filepath.Join(dir, "sessions.db")
		acknowledged := killWhileFull(t, path, kill)
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
			t.Fatal(err)
		}
		survived(t, path, acknowledged, kill)
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Fatal(err)
		}
	}
}
