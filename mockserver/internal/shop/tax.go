package shop

// Taxes: which rates hold at a place for a class.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// taxPlace is the place whose rates hold.
type taxPlace struct{ country, state, postcode, city string }

func placeOf(a Address) taxPlace {
	return taxPlace{a.Country, a.State, normalPostcode(a.Postcode), strings.ToUpper(a.City)}
}

// shopPlace is where the shop is.
func (c *Config) shopPlace() taxPlace {
	return placeOf(Address{Country: c.Country, State: c.State, Postcode: c.Postcode, City: c.City})
}

// taxPlaceFor chooses the place by the setting TaxBasedOn. What is collected at the shop is taxed there. An address
// without a country gives way to the other one, and at last to the shop's own.
func (c *Config) taxPlaceFor(billing, shipping Address, pickedUp bool) taxPlace {
	if c.TaxBasedOn == TaxByShop || pickedUp {
		return c.shopPlace()
	}
	first, second := shipping, billing
	if c.TaxBasedOn == TaxByBilling {
		first, second = billing, shipping
	}
	switch {
	case first.Country != "":
		return placeOf(first)
	case second.Country != "":
		return placeOf(second)
	}
	return c.shopPlace()
}

// ratesAt finds the rates of a class that hold at a place: one for each priority, in the order of priorities.
func (v View) ratesAt(class string, place taxPlace) []*TaxRate {
	var matching []*TaxRate
	for rate := range TaxRates.Class.Rows(&v.TaxRates, class) {
		if rate.matches(place) {
			matching = append(matching, rate)
		}
	}
	slices.SortFunc(matching, compareRates)
	return slices.CompactFunc(matching, func(a, b *TaxRate) bool { return a.Priority == b.Priority })
}

func (r *TaxRate) matches(place taxPlace) bool {
	if r.Country != "" && !strings.EqualFold(r.Country, place.country) {
		return false
	}
	if r.State != "" && !strings.EqualFold(r.State, place.state) {
		return false
	}
	if len(r.Postcodes) > 0 && !slices.ContainsFunc(r.Postcodes, func(area string) bool { return postcodeIn(area, place.postcode) }) {
		return false
	}
	return len(r.Cities) == 0 ||
		slices.ContainsFunc(r.Cities, func(city string) bool { return strings.EqualFold(city, place.city) })
}

// compareRates puts the rate that is to win first within each priority: the most specific, then by order.
func compareRates(a, b *TaxRate) int {
	return cmp.Or(
		cmp.Compare(a.Priority, b.Priority),
		-cmp.Compare(a.precision(), b.precision()),
		cmp.Compare(a.Order, b.Order),
		cmp.Compare(a.ID, b.ID),
	)
}

// precision ranks how closely a rate says where it holds.
func (r *TaxRate) precision() int {
	rank := 0
	for weight, says := range []bool{len(r.Cities) > 0, len(r.Postcodes) > 0, r.State != "", r.Country != ""} {
		if says {
			rank += 1 << weight
		}
	}
	return rank
}

// Code names the rate in an order's tax lines: "US-CA-STATE TAX-1".
func (r *TaxRate) Code() string {
	parts := make([]string, 0, 4)
	for _, part := range []string{r.Country, r.State, cmp.Or(r.Name, "TAX")} {
		if part != "" {
			parts = append(parts, strings.ToUpper(part))
		}
	}
	return strings.Join(append(parts, strconv.FormatInt(r.Priority, 10)), "-")
}
