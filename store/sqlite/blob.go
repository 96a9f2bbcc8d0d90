package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ampersat/ampersat/blob"
	codes "modernc.org/sqlite/lib"
)

// blobs keeps contents in the same file as the sessions that name them, so that
// there is one thing to copy.
type blobs struct{ *Store }

// Put implements [blob.Store].
func (b blobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	digest := blob.Of(data)
	// The same image is put again at each turn: that should not wait for writers.
	var held int
	err := b.read(ctx, func() error {
		return b.reader.QueryRowContext(ctx, hasBlob, string(digest)).Scan(&held)
	})
	if err == nil && held == 0 {
		err = b.write(ctx, func(t *transaction) error {
			if data == nil {
				data = []byte{} // nil would be NULL
			}
			_, err := t.exec(insertBlob, string(digest), data)
			return err
		})
	}
	if err != nil {
		return "", within(err, "put blob %s", digest.Short())
	}
	return digest, nil
}

// Get implements [blob.Store].
func (b blobs) Get(ctx context.Context, digest blob.Digest) (data []byte, err error) {
	err = b.read(ctx, func() error {
		return b.reader.QueryRowContext(ctx, selectBlob, string(digest)).Scan(&data)
	})
	if errors.Is(err, sql.ErrNoRows) {
		data, err = b.unindexed(ctx, digest)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = blob.ErrNotFound
	} else if err == nil && blob.Of(data) != digest {
		err = b.damaged("a blob is not what was written")
	}
	if err != nil {
		return nil, within(err, "get blob %s", digest.Short())
	}
	return data, nil
}

// unindexed looks for content that the index does not find. All of it is gone through
// for that only where the index is damaged, which is looked at once. Where the table
// cannot be gone through, what the index says counts: content that was never kept is
// not damaged.
func (b blobs) unindexed(ctx context.Context, digest blob.Digest) (data []byte, err error) {
	if b.indexed.Load() {
		return nil, sql.ErrNoRows
	}
	err = b.read(ctx, func() error {
		var hidden bool
		err := b.reader.QueryRowContext(ctx, hasHiddenBlob).Scan(&hidden)
		if err != nil && code(err) != codes.SQLITE_CORRUPT {
			return err
		}
		if !hidden {
			b.indexed.Store(true)
			return sql.ErrNoRows
		}
		return b.reader.QueryRowContext(ctx, selectHiddenBlob, string(digest)).Scan(&data)
	})
	return data, err
}
