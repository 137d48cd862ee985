package storeapi

import (
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"
)

// TestUnitsAreThoseOfTheExactDecimal compares the quick way to count units with the library's arithmetic.
func TestUnitsAreThoseOfTheExactDecimal(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		amount := decimal.New(chance.Int64N(1<<(chance.IntN(62)+1))-chance.Int64N(1<<(chance.IntN(62)+1)), int32(chance.IntN(30)-20))
		places := int32(chance.IntN(9))
		if got, want := string(appendUnits(nil, amount, places)), amount.Shift(places).Round(0).String(); got != want {
			t.Fatalf("%s in units of 10^-%d: got %s, want %s", amount, places, got, want)
		}
	}
}
