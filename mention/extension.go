package mention

import "strings"

// hasKnownExtension reports whether the last segment of a path ends in a
// well-known file extension.
func hasKnownExtension(path string) bool {
	last := path[strings.LastIndexAny(path, `/\`)+1:]
	dot := strings.LastIndexByte(last, '.')
	return dot >= 0 && isKnownExtension(last[dot+1:])
}

// isKnownExtension reports whether a name that ends in this extension plainly
// is a file. Extensions that also end host names, handles or method calls in
// everyday text (.com, .org, .io, .app, .name, .get) are not in the list. A
// switch costs nothing at start-up.
func isKnownExtension(extension string) bool {
	if len(extension) > 12 {
		return false
	}
	switch strings.ToLower(extension) {
	case "md", "mdx", "markdown", "rst", "adoc", "asciidoc", "txt", "text", "tex", "bib", "log", "pdf", "doc", "docx", "odt", "rtf", "epub",
		"go", "mod", "sum", "work", "py", "pyi", "pyx", "ipynb", "rb", "erb", "rake", "gemspec", "php", "pl", "pm", "lua", "r", "rmd", "jl",
		"js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "astro", "html", "htm", "xhtml", "css", "scss", "sass", "less", "wasm", "wat",
		"c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "cs", "csproj", "sln", "fs", "fsx", "vb", "swift", "rs", "zig", "nim", "v", "d", "asm", "s",
		"java", "kt", "kts", "scala", "sbt", "groovy", "gradle", "clj", "cljs", "edn", "ex", "exs", "erl", "hrl", "hs", "lhs", "ml", "mli", "elm", "dart", "sol",
		"sh", "bash", "zsh", "fish", "ps1", "psm1", "bat", "cmd", "awk", "sed", "vim", "el", "lisp", "scm", "rkt",
		"json", "jsonl", "json5", "jsonc", "ndjson", "yaml", "yml", "toml", "ini", "cfg", "conf", "config", "properties", "env", "xml", "xsd", "xsl", "xslt", "plist", "svg",
		"csv", "tsv", "parquet", "sql", "sqlite", "db", "proto", "graphql", "gql", "thrift", "avsc", "prisma", "tf", "tfvars", "hcl", "nix", "bzl", "bazel", "cmake", "mk", "dockerfile",
		"png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "tif", "tiff", "avif", "heic", "mp3", "mp4", "wav", "webm", "mov", "ogg",
		"zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "jar", "whl", "lock", "patch", "diff", "map", "pem", "crt", "key", "cer",
		"xlsx", "xls", "pptx", "ppt", "tmpl", "tpl", "j2", "hbs", "ejs", "pug", "snap", "golden", "http", "rest", "puml", "mmd", "drawio", "ics", "eml", "srt", "vtt", "po", "mo", "lst", "out", "orig", "bak", "tmp", "gitignore":
		return true
	}
	return false
}
