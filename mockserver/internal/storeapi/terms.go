package storeapi

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Categories, tags and brands, the global attributes and their terms (contract, "Store API: product endpoints").

// termRecord is a tag, or a term of an attribute.
var termRecord = rest.Lazily(func() *rest.Record[shop.Term] {
	return rest.Shown(termName(), fields(
		rest.Text("description", func(t *shop.Term) *string { return &t.Description }),
		rest.Int("parent", func(t *shop.Term) *int64 { return &t.ParentID }),
		rest.IntOf("count", func(e *rest.Encoding, t *shop.Term) int64 { return int64(t.Count(e.View)) }),
	))
})

// treeTermRecord is a category or a brand.
var treeTermRecord = rest.Lazily(func() *rest.Record[shop.Term] {
	return rest.Shown(termRecord.All(), fields(
		rest.NestedOf("image", func(_ *rest.Encoding, t *shop.Term) *shop.Image { return t.Image }, imageRecord, rest.OrNull),
		rest.IntOf("review_count", func(e *rest.Encoding, t *shop.Term) int64 { return reviewCount(e.View, t) }),
		rest.TextOf("permalink", termLink),
	))
})

// reviewCount sums the reviews of the rated products that carry a category or brand.
func reviewCount(v shop.View, t *shop.Term) int64 {
	facet := shop.Products.Category
	if t.Taxonomy == shop.TaxonomyBrand {
		facet = shop.Products.Brand
	}
	rows, _ := v.Products.Select(state.Query[*product]{Where: []condition{
		facet.Is(rest.IDText(t.ID)), shop.Products.Status.Is(shop.StatusPublish), shop.Products.ByRating.Between(&state.Key{Num: 1}, nil),
	}})
	var count int64
	for _, p := range rows {
		count += p.RatingCount
	}
	return count
}

var (
	categories = taxonomy("/products/categories", shop.TaxonomyCategory, "category", treeTermRecord)
	brands     = taxonomy("/products/brands", shop.TaxonomyBrand, "brand", treeTermRecord)
	tags       = taxonomy("/products/tags", shop.TaxonomyTag, "tag", termRecord)
)

// taxonomy is the resource of a taxonomy's terms.
func taxonomy(path, name, what string, record *rest.Record[shop.Term]) *rest.Resource[shop.Term] {
	return &rest.Resource[shop.Term]{
		Path: path, Title: "product_" + what, Public: true, NoLinks: true,
		Record:  record,
		Filters: termFilters,
		Select: func(v shop.View, r *rest.Request) ([]*shop.Term, int, error) {
			rows, total := selectTerms(v, r, name)
			return rows, total, nil
		},
		Find: rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*shop.Term, error) {
			term, err := v.TermOf(name, id)
			if err != nil {
				return nil, notFound("shop_rest_"+what+"_invalid_id", what)
			}
			return term, nil
		}),
	}
}

func termFilters() []rest.Param {
	return []rest.Param{
		{Name: "search", Type: rest.String, Description: "Only terms whose name holds the words."},
		rest.ListOfIDs("exclude", ""),
		rest.ListOfIDs("include", ""),
		{Name: "parent", Type: rest.Integer, Description: "Only terms right below this one; 0: those at the top."},
		{Name: "slug", Type: rest.String, Description: "Only these slugs, with commas."},
		{Name: "hide_empty", Type: rest.Boolean, Default: true, Description: "Leave out terms that no product carries."},
		rest.Direction("asc"),
		{Name: "orderby", Type: rest.String, Default: "name", Enum: []string{"name", "slug", "id", "include", "menu_order", "count"}},
	}
}

// attributeTermFilters are those of terms; an attribute may say that its terms are ordered by the numbers in their names.
func attributeTermFilters() []rest.Param {
	filters := termFilters()
	orderby := &filters[len(filters)-1]
	orderby.Enum = append(orderby.Enum, "name_num")
	return filters
}

var termOrders = map[string]*state.Ordered[*shop.Term]{
	"name": shop.Terms.ByName, "slug": shop.Terms.BySlug, "menu_order": shop.Terms.ByOrder,
}

func selectTerms(v shop.View, r *rest.Request, taxonomy string) ([]*shop.Term, int) {
	where := []state.Condition[*shop.Term]{shop.Terms.Taxonomy.Is(taxonomy)}
	if include := r.Args.Ints("include"); len(include) > 0 {
		where = append(where, state.IDs[*shop.Term](include...))
	}
	if exclude := r.Args.Ints("exclude"); len(exclude) > 0 {
		where = append(where, state.NotIDs[*shop.Term](exclude...))
	}
	if r.Args.Has("parent") {
		where = append(where, shop.Terms.Parent.Is(rest.IDText(r.Args.Int("parent"))))
	}
	slugs, words := textsOf(r.Args, "slug"), r.Args.String("search")
	where = append(where, state.Match(func(t *shop.Term) bool {
		return (len(slugs) == 0 || slices.Contains(slugs, t.Slug)) && shop.Mentions(words, t.Name, t.Slug) &&
			(!r.Args.Bool("hide_empty") || t.Count(v) > 0)
	}))
	switch r.Args.String("orderby") {
	case "count":
		return termsSorted(v, r, where, func(t *shop.Term) float64 { return float64(t.Count(v)) })
	case "name_num":
		return termsSorted(v, r, where, func(t *shop.Term) float64 { return leadingNumber(t.Name) })
	}
	return rest.Select(r, &v.Terms, termOrders[r.Args.String("orderby")], where)
}

// termsSorted orders terms by a number that no index holds, such as how many products carry them.
func termsSorted(v shop.View, r *rest.Request, where []state.Condition[*shop.Term], number func(*shop.Term) float64) ([]*shop.Term, int) {
	rows, total := v.Terms.Select(state.Query[*shop.Term]{Where: where, OrderBy: shop.Terms.ByName})
	numbers := make(map[int64]float64, len(rows))
	for _, term := range rows {
		numbers[term.ID] = number(term)
	}
	slices.SortStableFunc(rows, func(a, b *shop.Term) int { return cmp.Compare(numbers[a.ID], numbers[b.ID]) })
	if r.Args.String("order") == "desc" {
		slices.Reverse(rows)
	}
	return rest.Slice(rest.PageOf(r), rows), total
}

// leadingNumber is the number that a name begins with: 10 of "10 cm", 0 of "Large".
func leadingNumber(name string) float64 {
	digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789."))]
	number, _ := strconv.ParseFloat(digits, 64) // what is none is 0
	return number
}

var attributes = &rest.Resource[shop.Attribute]{
	Path: "/products/attributes", Title: "product_attribute", Public: true, NoLinks: true,
	Record: rest.Shown(fields(
		rest.Int("id", func(a *shop.Attribute) *int64 { return &a.ID }),
		rest.Text("name", func(a *shop.Attribute) *string { return &a.Name }),
		rest.Text("taxonomy", func(a *shop.Attribute) *string { return &a.Slug }),
		rest.Text("type", func(a *shop.Attribute) *string { return &a.Type }),
		rest.Text("order", func(a *shop.Attribute) *string { return &a.OrderBy }),
		rest.Flag("has_archives", func(a *shop.Attribute) *bool { return &a.HasArchives }),
		rest.IntOf("count", termsOfAttribute),
	)),
	Select: findAttributes,
	Find:   rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*shop.Attribute, error) { return v.AttributeByID(id) }),
}

// termsOfAttribute counts the terms of an attribute.
func termsOfAttribute(e *rest.Encoding, a *shop.Attribute) int64 {
	return int64(shop.Terms.Taxonomy.Count(&e.Terms, a.Slug))
}

func findAttributes(v shop.View, r *rest.Request) ([]*shop.Attribute, int, error) {
	page := rest.PageOf(r)
	rows, total := v.Attributes.Select(state.Query[*shop.Attribute]{Offset: page.Offset, Limit: page.Limit})
	return rows, total, nil
}

var termsOfAttributes = &rest.Resource[shop.Term]{
	Path: "/products/attributes/{attribute_id:[0-9]+}/terms", Title: "product_attribute_term", Public: true, NoLinks: true,
	Record:  termRecord,
	Filters: attributeTermFilters,
	Select:  findAttributeTerms,
}

func findAttributeTerms(v shop.View, r *rest.Request) ([]*shop.Term, int, error) {
	attribute, err := v.AttributeByID(r.ID("attribute_id"))
	if err != nil {
		return nil, 0, rest.Errorf(http.StatusNotFound, "shop_rest_taxonomy_invalid", "There is no such attribute.")
	}
	rows, total := selectTerms(v, r, attribute.Slug)
	return rows, total, nil
}
