package pricing

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/decimal"
)

func TestApportion(t *testing.T) {
	for _, test := range []struct {
		whole   string
		weights []string
		places  int32
		parts   string
	}{
		{"10.00", []string{"1", "1", "1"}, 2, "3.34 3.33 3.33"},
		{"0.01", []string{"1", "5", "1"}, 2, "0 0.01 0"},
		{"-0.02", []string{"1", "1", "0"}, 2, "-0.01 -0.01 0"},
		{"7", []string{"0", "0"}, 0, "7 0"},
		{"0", []string{"1", "2"}, 2, "0 0"},
		{"1.000", []string{"1", "2"}, 3, "0.333 0.667"},
	} {
		var weights []Amount
		for _, weight := range test.weights {
			weights = append(weights, amount(weight))
		}
		var parts []string
		for _, part := range apportion(amount(test.whole), weights, test.places) {
			parts = append(parts, part.String())
		}
		if got := strings.Join(parts, " "); got != test.parts {
			t.Errorf("%s over %v: got %s, want %s", test.whole, test.weights, got, test.parts)
		}
	}
}

func TestApportionByPieces(t *testing.T) {
	parts := apportionByPieces(amount("10"), []int64{1, 3, 1}, []Amount{amount("1"), amount("100"), amount("0.5")}, 2)
	if got := decimal.Sum(Zero, parts...); !got.Equal(amount("10")) || !parts[2].Equal(amount("0.5")) || !parts[0].Equal(amount("1")) {
		t.Errorf("got %v", parts)
	}
	parts = apportionByPieces(amount("10"), []int64{1, 1}, []Amount{amount("1"), amount("2")}, 2)
	if got := decimal.Sum(Zero, parts...); !got.Equal(amount("3")) {
		t.Errorf("got %v", parts)
	}
}
