package shop

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Mentions reports whether one of the texts holds every word, in upper or lower case.
func Mentions(words string, texts ...string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !slices.ContainsFunc(texts, func(text string) bool { return containsFolded(text, word) }) {
			return false
		}
	}
	return true
}

// containsFolded reports whether a text holds a word of lower case. Texts of ASCII are not copied for it: a search looks at those of all
// records.
func containsFolded(text, word string) bool {
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] >= utf8.RuneSelf:
			return strings.Contains(strings.ToLower(text), word)
		case lowerASCII(text[at]) == word[0] && beginsFolded(text[at:], word):
			return true
		}
	}
	return false
}

// beginsFolded reports whether a text begins with a word of lower case, both as far as ASCII goes.
func beginsFolded(text, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if lowerASCII(text[i]) != word[i] {
			return false
		}
	}
	return true
}

func lowerASCII(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
