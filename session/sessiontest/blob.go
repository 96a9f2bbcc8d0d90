package sessiontest

import (
	"bytes"
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

func blobs(k *kit) {
	store := k.store.Blobs()
	_, err := store.Get(k.ctx, blob.Of([]byte("missing")))
	k.wantError("Get of a blob that is not there", err, blob.ErrNotFound)
	_, err = store.Get(k.ctx, "")
	k.wantError("Get of no digest", err, blob.ErrNotFound)

	var large []byte
	for i := 0; len(large) < 3<<20; i++ {
		large = fmt.Append(large, i)
	}
	contents := [][]byte{{}, []byte("a"), []byte("\x00\xff\r\n"), large}
	for range 2 {
		for _, content := range contents {
			buffer := bytes.Clone(content)
			digest, err := store.Put(k.ctx, buffer)
			if err != nil || digest != blob.Of(content) {
				k.Fatalf("Put of %d bytes: %s, %v", len(content), digest, err)
			}
			clear(buffer)
		}
	}
	for _, content := range contents {
		have, err := store.Get(k.ctx, blob.Of(content))
		if err != nil || !bytes.Equal(have, content) {
			k.Errorf("Get: %d bytes that are not the %d that were put, %v", len(have), len(content), err)
		}
	}

	// They belong to no session, and outlive the one that named them.
	m := k.filled(1)
	k.append(m.ID, 1, session.Prepared{Provider: "echo", Digest: blob.Of(nil), Blobs: []blob.Digest{blob.Of(contents[1])}})
	k.delete(m.ID)
	if _, err := k.store.Blobs().Get(k.ctx, blob.Of(contents[1])); err != nil {
		k.Errorf("Get after the session was deleted: %v", err)
	}

	together(8, func(i int) {
		for n := range 20 {
			content := fmt.Appendf(nil, "content %d", (i+n)%10)
			digest, err := store.Put(k.ctx, content)
			if err != nil {
				k.Errorf("Put while others put: %v", err)
				return
			}
			if have, err := store.Get(k.ctx, digest); err != nil || !bytes.Equal(have, content) {
				k.Errorf("Get while others put: %q, %v", have, err)
				return
			}
		}
	})
}
