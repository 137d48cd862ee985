package storeapi

import (
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

type (
	condition  = state.Condition[*product]
	termFacet  = state.Facet[*product]
	conditions []condition
)

func (c *conditions) add(more condition) { *c = append(*c, more) }

// conditions gathers what a list request asks for. A parameter that was not sent adds nothing.
func (g goods) conditions(v shop.View, args rest.Args) ([]condition, error) {
	c := conditions{g.index.Status.Is(shop.StatusPublish)}
	g.addVisibility(v, args, &c)
	g.addChoice(args, &c)
	g.addDates(args, &c)
	g.addStock(v, args, &c)
	addTerms(v, args, termChoice{"category", shop.TaxonomyCategory, g.index.Category}, &c)
	addTerms(v, args, termChoice{"tag", shop.TaxonomyTag, g.index.Tag}, &c)
	addTerms(v, args, termChoice{"brand", shop.TaxonomyBrand, g.index.Brand}, &c)
	g.addTexts(args, &c)
	g.addAttributes(v, args, &c)
	addRelated(v, args, &c)
	return c, addPrices(v, args, &c)
}

// addVisibility leaves out what the catalogue, or its search, does not show.
func (g goods) addVisibility(v shop.View, args rest.Args, c *conditions) {
	if args.String("type") == string(shop.Variation) {
		c.add(state.Match(func(p *product) bool { return published(v, p) }))
		return
	}
	switch wanted := args.String("catalog_visibility"); {
	case wanted == "any":
	case wanted == "catalog" || wanted == "search":
		c.add(g.index.Visibility.Is("visible", wanted))
	case wanted != "":
		c.add(g.index.Visibility.Is(wanted))
	case args.String("search") != "":
		c.add(g.index.Visibility.Is("visible", "search"))
	default:
		c.add(g.index.Visibility.Is("visible", "catalog"))
	}
}

// addChoice adds ids, parents, type and flags.
func (g goods) addChoice(args rest.Args, c *conditions) {
	if include := args.Ints("include"); len(include) > 0 {
		c.add(state.IDs[*product](include...))
	}
	if exclude := args.Ints("exclude"); len(exclude) > 0 {
		c.add(state.NotIDs[*product](exclude...))
	}
	if parents := args.Ints("parent"); len(parents) > 0 {
		c.add(g.index.Parent.Is(rest.IDTexts(parents)...))
	}
	if parents := args.Ints("parent_exclude"); len(parents) > 0 {
		c.add(g.index.Parent.Not(rest.IDTexts(parents)...))
	}
	if kind := args.String("type"); kind != "" {
		c.add(g.index.Type.Is(kind))
	}
	if args.Has("featured") {
		c.add(g.index.Featured.Is(strconv.FormatBool(args.Bool("featured"))))
	}
	if args.Has("on_sale") {
		c.add(g.index.OnSale.Is(strconv.FormatBool(args.Bool("on_sale"))))
	}
}

func (g goods) addDates(args rest.Args, c *conditions) {
	order := g.index.ByDate
	if strings.HasPrefix(args.String("date_column"), "modified") {
		order = g.index.ByModified
	}
	var from, to *state.Key
	if moment, ok := args.Time("after"); ok {
		from = &state.Key{Num: moment.Unix() + 1}
	}
	if moment, ok := args.Time("before"); ok {
		to = &state.Key{Num: moment.Unix() - 1}
	}
	if from != nil || to != nil {
		c.add(order.Between(from, to))
	}
}

func (g goods) addStock(v shop.View, args rest.Args, c *conditions) {
	if wanted := args.Strings("stock_status"); len(wanted) > 0 {
		c.add(g.index.Stock.Is(wanted...))
	} else if v.Config.HideOutOfStock {
		c.add(g.index.Stock.Not(shop.OutOfStock))
	}
}

// termChoice is a parameter that chooses products by the terms that they carry.
type termChoice struct {
	param, taxonomy string
	facet           *termFacet
}

// addTerms adds category, tag or brand: ids or slugs; a category stands for those below it too.
func addTerms(v shop.View, args rest.Args, choice termChoice, c *conditions) {
	wanted := textsOf(args, choice.param)
	if len(wanted) == 0 {
		return
	}
	branches := make([][]string, len(wanted))
	for i, term := range wanted {
		branches[i] = branch(v, choice.taxonomy, term)
	}
	switch args.String(choice.param + "_operator") {
	case "not_in":
		c.add(choice.facet.Not(slices.Concat(branches...)...))
	case "and":
		for _, branch := range branches {
			c.add(choice.facet.Is(branch...))
		}
	default:
		c.add(choice.facet.Is(slices.Concat(branches...)...))
	}
}

// branch gives a term, named by id or slug, and those below it as facet values.
func branch(v shop.View, taxonomy, idOrSlug string) []string {
	if _, err := strconv.ParseInt(idOrSlug, 10, 64); err == nil {
		return v.Branch(idOrSlug)
	}
	if term, ok := shop.Terms.Slug.Find(&v.Terms, shop.TermKey(taxonomy, idOrSlug)); ok {
		return v.Branch(rest.IDText(term.ID))
	}
	return []string{"0"} // no product carries a term that is not there
}

func (g goods) addTexts(args rest.Args, c *conditions) {
	switch slugs := textsOf(args, "slug"); {
	case len(slugs) == 0:
	case args.String("type") == string(shop.Variation): // their slugs are in no index
		c.add(state.Match(func(p *product) bool { return slices.Contains(slugs, p.Slug) }))
	default:
		c.add(g.index.Slug.Of(g.table, slugs...))
	}
	if skus := strings.Split(args.String("sku"), ","); skus[0] != "" {
		c.add(g.index.SKU.Of(g.table, skus...))
	}
	if words := args.String("search"); words != "" {
		c.add(state.Match(func(p *product) bool {
			return shop.Mentions(words, p.Name, p.SKU, p.ShortDescription, p.Description)
		}))
	}
	if ratings := args.Ints("rating"); len(ratings) > 0 {
		c.add(state.Match(func(p *product) bool { return slices.Contains(ratings, p.AverageRating.Stars()) }))
	}
}

// addAttributes adds attributes: products that carry the terms of each (or, with attribute_relation=in, of one of them).
func (g goods) addAttributes(v shop.View, args rest.Args, c *conditions) {
	var either []func(*product) bool
	for _, wanted := range args.Objects("attributes") {
		values := attributeValues(v, wanted)
		holds := carries(values, wanted.String("operator"))
		if args.String("attribute_relation") == "in" {
			either = append(either, holds)
		} else {
			c.add(state.Match(holds))
		}
	}
	if len(either) > 0 {
		c.add(state.Match(func(p *product) bool {
			return slices.ContainsFunc(either, func(holds func(*product) bool) bool { return holds(p) })
		}))
	}
}

// attributeValues are the attribute's options that a filter names by term or slug, as "taxonomy:option".
func attributeValues(v shop.View, wanted rest.Args) []string {
	taxonomy := wanted.String("attribute")
	ids, slugs := wanted.Ints("term_id"), wanted.Strings("slug")
	var values []string
	for term := range shop.Terms.Taxonomy.Rows(&v.Terms, taxonomy) {
		if slices.Contains(ids, term.ID) || slices.Contains(slugs, term.Slug) {
			values = append(values, optionKey(taxonomy, term.Name))
		}
	}
	return values
}

func optionKey(taxonomy, option string) string { return taxonomy + ":" + option }

func carries(values []string, operator string) func(*product) bool {
	return func(p *product) bool {
		count := 0
		for _, a := range p.Attributes {
			for _, option := range a.Options {
				if slices.Contains(values, optionKey(a.Slug, option)) {
					count++
				}
			}
		}
		switch operator {
		case "not_in":
			return count == 0
		case "and":
			return count == len(values)
		}
		return count > 0
	}
}

func addRelated(v shop.View, args rest.Args, c *conditions) {
	if !args.Has("related") {
		return
	}
	var related shop.Related
	if p, ok := v.Products.Get(args.Int("related")); ok {
		related = p.Related(v)
	}
	c.add(state.IDs[*product](related.IDs()...))
}

// addPrices adds min_price and max_price, in minor units: they hold when a product's span of prices reaches into them.
func addPrices(v shop.View, args rest.Args, c *conditions) error {
	low, err := priceBound(v, args, "min_price")
	if err != nil {
		return err
	}
	high, err := priceBound(v, args, "max_price")
	if err == nil && (low != nil || high != nil) {
		c.add(state.Match(func(p *product) bool { return p.Prices.Reaches(low, high) }))
	}
	return err
}

// priceBound is nil when the parameter was not sent.
func priceBound(v shop.View, args rest.Args, name string) (*shop.Amount, error) {
	text := args.String(name)
	if text == "" {
		return nil, nil
	}
	amount, ok := pricing.ParseAmount(text)
	if !ok {
		return nil, rest.InvalidParamf(name, "%s must be a number of the currency's smallest unit.", name)
	}
	bound := amount.Shift(-v.Config.Decimals)
	return &bound, nil
}
