package storeapi

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Products as customers see them (contract, "Store API: product endpoints"): those that are published. A list shows what
// the catalogue shows; a hidden product is reached by who knows its id or slug.

var products = &rest.Resource[product]{
	Path: "/products", Title: "product", Public: true, NoLinks: true, Keeps: true,
	Record:  productRecord,
	Filters: productFilters,
	Select:  findProducts,
	Find:    rest.ByID(productByID),
	BySlug:  productBySlug,
	Memo:    func(p *product) *shop.Memo { return p.Memo },
	Form:    shop.Sold,
	Parent:  parentOf,
}

func productByID(v shop.View, _ *rest.Request, id int64) (*product, error) {
	p, err := v.Sellable(id)
	if err != nil || !published(v, p) {
		return nil, notFound("shop_rest_product_invalid_id", "product")
	}
	return p, nil
}

func productBySlug(v shop.View, _ *rest.Request, slug string) (*product, error) {
	p, ok := shop.Products.Slug.Find(&v.Products, slug)
	if !ok || !published(v, p) {
		return nil, notFound("shop_rest_product_invalid_slug", "product")
	}
	return p, nil
}

// published says whether customers may see a product: it and, for a variation, the product that it belongs to are
// published.
func published(v shop.View, p *product) bool {
	return p.Status == shop.StatusPublish && parentOf(v, p).Status == shop.StatusPublish
}

var productOrders = map[string]func(shop.ProductIndexes) *state.Ordered[*product]{
	"date":       func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByDate },
	"modified":   func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByModified },
	"id":         func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByID },
	"include":    func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByID },
	"title":      func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByTitle },
	"slug":       func(i shop.ProductIndexes) *state.Ordered[*product] { return i.BySlug },
	"popularity": func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByPopularity },
	"rating":     func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByRating },
	"menu_order": func(i shop.ProductIndexes) *state.Ordered[*product] { return i.ByMenuOrder },
}

func findProducts(v shop.View, r *rest.Request) ([]*product, int, error) {
	goods := goodsOf(v, r.Args)
	where, err := goods.conditions(v, r.Args)
	if err != nil {
		return nil, 0, err
	}
	rows, total := rest.Select(r, goods.table, goods.order(r.Args), where)
	return rows, total, nil
}

func (g goods) order(args rest.Args) *state.Ordered[*product] {
	if orderby := args.String("orderby"); orderby != "price" {
		return productOrders[orderby](g.index)
	}
	return g.index.ByPrice(args.String("order") != "asc")
}

// goods is the table that a list of products draws from: variations are listed only when asked for.
type goods struct {
	table *state.Table[*product]
	index shop.ProductIndexes
}

func goodsOf(v shop.View, args rest.Args) goods {
	if args.String("type") == string(shop.Variation) {
		return goods{&v.Variations, shop.Variations}
	}
	return goods{&v.Products, shop.Products}
}

var (
	operators  = []string{"in", "not_in", "and"}
	operatorOf = func(name string) rest.Param {
		return rest.Param{Name: name + "_operator", Type: rest.String, Enum: operators, Default: "in"}
	}
	termsParam = func(name string) rest.Param {
		return rest.Param{Name: name, Type: rest.String | rest.Array, Items: &rest.Param{Type: rest.String},
			Description: "Ids or slugs, with commas."}
	}
	stockStates = []string{shop.InStock, shop.OutOfStock, shop.OnBackorder}
	visibility  = []string{"any", "visible", "catalog", "search", "hidden"}
)

func productFilters() []rest.Param {
	return slices.Concat([]rest.Param{
		{Name: "search", Type: rest.String, Description: "Only products that mention the words."},
		{Name: "slug", Type: rest.String, Description: "Only these slugs, with commas."},
		{Name: "after", Type: rest.String, Format: rest.DateTime, Description: "Only products published after the moment."},
		{Name: "before", Type: rest.String, Format: rest.DateTime, Description: "Only products published before the moment."},
		{Name: "date_column", Type: rest.String, Enum: []string{"date", "date_gmt", "modified", "modified_gmt"}, Default: "date",
			Description: "Which date after and before mean."},
		rest.ListOfIDs("exclude", ""),
		rest.ListOfIDs("include", ""),
		rest.ListOfIDs("parent", ""),
		rest.ListOfIDs("parent_exclude", ""),
		rest.Direction("desc"),
		{Name: "orderby", Type: rest.String, Default: "date",
			Enum: []string{"date", "modified", "id", "include", "title", "slug", "price", "popularity", "rating", "menu_order"}},
		{Name: "type", Type: rest.String, Enum: []string{"simple", "grouped", "external", "variable", "variation"}},
		{Name: "sku", Type: rest.String, Description: "SKUs, with commas."},
		{Name: "featured", Type: rest.Boolean},
		termsParam("category"), operatorOf("category"),
		termsParam("tag"), operatorOf("tag"),
		termsParam("brand"), operatorOf("brand"),
		{Name: "on_sale", Type: rest.Boolean},
		{Name: "min_price", Type: rest.String, Description: "In the smallest unit of the currency."},
		{Name: "max_price", Type: rest.String, Description: "In the smallest unit of the currency."},
		{Name: "stock_status", Type: rest.Array, Items: &rest.Param{Type: rest.String, Enum: stockStates}},
		{Name: "attributes", Type: rest.Array, Max: rest.Bound(20), Items: &rest.Param{Type: rest.Object, Fields: []rest.Param{
			{Name: "attribute", Type: rest.String, Required: true},
			rest.ListOfIDs("term_id", ""),
			{Name: "slug", Type: rest.Array, Items: &rest.Param{Type: rest.String}},
			{Name: "operator", Type: rest.String, Enum: operators},
		}}},
		{Name: "attribute_relation", Type: rest.String, Enum: []string{"in", "and"}, Default: "and",
			Description: "Whether one of attributes is enough, or all must hold."},
		{Name: "catalog_visibility", Type: rest.String, Enum: visibility},
		{Name: "rating", Type: rest.Array, Items: &rest.Param{Type: rest.Integer, Min: rest.Bound(1), Max: rest.Bound(5)}},
		{Name: "related", Type: rest.Integer, Description: "Only products related to this one."},
	})
}
