// Package suggest says what a word that is not known may have meant.
package suggest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// listed is up to how many known words are all listed; of more, the nearest are.
const listed = 15

// offered is how many of many known words are offered.
const offered = 5

// DidYouMean goes on after an unknown word: what was meant, or could have been.
func DidYouMean(word string, known []string) string {
	switch likely := Likely(word, known); {
	case len(known) == 0 || likely != "":
		return likely
	case len(known) <= listed:
		return "; known are " + strings.Join(known, ", ")
	}
	return "; the nearest are " + strings.Join(Nearest(word, known), ", ")
}

// Likely goes on after a text that lists the known words already: what was meant, or nothing where no word is near.
func Likely(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	nearest := Nearest(word, known)[0]
	if bare := strings.TrimLeft(word, "-"); distance(bare, strings.TrimLeft(nearest, "-")) <= len(bare)/2 {
		return fmt.Sprintf("; did you mean %s?", nearest)
	}
	return ""
}

// Nearest returns the few words that were most likely meant: those that hold the word, then those with the fewest other letters.
func Nearest(word string, known []string) []string {
	sorted := slices.Clone(known)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(word, a), rank(word, b)), cmp.Compare(len(a), len(b)))
	})
	return sorted[:min(offered, len(sorted))]
}

func rank(word, known string) int {
	d := distance(word, known)
	if word != "" && strings.Contains(strings.ToLower(known), strings.ToLower(word)) {
		d -= len(known)
	}
	return d
}

func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}
