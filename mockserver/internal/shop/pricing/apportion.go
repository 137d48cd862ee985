package pricing

// Splitting amounts so that the parts add up to the whole.

import "shopcheck/mockserver/internal/decimal"

// apportion splits an amount in proportion to weights, none of them negative. Every part is a multiple of the
// smallest unit with that many decimals, as the whole must be; the parts add up to the whole. What rounding
// leaves over goes, one unit each, to the parts that lost most, the earlier first. A part never exceeds a weight that
// is itself a multiple of the unit, if the whole does not exceed the weights' sum.
func apportion(whole Amount, weights []Amount, places int32) []Amount {
	parts := make([]Amount, len(weights))
	switch {
	case whole.IsZero() || len(parts) == 0:
		return parts
	case len(parts) == 1:
		parts[0] = whole
		return parts
	}
	if whole.IsNegative() {
		for i, part := range apportion(whole.Neg(), weights, places) {
			parts[i] = part.Neg()
		}
		return parts
	}
	sum := decimal.Sum(Zero, weights...)
	if sum.IsZero() {
		parts[0] = whole
		return parts
	}
	lost := make([]Amount, len(weights))
	left := whole
	for i, weight := range weights {
		parts[i], lost[i] = whole.Mul(weight).QuoRem(sum, places)
		left = left.Sub(parts[i])
	}
	for unit := decimal.New(1, -places); left.IsPositive(); left = left.Sub(unit) {
		i := largest(lost)
		parts[i] = parts[i].Add(unit)
		lost[i] = Zero
	}
	return parts
}

// largest returns the index of the first of the largest amounts.
func largest(amounts []Amount) int {
	best := 0
	for i := range amounts {
		if amounts[i].GreaterThan(amounts[best]) {
			best = i
		}
	}
	return best
}

// apportionByPieces splits an amount evenly over pieces: each part gets a share for each of its pieces, but never more than its
// most; what does not fit goes to the parts that can take more. Nothing is lost unless all have their most.
func apportionByPieces(whole Amount, pieces []int64, most []Amount, places int32) []Amount {
	parts := make([]Amount, len(most))
	weights := make([]Amount, len(most))
	for whole.IsPositive() {
		open := Zero
		for i := range most {
			weights[i] = Zero
			if parts[i].LessThan(most[i]) {
				weights[i] = decimal.NewFromInt(pieces[i])
				open = open.Add(most[i].Sub(parts[i]))
			}
		}
		whole = decimal.Min(whole, open)
		given := Zero
		for i, share := range apportion(whole, weights, places) {
			share = decimal.Min(share, most[i].Sub(parts[i]))
			parts[i] = parts[i].Add(share)
			given = given.Add(share)
		}
		whole = whole.Sub(given)
	}
	return parts
}
