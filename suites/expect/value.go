package expect

// Matchers over single values, and comparing JSON with Go values.

import (
	"encoding/json"
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/gomega/types"
	"github.com/shopspring/decimal"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/contract"
)

// valueMatcher is a matcher over one value, given as string, gjson.Result or any JSON value.
type valueMatcher struct {
	want  string
	check func(any) bool
}

// Match implements types.GomegaMatcher.
func (m valueMatcher) Match(actual any) (bool, error) { return m.check(plainValue(actual)), nil }

// FailureMessage implements types.GomegaMatcher.
func (m valueMatcher) FailureMessage(actual any) string { return m.message(actual, m.want) }

// NegatedFailureMessage implements types.GomegaMatcher.
func (m valueMatcher) NegatedFailureMessage(actual any) string {
	return m.message(actual, "not "+m.want)
}

func (m valueMatcher) message(actual any, want string) string {
	return Encode(reports.Finding{Message: "the value is another", Want: want, Got: wording(plainValue(actual)), Exchange: NoExchange})
}

func plainValue(actual any) any {
	if result, ok := actual.(gjson.Result); ok {
		return result.Value()
	}
	return actual
}

// BeISO8601 succeeds for an ISO 8601 date, with or without a time.
func BeISO8601() types.GomegaMatcher { return beFormatted(contract.ISO8601, "an ISO 8601 date") }

// BeDecimalMoney succeeds for a string with a decimal amount.
func BeDecimalMoney() types.GomegaMatcher {
	return beFormatted(contract.DecimalMoney, "a string with a decimal amount")
}

// BeMinorUnits succeeds for a string with an integer count of the smallest currency unit.
func BeMinorUnits() types.GomegaMatcher {
	return beFormatted(contract.MinorMoney, "a string with an integer count of the smallest currency unit")
}

func beFormatted(format contract.Format, want string) types.GomegaMatcher {
	return valueMatcher{want: want, check: func(v any) bool {
		text, ok := v.(string)
		return ok && Formatted(text, format)
	}}
}

// EqualAmount succeeds for a string with the same amount, however many decimals it shows: 35, 35.0, 35.00.
func EqualAmount(amount string) types.GomegaMatcher {
	want, err := decimal.NewFromString(amount)
	return valueMatcher{want: "the amount " + amount, check: func(v any) bool {
		text, ok := v.(string)
		if !ok || err != nil {
			return false
		}
		got, parseErr := decimal.NewFromString(text)
		return parseErr == nil && got.Equal(want)
	}}
}

func sameJSON(got gjson.Result, want any) bool { return sameValue(got.Value(), want) }

// sameValue compares both sides as JSON would carry them.
func sameValue(got, want any) bool {
	a, okA := throughJSON(got)
	b, okB := throughJSON(want)
	return okA && okB && cmp.Equal(a, b)
}

func throughJSON(v any) (any, bool) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, false
	}
	return gjson.ParseBytes(text).Value(), true
}

// wording shows a wanted value as JSON, or a matcher by what it wants.
func wording(v any) string {
	switch value := v.(type) {
	case valueMatcher:
		return value.want
	case types.GomegaMatcher:
		return "a value that satisfies the check"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return quote(string(text))
}

// BePositive succeeds for a number above zero.
func BePositive() types.GomegaMatcher {
	return valueMatcher{want: "a number above zero", check: func(v any) bool {
		n, ok := v.(float64)
		return ok && n > 0
	}}
}

// BeNonEmpty succeeds for a string with at least one character.
func BeNonEmpty() types.GomegaMatcher {
	return valueMatcher{want: "a string that is not empty", check: func(v any) bool {
		text, ok := v.(string)
		return ok && text != ""
	}}
}
