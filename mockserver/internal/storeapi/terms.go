package storeapi

import (
	"net/http"
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Categories, tags and brands, and the terms of an attribute: the same lists over another taxonomy.

// treeTermWire is a category or a brand.
type treeTermWire struct {
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	Slug        string     `json:"slug"`
	Description string     `json:"description"`
	Parent      int64      `json:"parent"`
	Count       int        `json:"count"`
	Image       *imageWire `json:"image"`
	ReviewCount int64      `json:"review_count"`
	Permalink   string     `json:"permalink"`
}

// termWire is a tag, or a term of an attribute.
type termWire struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
	Parent      int64  `json:"parent"`
	Count       int    `json:"count"`
}

func (s *scene) term(t *shop.Term) any {
	return &termWire{t.ID, t.Name, t.Slug, t.Description, t.ParentID, s.Count(t)}
}

func (s *scene) category(t *shop.Term) any {
	return s.treeTerm(t, shop.Products.Category, s.categoryLink(t))
}

func (s *scene) brand(t *shop.Term) any { return s.treeTerm(t, shop.Products.Brand, s.brandLink(t)) }

func (s *scene) treeTerm(t *shop.Term, facet *termFacet, link string) any {
	shown := &treeTermWire{
		ID: t.ID, Name: t.Name, Slug: t.Slug, Description: t.Description, Parent: t.ParentID, Count: s.Count(t),
		ReviewCount: s.reviewCount(facet.Is(idText(t.ID))), Permalink: link,
	}
	if t.Image != nil {
		picture := s.image(*t.Image)
		shown.Image = &picture
	}
	return shown
}

// reviewCount sums the reviews of the rated products among some.
func (s *scene) reviewCount(among condition) int64 {
	rated := shop.Products.ByRating.Between(&state.Key{Num: 1}, nil)
	rows, _ := s.Products.Select(state.Query[*shop.Product]{Where: []condition{among, shop.Products.Status.Is(shop.StatusPublish), rated}})
	var count int64
	for _, p := range rows {
		count += p.RatingCount
	}
	return count
}

func categoryEndpoints() []rest.Endpoint {
	return slices.Concat(
		taxonomyEndpoints("/products/categories", shop.TaxonomyCategory, "category", (*scene).category),
		taxonomyEndpoints("/products/brands", shop.TaxonomyBrand, "brand", (*scene).brand),
		taxonomyEndpoints("/products/tags", shop.TaxonomyTag, "tag", (*scene).term),
	)
}

// taxonomyEndpoints are the list of a taxonomy's terms and the reading of one.
func taxonomyEndpoints(path, taxonomy, what string, show func(*scene, *shop.Term) any) []rest.Endpoint {
	find := func(s *scene, r *rest.Request) ([]*shop.Term, int, error) {
		rows, total := selectTerms(s, r, taxonomy)
		return rows, total, nil
	}
	return []rest.Endpoint{
		listing[*shop.Term]{path, termFilters, find, show}.endpoint(),
		getEndpoint(path+"/{id:[0-9]+}", func(s *scene, r *rest.Request) (any, error) {
			term, err := s.TermOf(taxonomy, r.ID("id"))
			if err != nil {
				return nil, notFound("shop_rest_"+what+"_invalid_id", what)
			}
			return show(s, term), nil
		}),
	}
}

var termFilters = []rest.Param{
	{Name: "search", Type: rest.String, Description: "Only terms whose name holds the words."},
	{Name: "exclude", Type: rest.Array, Items: idItems},
	{Name: "include", Type: rest.Array, Items: idItems},
	{Name: "parent", Type: rest.Integer, Description: "Only terms right below this one; 0: those at the top."},
	{Name: "slug", Type: rest.String, Description: "Only these slugs, with commas."},
	{Name: "hide_empty", Type: rest.Boolean, Default: true, Description: "Leave out terms that no product carries."},
	ordered("asc"),
	{Name: "orderby", Type: rest.String, Default: "name", Enum: []string{"name", "slug", "id", "include", "menu_order", "count"}},
}

var termOrders = map[string]*state.Ordered[*shop.Term]{
	"name": shop.Terms.ByName, "slug": shop.Terms.BySlug, "menu_order": shop.Terms.ByOrder,
}

func selectTerms(s *scene, r *rest.Request, taxonomy string) ([]*shop.Term, int) {
	where := []state.Condition[*shop.Term]{shop.Terms.Taxonomy.Is(taxonomy)}
	if include := r.Args.Ints("include"); len(include) > 0 {
		where = append(where, state.IDs[*shop.Term](include...))
	}
	if exclude := r.Args.Ints("exclude"); len(exclude) > 0 {
		where = append(where, state.NotIDs[*shop.Term](exclude...))
	}
	if r.Args.Has("parent") {
		where = append(where, shop.Terms.Parent.Is(idText(r.Args.Int("parent"))))
	}
	slugs, words := textsOf(r.Args, "slug"), r.Args.String("search")
	where = append(where, state.Match(func(t *shop.Term) bool {
		return (len(slugs) == 0 || slices.Contains(slugs, t.Slug)) && shop.Mentions(words, t.Name, t.Slug) &&
			(!r.Args.Bool("hide_empty") || s.Count(t) > 0)
	}))
	if r.Args.String("orderby") == "count" {
		return termsByCount(s, r, where)
	}
	return rest.Select(r, &s.Terms, termOrders[r.Args.String("orderby")], where)
}

// termsByCount orders terms by how many products carry them, which no index holds.
func termsByCount(s *scene, r *rest.Request, where []state.Condition[*shop.Term]) ([]*shop.Term, int) {
	rows, total := s.Terms.Select(state.Query[*shop.Term]{Where: where, OrderBy: shop.Terms.ByName})
	counts := make(map[int64]int, len(rows))
	for _, term := range rows {
		counts[term.ID] = s.Count(term)
	}
	slices.SortStableFunc(rows, func(a, b *shop.Term) int { return counts[a.ID] - counts[b.ID] })
	if r.Args.String("order") == "desc" {
		slices.Reverse(rows)
	}
	return rest.Slice(rest.PageOf(r), rows), total
}

// attributeWire is a global attribute.
type attributeWire struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Taxonomy    string `json:"taxonomy"`
	Type        string `json:"type"`
	Order       string `json:"order"`
	HasArchives bool   `json:"has_archives"`
	Count       int    `json:"count"`
}

func (s *scene) attribute(a *shop.Attribute) any {
	_, terms := s.Terms.Select(state.Query[*shop.Term]{Where: []state.Condition[*shop.Term]{shop.Terms.Taxonomy.Is(a.Slug)}, Limit: 1})
	return &attributeWire{a.ID, a.Name, a.Slug, a.Type, a.OrderBy, a.HasArchives, terms}
}

const attributeTermsPath = "/products/attributes/{attribute_id:[0-9]+}/terms"

func attributeEndpoints() []rest.Endpoint {
	return []rest.Endpoint{
		listing[*shop.Attribute]{"/products/attributes", nil, findAttributes, (*scene).attribute}.endpoint(),
		getEndpoint("/products/attributes/{id:[0-9]+}", func(s *scene, r *rest.Request) (any, error) {
			attribute, err := s.AttributeByID(r.ID("id"))
			if err != nil {
				return nil, err
			}
			return s.attribute(attribute), nil
		}),
		listing[*shop.Term]{attributeTermsPath, termFilters, findAttributeTerms, (*scene).term}.endpoint(),
	}
}

func findAttributes(s *scene, r *rest.Request) ([]*shop.Attribute, int, error) {
	page := rest.PageOf(r)
	rows, total := s.Attributes.Select(state.Query[*shop.Attribute]{Offset: page.Offset, Limit: page.Limit})
	return rows, total, nil
}

func findAttributeTerms(s *scene, r *rest.Request) ([]*shop.Term, int, error) {
	attribute, err := s.AttributeByID(r.ID("attribute_id"))
	if err != nil {
		return nil, 0, rest.Errorf(http.StatusNotFound, "shop_rest_taxonomy_invalid", "There is no such attribute.")
	}
	rows, total := selectTerms(s, r, attribute.Slug)
	return rows, total, nil
}
