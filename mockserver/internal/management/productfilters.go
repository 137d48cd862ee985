package management

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

// goodsFilters are the list parameters that products and variations share.
func goodsFilters() []rest.Param {
	return append(postFilters(), []rest.Param{
		{Name: "status", Type: rest.String, Default: "any", Enum: productStatuses},
		{Name: "include_status", Type: rest.Array, Items: &rest.Param{Type: rest.String, Enum: productStatuses}},
		{Name: "exclude_status", Type: rest.Array, Items: &rest.Param{Type: rest.String, Enum: productStatuses[1:]}},
		{Name: "sku", Type: rest.String, Description: "SKU, or several with commas."},
		{Name: "tax_class", Type: rest.String, Description: "Slug of a tax class."},
		{Name: "on_sale", Type: rest.Boolean},
		{Name: "min_price", Type: rest.String},
		{Name: "max_price", Type: rest.String},
		{Name: "stock_status", Type: rest.String, Enum: []string{"instock", "outofstock", "onbackorder"}},
		{Name: "virtual", Type: rest.Boolean},
		{Name: "downloadable", Type: rest.Boolean},
	}...)
}

// goods adds what goodsFilters ask for.
func goods(c *conditions[*product], table *state.Table[*product], index *shop.ProductIndexes) {
	c.post(index.ByDate, index.ByModified)
	c.statuses(index.Status)
	c.facet("on_sale", index.OnSale)
	c.facet("virtual", index.Virtual)
	c.facet("downloadable", index.Downloadable)
	c.facet("stock_status", index.Stock)
	addInStock(c, index.Stock)
	c.taxClass("tax_class", index.TaxClass)
	addPrices(c)
	c.keys("sku", table, index.SKU)
	c.text("search", func(p *product, want string) bool {
		return shop.Mentions(want, p.Name, p.Description, p.ShortDescription, p.SKU)
	})
}

// taxClass adds a parameter that names a tax class.
func (c *conditions[R]) taxClass(name string, facet *state.Facet[R]) {
	if class := c.args.String(name); class != "" {
		c.add(facet.Is(shop.TaxClassNamed(class)))
	}
}

// addPrices adds min_price and max_price: they hold when the span of the product's prices reaches into them.
func addPrices(c *conditions[*product]) {
	low, high := c.amount("min_price"), c.amount("max_price")
	if low != nil || high != nil {
		c.add(state.Match(func(p *product) bool { return p.Prices.Reaches(low, high) }))
	}
}

// amount reads a bound of prices, nil when it was not sent.
func (c *conditions[R]) amount(name string) *shop.Amount {
	text := c.args.String(name)
	if text == "" {
		return nil
	}
	amount, ok := pricing.ParseAmount(text)
	if !ok {
		c.err = rest.InvalidParamf(name, "%s must be a decimal number.", name)
	}
	return &amount
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
			if rest.IDText(term.ID) == id {
				names = append(names, term.Name)
			}
		}
	}
	c.add(state.Match(func(p *product) bool {
		return slices.ContainsFunc(p.Attributes, func(a shop.ProductAttribute) bool {
			return a.Slug == slug &&
				slices.ContainsFunc(a.Options, func(option string) bool { return len(names) == 0 || slices.Contains(names, option) })
		})
	}))
}
