package sqlite

// Every statement that the store runs on a healthy file, besides those that
// migrate it. Those for writing are prepared once, on the one connection that
// writes.
const (
	selectFormat = `PRAGMA user_version`

	metaColumns = `id, title, dir, parent, fork_of, fork_at, created, updated, head`

	selectMeta  = `SELECT ` + metaColumns + ` FROM session WHERE id = ?`
	selectMetas = `SELECT ` + metaColumns + ` FROM session`
	listOrder   = ` ORDER BY updated DESC, id DESC`

	// selectState is what decides whether a session may be changed.
	selectState = `SELECT key, head, token, holder, until FROM session WHERE id = ?`

	insertSession = `INSERT INTO session (` + metaColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
	updateTitle   = `UPDATE session SET title = ? WHERE id = ?`
	updateHead    = `UPDATE session SET head = ?, updated = ?, prepared = max(prepared, ?), compacted = max(compacted, ?) WHERE key = ?`
	deleteSession = `DELETE FROM session WHERE key = ?`

	selectExtent  = `SELECT key, head FROM session WHERE id = ?`
	selectKey     = `SELECT count(*) FROM session WHERE key = ?`
	selectEntries = `SELECT place, time, sum, body FROM entry WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?`
	insertEntry   = `INSERT INTO entry (place, time, sum, body) VALUES (?, ?, ?, ?)`
	copyEntries   = `INSERT INTO entry (place, time, sum, body)
		SELECT place + ?, time, sum, body FROM entry WHERE place BETWEEN ? AND ? ORDER BY place`
	// forkLandmarks finds those of a fork: its own log is looked through from the
	// end, which is where they mostly are.
	forkLandmarks = `UPDATE session SET
		prepared = coalesce((SELECT place & 4294967295 FROM entry
			WHERE place BETWEEN ?1 AND ?2 AND json_extract(body, '$.kind') = 'prepared' ORDER BY place DESC LIMIT 1), 0),
		compacted = coalesce((SELECT place & 4294967295 FROM entry
			WHERE place BETWEEN ?1 AND ?2 AND json_extract(body, '$.kind') = 'compacted' ORDER BY place DESC LIMIT 1), 0)
		WHERE key = ?3`
	selectLandmarks = `SELECT key, head, prepared, compacted FROM session WHERE id = ?`
	selectLast      = `SELECT place FROM entry WHERE place BETWEEN ? AND ? AND json_extract(body, '$.kind') = ? ORDER BY place DESC LIMIT 1`

	selectLike = `SELECT place, time, sum, body FROM entry WHERE place >= ? AND body LIKE ? ESCAPE '\' ORDER BY place LIMIT ?`

	deleteEntries = `DELETE FROM entry WHERE place BETWEEN ? AND ?`

	nextToken   = `UPDATE store SET token = token + 1 RETURNING token`
	updateLease = `UPDATE session SET token = ?, holder = ?, until = ? WHERE key = ?`

	selectBlob = `SELECT data FROM blob WHERE digest = ?`
	hasBlob    = `SELECT count(*) FROM blob WHERE digest = ?`
	// What a damaged index does not find.
	hasHiddenBlob    = `SELECT EXISTS (SELECT 1 FROM blob AS kept NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM blob WHERE digest = kept.digest))`
	selectHiddenBlob = `SELECT data FROM blob NOT INDEXED WHERE digest = ?`

	insertBlob = `INSERT INTO blob (digest, data) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING`
	// What contents there are, as the table has them and as its index does.
	selectTable = `SELECT rowid, digest FROM blob NOT INDEXED`
	selectIndex = `SELECT rowid, digest FROM blob`
	deleteBlob  = `DELETE FROM blob WHERE rowid = ?`
)

// writing are the statements that transactions run.
var writing = [...]string{
	selectFormat, selectMeta, selectState, insertSession, updateTitle, updateHead, deleteSession,
	insertEntry, copyEntries, forkLandmarks, deleteEntries, nextToken, updateLease, insertBlob, deleteBlob,
}
