package shop

import (
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

// saleAt reports whether sales of the product hold at a moment: its dates include it.
func (p *Product) saleAt(now time.Time) bool {
	extras := p.Extra()
	if extras.SaleFrom != nil && now.Before(*extras.SaleFrom) {
		return false
	}
	return extras.SaleTo == nil || !now.After(*extras.SaleTo)
}

// notePricing remembers when the price of a product was worked out that has dates of a sale.
func (p *Product) notePricing(now time.Time) {
	if p.Extra().saleDated() {
		p.ChangeExtras(func(e *Extras) { e.SalePricedAt = now })
	}
}

func (e *Extras) saleDated() bool { return e.SaleFrom != nil || e.SaleTo != nil }

// priceAlone works out price and span of a product that has no children. A sale price holds if it is lower than the regular one,
// on the dates of the sale.
func (p *Product) priceAlone(now time.Time) {
	regular, priced := pricing.ParseAmount(p.RegularPrice)
	sale, set := pricing.ParseAmount(p.SalePrice)
	p.Price = p.RegularPrice
	p.Prices = PriceSpan{Set: priced, Min: regular, Max: regular, RegularMin: regular, RegularMax: regular}
	if set && priced && sale.LessThan(regular) && p.saleAt(now) {
		p.Price = p.SalePrice
		p.Prices.Min, p.Prices.Max, p.Prices.OnSale = sale, sale, true
	}
}

// priceFrom works out price and span of a product from its children's.
func (p *Product) priceFrom(children []*Product) {
	p.Price, p.Prices = "", PriceSpan{}
	for _, child := range children {
		if child.Status != StatusPublish || !child.Prices.Set {
			continue
		}
		if !p.Prices.Set || child.Prices.Min.LessThan(p.Prices.Min) {
			p.Price = child.Price
		}
		p.Prices = p.Prices.include(child.Prices)
	}
}

// include widens the span by another one.
func (s PriceSpan) include(other PriceSpan) PriceSpan {
	if !s.Set {
		return other
	}
	return PriceSpan{
		Set:        true,
		Min:        lower(s.Min, other.Min),
		Max:        higher(s.Max, other.Max),
		RegularMin: lower(s.RegularMin, other.RegularMin),
		RegularMax: higher(s.RegularMax, other.RegularMax),
		OnSale:     s.OnSale || other.OnSale,
	}
}

// Reaches reports whether some price of the span lies between two bounds; nil leaves an end open.
func (s PriceSpan) Reaches(low, high *Amount) bool {
	return s.Set && (low == nil || !s.Max.LessThan(*low)) && (high == nil || !high.LessThan(s.Min))
}

func lower(a, b Amount) Amount {
	if b.LessThan(a) {
		return b
	}
	return a
}

func higher(a, b Amount) Amount {
	if a.LessThan(b) {
		return b
	}
	return a
}

// nextSaleDate is the last moment, in seconds, for which the prices hold that were worked out last: a sale begins at its
// first date, and ends after its last.
func nextSaleDate(p *Product) (int64, bool) {
	switch extras := p.Extra(); {
	case extras.SaleFrom != nil && extras.SaleFrom.After(extras.SalePricedAt):
		return extras.SaleFrom.Unix() - 1, true
	case extras.SaleTo != nil && extras.SaleTo.After(extras.SalePricedAt):
		return extras.SaleTo.Unix(), true
	}
	return 0, false
}

// nextSale is the second at which prices are to be worked out again, as a sale has begun or ended.
func (v View) nextSale() int64 {
	next := int64(never)
	if product, some := Products.BySaleDate.Least(&v.Products); some {
		next = product.Num + 1
	}
	if variation, some := Variations.BySaleDate.Least(&v.Variations); some {
		next = min(next, variation.Num+1)
	}
	return next
}

// refreshSales works out the prices of all products whose sale has begun or ended.
func (tx *Tx) refreshSales() error {
	until := &state.Key{Num: tx.Now.Unix() - 1}
	return tx.reprice(collect(Variations.BySaleDate.Ascend(&tx.Variations, nil, until)),
		collect(Products.BySaleDate.Ascend(&tx.Products, nil, until)))
}

// TurnBack works out which sales are on after the clock was set back. What else has happened stays: an order that was cancelled is.
func (tx *Tx) TurnBack() error {
	dated := func(table *state.Table[*Product]) (found []*Product) {
		for product := range table.All() {
			if product.Extra().saleDated() {
				found = append(found, product)
			}
		}
		return found
	}
	return tx.reprice(dated(&tx.Variations), dated(&tx.Products))
}

// reprice works out the prices of some variations and products anew.
func (tx *Tx) reprice(variations, products []*Product) error {
	for _, variation := range variations {
		changed := *variation
		if err := changed.putVariation(tx); err != nil {
			return err
		}
	}
	for _, product := range products {
		changed := *product
		if err := changed.put(tx); err != nil {
			return err
		}
	}
	return nil
}

// ShownPrices are the prices of a product as the shop shows them: with or without tax, for a customer at the shop's own place.
func (p *Product) ShownPrices(v View) PriceSpan {
	span, c := p.Prices, v.Config
	if !c.TaxesEnabled || c.PricesIncludeTax == c.DisplayPricesWithTax || p.TaxStatus != "taxable" {
		return span
	}
	for _, price := range []*Amount{&span.Min, &span.Max, &span.RegularMin, &span.RegularMax} {
		*price = p.shownPrice(v, *price)
	}
	return span
}

// shownPrice prices one piece: the one calculation of what things cost knows the taxes.
func (p *Product) shownPrice(v View, price Amount) Amount {
	taxClass := p.TaxClass
	if parent, ok := v.Products.Get(p.ParentID); ok && taxClass == ParentTaxClass {
		taxClass = parent.TaxClass
	}
	home := Address{Country: v.Config.Country, State: v.Config.State}
	line := (&Basket{
		Lines:   []BasketLine{{Product: p, Line: pricing.Line{Quantity: 1, Price: price, Taxable: true, TaxClass: taxClass}}},
		Billing: home, Shipping: home, Decimals: v.Config.Decimals, PricesIncludeTax: v.Config.PricesIncludeTax,
	}).Quote(v).Lines[0]
	if v.Config.DisplayPricesWithTax {
		return line.Subtotal.Add(line.SubtotalTax)
	}
	return line.Subtotal
}
