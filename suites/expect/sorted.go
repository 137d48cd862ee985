package expect

// The order of a list.

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
)

// BeSortedBy succeeds when the records of a list are in the order of one of their fields: direction is asc or desc.
func BeSortedBy(field, direction string) types.GomegaMatcher {
	wanted := field + " from low to high"
	if direction == "desc" {
		wanted = field + " from high to low"
	}
	path := "#." + field
	return matcherAt(path, wanted, func(a *client.Answer) []reports.Finding {
		values := a.Get(path).Array()
		if direction == "desc" {
			slices.Reverse(values)
		}
		if slices.IsSortedFunc(values, compareValues) {
			return nil
		}
		return one(finding(a, path, "the records come in another order", wanted, quote(a.Get(path).Raw)))
	})
}

// compareValues orders numbers and numeric strings by value, all else as text.
func compareValues(a, b gjson.Result) int {
	x, errX := strconv.ParseFloat(a.String(), 64)
	y, errY := strconv.ParseFloat(b.String(), 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.String(), b.String())
}
