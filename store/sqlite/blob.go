package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ampersat/ampersat/blob"
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
		err = blob.ErrNotFound
	} else if err == nil && blob.Of(data) != digest {
		err = b.damaged("a blob is not what was written")
	}
	if err != nil {
		return nil, within(err, "get blob %s", digest.Short())
	}
	return data, nil
}
