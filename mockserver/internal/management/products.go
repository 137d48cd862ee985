package management

import (
	"slices"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Products (contract, "Products"): the generic resource with a trash, and the filters of the contract's table.
var products = &rest.Resource[product]{
	Path:    "/products",
	Keeps:   true,
	Record:  productFields,
	Name:    func(p *product) string { return rest.IDText(p.ID) },
	Filters: productFilters,
	Select:  selectProducts,
	Find:    rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*product, error) { return v.Product(id) }),
	New:     func(tx *shop.Tx, _ *rest.Request) (*product, error) { return tx.NewProduct(), nil },
	Create:  func(tx *shop.Tx, p *product, _ rest.Args) error { return p.Create(tx) },
	Save:    func(tx *shop.Tx, p, _ *product, _ rest.Args) error { return p.Save(tx) },
	Trash:   (*shop.Product).Trash,
	Delete:  func(tx *shop.Tx, p *product, _ rest.Args) error { return p.Delete(tx) },
	Memo:    func(p *product) *shop.Memo { return p.Memo },
	Others:  (*shop.Product).Related,
}

var productStatuses = []string{"any", "future", "trash", "draft", "pending", "private", "publish"}

func productFilters() []rest.Param {
	return slices.Concat(goodsFilters(), rest.MetaFilters, []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date",
			Enum: []string{"date", "id", "include", "post__in", "title", "slug", "modified",
				"menu_order", "price", "sales", "popularity", "rating", "random"}},
		{Name: "type", Type: rest.String, Enum: []string{"simple", "grouped", "external", "variable"}},
		{Name: "search_sku", Type: rest.String, Description: "Part of a SKU."},
		{Name: "search_name_or_sku", Type: rest.String, Description: "Part of a name or SKU."},
		{Name: "global_unique_id", Type: rest.String, Unlisted: true, Description: "What a scanner reads: GTIN, or several with commas."},
		{Name: "featured", Type: rest.Boolean},
		{Name: "category", Type: rest.String, Description: "Ids of categories, with commas."},
		{Name: "tag", Type: rest.String, Description: "Ids of tags, with commas."},
		{Name: "brand", Type: rest.String, Description: "Ids of brands, with commas."},
		{Name: "shipping_class", Type: rest.String, Description: "Id of a shipping class."},
		{Name: "attribute", Type: rest.String, Description: "Slug of a global attribute; goes with attribute_term."},
		{Name: "attribute_term", Type: rest.String, Description: "Ids of the attribute's terms, with commas."},
		{Name: "include_types", Type: rest.Array,
			Items: &rest.Param{Type: rest.String, Enum: []string{"simple", "grouped", "external", "variable"}}},
		{Name: "exclude_types", Type: rest.Array,
			Items: &rest.Param{Type: rest.String, Enum: []string{"simple", "grouped", "external", "variable"}}},
	})
}

var productOrders = map[string]*state.Ordered[*product]{
	"date": shop.Products.ByDate, "modified": shop.Products.ByModified, "id": shop.Products.ByID,
	"title": shop.Products.ByTitle, "slug": shop.Products.BySlug,
	"popularity": shop.Products.ByPopularity, "rating": shop.Products.ByRating, "menu_order": shop.Products.ByMenuOrder,
	"sales":   shop.Products.ByPopularity,
	"include": shop.Products.ByID, "post__in": shop.Products.ByID, "random": shop.Products.ByID, // rest.Select orders them
}

func selectProducts(v shop.View, r *rest.Request) ([]*product, int, error) {
	where, err := productConditions(v, r.Args)
	if err != nil {
		return nil, 0, err
	}
	order := productOrders[r.Args.String("orderby")]
	if r.Args.String("orderby") == "price" {
		order = shop.Products.ByPrice(r.Args.String("order") != "asc")
	}
	if showsTrash(r.Args) {
		order = nil // the orderings hold no trashed products; the primary order does
	}
	return listed(r, &v.Products, order, where)
}

func showsTrash(args rest.Args) bool {
	return args.String("status") == "trash" || slices.Contains(args.Strings("include_status"), "trash")
}

func productConditions(v shop.View, args rest.Args) ([]state.Condition[*product], error) {
	index := &shop.Products
	c := conditions[*product]{args: widestSearch(args)}
	goods(&c, &v.Products, index)
	c.keys("slug", &v.Products, index.Slug)
	c.facet("type", index.Type)
	c.any("include_types", index.Type)
	c.none("exclude_types", index.Type)
	c.facet("featured", index.Featured)
	c.list("category", func(id string) []string { return v.Branch(id) }, index.Category)
	c.list("tag", single, index.Tag)
	c.list("brand", single, index.Brand)
	c.list("shipping_class", single, index.ShippingClass)
	c.list("parent", single, index.Parent)
	c.not("parent_exclude", index.Parent)
	addAttribute(&c, v)
	c.text("search_sku", func(p *product, want string) bool { return shop.Mentions(want, p.SKU) })
	c.text("search_name_or_sku", func(p *product, want string) bool { return shop.Mentions(want, p.Name, p.SKU) })
	c.text("global_unique_id", func(p *product, want string) bool {
		return p.Extra().GlobalUniqueID != "" && slices.Contains(strings.Split(want, ","), p.Extra().GlobalUniqueID)
	})
	return c.where, c.err
}

// widestSearch leaves out what a wider search takes the place of: apps send several at once, for shops of several ages.
func widestSearch(args rest.Args) rest.Args {
	var superseded []string
	switch {
	case args.String("search_name_or_sku") != "":
		superseded = []string{"search", "search_sku", "sku"}
	case args.String("search_sku") != "":
		superseded = []string{"sku"}
	default:
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(sent rest.Extra) bool { return slices.Contains(superseded, sent.Name) })
}
