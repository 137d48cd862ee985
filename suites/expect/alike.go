package expect

// Matchers for values that are the same although they are not written the same.

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
)

// EqualFold succeeds for the text in any case: shops write postcodes and codes of coupons in their own.
func EqualFold(text string) types.GomegaMatcher {
	return valueMatcher{want: wording(text) + " in any case", check: func(v any) bool {
		got, ok := v.(string)
		return ok && strings.EqualFold(got, text)
	}}
}

// BeInAnyOrder succeeds for a JSON array of exactly these values: 3 equals 3.0.
func BeInAnyOrder[T any](values ...T) types.GomegaMatcher {
	want := sortedTexts(values)
	return valueMatcher{want: wording(values) + " in any order", check: func(v any) bool {
		got, ok := v.([]any)
		return ok && slices.Equal(sortedTexts(got), want)
	}}
}

func sortedTexts[T any](values []T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		plain, _ := throughJSON(value)
		text, _ := json.Marshal(plain) // it came through JSON
		texts[i] = string(text)
	}
	slices.SortFunc(texts, cmp.Compare[string])
	return texts
}
