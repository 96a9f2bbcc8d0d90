// Package symbol knows the declarations in source code, and the sections of a
// document.
//
// [Resolver] is an [ampersat.Resolver] for [mention.Symbol]: it has another
// resolver read the file, by the rules for files, and takes out what the name
// means, with the comment above it.
//
//   - Of Go by its parser: functions, methods as T.M, types with their fields and
//     methods, constants and variables. A constant whose value follows from those
//     before it brings the whole group.
//   - Of Markdown the sections, by the text of the heading or by its anchor, up to
//     the next heading of the same level or of a higher one.
//   - Of anything else by words that declare (class, def, fn) and by indentation,
//     which finds most of what people write by hand. Where it is known how a
//     language writes comments and strings, what stands in these declares nothing
//     and ends nothing, and brackets that are open go on; the rest is read as it is.
//
// A name may leave out what it is in, if it is clear what is meant; otherwise the
// miss names all that it could be. Where nothing is found, but an editor said in
// which lines it is, these lines count.
//
// [Outline] shortens a file that is too long for its share of the budget: the
// declarations stay, their bodies go, except for those that the prompt is about,
// which come first where not even all declarations fit.
package symbol
