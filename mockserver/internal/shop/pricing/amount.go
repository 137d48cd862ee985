package pricing

import (
	"strings"

	"shopcheck/mockserver/internal/decimal"
)

// Amount is an exact decimal amount in currency units.
type Amount = decimal.Decimal

// Zero is the amount nought.
var Zero = decimal.Zero

// Times multiplies an amount by a number of pieces.
func Times(amount Amount, pieces int64) Amount {
	return amount.Mul(decimal.NewFromInt(pieces))
}

// maxPriceDigits bounds the digits of a price, so that no arithmetic on it can grow without limit.
const maxPriceDigits = 15

// ParseAmount reads a decimal amount as clients send it ("35", "35.00", "-1.5"). Text that is not a plain
// decimal number of at most 15 digits is not an amount.
func ParseAmount(text string) (Amount, bool) {
	if len(text) == 0 || len(text) > maxPriceDigits+2 || strings.ContainsAny(text, "eE+_") {
		return Zero, false
	}
	amount, err := decimal.NewFromString(text)
	if err != nil {
		return Zero, false
	}
	return amount, true
}

// AmountOf reads an amount that was validated when it was stored; text that is none counts as nought.
func AmountOf(text string) Amount {
	amount, _ := ParseAmount(text)
	return amount
}
