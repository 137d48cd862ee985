package pricing

import (
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// TestAppendedAmountsAreWrittenAsTheirString compares the two for amounts of all lengths.
func TestAppendedAmountsAreWrittenAsTheirString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		coefficient := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2000, 2000), rapid.SampledFrom([]int64{0, 100, -5000, 1e17, 1e18})).
			Draw(t, "coefficient")
		amount := decimal.New(coefficient, rapid.Int32Range(-25, 5).Draw(t, "exponent"))
		if got, want := string(AppendAmount([]byte("x"), amount)), "x"+amount.String(); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}
