package client

// Telling quickly that a text holds none of many words: most texts that are recorded hold no secret.

import (
	"slices"
	"strings"
)

// sieve finds words by their first minSecret bytes. It does not change once it is made.
type sieve struct {
	marks [1 << sieveBits / 64]uint64 // a bit for each mark of a word's beginning
	words map[uint32][]string         // by beginning
}

const sieveBits = 16 // of a mark

// newSieve looks for words of at least minSecret bytes.
func newSieve(words ...string) *sieve {
	s := &sieve{words: map[uint32][]string{}}
	for _, word := range words {
		var beginning uint32
		for i := range minSecret {
			beginning = shift(beginning, word[i])
		}
		s.marks[mark(beginning)/64] |= 1 << (mark(beginning) % 64)
		s.words[beginning] = append(s.words[beginning], word)
	}
	return s
}

// catches tells whether the text holds one of the words.
func (s *sieve) catches(text string) bool {
	var seen uint32
	for i := range len(text) {
		seen = shift(seen, text[i])
		if n := mark(seen); s.marks[n/64]&(1<<(n%64)) != 0 && i+1 >= minSecret && s.begins(text[i+1-minSecret:], seen) {
			return true
		}
	}
	return false
}

func (s *sieve) begins(text string, beginning uint32) bool {
	return slices.ContainsFunc(s.words[beginning], func(word string) bool { return strings.HasPrefix(text, word) })
}

// shift puts one more byte behind the latest minSecret bytes.
func shift(seen uint32, next byte) uint32 { return seen>>8 | uint32(next)<<24 }

// mark spreads beginnings evenly over fewer bits: the factor is 2³² divided by the golden ratio.
func mark(beginning uint32) uint32 { return beginning * 0x9E3779B1 >> (32 - sieveBits) }
