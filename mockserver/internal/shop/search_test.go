package shop

import (
	"slices"
	"strings"
	"testing"
)

// FuzzMentions compares a search with one of texts that were put into lower case as a whole.
func FuzzMentions(f *testing.F) {
	for _, seed := range [][2]string{
		{"Mug", "a blue MUG"}, {"mug blue", "Blue mug"}, {"mugs", "a mug"}, {"", "mug"}, {"k", "\u212a"}, {"ä", "Ä"}, {"i", "\u0130"},
		{"\u0130", "i\u0307"}, {"\xff", "\xfe"}, {"b", "a\xffB"}, {"é b", "a B É"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, words, text string) {
		want := !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool {
			return !strings.Contains(strings.ToLower(text), word)
		})
		if got := Mentions(words, text); got != want {
			t.Errorf("Mentions(%q, %q) is %v", words, text, got)
		}
	})
}
