package shop

// Postcode areas, as tax rates and shipping zones name them.

import "strings"

var postcodeSpaces = strings.NewReplacer(" ", "", "-", "")

// normalPostcode is the form in which postcodes are compared.
func normalPostcode(postcode string) string { return postcodeSpaces.Replace(strings.ToUpper(postcode)) }

// postcodeIn reports whether a normal postcode lies in an area: one postcode, a beginning ("CB2*") or a range
// ("90000...99999").
func postcodeIn(area, postcode string) bool {
	if from, to, isRange := strings.Cut(area, "..."); isRange {
		return postcodeBetween(normalPostcode(from), postcode, normalPostcode(to))
	}
	if start, isStart := strings.CutSuffix(area, "*"); isStart {
		return strings.HasPrefix(postcode, normalPostcode(start))
	}
	return normalPostcode(area) == postcode
}

// postcodeBetween compares postcodes of one length letter by letter, which orders numbers as numbers.
func postcodeBetween(from, postcode, to string) bool {
	return len(postcode) == len(from) && len(from) == len(to) && from <= postcode && postcode <= to
}
