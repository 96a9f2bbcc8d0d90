// Package ignore lists the files of a folder that are not ignored, and says of
// one file whether it is, and by which line of which file.
//
// [List] lists a folder on disk. In a git work tree it asks git, so that what
// is tracked, the user's own core.excludesFile and every version's fine points
// count exactly as the user knows them; git runs with nothing that a
// repository's configuration could make it start. Elsewhere, without git, and
// where git refuses, the folder is walked and the rules are read here.
// [ListFS] does the latter for any [fs.FS]. [Ignored] is for one file that
// somebody named. [Matcher] is the rules alone; its [Matcher.Perhaps] is how to
// know, without starting git, that git need not be asked: git's configuration is
// read here as far as it names files of rules, and what depends on conditions
// in it is left to git.
//
// # Rules
//
// Three sorts of file hold patterns, in any folder, all in the syntax of
// gitignore(5). From the strongest to the weakest:
//
//   - .ampersatignore, for Ampersat alone;
//   - .ignore, which search tools read too;
//   - .gitignore, then the repository's info/exclude, which all its work trees
//     share, then the file that core.excludesFile names. The latter two are for
//     trees on disk, elsewhere only .git/info/exclude.
//
// The sorts are layers: the strongest layer in which any pattern matches
// decides. Within a layer the file nearest to the path decides, and within a
// file the last line that matches. So "!dist/" in .ignore shows a folder that
// .gitignore hides, and a line in .ampersatignore hides a file that git
// tracks. A pattern of the git layer never hides a tracked file. What lies in
// an ignored folder is ignored, whatever is said of it further down.
//
// Rules begin at the top of the work tree or, where there is none, at the root
// that the caller gives. A repository inside another (a submodule, or a clone
// in a subfolder) is listed by its own git rules: those of the outer one decide
// only whether it is entered. The other layers pass such borders.
//
// Outside of git's listing the folders of version control, .git .hg .svn .jj,
// are never entered. Nothing else is ignored without a rule: not node_modules,
// no hidden files.
//
// A folder that is itself ignored, or lies in one that is, is listed all the
// same when it is the one asked for: rules from above it then do not count, and
// [Listing.Ignored] says which of them hides it.
//
// # What is listed
//
// Regular files and symbolic links, the latter as what they are: no link is
// followed, so there are no loops and no way out of the root. Pipes, devices
// and sockets are not listed and never opened. A folder that cannot be read is
// a [Problem], and the rest is listed; so is a repository that git would not
// list, or not in time, and that was walked instead.
//
// # Matching
//
// Patterns are matched byte by byte as git does, and always with regard to
// case. A pattern is compiled once; matching takes no more than polynomial
// time, whatever the pattern, since only the last star of each sort is ever
// tried again.
package ignore
