package pricing

// Taxes: what the rates that hold come to, on top of an amount or within it.

import (
	"iter"
	"slices"

	"shopcheck/mockserver/internal/decimal"
)

// Rate is a tax rate that holds.
type Rate struct {
	ID       int64
	Fraction Amount // of one: 0.19 for 19 %
	Compound bool   // on top of the other taxes
	Shipping bool   // holds for shipping too
}

// RateTable lists the rates that hold at one place by tax class, in the order in which they apply. A class without any is not taxed.
type RateTable []ClassRates

// ClassRates are the rates of one tax class.
type ClassRates struct {
	Class string
	Rates []Rate
}

// Lists reports whether the table tells the rates of a class.
func (t RateTable) Lists(class string) bool {
	return slices.ContainsFunc(t, func(c ClassRates) bool { return c.Class == class })
}

// class returns the rates of a class.
func (t RateTable) class(name string) []Rate {
	for i := range t {
		if t[i].Class == name {
			return t[i].Rates
		}
	}
	return nil
}

// of returns the rates of a line.
func (t RateTable) of(line *Line) []Rate {
	if !line.Taxable {
		return nil
	}
	return t.class(line.TaxClass)
}

// forShipping returns the rates of a class that hold for shipping.
func (t RateTable) forShipping(class string) []Rate {
	return slices.DeleteFunc(slices.Clone(t.class(class)), func(r Rate) bool { return !r.Shipping })
}

// TaxClasses lists the classes whose rates the basket's price depends on; one may come more than once.
func (b *Basket) TaxClasses() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range b.Lines {
			if b.Lines[i].Taxable && !yield(b.Lines[i].TaxClass) {
				return
			}
		}
		for i := range b.Fees {
			if b.Fees[i].Taxable && !yield(b.Fees[i].TaxClass) {
				return
			}
		}
		if b.ShippingTaxClass != InheritTaxClass && len(b.Shipments)+len(b.Parcels) > 0 {
			yield(b.ShippingTaxClass)
		}
	}
}

// UsesHomeRates reports whether the basket's price may depend on the rates where the shop is.
func (b *Basket) UsesHomeRates() bool {
	return b.PricesIncludeTax || b.collected() || slices.ContainsFunc(b.Parcels, func(p Parcel) bool {
		return slices.ContainsFunc(p.Methods, func(m Method) bool { return m.MethodID == LocalPickup })
	})
}

// addedTaxes are the taxes on a net amount, one for each rate, not rounded.
func addedTaxes(net Amount, rates []Rate) []Amount {
	taxes := make([]Amount, len(rates))
	base := net
	for _, compound := range []bool{false, true} {
		for i := range rates {
			if rates[i].Compound != compound {
				continue
			}
			if compound {
				base = decimal.Sum(net, taxes...)
			}
			taxes[i] = base.Mul(rates[i].Fraction)
		}
	}
	return taxes
}

// includedTaxes are the taxes that a gross amount holds, one for each rate, not rounded.
func includedTaxes(gross Amount, rates []Rate) []Amount {
	taxes := make([]Amount, len(rates))
	simple := unity
	for i := len(rates) - 1; i >= 0; i-- {
		if !rates[i].Compound {
			simple = simple.Add(rates[i].Fraction)
			continue
		}
		net := gross.Div(unity.Add(rates[i].Fraction))
		taxes[i] = gross.Sub(net)
		gross = net
	}
	net := gross.Div(simple)
	for i := range rates {
		if !rates[i].Compound {
			taxes[i] = net.Mul(rates[i].Fraction)
		}
	}
	return taxes
}

var unity = decimal.NewFromInt(1)

func sameRates(a, b []Rate) bool {
	return slices.EqualFunc(a, b, func(x, y Rate) bool { return x.ID == y.ID })
}

// fractionOf is the sum of rates.
func fractionOf(rates []Rate) Amount {
	sum := Zero
	for i := range rates {
		sum = sum.Add(rates[i].Fraction)
	}
	return sum
}

// taxed is an amount on its way to net and taxes.
type taxed struct {
	amount   Amount // net, or gross if included is set
	included bool   // whether amount holds the taxes
	rates    []Rate
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
