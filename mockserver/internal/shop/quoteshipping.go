package shop

// Shipping within a quote: what is to be shipped, at which rates, and how it is taxed.

import (
	"slices"

	"github.com/shopspring/decimal"
)

// ship adds the known shipping costs, or finds the rates of what is to be shipped.
func (q *quoting) ship() {
	rates := q.shippingRates()
	for _, shipment := range q.Shipments {
		charge := q.charge(shipment, rates)
		q.quote.Shipments = append(q.quote.Shipments, charge)
		q.addShippingTaxes(charge, rates)
	}
	if !q.Packed {
		return
	}
	pack := Package{Destination: q.Shipping}
	for i := range q.Lines {
		if product := q.Lines[i].Product; product != nil && !product.Virtual {
			pack.Lines = append(pack.Lines, i)
		}
	}
	q.quote.NeedsShipping = len(pack.Lines) > 0 && q.view.ships()
	q.quote.ShippingCalculated = q.quote.NeedsShipping && q.Shipping.Country != ""
	if !q.quote.ShippingCalculated {
		return
	}
	contents := q.parcel(pack.Lines)
	pack.Rates = q.view.ratesFor(q.Shipping, contents)
	selectRate(pack.Rates, q.Chosen[pack.ID], contents.freeByCoupon)
	for i := range pack.Rates {
		rate := &pack.Rates[i]
		charge := q.charge(Charge{Amount: rate.Cost, Taxable: rate.Taxable}, rates)
		rate.Tax, rate.Taxes = charge.Tax, charge.Taxes
		if rate.Selected {
			q.addShippingTaxes(charge, rates)
		}
	}
	q.quote.Packages = []Package{pack}
}

func (q *quoting) addShippingTaxes(charge QuotedCharge, rates []appliedRate) {
	for j, tax := range charge.Taxes {
		line := q.taxLine(rates[j])
		line.ShippingTax = line.ShippingTax.Add(tax.Total)
	}
}

// parcel sums up what the shipping methods look at.
func (q *quoting) parcel(lines []int) *parcel {
	contents := &parcel{classes: map[int64]*load{}}
	for _, i := range lines {
		line := &q.Lines[i]
		class := line.Product.ShippingClassID
		if class == 0 && line.Parent != nil {
			class = line.Parent.ShippingClassID
		}
		part := contents.classes[class]
		if part == nil {
			part = &load{}
			contents.classes[class] = part
		}
		cost, weight := q.quote.Lines[i].Total, weightOf(line.Product, line.Parent).Mul(decimal.NewFromInt(line.Quantity))
		part.add(line.Quantity, cost, weight)
		contents.add(line.Quantity, cost, weight)
	}
	contents.order, contents.undiscounted = q.net, q.quote.Totals.Items
	if q.view.Config.DisplayPricesWithTax {
		contents.order = contents.order.Add(q.netTax)
		contents.undiscounted = contents.undiscounted.Add(q.quote.Totals.ItemsTax)
	}
	contents.freeByCoupon = slices.ContainsFunc(q.Coupons, func(c *Coupon) bool { return c.FreeShipping })
	return contents
}

// shippingRates are the tax rates for shipping: of the set class, or of the class among the lines that is taxed highest.
func (q *quoting) shippingRates() []appliedRate {
	if class := q.view.Config.ShippingTaxClass; class != "inherit" {
		return q.taxer.shippingRates(class)
	}
	var best []appliedRate
	for i := range q.Lines {
		if !q.Lines[i].Taxable || i > 0 && q.Lines[i].TaxClass == q.Lines[i-1].TaxClass && q.Lines[i-1].Taxable {
			continue // the class was looked at
		}
		if rates := q.taxer.shippingRates(q.Lines[i].TaxClass); percentOf(rates).GreaterThan(percentOf(best)) {
			best = rates
		}
	}
	return best
}

func percentOf(rates []appliedRate) Amount {
	sum := Zero
	for _, rate := range rates {
		sum = sum.Add(rate.fraction)
	}
	return sum
}
