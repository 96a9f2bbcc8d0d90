// Package sqlite keeps sessions in one file, for any number of processes at
// once. It needs no server and no C compiler.
//
// [Open] gives a [session.Store]. One connection writes, several read, and
// readers do not wait for the writer. Each is opened when it is first needed.
// What decides and what changes (the head of a log, a lease) is read and written
// in one transaction that has the right to write from its beginning; other
// processes wait for it, for the time of [Options.Wait].
//
// # What is promised
//
// When Append, Lease or Put returns, what it wrote is on the disk (write-ahead
// log, synchronous=FULL). A process that is killed, or a disk that is full,
// leaves everything that was acknowledged and nothing that is half written. The
// file must be on a local disk: the processes share memory beside it.
//
// The file, its -wal and its -shm are for their owner alone, and so is a folder
// that Open creates. The log of a deleted session is overwritten. Contents that
// are kept by digest (files as they were read, pictures, documents) stay, since other
// sessions may have them too, until [Prune] removes those that none has.
//
// # Versions
//
// The file knows its format. An older one is brought up to date by Open, in one
// transaction. One that a newer version wrote can still be read, and what this
// version does not know in it is handed on as it is; every method that would
// write returns an [ErrNewer], and [Store.ReadOnly] says so beforehand. The same
// happens to a program that is running when a newer one migrates the file.
//
// # Damage
//
// Each entry has a checksum, each blob its digest; SQLite finds what is wrong
// with the tree around them. What cannot be trusted is an [ErrDamaged] that
// names the file, never a wrong answer. Only what has no checksum is not looked at
// beyond that: the times of entries, and the rows of sessions with their titles. A
// content that an index does not find any more is found without it. [Salvage]
// exports what can still be read as JSON Lines, and says what is lost.
//
// # In the file
//
// A log lies in one piece: the row id of an entry is that of its session and its
// Seq in one number. A fork is a copy. Contents are kept once, by digest. The
// view named log shows it all to other tools:
//
//	sqlite3 sessions.db "SELECT seq, body FROM log WHERE session = '...'"
package sqlite
