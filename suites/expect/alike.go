package expect

// Matchers for values that are the same although they are not written the same.

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
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

// BeAlike succeeds for a JSON value that says the same as the other: arrays in any order, amounts with any number of decimals.
func BeAlike(other any) types.GomegaMatcher {
	plain, _ := throughJSON(other)
	want := essence(plain)
	return valueMatcher{want: wording(other), check: func(v any) bool { return gocmp.Equal(essence(v), want) }}
}

// essence is a JSON value without what makes no difference.
func essence(v any) any {
	switch value := v.(type) {
	case string:
		if whole, _, isAmount := strings.Cut(value, "."); isAmount && isDigits(strings.TrimPrefix(whole, "-")) {
			return strings.TrimSuffix(strings.TrimRight(value, "0"), ".")
		}
	case []any:
		return sortedTexts(mapped(value, essence))
	case map[string]any:
		out := map[string]any{}
		for name, member := range value {
			out[name] = essence(member)
		}
		return out
	}
	return v
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func mapped(values []any, change func(any) any) []any {
	out := make([]any, len(values))
	for i, value := range values {
		out[i] = change(value)
	}
	return out
}
