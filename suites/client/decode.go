package client

// Reading the escapes of JSON, addresses, HTML, source code and shell lines, whichever stands where, with the places they had.

import (
	"html"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodings is how many times one escape may stand within another: a text that is decoded that often is as plain as it gets.
const decodings = 8

// longestEscape is the length of the longest escape that is read, in bytes: two halves of a character, \ud83d\ude00.
const longestEscape = 12

// beginsEscape says of each byte whether it may begin an escape.
var beginsEscape = [256]bool{'%': true, '\\': true, '&': true, '\'': true, '\r': true, '\n': true, 0: true}

// holdsEscape reports whether a text may hold an escape: most do not.
func holdsEscape(text string) bool { return escapeIn(text, 0) < len(text) }

// escapeIn returns where the first byte from a place on is that may begin an escape, the length of the text where there is none.
func escapeIn(text string, from int) int {
	for from < len(text) && !beginsEscape[text[from]] {
		from++
	}
	return from
}

// decoded is a text without its outermost escapes.
type decoded struct {
	text  string
	outer *decoded // with them; nil where none were read
	jumps []jump   // the places where the two run apart, in their order; before the first they don't
}

// jump says where in the outer text a byte of a text begins. Those behind it, up to the next jump, follow there as they do here.
type jump struct{ at, outer int32 }

// place returns where in the original a byte of the text begins.
func (d *decoded) place(at int) int {
	for ; d.outer != nil; d = d.outer {
		if behind := sort.Search(len(d.jumps), func(n int) bool { return int(d.jumps[n].at) > at }); behind > 0 {
			last := d.jumps[behind-1]
			at += int(last.outer - last.at)
		}
	}
	return at
}

// next decodes once more. It returns false where there is nothing to decode.
func (d *decoded) next() (*decoded, bool) {
	var room [utf8.UTFMax]byte
	at, plain, taken := nextEscape(d.text, 0, room[:0])
	if taken == 0 {
		return d, false
	}
	text, jumps, end := make([]byte, 0, len(d.text)), []jump(nil), 0
	runApart := func(outer int) { jumps = append(jumps, jump{int32(len(text)), int32(outer)}) }
	for taken > 0 {
		text = append(text, d.text[end:at]...)
		for _, c := range plain { // each byte of what an escape stands for begins where that does
			runApart(at)
			text = append(text, c)
		}
		end = at + taken
		runApart(end)
		at, plain, taken = nextEscape(d.text, end, room[:0])
	}
	return &decoded{string(append(text, d.text[end:]...)), d, jumps}, true
}

// nextEscape finds the first escape from a place on: where it begins, what it stands for, which is appended to room, and its length, 0
// where there is none.
func nextEscape(text string, from int, room []byte) (at int, plain []byte, taken int) {
	for at = escapeIn(text, from); at < len(text); at = escapeIn(text, at+1) {
		if plain, taken = appendDecoded(room, text[at:]); taken > 0 {
			return at, plain, taken
		}
	}
	return 0, nil, 0
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
