package shop

// Taxes: which rates hold at a place for a class, and what they come to.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// taxPlace is the place whose rates hold.
type taxPlace struct{ country, state, postcode, city string }

func placeOf(a Address) taxPlace {
	return taxPlace{a.Country, a.State, normalPostcode(a.Postcode), strings.ToUpper(a.City)}
}

// shopPlace is where the shop is.
func (c *Config) shopPlace() taxPlace {
	return taxPlace{c.Country, c.State, normalPostcode(c.Postcode), strings.ToUpper(c.City)}
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

// appliedRate is a tax rate that holds, with its rate as a fraction of one.
type appliedRate struct {
	*TaxRate
	fraction Amount
}

// ratesAt finds the rates of a class that hold at a place: one for each priority, in the order of priorities.
func (v View) ratesAt(class string, place taxPlace) []appliedRate {
	var matching []*TaxRate
	for rate := range TaxRates.Class.Rows(&v.TaxRates, class) {
		if rate.matches(place) {
			matching = append(matching, rate)
		}
	}
	slices.SortFunc(matching, compareRates)
	var applied []appliedRate
	for i, rate := range matching {
		if i == 0 || rate.Priority != matching[i-1].Priority {
			applied = append(applied, appliedRate{rate, AmountOf(rate.Rate).Shift(-2)})
		}
	}
	return applied
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
	return strings.Join(append(parts, decimal.NewFromInt(r.Priority).String()), "-")
}

// taxer answers which rates hold for the classes of one basket. It remembers what it found.
type taxer struct {
	view  View
	place taxPlace
	found []classRates
}

type classRates struct {
	class string
	rates []appliedRate
}

// rates gives the rates of a class, none if taxes are off.
func (t *taxer) rates(class string) []appliedRate {
	if !t.view.Config.TaxesEnabled {
		return nil
	}
	for _, known := range t.found {
		if known.class == class {
			return known.rates
		}
	}
	rates := t.view.ratesAt(class, t.place)
	t.found = append(t.found, classRates{class, rates})
	return rates
}

// shippingRates gives the rates of a class that apply to shipping.
func (t *taxer) shippingRates(class string) []appliedRate {
	return slices.DeleteFunc(slices.Clone(t.rates(class)), func(r appliedRate) bool { return !r.Shipping })
}

// addedTaxes are the taxes on a net amount, one for each rate, not rounded.
func addedTaxes(net Amount, rates []appliedRate) []Amount {
	taxes := make([]Amount, len(rates))
	base := net
	for _, compound := range []bool{false, true} {
		for i, rate := range rates {
			if rate.Compound != compound {
				continue
			}
			if compound {
				base = decimal.Sum(net, taxes...)
			}
			taxes[i] = base.Mul(rate.fraction)
		}
	}
	return taxes
}

// includedTaxes are the taxes that a gross amount holds, one for each rate, not rounded.
func includedTaxes(gross Amount, rates []appliedRate) []Amount {
	taxes := make([]Amount, len(rates))
	simple := unity
	for i := len(rates) - 1; i >= 0; i-- {
		if !rates[i].Compound {
			simple = simple.Add(rates[i].fraction)
			continue
		}
		net := gross.Div(unity.Add(rates[i].fraction))
		taxes[i] = gross.Sub(net)
		gross = net
	}
	net := gross.Div(simple)
	for i, rate := range rates {
		if !rate.Compound {
			taxes[i] = net.Mul(rate.fraction)
		}
	}
	return taxes
}

var unity = decimal.NewFromInt(1)

func sameRates(a, b []appliedRate) bool {
	return slices.EqualFunc(a, b, func(x, y appliedRate) bool { return x.ID == y.ID })
}

// taxed is an amount on its way to net and taxes.
type taxed struct {
	amount   Amount // net, or gross if included is set
	included bool   // whether amount holds the taxes
	rates    []appliedRate
	raw      []Amount // one tax for each rate, not rounded
	taxes    []Amount // the same, rounded
}

// net is the amount without its rounded taxes.
func (t *taxed) net() Amount {
	if t.included {
		return t.amount.Sub(t.tax())
	}
	return t.amount
}

func (t *taxed) tax() Amount {
	switch len(t.taxes) {
	case 0:
		return Zero
	case 1:
		return t.taxes[0]
	}
	return decimal.Sum(t.taxes[0], t.taxes[1:]...)
}

// roundEach rounds every tax by itself.
func roundEach(amounts []taxed, places int32) {
	for i := range amounts {
		a := &amounts[i]
		a.taxes = make([]Amount, len(a.raw))
		for j, raw := range a.raw {
			a.taxes[j] = raw.Round(places)
		}
	}
}

// roundPerRate rounds the sum of each rate once, and splits that over the amounts: the parts add up to it.
func roundPerRate(amounts []taxed, places int32) {
	type share struct{ amount, rate int }
	var order []int64
	shares := map[int64][]share{}
	for i := range amounts {
		amounts[i].taxes = make([]Amount, len(amounts[i].raw))
		for j, rate := range amounts[i].rates {
			if shares[rate.ID] == nil {
				order = append(order, rate.ID)
			}
			shares[rate.ID] = append(shares[rate.ID], share{i, j})
		}
	}
	for _, id := range order {
		weights := make([]Amount, len(shares[id]))
		for k, s := range shares[id] {
			weights[k] = amounts[s.amount].raw[s.rate]
		}
		whole := decimal.Sum(Zero, weights...).Round(places)
		for k, part := range apportion(whole, weights, places) {
			s := shares[id][k]
			amounts[s.amount].taxes[s.rate] = part
		}
	}
}
