package storeapi

import (
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The wire form of a product (contract, "Store API: Checkout", last paragraph; field order of the reference).

type product = shop.Product

// productRecord is a product, or a variation: that takes from its product what it has not itself.
var productRecord = rest.Lazily(func() *rest.Record[product] {
	return rest.Shown(fields(
		rest.Int("id", func(p *product) *int64 { return &p.ID }),
		rest.TextOf("name", nameOf),
		rest.TextOf("slug", func(e *rest.Encoding, p *product) string { return parentOf(e.View, p).Slug }),
		rest.Int("parent", func(p *product) *int64 { return &p.ParentID }),
		rest.Text("type", func(p *product) *string { return (*string)(&p.Type) }),
		rest.TextOf("variation", func(_ *rest.Encoding, p *product) string { return choicesText(p.Choices) }),
		rest.TextOf("permalink", productLink),
		rest.TextOf("sku", skuOf),
		rest.TextOf("short_description", func(e *rest.Encoding, p *product) string { return parentOf(e.View, p).ShortDescription }),
		rest.TextOf("description", descriptionOf),
		rest.Flag("on_sale", func(p *product) *bool { return &p.Prices.OnSale }),
		rest.NestedOf("prices", shownPrices, priceRecord),
		rest.TextOf("price_html", func(e *rest.Encoding, p *product) string { return e.Config.PriceHTML(p.ShownPrices(e.View)) }),
		rest.TextOf("average_rating", func(e *rest.Encoding, p *product) string { return ratingText(parentOf(e.View, p).AverageRating) }),
		rest.IntOf("review_count", func(e *rest.Encoding, p *product) int64 { return parentOf(e.View, p).RatingCount }),
		rest.RowsOf("images", picturesOf, imageRecord),
		rest.RowsOf("categories", shownCategories, termLinkRecord),
		rest.RowsOf("tags", func(e *rest.Encoding, p *product) []*shop.Term { return termsOf(e, p.TagIDs) }, termLinkRecord),
		rest.RowsOf("brands", func(e *rest.Encoding, p *product) []*shop.Term { return termsOf(e, p.Extra().BrandIDs) }, termLinkRecord),
		rest.Rows("attributes", func(p *product) *[]shop.ProductAttribute { return &p.Attributes }, attributeOfProduct, nil),
		rest.RowsOf("variations", variationsOf, variationOfProduct),
		rest.Within(rest.IDs("grouped_products", func(e *shop.Extras) *[]int64 { return &e.GroupedIDs }),
			(*product).Extra, (*product).SetExtras),
		rest.FlagOf("has_options", func(_ *rest.Encoding, p *product) bool { return p.Type == shop.Variable }),
		rest.FlagOf("is_purchasable", func(_ *rest.Encoding, p *product) bool { return p.Purchasable() }),
		rest.FlagOf("is_in_stock", func(_ *rest.Encoding, p *product) bool { return p.StockStatus != shop.OutOfStock }),
		rest.FlagOf("is_on_backorder", func(_ *rest.Encoding, p *product) bool { return p.StockStatus == shop.OnBackorder }),
		rest.IntOrNullOf("low_stock_remaining", lowStock),
		rest.Part("stock_availability", rest.Shown(fields(
			rest.TextOf("text", func(_ *rest.Encoding, p *product) string { return availabilityText(p) }),
			rest.TextOf("class", func(_ *rest.Encoding, p *product) string { return availabilityClass(p) }),
		))),
		rest.Flag("sold_individually", func(p *product) *bool { return &p.SoldIndividually }),
		rest.Part("add_to_cart", rest.Shown(fields(
			rest.TextOf("text", func(_ *rest.Encoding, p *product) string { return buttonText(p) }),
			rest.TextOf("description", func(e *rest.Encoding, p *product) string { return buttonText(p) + ": " + nameOf(e, p) }),
			rest.TextOf("url", buttonLink),
			rest.TextOf("single_text", func(_ *rest.Encoding, p *product) string { return singleText(p) }),
			rest.IntOf("minimum", func(*rest.Encoding, *product) int64 { return 1 }),
			rest.IntOf("maximum", mostPieces),
			rest.IntOf("multiple_of", func(*rest.Encoding, *product) int64 { return 1 }),
		))),
		rest.Nothing[product]("extensions"),
	))
})

// fields groups the fields of one kind of row.
func fields[T any](all ...rest.Field[T]) []rest.Field[T] { return all }

// priceRecord are the prices of a product. Without a sale, sale_price is the regular one.
var priceRecord = rest.Lazily(func() *rest.Record[shop.PriceSpan] {
	return rest.Shown(
		fields(
			amountOf("price", func(s *shop.PriceSpan) shop.Amount { return s.Min }),
			amountOf("regular_price", func(s *shop.PriceSpan) shop.Amount { return s.RegularMin }),
			amountOf("sale_price", func(s *shop.PriceSpan) shop.Amount { return s.Min }),
			rest.NestedOf("price_range", severalPrices, priceRange, rest.OrNull),
		),
		currency[shop.PriceSpan](),
	)
})

// priceRange is the span of the prices of a product that has several.
var priceRange = rest.Lazily(func() *rest.Record[shop.PriceSpan] {
	return rest.Shown(fields(
		amountOf("min_amount", func(s *shop.PriceSpan) shop.Amount { return s.Min }),
		amountOf("max_amount", func(s *shop.PriceSpan) shop.Amount { return s.Max }),
	))
})

func shownPrices(e *rest.Encoding, p *product) *shop.PriceSpan {
	span := p.ShownPrices(e.View)
	return &span
}

// severalPrices is the span of a product that has several prices.
func severalPrices(_ *rest.Encoding, span *shop.PriceSpan) *shop.PriceSpan {
	if span.Min.Equal(span.Max) {
		return nil
	}
	return span
}

// imageRecord has srcset and sizes as live shops have them of a picture in one size: there is nothing to choose from.
var imageRecord = rest.Lazily(func() *rest.Record[shop.Image] {
	none := func(*rest.Encoding, *shop.Image) string { return "" }
	return rest.Shown(fields(
		rest.Int("id", func(i *shop.Image) *int64 { return &i.ID }),
		rest.TextOf("src", imageLink),
		rest.TextOf("thumbnail", imageLink),
		rest.TextOf("srcset", none),
		rest.TextOf("sizes", none),
		rest.Text("name", func(i *shop.Image) *string { return &i.Name }),
		rest.Text("alt", func(i *shop.Image) *string { return &i.Alt }),
	))
})

func imageLink(e *rest.Encoding, i *shop.Image) string { return e.Site.Absolute(i.Src) }

// termName are the fields that every form of a term begins with.
func termName() []rest.Field[shop.Term] {
	return fields(
		rest.Int("id", func(t *shop.Term) *int64 { return &t.ID }),
		rest.Text("name", func(t *shop.Term) *string { return &t.Name }),
		rest.Text("slug", func(t *shop.Term) *string { return &t.Slug }),
	)
}

// termLinkRecord is a category, tag or brand of a product.
var termLinkRecord = rest.Lazily(func() *rest.Record[shop.Term] {
	return rest.Shown(termName(), fields(rest.TextOf("link", termLink)))
})

// attributeOfProduct is an attribute of a product; one of its own has no taxonomy.
var attributeOfProduct = rest.Lazily(func() *rest.Record[shop.ProductAttribute] {
	return rest.Shown(fields(
		rest.Int("id", func(a *shop.ProductAttribute) *int64 { return &a.ID }),
		rest.Text("name", func(a *shop.ProductAttribute) *string { return &a.Name }),
		rest.TextOrNullOf("taxonomy", func(_ *rest.Encoding, a *shop.ProductAttribute) *string {
			if a.ID == 0 {
				return nil
			}
			return &a.Slug
		}),
		rest.Flag("has_variations", func(a *shop.ProductAttribute) *bool { return &a.Variation }),
		rest.RowsOf("terms", attributeTerms, rest.Shown(termName())),
	))
})

// variationOfProduct is a variation as its product shows it. A choice whose value is null fits any option.
var variationOfProduct = rest.Lazily(func() *rest.Record[product] {
	return rest.Shown(fields(
		rest.Int("id", func(p *product) *int64 { return &p.ID }),
		rest.Rows("attributes", func(p *product) *[]shop.AttributeChoice { return &p.Choices }, rest.Shown(fields(
			rest.Text("name", func(c *shop.AttributeChoice) *string { return &c.Name }),
			rest.TextOrNullOf("value", choiceValue),
		)), nil),
	))
})

// parentOf gives the product that a variation belongs to; other products are their own.
func parentOf(v shop.View, p *product) *product {
	if parent, ok := v.Products.Get(p.ParentID); ok && p.Type == shop.Variation {
		return parent
	}
	return p
}

func nameOf(e *rest.Encoding, p *product) string { return parentOf(e.View, p).Name }

func skuOf(e *rest.Encoding, p *product) string {
	if p.SKU == "" {
		return parentOf(e.View, p).SKU
	}
	return p.SKU
}

func descriptionOf(e *rest.Encoding, p *product) string {
	if p.Description == "" {
		return parentOf(e.View, p).Description
	}
	return p.Description
}

func picturesOf(e *rest.Encoding, p *product) []*shop.Image {
	if len(p.Images) == 0 {
		p = parentOf(e.View, p)
	}
	return rest.Pointers(p.Images)
}

// productLink leads to a product's page, with the options of a variation chosen.
func productLink(e *rest.Encoding, p *product) string {
	link := e.Site.Home + "/product/" + parentOf(e.View, p).Slug + "/"
	separator := "?"
	for _, choice := range p.Choices {
		link += separator + "attribute_" + shop.Slugify(choice.Slug) + "=" + shop.Slugify(choice.Option)
		separator = "&"
	}
	return link
}

func termsOf(e *rest.Encoding, ids []int64) []*shop.Term {
	terms := make([]*shop.Term, 0, len(ids))
	for _, id := range ids {
		if term, ok := e.Terms.Get(id); ok {
			terms = append(terms, term)
		}
	}
	return terms
}

// shownCategories leaves out the default one, which only says that nobody chose any.
func shownCategories(e *rest.Encoding, p *product) []*shop.Term {
	none, _ := e.DefaultCategory()
	return slices.DeleteFunc(termsOf(e, p.CategoryIDs), func(t *shop.Term) bool { return t.ID == none })
}

// termLink leads to the page of a category, brand or tag.
func termLink(e *rest.Encoding, t *shop.Term) string {
	switch t.Taxonomy {
	case shop.TaxonomyTag:
		return e.Site.Home + "/product-tag/" + t.Slug + "/"
	case shop.TaxonomyBrand:
		return e.Site.Home + "/brand/" + t.Slug + "/"
	}
	path := t.Slug + "/"
	for parent, ok := e.Terms.Get(t.ParentID); ok; parent, ok = e.Terms.Get(parent.ParentID) {
		path = parent.Slug + "/" + path
	}
	return e.Site.Home + "/product-category/" + path
}

// attributeTerms shows options: those of a global attribute are terms, those of an own one just texts.
func attributeTerms(e *rest.Encoding, a *shop.ProductAttribute) []*shop.Term {
	terms := make([]*shop.Term, len(a.Options))
	for i, option := range a.Options {
		term, ok := optionTerm(e.View, a.ID, a.Slug, option)
		if !ok {
			term = &shop.Term{Name: option, Slug: option}
		}
		terms[i] = term
	}
	return terms
}

// optionTerm finds the term of an option of a global attribute.
func optionTerm(v shop.View, attribute int64, taxonomy, option string) (*shop.Term, bool) {
	if attribute == 0 {
		return nil, false
	}
	if term, ok := shop.Terms.Slug.Find(&v.Terms, shop.TermKey(taxonomy, shop.Slugify(option))); ok {
		return term, true
	}
	for term := range shop.Terms.Taxonomy.Rows(&v.Terms, taxonomy) {
		if term.Name == option {
			return term, true
		}
	}
	return nil, false
}

// variationsOf are the variations of a product that customers can buy.
func variationsOf(e *rest.Encoding, p *product) []*product {
	if p.Type != shop.Variable {
		return nil
	}
	return slices.DeleteFunc(e.Children(p.ID), func(child *product) bool { return child.Status != shop.StatusPublish })
}

func choiceValue(e *rest.Encoding, choice *shop.AttributeChoice) *string {
	if choice.Option == "" {
		return nil
	}
	if term, ok := optionTerm(e.View, choice.ID, choice.Slug, choice.Option); ok {
		return &term.Slug
	}
	return &choice.Option
}

// ratingText shows an average, and a bare nought where there is none, as live shops do.
func ratingText(average shop.Rating) string {
	if average == 0 {
		return "0"
	}
	return average.String()
}

// choicesText names what a variation stands for: "Size: Medium, Colour: any".
func choicesText(choices []shop.AttributeChoice) string {
	texts := make([]string, len(choices))
	for i, choice := range choices {
		option := choice.Option
		if option == "" {
			option = "any"
		}
		texts[i] = choice.Name + ": " + option
	}
	return strings.Join(texts, ", ")
}

// lowStock is how many pieces are left, when they are few.
func lowStock(e *rest.Encoding, p *product) *int64 {
	if !p.ManageStock || p.StockQuantity == nil || p.Backorders != shop.BackordersNo {
		return nil
	}
	threshold := e.Config.LowStockThreshold
	if own := p.Extra().LowStockAmount; own != nil {
		threshold = *own
	}
	if *p.StockQuantity > threshold {
		return nil
	}
	left := max(0, *p.StockQuantity)
	return &left
}

// mostPieces is how many pieces one cart may hold of a product.
func mostPieces(_ *rest.Encoding, p *product) int64 {
	switch {
	case p.SoldIndividually:
		return 1
	case p.ManageStock && p.StockQuantity != nil && p.Backorders == shop.BackordersNo && *p.StockQuantity > 0:
		return min(shop.MaxQuantity, *p.StockQuantity)
	}
	return shop.MaxQuantity
}

func availabilityText(p *product) string {
	switch {
	case p.StockStatus == shop.OutOfStock:
		return "Sold out"
	case p.StockStatus == shop.OnBackorder:
		return "On backorder"
	case p.ManageStock && p.StockQuantity != nil:
		return strconv.FormatInt(*p.StockQuantity, 10) + " available"
	}
	return ""
}

func availabilityClass(p *product) string {
	switch p.StockStatus {
	case shop.OutOfStock:
		return "out-of-stock"
	case shop.OnBackorder:
		return "available-on-backorder"
	}
	return "in-stock"
}

func buttonText(p *product) string {
	switch {
	case p.Type == shop.Grouped:
		return "See the products"
	case p.Type == shop.External:
		return singleText(p)
	case !canBuyNow(p):
		return "Details"
	case p.Type == shop.Variable:
		return "Choose options"
	}
	return "Add to cart"
}

func singleText(p *product) string {
	switch {
	case p.Type != shop.External:
		return "Add to cart"
	case p.Extra().ButtonText != "":
		return p.Extra().ButtonText
	}
	return "Buy elsewhere"
}

func buttonLink(e *rest.Encoding, p *product) string {
	switch {
	case p.Type == shop.External && p.Extra().ExternalURL != "":
		return p.Extra().ExternalURL
	case p.Type == shop.Simple && canBuyNow(p):
		return "?add-to-cart=" + strconv.FormatInt(p.ID, 10)
	}
	return productLink(e, p)
}

func canBuyNow(p *product) bool { return p.Purchasable() && p.StockStatus != shop.OutOfStock }
