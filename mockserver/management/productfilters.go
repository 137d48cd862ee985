package management

import (
	"slices"

	"shopcheck/mockserver/shop"
	"shopcheck/mockserver/state"
)

// addPrices adds min_price and max_price: they hold when the span of the product's prices reaches into them.
func addPrices(c *conditions[*product]) {
	bound := func(name string) (shop.Amount, bool) {
		text := c.args.String(name)
		amount, ok := shop.ParseAmount(text)
		if text != "" && !ok {
			c.err = invalid(name, "%s must be a decimal number.", name)
		}
		return amount, ok
	}
	low, hasLow := bound("min_price")
	high, hasHigh := bound("max_price")
	if !hasLow && !hasHigh {
		return
	}
	c.add(state.Match(func(p *product) bool {
		return p.Prices.Set && (!hasLow || !p.Prices.Max.LessThan(low)) && (!hasHigh || !high.LessThan(p.Prices.Min))
	}))
}

// addAttribute adds attribute with attribute_term: products that carry one of the terms.
func addAttribute(c *conditions[*product], v shop.View) {
	slug := c.args.String("attribute")
	if slug == "" {
		return
	}
	var names []string
	for _, id := range c.ids("attribute_term") {
		for term := range shop.Terms.Taxonomy.Rows(&v.Terms, slug) {
			if idText(term.ID) == id {
				names = append(names, term.Name)
			}
		}
	}
	c.add(state.Match(func(p *product) bool {
		return slices.ContainsFunc(p.Attributes, func(a shop.ProductAttribute) bool {
			return a.Slug == slug && slices.ContainsFunc(a.Options, func(option string) bool { return len(names) == 0 || slices.Contains(names, option) })
		})
	}))
}
