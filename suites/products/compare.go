package products

// Comparing JSON values as an ordered list holds them.

import (
	"cmp"
	"strconv"

	"github.com/tidwall/gjson"
)

type result = gjson.Result

// compare orders numbers and numeric strings by value, all else as text.
func compare(a, b result) int {
	x, errX := strconv.ParseFloat(a.String(), 64)
	y, errY := strconv.ParseFloat(b.String(), 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.String(), b.String())
}
