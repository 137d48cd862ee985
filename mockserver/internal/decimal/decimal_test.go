package decimal

import (
	"encoding/json"
	"math"
	"testing"

	exact "github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// both is a number as this package and as the one that it stands for hold it.
type both struct {
	own   Decimal
	exact exact.Decimal
}

// drawBoth draws numbers of all lengths, many of them where digits are about to need more room.
func drawBoth(t *rapid.T, label string) both {
	digits := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-20000, 20000), rapid.SampledFrom([]int64{
		0, 1, 5, -5, 15, -25, 100, -5000, 1e17, 1e18,
		math.MaxInt64, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 / 10, math.MaxInt64 / 100,
	})).Draw(t, label)
	exp := rapid.OneOf(rapid.Int32Range(-4, 0), rapid.Int32Range(-25, 5)).Draw(t, label+" exponent")
	return both{New(digits, exp), exact.New(digits, exp)}
}

func (b both) mustBe(t *rapid.T, what string, own Decimal, want exact.Decimal) {
	if got := own.exact(); !got.Equal(want) || own.String() != want.String() {
		t.Fatalf("%s of %s: got %s, want %s", what, b.exact, own, want)
	}
}

// TestNumbersAreThoseOfTheExactLibrary compares all arithmetic with the library's, for numbers that fit and for others.
func TestNumbersAreThoseOfTheExactLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBoth(t, "a"), drawBoth(t, "b")
		places := rapid.Int32Range(-3, 20).Draw(t, "places")
		a.mustBe(t, "itself", a.own, a.exact)
		a.mustBe(t, "sum", a.own.Add(b.own), a.exact.Add(b.exact))
		a.mustBe(t, "sum of three", Sum(a.own, b.own, a.own), exact.Sum(a.exact, b.exact, a.exact))
		a.mustBe(t, "difference", a.own.Sub(b.own), a.exact.Sub(b.exact))
		a.mustBe(t, "product", a.own.Mul(b.own), a.exact.Mul(b.exact))
		a.mustBe(t, "negative", a.own.Neg(), a.exact.Neg())
		a.mustBe(t, "size", a.own.Abs(), a.exact.Abs())
		a.mustBe(t, "rounded", a.own.Round(places), a.exact.Round(places))
		a.mustBe(t, "rounded down", a.own.RoundDown(places), a.exact.RoundDown(places))
		a.mustBe(t, "rounded to the floor", a.own.RoundFloor(places), a.exact.RoundFloor(places))
		a.mustBe(t, "shifted", a.own.Shift(places), a.exact.Shift(places))
		a.mustBe(t, "largest", Max(a.own, b.own), exact.Max(a.exact, b.exact))
		a.mustBe(t, "smallest", Min(a.own, b.own), exact.Min(a.exact, b.exact))
		if !b.own.IsZero() {
			a.mustBe(t, "quotient", a.own.Div(b.own), a.exact.Div(b.exact))
			a.mustBe(t, "rounded quotient", a.own.DivRound(b.own, places), a.exact.DivRound(b.exact, places))
			quotient, rest := a.own.QuoRem(b.own, places)
			wantQuotient, wantRest := a.exact.QuoRem(b.exact, places)
			a.mustBe(t, "whole quotient", quotient, wantQuotient)
			a.mustBe(t, "rest", rest, wantRest)
		}
		if a.own.Cmp(b.own) != a.exact.Cmp(b.exact) || a.own.Sign() != a.exact.Sign() || a.own.Places() != -a.exact.Exponent() {
			t.Fatalf("%s and %s compare otherwise", a.exact, b.exact)
		}
		if a.exact.Abs().LessThan(exact.New(1, 18)) && a.own.IntPart() != a.exact.IntPart() {
			t.Fatalf("%s: whole part %d", a.exact, a.own.IntPart())
		}
		if got, want := a.own.StringFixed(places), a.exact.StringFixed(places); got != want {
			t.Fatalf("%s with %d places: got %s, want %s", a.exact, places, got, want)
		}
	})
}

// TestNumbersAreReadAsTheExactLibraryReadsThem compares what texts are read as, and what is no number.
func TestNumbersAreReadAsTheExactLibraryReadsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[-+]?[0-9]{0,20}(\.[0-9]{0,19})?([eE]-?[0-9])?`), rapid.StringMatching(`[-+.0-9e ]{0,6}`),
		).Draw(t, "text")
		want, wantErr := exact.NewFromString(text)
		got, err := NewFromString(text)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%q: error %v, want %v", text, err, wantErr)
		}
		if err == nil {
			both{got, want}.mustBe(t, "text "+text, got, want)
		}
	})
}

// TestNumbersSurviveJSON writes numbers as the library does, and reads them back.
func TestNumbersSurviveJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawBoth(t, "a")
		written, err := json.Marshal(a.own)
		want, _ := json.Marshal(a.exact)
		var read Decimal
		if err != nil || string(written) != string(want) || json.Unmarshal(written, &read) != nil || !read.Equal(a.own) {
			t.Fatalf("%s: written as %s, read as %s, error %v", want, written, read, err)
		}
	})
}

// TestMoneyMakesNoGarbage is why the package exists.
func TestMoneyMakesNoGarbage(t *testing.T) {
	price, rate := RequireFromString("21.99"), RequireFromString("0.0825")
	if objects := testing.AllocsPerRun(100, func() {
		tax := price.Mul(NewFromInt(3)).Mul(rate).Round(2)
		if total := price.Add(tax).Sub(rate).Shift(2); total.LessThan(Zero) || total.IsZero() {
			t.Error("a price went wrong")
		}
	}); objects != 0 {
		t.Errorf("a sum made %v objects", objects)
	}
}
