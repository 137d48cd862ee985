package pricing

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Amount is an exact decimal amount in currency units.
type Amount = decimal.Decimal

// Zero is the amount nought.
var Zero = decimal.Zero

// Plus adds amounts. Most sums begin with nought, and most taxes and weights are: adding that makes no number.
func Plus(a, b Amount) Amount {
	switch {
	case b.IsZero():
		return a
	case a.IsZero():
		return b
	}
	return a.Add(b)
}

// sumOf adds up amounts.
func sumOf(amounts ...Amount) Amount {
	sum := Zero
	for _, amount := range amounts {
		sum = Plus(sum, amount)
	}
	return sum
}

// Times multiplies an amount by a number of pieces.
func Times(amount Amount, pieces int64) Amount {
	if pieces == 1 || amount.IsZero() {
		return amount
	}
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

// AppendAmount appends an amount as its String writes it: without the noughts at its end.
func AppendAmount(b []byte, amount Amount) []byte {
	const most = 18 // digits, and decimals, that fit an int64
	decimals := -amount.Exponent()
	if decimals < 0 || decimals > most || amount.NumDigits() > most {
		return append(b, amount.String()...)
	}
	number := amount.CoefficientInt64()
	for decimals > 0 && number%10 == 0 {
		number, decimals = number/10, decimals-1
	}
	if number < 0 {
		b, number = append(b, '-'), -number
	}
	var room [2 * most]byte
	digits := strconv.AppendInt(room[:0], number, 10)
	if missing := int(decimals) + 1 - len(digits); missing > 0 {
		b = append(b, "0.000000000000000000"[:missing+1]...)
		return append(b, digits...)
	}
	point := len(digits) - int(decimals)
	b = append(b, digits[:point]...)
	if decimals > 0 {
		b = append(append(b, '.'), digits[point:]...)
	}
	return b
}
