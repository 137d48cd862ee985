package client

// Finding any of many patterns in a text, whatever the case of its letters: most texts that are recorded hold none.

import (
	"maps"
	"slices"
	"strings"
)

// pattern is what is looked for.
type pattern struct {
	text     string // folded; of at least minSecret bytes
	variable string // what a shell line shows in its place; empty: nothing but that it was hidden
	encoded  bool   // in base64, where the characters beside it hold a part of it, too
	hint     bool   // it is no secret: what stands behind it may be one
}

// patterns finds them by their first minSecret bytes.
type patterns struct {
	folds [256]byte                  // each byte as patterns are compared
	marks [1 << markBits / 64]uint64 // a bit for each mark of a pattern's beginning
	byKey map[uint32][]pattern       // by beginning
}

const markBits = 16 // of a mark

func newPatterns() *patterns {
	p := &patterns{byKey: map[uint32][]pattern{}}
	for n := range p.folds {
		p.folds[n] = fold(byte(n))
	}
	return p
}

// fold takes the case from letters, and makes those characters one that queries, base64 and its variant for addresses use for each
// other.
func fold(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '+', c == '-':
		return ' '
	case c == '_':
		return '/'
	}
	return c
}

func (p *patterns) folded(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = p.folds[c]
	}
	return string(out)
}

// add looks for one more pattern from now on. What is too short to be looked for, or is looked for already, is left out.
func (p *patterns) add(one pattern) {
	if len(one.text) < minSecret {
		return
	}
	one.text = p.folded(one.text)
	var beginning uint32
	for i := range minSecret {
		beginning = shift(beginning, one.text[i])
	}
	if slices.ContainsFunc(p.byKey[beginning], func(known pattern) bool { return known.text == one.text }) {
		return
	}
	p.marks[mark(beginning)/64] |= 1 << (mark(beginning) % 64)
	p.byKey[beginning] = append(slices.Clip(p.byKey[beginning]), one)
}

func (p *patterns) clone() *patterns {
	other := *p
	other.byKey = maps.Clone(p.byKey) // its lists are clipped when one is added to
	return &other
}

// each passes on every pattern of the text, with where it begins and ends. Of a pattern whose rest was cut off the beginning counts.
func (p *patterns) each(text string, isCut bool, found func(from, to int, it pattern)) {
	var seen uint32
	for i := range len(text) {
		seen = shift(seen, p.folds[text[i]])
		if n := mark(seen); p.marks[n/64]&(1<<(n%64)) == 0 || i+1 < minSecret {
			continue
		}
		from := i + 1 - minSecret
		for _, it := range p.byKey[seen] {
			length := p.common(text[from:], it.text)
			if length == len(it.text) || cutWithin(text[from:], length, isCut) {
				found(from, from+length, it)
			}
		}
	}
}

// common returns how many bytes of the pattern the text begins with.
func (p *patterns) common(text, folded string) int {
	n := 0
	for n < len(folded) && n < len(text) && p.folds[text[n]] == folded[n] {
		n++
	}
	return n
}

// cutMark stands where a text was cut off.
const cutMark = "…"

// cutWithin reports whether a text was cut off behind so many bytes of a pattern, or within an escape whose beginning is among them,
// as the & of &amp; may be the pattern's own.
func cutWithin(text string, length int, isCut bool) bool {
	for back := range min(length-minSecret+1, longestEscape) {
		if cutAfter(text[length-back:], isCut) {
			return true
		}
	}
	return false
}

// cutAfter reports whether a text was cut off at the beginning of what is left of it, or within an escape that begins there.
func cutAfter(rest string, isCut bool) bool {
	const longest = decodings * longestEscape // one in another, each of them cut
	escape := rest[:min(len(rest), longest+len(cutMark))]
	if at := strings.Index(escape, cutMark); at >= 0 {
		escape = escape[:at]
	} else if !isCut || len(rest) >= longest {
		return false
	}
	return escape == "" || beginsEscape[escape[0]]
}

// shift puts one more byte behind the latest minSecret bytes.
func shift(seen uint32, next byte) uint32 { return seen>>8 | uint32(next)<<24 }

// mark spreads beginnings evenly over fewer bits: the factor is 2³² divided by the golden ratio.
func mark(beginning uint32) uint32 { return beginning * 0x9E3779B1 >> (32 - markBits) }
