-- Where the last request and the last compaction of each log are, so that a long
-- session is opened without looking for them. They are columns and not an index:
-- an append writes this row in any case.
ALTER TABLE session ADD COLUMN prepared  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;

UPDATE session SET
	prepared = coalesce((SELECT max(place) & 4294967295 FROM entry
		WHERE place BETWEEN session.key << 32 AND (session.key << 32) + 4294967295 AND json_extract(body, '$.kind') = 'prepared'), 0),
	compacted = coalesce((SELECT max(place) & 4294967295 FROM entry
		WHERE place BETWEEN session.key << 32 AND (session.key << 32) + 4294967295 AND json_extract(body, '$.kind') = 'compacted'), 0);
