// Package git resolves mentions of differences in a repository, by asking the
// git command. It is an [ampersat.Resolver] for [mention.GitDiff].
//
//	@diff             the work tree against HEAD, untracked files included
//	@diff:staged      what is staged, against HEAD
//	@diff:main        the work tree against main, untracked files included
//	@diff:A..B        from A to B
//	@diff:A...B       from where A and B parted to B
//	@commit:REF       what a commit changed, after its message
//
// The result is a unified diff of the whole repository, with paths from its
// top, in git's own order; files that were renamed are shown as such, even if
// the new name is not tracked yet. A merge commit is shown against its first
// parent, a first commit against nothing. Of a submodule the commit that
// it stands at is shown; one in which something is not committed is named, where
// the work tree is compared. Where there is no difference, a sentence says so.
//
// # A repository that nobody vouches for
//
// A repository's configuration can name programs, and git would run them. Here
// it runs none: the monitor of the file system, hooks, filters, external diffs,
// text conversions, signatures, pagers and the fetching of missing objects are
// off, whatever the configuration, the attributes and the environment say.
// Filters being off, a changed file that has one is compared as it lies on
// disk. Variables named GIT_ do not reach git, except for those that say where
// the person's own configuration is. A repository of another owner, one hidden
// among ordinary files, and one that claims a work tree elsewhere are refused.
// A ref is never read as an option: git sees it once, to verify it, and from
// then on its hash.
//
// Nothing is written into the repository: untracked files are entered in a copy
// of its index.
//
// # Secrets
//
// A file that holds secrets by its name is left out, with a line in its place, and
// so is one of which a hunk, or its heading, shows a part of a secret. To tell, git is asked a
// second time, for whole files: a line from the middle of a key says nothing.
// What the person allowed for a file counts for its diff.
//
// # Bounds
//
// What git says is read as it comes. Of a diff that is longer than the caller
// can use the smallest files are held, whole, and the others named. There is
// one time limit for all that a mention needs; when it is over, or the context
// is, git ends and with it whatever it started.
package git
