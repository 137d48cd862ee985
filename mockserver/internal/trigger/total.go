package trigger

// An order of a given total: its first line costs what that leaves for it.

import (
	"fmt"
	"slices"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// totalPlace is where an order shows its total, which follows from its lines, taxes and fees.
const totalPlace = "total"

// takeTotal notes which total the order is to have, if one is to be set.
func (p *plan) takeTotal(set map[string]any) error {
	value, asked := set[totalPlace]
	if p.event.Resource != "order" || !asked {
		return nil
	}
	text := fmt.Sprint(value)
	total, isAmount := pricing.ParseAmount(text)
	if !isAmount || total.IsNegative() || !total.Equal(total.Round(p.shop.View.Config.Decimals)) {
		return rest.InvalidParamf("set.total", "total must be an amount of at most %d decimals, such as %s.",
			p.shop.View.Config.Decimals, decimal.New(1990, -2).StringFixed(p.shop.View.Config.Decimals))
	}
	for place := range set {
		if place == "line_items.0.total" || place == "line_items.0.subtotal" || place == "line_items" {
			return rest.InvalidParamf("set."+place, "total and %s cannot both be set: one follows from the other.", place)
		}
	}
	p.total = &total
	return nil
}

// withTotal is what is to be set, and what the first line costs so that the order has its total.
func (p *plan) withTotal() []setting {
	if p.total == nil {
		return p.sets
	}
	price := p.line.String()
	return append(slices.Clone(p.sets), setting{[]string{"line_items", "0", "subtotal"}, price},
		setting{[]string{"line_items", "0", "total"}, price})
}

// withExcess adds to a body the fee that makes up for what no price of the line comes to.
func (p *plan) withExcess(body map[string]any) {
	if p.excess.IsZero() {
		return
	}
	fees, _ := body["fee_lines"].([]any)
	body["fee_lines"] = append(fees, map[string]any{"name": "Rounding", "tax_status": "none", "total": p.excess.String()})
}

// findTotal rehearses until the order has its total. Taxes grow with the price of the line, but are rounded: where a cent is left over, an
// untaxed fee makes up for it.
func (p *plan) findTotal() error {
	const probe = 1000
	without, err := p.totalAt(shop.Zero, shop.Zero)
	if err != nil {
		return err
	}
	with, err := p.totalAt(decimal.NewFromInt(probe), shop.Zero)
	if err != nil {
		return err
	}
	share := with.Sub(without).Div(decimal.NewFromInt(probe))
	if !share.IsPositive() || p.total.LessThan(without) {
		return p.outOfReach(without)
	}
	line := p.total.Sub(without).Div(share).Round(p.shop.View.Config.Decimals)
	got, err := p.totalAt(line, shop.Zero)
	if left := p.total.Sub(got); err == nil && !left.IsZero() {
		if got, err = p.totalAt(decimal.Max(line.Add(left), shop.Zero), shop.Zero); err == nil && !got.Equal(*p.total) {
			got, err = p.totalAt(line, left)
		}
	}
	if err == nil && !got.Equal(*p.total) {
		return p.outOfReach(got)
	}
	return err
}

// totalAt is the total that an order gets whose first line costs an amount, and that has a fee besides.
func (p *plan) totalAt(line, excess shop.Amount) (shop.Amount, error) {
	p.line, p.excess = line, excess
	_, record, err := p.run(p.shop.Copy())
	if err != nil {
		return shop.Zero, err
	}
	return decimal.NewFromString(record.Get(totalPlace).Str)
}

func (p *plan) outOfReach(got shop.Amount) error {
	return rest.InvalidParamf("set.total", "No price of its first line gives the order a total of %s: all else in it comes to %s. "+
		"Set line_items.0.total, shipping_lines and fee_lines instead.", p.total, got)
}
