package pricing

// Shipping: what the methods that are offered cost for a parcel, which one is chosen, and how it is taxed.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/decimal"
)

// The shipping methods.
const (
	FlatRate     = "flat_rate"
	FreeShipping = "free_shipping"
	LocalPickup  = "local_pickup"
)

// Parcel is what is shipped together, and how it may be.
type Parcel struct {
	Lines   []int // places of its lines in the basket
	Methods []Method
}

// Method is a way to ship. What it costs is worked out from its settings: cost, class_cost_<id>, no_class_cost, type, requires,
// min_amount, ignore_discounts.
type Method struct {
	InstanceID int64
	MethodID   string // FlatRate …
	Title      string
	Taxable    bool
	Settings   map[string]string
}

// Package is a parcel with the rates at which it can be shipped.
type Package struct {
	ID    int
	Lines []int
	Rates []ShippingRate
}

// ShippingRate is one way to ship a package, and its price without tax.
type ShippingRate struct {
	ID         string // "<method>:<instance>"
	MethodID   string
	InstanceID int64
	Title      string
	Cost       Amount
	Tax        Amount
	Taxes      []LineTax
	Taxable    bool
	Selected   bool
}

// Chosen returns the selected rate, nil if there is none.
func (p *Package) Chosen() *ShippingRate {
	for i := range p.Rates {
		if p.Rates[i].Selected {
			return &p.Rates[i]
		}
	}
	return nil
}

// ship adds the known shipping costs, and finds the rates of the parcels.
func (c *calculation) ship() {
	if len(c.Shipments) == 0 && len(c.Parcels) == 0 {
		return
	}
	rates := c.shippingRates()
	for _, shipment := range c.Shipments {
		charge := c.charge(shipment, rates)
		c.quote.Shipments = append(c.quote.Shipments, charge)
		c.addShippingTaxes(charge)
	}
	for i := range c.Parcels {
		c.quote.Packages = append(c.quote.Packages, c.pack(i, rates))
	}
}

// pack returns a parcel with its rates, one of them selected.
func (c *calculation) pack(id int, taxes []Rate) Package {
	parcel := &c.Parcels[id]
	contents := c.contentsOf(parcel)
	pack := Package{ID: id, Lines: parcel.Lines, Rates: parcel.rates(contents, c.Decimals)}
	selectRate(pack.Rates, c.Chosen[id], contents.freeByCoupon)
	for i := range pack.Rates {
		rate := &pack.Rates[i]
		charge := c.charge(Charge{Amount: rate.Cost, Taxable: rate.Taxable}, taxes)
		rate.Tax, rate.Taxes = charge.Tax, charge.Taxes
		if rate.Selected {
			c.addShippingTaxes(charge)
		}
	}
	return pack
}

func (c *calculation) addShippingTaxes(charge QuotedCharge) {
	for _, tax := range charge.Taxes {
		sum := c.taxSum(tax.RateID)
		sum.ShippingTax = sum.ShippingTax.Add(tax.Total)
	}
}

// shippingRates are the tax rates for shipping: of the set class, or of the class among the lines that is taxed highest.
func (c *calculation) shippingRates() []Rate {
	if c.ShippingTaxClass != InheritTaxClass {
		return c.rates.forShipping(c.ShippingTaxClass)
	}
	var best []Rate
	for i := range c.Lines {
		if !c.Lines[i].Taxable || i > 0 && c.Lines[i].TaxClass == c.Lines[i-1].TaxClass && c.Lines[i-1].Taxable {
			continue // the class was looked at
		}
		if rates := c.rates.forShipping(c.Lines[i].TaxClass); fractionOf(rates).GreaterThan(fractionOf(best)) {
			best = rates
		}
	}
	return best
}

// contents is what the shipping methods look at.
type contents struct {
	load
	classes      []classLoad
	order        Amount // what the whole order costs as free shipping counts it
	undiscounted Amount // the same before discounts
	freeByCoupon bool
}

// classLoad is what is in a parcel of one shipping class, 0 for none.
type classLoad struct {
	class int64
	load
}

// of returns the part of a class.
func (c *contents) of(class int64) *load {
	place := slices.IndexFunc(c.classes, func(part classLoad) bool { return part.class == class })
	if place < 0 {
		place = len(c.classes)
		c.classes = append(c.classes, classLoad{class: class})
	}
	return &c.classes[place].load
}

// load is what a cost formula counts, weighs and takes percentages of.
type load struct {
	pieces int64
	cost   Amount // without tax, discounts taken off
	weight Amount // in the shop's unit
}

func (l *load) add(pieces int64, cost, weight Amount) {
	l.pieces += pieces
	l.cost = l.cost.Add(cost)
	l.weight = l.weight.Add(weight)
}

// contentsOf sums up what is in a parcel.
func (c *calculation) contentsOf(parcel *Parcel) *contents {
	sums := &contents{classes: make([]classLoad, 0, 1)}
	for _, i := range parcel.Lines {
		line := &c.Lines[i]
		cost, weight := c.quote.Lines[i].Total, Times(line.Weight, line.Quantity)
		sums.of(line.ShippingClass).add(line.Quantity, cost, weight)
		sums.add(line.Quantity, cost, weight)
	}
	sums.order, sums.undiscounted = c.net, c.quote.Totals.Items
	if c.DisplayWithTax {
		sums.order = sums.order.Add(c.netTax)
		sums.undiscounted = sums.undiscounted.Add(c.quote.Totals.ItemsTax)
	}
	sums.freeByCoupon = slices.ContainsFunc(c.Coupons, func(coupon Coupon) bool { return coupon.FreeShipping })
	return sums
}

// rates lists what the offered methods cost, without tax.
func (p *Parcel) rates(contents *contents, places int32) []ShippingRate {
	rates := make([]ShippingRate, 0, len(p.Methods))
	for i := range p.Methods {
		method := &p.Methods[i]
		cost, offered := method.costOf(contents)
		if !offered {
			continue
		}
		rates = append(rates, ShippingRate{
			ID:       method.MethodID + ":" + strconv.FormatInt(method.InstanceID, 10),
			MethodID: method.MethodID, InstanceID: method.InstanceID, Title: method.Title,
			Cost: cost.Round(places), Taxable: method.Taxable,
		})
	}
	return rates
}

// selectRate marks the chosen rate; without a valid choice the free one that a coupon gives, else the first.
func selectRate(rates []ShippingRate, chosen string, freeByCoupon bool) {
	place := slices.IndexFunc(rates, func(r ShippingRate) bool { return r.ID == chosen })
	if place < 0 && freeByCoupon {
		place = slices.IndexFunc(rates, func(r ShippingRate) bool { return r.MethodID == FreeShipping })
	}
	if len(rates) > 0 {
		rates[max(place, 0)].Selected = true
	}
}

// costOf works out what the method costs, and whether it is offered at all.
func (m *Method) costOf(contents *contents) (Amount, bool) {
	switch m.MethodID {
	case FlatRate:
		return m.flatCost(contents)
	case FreeShipping:
		return Zero, m.isFree(contents)
	case LocalPickup:
		return evaluateCost(cmp.Or(m.Settings["cost"], "0"), contents.load)
	}
	return Zero, false
}

// flatCost is the method's cost and those of the shipping classes in the parcel: all of them, or the highest if the
// type is "order". A method without any cost set is not offered.
func (m *Method) flatCost(contents *contents) (Amount, bool) {
	total, offered := Zero, false
	if formula := strings.TrimSpace(m.Settings["cost"]); formula != "" {
		cost, ok := evaluateCost(formula, contents.load)
		if !ok {
			return Zero, false
		}
		total, offered = cost, true
	}
	highest, sum := Zero, Zero
	for _, part := range contents.classes {
		formula := strings.TrimSpace(m.classFormula(part.class))
		if formula == "" {
			continue
		}
		cost, ok := evaluateCost(formula, part.load)
		if !ok {
			return Zero, false
		}
		highest, sum, offered = decimal.Max(highest, cost), sum.Add(cost), true
	}
	if m.Settings["type"] == "order" {
		sum = highest
	}
	return total.Add(sum), offered
}

func (m *Method) classFormula(class int64) string {
	if class == 0 {
		return m.Settings["no_class_cost"]
	}
	return m.Settings["class_cost_"+strconv.FormatInt(class, 10)]
}

// isFree reports whether what free shipping requires is met.
func (m *Method) isFree(contents *contents) bool {
	spent := contents.order
	if m.Settings["ignore_discounts"] == "yes" {
		spent = contents.undiscounted
	}
	enough := spent.GreaterThanOrEqual(AmountOf(m.Settings["min_amount"]))
	switch m.Settings["requires"] {
	case "coupon":
		return contents.freeByCoupon
	case "min_amount":
		return enough
	case "either":
		return enough || contents.freeByCoupon
	case "both":
		return enough && contents.freeByCoupon
	}
	return true
}

// methodOf is the method in a rate id.
func methodOf(rateID string) string {
	method, _, _ := strings.Cut(rateID, ":")
	return method
}
