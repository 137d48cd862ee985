// Package pricingtest draws and checks amounts of money in the properties of quotes and orders.
package pricingtest

import (
	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
)

// TB is what a property needs of its test.
type TB interface {
	Fatalf(format string, args ...any)
}

// Same checks that an amount is the wanted one.
func Same(t TB, what string, got, wanted decimal.Decimal) {
	if !got.Equal(wanted) {
		t.Fatalf("%s: got %s, want %s", what, got, wanted)
	}
}

// NotNegative checks that no amount is below zero.
func NotNegative(t TB, amounts ...decimal.Decimal) {
	for _, a := range amounts {
		if a.IsNegative() {
			t.Fatalf("negative amount %s", a)
		}
	}
}

// Rounded checks that amounts have no more than so many decimals.
func Rounded(t TB, places int32, amounts ...decimal.Decimal) {
	for _, a := range amounts {
		if !a.Equal(a.Round(places)) {
			t.Fatalf("%s has more than %d decimals", a, places)
		}
	}
}

// DrawAmount draws an amount with so many decimals.
func DrawAmount(t *rapid.T, label string, most int64, places int32) decimal.Decimal {
	return decimal.New(rapid.Int64Range(0, most).Draw(t, label), -places)
}
