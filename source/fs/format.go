package fs

import (
	"bytes"
	"strings"
)

// format is what sort of file it is. The zero value is what may be text.
type format struct {
	mime string
	name string
}

// isMedia reports whether models look at files of the format themselves.
func (f format) isMedia() bool {
	_, isImage := decoderFor(f.mime)
	return isImage || f.mime == "application/pdf"
}

var unknownFormat = format{"application/octet-stream", "binary file"}

// signature is bytes that files of a format have at an offset.
type signature struct {
	offset int
	magic  string
	format
}

// signatures are those of the formats that people have in their projects. A
// format that begins like text is not among them.
var signatures = [...]signature{
	{0, "\x89PNG\r\n\x1a\n", format{"image/png", "PNG image"}},
	{0, "\xFF\xD8\xFF", format{"image/jpeg", "JPEG image"}},
	{0, "GIF87a", format{"image/gif", "GIF image"}},
	{0, "GIF89a", format{"image/gif", "GIF image"}},
	{0, "II*\x00", format{"image/tiff", "TIFF image"}},
	{0, "MM\x00*", format{"image/tiff", "TIFF image"}},
	{0, "\x00\x00\x01\x00", format{"image/x-icon", "icon"}},
	{4, "ftypavif", format{"image/avif", "AVIF image"}},
	{4, "ftypheic", format{"image/heic", "HEIC image"}},
	{4, "ftypmif1", format{"image/heif", "HEIF image"}},
	{4, "ftypqt", format{"video/quicktime", "QuickTime video"}},
	{4, "ftypM4A", format{"audio/mp4", "MP4 audio"}},
	{4, "ftyp", format{"video/mp4", "MP4 video"}},
	{0, "%PDF-", format{"application/pdf", "PDF"}},
	{0, "PK\x03\x04", format{"application/zip", "ZIP archive"}},
	{0, "PK\x05\x06", format{"application/zip", "ZIP archive"}},
	{0, "\x1f\x8b", format{"application/gzip", "gzip file"}},
	{0, "BZh", format{"application/x-bzip2", "bzip2 file"}},
	{0, "\xFD7zXZ\x00", format{"application/x-xz", "xz file"}},
	{0, "\x28\xB5\x2F\xFD", format{"application/zstd", "zstd file"}},
	{0, "7z\xBC\xAF\x27\x1C", format{"application/x-7z-compressed", "7z archive"}},
	{0, "Rar!\x1a\x07", format{"application/vnd.rar", "RAR archive"}},
	{257, "ustar", format{"application/x-tar", "tar archive"}},
	{0, "\x7fELF", format{"application/x-elf", "ELF program"}},
	{0, "\xCF\xFA\xED\xFE", format{"application/x-mach-binary", "Mach-O program"}},
	{0, "\xCE\xFA\xED\xFE", format{"application/x-mach-binary", "Mach-O program"}},
	{0, "\xCA\xFE\xBA\xBE", format{"application/java-vm", "Java class"}},
	{0, "\x00asm", format{"application/wasm", "WebAssembly module"}},
	{0, "SQLite format 3\x00", format{"application/vnd.sqlite3", "SQLite database"}},
	{0, "OggS\x00", format{"audio/ogg", "Ogg file"}},
	{0, "fLaC\x00", format{"audio/flac", "FLAC audio"}},
	{0, "\x1A\x45\xDF\xA3", format{"video/webm", "Matroska video"}},
	{0, "wOFF", format{"font/woff", "WOFF font"}},
	{0, "wOF2", format{"font/woff2", "WOFF2 font"}},
	{0, "\x00\x01\x00\x00\x00", format{"font/ttf", "TrueType font"}},
	{0, "OTTO\x00", format{"font/otf", "OpenType font"}},
	{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", format{"application/x-ole-storage", "Microsoft Office document"}},
}

// formatOf tells the format of a file by its beginning.
func formatOf(head []byte) format {
	if len(head) == 0 {
		return format{}
	}
	for i := range signatures {
		s := &signatures[i]
		if len(head) >= s.offset+len(s.magic) && head[s.offset] == s.magic[0] && string(head[s.offset:s.offset+len(s.magic)]) == s.magic {
			if s.mime == "application/zip" {
				return zipFormat(head, s.format)
			}
			return s.format
		}
	}
	return ambiguous(head)
}

// ambiguous tells formats whose first letters alone could begin a text.
func ambiguous(head []byte) format {
	binary := bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0
	if !binary {
		return format{}
	}
	begins := func(magic string) bool { return strings.HasPrefix(string(head[:min(len(head), 16)]), magic) }
	riff := begins("RIFF") && len(head) >= 12
	switch {
	case riff && string(head[8:12]) == "WEBP":
		return format{"image/webp", "WebP image"}
	case riff && string(head[8:12]) == "WAVE":
		return format{"audio/wav", "WAV audio"}
	case riff && string(head[8:12]) == "AVI ":
		return format{"video/x-msvideo", "AVI video"}
	case begins("BM"):
		return format{"image/bmp", "BMP image"}
	case begins("MZ"):
		return format{"application/vnd.microsoft.portable-executable", "Windows program"}
	case begins("ID3"):
		return format{"audio/mpeg", "MP3 audio"}
	}
	return format{}
}

// zipFormat tells the formats that are ZIP archives inside, by the names of
// their first files.
func zipFormat(head []byte, otherwise format) format {
	names := head[:min(len(head), 4096)]
	has := func(name string) bool { return bytes.Contains(names, []byte(name)) }
	const office = "application/vnd.openxmlformats-officedocument."
	switch {
	case has("word/"):
		return format{office + "wordprocessingml.document", "Word document"}
	case has("xl/"):
		return format{office + "spreadsheetml.sheet", "Excel workbook"}
	case has("ppt/"):
		return format{office + "presentationml.presentation", "PowerPoint presentation"}
	case has("mimetypeapplication/epub+zip"):
		return format{"application/epub+zip", "EPUB book"}
	case has("mimetypeapplication/vnd.oasis.opendocument"):
		return format{"application/vnd.oasis.opendocument", "OpenDocument file"}
	case has("META-INF/"):
		return format{"application/java-archive", "Java archive"}
	}
	return otherwise
}
