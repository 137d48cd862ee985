package shop

import (
	"slices"
	"strings"
)

// Mentions reports whether one of the texts holds every word, in upper or lower case.
func Mentions(words string, texts ...string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), word) }) {
			return false
		}
	}
	return true
}
