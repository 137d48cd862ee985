package expect

// Amounts of the Store API: integer counts of the currency's smallest unit, in strings.

import (
	"fmt"
	"strconv"

	"github.com/onsi/gomega/types"
	"github.com/shopspring/decimal"
)

// mostDecimals is how many decimals of a currency are believed, which a target names: an amount of a billion would be as long.
const mostDecimals = 30

// MinorUnits gives a decimal amount as the Store API shows it in a currency with that many decimals: 12.50 and 2 make
// 1250. What is less than a unit is rounded. A text that is no amount is given back as it is, and so is any where no currency has so many
// decimals.
func MinorUnits(amount string, decimals int64) string {
	value, err := decimal.NewFromString(amount)
	if err != nil || decimals < 0 || decimals > mostDecimals {
		return amount
	}
	return value.Shift(int32(decimals)).Round(0).String()
}

// MajorUnits gives an amount of the Store API as the management API shows it: 1250 and 2 make 12.5. What MinorUnits gives back as it is,
// it does, too.
func MajorUnits(units string, decimals int64) string {
	value, err := decimal.NewFromString(units)
	if err != nil || decimals < 0 || decimals > mostDecimals {
		return units
	}
	return value.Shift(-int32(decimals)).String()
}

// BeUnits succeeds for a string with that count of units, or one that is off by no more than slack: sums of amounts
// that were rounded each for itself may be. reason says in a failure where the number comes from.
func BeUnits(want, slack int64, reason string) types.GomegaMatcher {
	words := fmt.Sprintf("%q (%s)", strconv.FormatInt(want, 10), reason)
	if slack > 0 {
		words = fmt.Sprintf("%q give or take %d (%s)", strconv.FormatInt(want, 10), slack, reason)
	}
	return valueMatcher{want: words, check: func(v any) bool {
		text, ok := v.(string)
		got, err := strconv.ParseInt(text, 10, 64)
		return ok && err == nil && got >= want-slack && got <= want+slack
	}}
}
