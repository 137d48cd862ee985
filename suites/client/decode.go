package client

// Reading the escapes of JSON, addresses, HTML, source code and shell lines, whichever stands where, with the places they had.

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodings is how many times one escape may stand within another: a text that is decoded that often is as plain as it gets.
const decodings = 8

// longestEscape is the length of the longest escape that is read, in bytes: two halves of a character, \ud83d\ude00.
const longestEscape = 12

// isEscape reports whether a byte may begin an escape.
func isEscape(c byte) bool { return strings.IndexByte(escapes, c) >= 0 }

const escapes = "%\\&'\r\n\x00"

// decoded is a text without its outermost escapes.
type decoded struct {
	text   string
	places []int32 // for each byte of the text and for its end, where that is in the original; nil: at the same place
}

// place returns where in the original a byte of the text begins.
func (d decoded) place(at int) int {
	if d.places == nil {
		return at
	}
	return int(d.places[at])
}

// next decodes once more. It returns false where there is nothing to decode.
func (d decoded) next() (decoded, bool) {
	first := firstEscape(d.text)
	if first < 0 {
		return d, false
	}
	text := append(make([]byte, 0, len(d.text)), d.text[:first]...)
	places := make([]int32, 0, len(d.text)+1)
	for i := range first {
		places = append(places, int32(d.place(i)))
	}
	for i := first; i < len(d.text); {
		before := len(text)
		taken := 0
		if text, taken = appendDecoded(text, d.text[i:]); taken == 0 {
			text, taken = append(text, d.text[i]), 1
		}
		for range text[before:] {
			places = append(places, int32(d.place(i)))
		}
		i += taken
	}
	return decoded{string(text), append(places, int32(d.place(len(d.text))))}, true
}

// firstEscape returns where the first escape begins, -1 where there is none.
func firstEscape(text string) int {
	var room [utf8.UTFMax]byte
	for at := 0; ; at++ {
		next := strings.IndexAny(text[at:], escapes)
		if next < 0 {
			return -1
		}
		at += next
		if _, taken := appendDecoded(room[:0], text[at:]); taken > 0 {
			return at
		}
	}
}

// appendDecoded appends what the escape at the beginning of a text stands for, and returns its length, 0 where there is none. Line
// breaks, which base64 may have, and the zeros of UTF-16 stand for nothing.
func appendDecoded(out []byte, text string) ([]byte, int) {
	switch text[0] {
	case '%':
		if len(text) >= 3 {
			if n, err := strconv.ParseUint(text[1:3], 16, 8); err == nil {
				return append(out, byte(n)), 3
			}
		}
	case '\\':
		return appendUnescaped(out, text)
	case '&':
		if end := strings.IndexByte(text[:min(len(text), longestEscape)], ';'); end > 0 {
			if plain := html.UnescapeString(text[:end+1]); plain != text[:end+1] {
				return append(out, plain...), end + 1
			}
		}
	case '\'':
		if strings.HasPrefix(text, quoteInQuotes) {
			return append(out, '\''), len(quoteInQuotes)
		}
	case '\r', '\n', 0:
		return out, 1
	}
	return out, 0
}

// appendUnescaped reads the escapes that begin with a backslash.
func appendUnescaped(out []byte, text string) ([]byte, int) {
	if len(text) >= 2 && strings.IndexByte(`"'/`, text[1]) >= 0 {
		return append(out, text[1]), 2
	}
	if high, ok := codeUnit(text); ok && utf16.IsSurrogate(high) {
		if low, ok := codeUnit(text[6:]); ok {
			return utf8.AppendRune(out, utf16.DecodeRune(high, low)), 12
		}
		return out, 0
	}
	if point, taken := codePoint(text); taken > 0 {
		return utf8.AppendRune(out, point), taken
	}
	char, isText, rest, err := strconv.UnquoteChar(text, 0)
	switch {
	case err != nil:
		return out, 0
	case isText:
		return utf8.AppendRune(out, char), len(text) - len(rest)
	}
	return append(out, byte(char)), len(text) - len(rest)
}

// codePoint reads \u{, as many digits as a character needs, and }. It returns the length too, 0 where there is none.
func codePoint(text string) (rune, int) {
	end := strings.IndexByte(text[:min(len(text), longestEscape)], '}')
	if !strings.HasPrefix(text, `\u{`) || end < 0 {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[len(`\u{`):end], 16, 21)
	if err != nil {
		return 0, 0
	}
	return rune(n), end + 1
}

// codeUnit reads \u and four digits.
func codeUnit(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
