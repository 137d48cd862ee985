package shop

// Shipping: what the methods of a zone cost for a package, and which one is chosen.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// The shipping methods.
const (
	FlatRate     = "flat_rate"
	FreeShipping = "free_shipping"
	LocalPickup  = "local_pickup"
)

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

// Package is what is shipped together. All that needs shipping goes in one package, number 0.
type Package struct {
	ID          int
	Destination Address
	Lines       []int // places of its lines in the quote
	Rates       []ShippingRate
}

// Chosen is the selected rate, nil if there is none.
func (p *Package) Chosen() *ShippingRate {
	for i := range p.Rates {
		if p.Rates[i].Selected {
			return &p.Rates[i]
		}
	}
	return nil
}

// parcel is what the shipping methods look at.
type parcel struct {
	load
	classes      map[int64]*load // by shipping class, 0 for none
	order        Amount          // what the whole order costs as free shipping counts it
	undiscounted Amount          // the same before discounts
	freeByCoupon bool
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

// methodsOf lists the enabled methods of a zone in their order.
func (v View) methodsOf(zone int64) []*ShippingMethod {
	var methods []*ShippingMethod
	for method := range Methods.Zone.Rows(&v.Methods, strconv.FormatInt(zone, 10)) {
		if method.Enabled {
			methods = append(methods, method)
		}
	}
	slices.SortStableFunc(methods, func(a, b *ShippingMethod) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	return methods
}

// ships tells whether the shop ships at all: it may, and it has an enabled method in some zone.
func (v View) ships() bool {
	if v.Config.ShipTo != nil && len(v.Config.ShipTo) == 0 {
		return false
	}
	for method := range v.Methods.All() {
		if method.Enabled {
			return true
		}
	}
	return false
}

// ratesFor lists the rates of a parcel at a destination, none where the shop does not ship to.
func (v View) ratesFor(destination Address, contents *parcel) []ShippingRate {
	if destination.Country == "" || !v.Config.shipsTo(destination.Country) {
		return nil
	}
	var rates []ShippingRate
	for _, method := range v.methodsOf(v.ZoneFor(destination)) {
		cost, offered := method.costOf(contents)
		if !offered {
			continue
		}
		rates = append(rates, ShippingRate{
			ID:         method.MethodID + ":" + strconv.FormatInt(method.ID, 10),
			MethodID:   method.MethodID,
			InstanceID: method.ID,
			Title:      method.Title,
			Cost:       cost.Round(v.Config.Decimals),
			Taxable:    method.Settings["tax_status"] != "none",
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

// sellsTo tells whether customers of the country may buy.
func (c *Config) sellsTo(country string) bool {
	return c.SellTo == nil || slices.Contains(c.SellTo, country)
}

// shipsTo tells whether the shop ships to the country.
func (c *Config) shipsTo(country string) bool {
	if c.ShipTo == nil {
		return c.sellsTo(country)
	}
	return slices.Contains(c.ShipTo, country)
}

// costOf works out what the method costs, and whether it is offered at all.
func (m *ShippingMethod) costOf(contents *parcel) (Amount, bool) {
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
func (m *ShippingMethod) flatCost(contents *parcel) (Amount, bool) {
	total, offered := Zero, false
	if formula := strings.TrimSpace(m.Settings["cost"]); formula != "" {
		cost, ok := evaluateCost(formula, contents.load)
		if !ok {
			return Zero, false
		}
		total, offered = cost, true
	}
	highest, sum := Zero, Zero
	for class, part := range contents.classes {
		formula := strings.TrimSpace(m.classFormula(class))
		if formula == "" {
			continue
		}
		cost, ok := evaluateCost(formula, *part)
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

func (m *ShippingMethod) classFormula(class int64) string {
	if class == 0 {
		return m.Settings["no_class_cost"]
	}
	return m.Settings["class_cost_"+strconv.FormatInt(class, 10)]
}

// isFree tells whether what free shipping requires is met.
func (m *ShippingMethod) isFree(contents *parcel) bool {
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
