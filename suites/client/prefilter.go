package client

// Telling quickly that a text holds none of many words: most texts that are recorded hold no secret.

import (
	"slices"
	"strings"
)

// prefilter finds words by their first minSecret bytes. It does not change once it is made.
type prefilter struct {
	marks [1 << markBits / 64]uint64 // a bit for each mark of a word's beginning
	words map[uint32][]string        // by beginning
}

const markBits = 16 // of a mark

// newPrefilter looks for words of at least minSecret bytes.
func newPrefilter(words ...string) *prefilter {
	p := &prefilter{words: map[uint32][]string{}}
	for _, word := range words {
		var beginning uint32
		for i := range minSecret {
			beginning = shift(beginning, word[i])
		}
		p.marks[mark(beginning)/64] |= 1 << (mark(beginning) % 64)
		p.words[beginning] = append(p.words[beginning], word)
	}
	return p
}

// matches reports whether the text holds one of the words.
func (p *prefilter) matches(text string) bool {
	var seen uint32
	for i := range len(text) {
		seen = shift(seen, text[i])
		if n := mark(seen); p.marks[n/64]&(1<<(n%64)) != 0 && i+1 >= minSecret && p.begins(text[i+1-minSecret:], seen) {
			return true
		}
	}
	return false
}

func (p *prefilter) begins(text string, beginning uint32) bool {
	return slices.ContainsFunc(p.words[beginning], func(word string) bool { return strings.HasPrefix(text, word) })
}

// shift puts one more byte behind the latest minSecret bytes.
func shift(seen uint32, next byte) uint32 { return seen>>8 | uint32(next)<<24 }

// mark spreads beginnings evenly over fewer bits: the factor is 2³² divided by the golden ratio.
func mark(beginning uint32) uint32 { return beginning * 0x9E3779B1 >> (32 - markBits) }
