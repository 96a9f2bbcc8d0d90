-- What the store knows about itself: one row.
CREATE TABLE store (
	one    INTEGER PRIMARY KEY CHECK (one = 1),
	-- The oldest format whose programs can still read this one.
	reader INTEGER NOT NULL,
	-- The last lease token that was given out. It only grows.
	token  INTEGER NOT NULL
) STRICT;

INSERT INTO store (one, reader, token) VALUES (1, 1, 0);

-- Times are microseconds since 1970, in UTC.
CREATE TABLE session (
	-- Never given twice, so that a loop over a log that is deleted and created
	-- again meanwhile does not go on in the other one.
	key     INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT    NOT NULL UNIQUE,
	title   TEXT    NOT NULL,
	dir     TEXT    NOT NULL,
	parent  TEXT    NOT NULL,
	fork_of TEXT    NOT NULL,
	fork_at INTEGER NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	head    INTEGER NOT NULL,
	-- The last lease; a token of zero if there was none or it was released.
	token   INTEGER NOT NULL DEFAULT 0,
	holder  TEXT    NOT NULL DEFAULT '',
	until   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Sessions are listed by their last change, a page at a time.
CREATE INDEX session_by_change ON session (updated, id);

-- An entry is found by its place alone: session.key * 2^32 + seq. So a log lies
-- in one piece, and an append writes to one tree instead of two.
CREATE TABLE entry (
	place INTEGER PRIMARY KEY,
	time  INTEGER NOT NULL,
	-- CRC-32C of body. SQLite does not see a page whose bytes have changed as
	-- long as its structure holds.
	sum   INTEGER NOT NULL,
	body  TEXT    NOT NULL
) STRICT;

-- For people who look into the file with other tools.
CREATE VIEW log AS
SELECT session.id AS session, entry.place & 4294967295 AS seq, entry.time AS time, entry.body AS body
FROM session JOIN entry ON entry.place BETWEEN session.key << 32 AND (session.key << 32) + 4294967295;

CREATE TABLE blob (
	digest TEXT NOT NULL UNIQUE,
	data   BLOB NOT NULL
) STRICT;
