package management

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

type term = shop.Term

// Categories, brands, tags, shipping classes and the terms of an attribute are the same resource over another taxonomy.

var (
	treeRecord = rest.Lazily(func() *rest.Record[term] {
		return termRecord(termID(), termName(), termSlug(), termParent(), termAbout(), termShows(), termImage(), termOrder(), termCount())
	})
	flatRecord = rest.Lazily(func() *rest.Record[term] {
		return termRecord(termID(), termName(), termSlug(), termAbout(), termCount())
	})
	orderRecord = rest.Lazily(func() *rest.Record[term] {
		return termRecord(termID(), termName(), termSlug(), termAbout(), termOrder(), termCount())
	})
)

func termID() rest.Field[term] {
	return rest.Int("id", func(t *term) *int64 { return &t.ID }, rest.ReadOnly)
}

func termName() rest.Field[term] {
	return rest.Text("name", func(t *term) *string { return &t.Name }, rest.Required)
}

func termSlug() rest.Field[term] {
	return rest.Text("slug", func(t *term) *string { return &t.Slug })
}

func termParent() rest.Field[term] {
	return rest.Int("parent", func(t *term) *int64 { return &t.ParentID }, rest.AtLeast(0))
}

func termAbout() rest.Field[term] {
	return rest.Text("description", func(t *term) *string { return &t.Description })
}

func termShows() rest.Field[term] {
	return rest.Text("display", func(t *term) *string { return &t.Display },
		rest.OneOf("default", "products", "subcategories", "both"), rest.Default("default"))
}

func termImage() rest.Field[term] {
	return rest.Restoring(rest.NewField(rest.Param{Name: "image", Type: rest.Object | rest.Null, Fields: image.Changes()},
		encodeTermImage, decodeTermImage), restoreTermImage)
}

func termOrder() rest.Field[term] {
	return rest.Int("menu_order", func(t *term) *int64 { return &t.MenuOrder })
}

func termCount() rest.Field[term] {
	return rest.IntOf("count", func(e *rest.Encoding, t *term) int64 { return int64(t.Count(e.View)) })
}

func termRecord(fields ...rest.Field[term]) *rest.Record[term] {
	return &rest.Record[term]{Fields: fields}
}

// termEndpoints are the four built-in taxonomies.
func termEndpoints() []rest.Endpoint {
	return slices.Concat(
		taxonomy("/products/categories", shop.TaxonomyCategory, treeRecord).Endpoints(),
		taxonomy("/products/brands", shop.TaxonomyBrand, treeRecord).Endpoints(),
		taxonomy("/products/tags", shop.TaxonomyTag, flatRecord).Endpoints(),
		taxonomy("/products/shipping_classes", shop.TaxonomyShippingClass, flatRecord).Endpoints(),
	)
}

func taxonomy(path, name string, record *rest.Record[term]) *rest.Resource[term] {
	return termResource(path, record, func(shop.View, *rest.Request) (string, error) { return name, nil })
}

// attributeTerms are the options of a global attribute.
var attributeTerms = termResource("/products/attributes/{attribute_id:[0-9]+}/terms", orderRecord,
	func(v shop.View, r *rest.Request) (string, error) {
		attribute, err := v.AttributeByID(r.ID("attribute_id"))
		if err != nil {
			return "", err
		}
		return attribute.Slug, nil
	})

// termResource is the generic resource over the taxonomy that a request means.
func termResource(path string, record *rest.Record[term], taxonomyOf func(shop.View, *rest.Request) (string, error)) *rest.Resource[term] {
	return &rest.Resource[term]{
		Path:         path,
		Record:       record,
		HidesMethods: true,
		Name:         func(t *term) string { return rest.IDText(t.ID) },
		Filters:      termFilters,
		Select: func(v shop.View, r *rest.Request) ([]*term, int, error) {
			taxonomy, err := taxonomyOf(v, r)
			if err != nil {
				return nil, 0, err
			}
			return selectTerms(v, r, taxonomy)
		},
		Find: rest.ByID(func(v shop.View, r *rest.Request, id int64) (*term, error) {
			taxonomy, err := taxonomyOf(v, r)
			if err != nil {
				return nil, err
			}
			return v.TermOf(taxonomy, id)
		}),
		New: func(tx *shop.Tx, r *rest.Request) (*term, error) {
			taxonomy, err := taxonomyOf(tx.View, r)
			return &term{Taxonomy: taxonomy, Display: "default"}, err
		},
		Create: func(tx *shop.Tx, t *term, _ rest.Args) error { return t.Create(tx) },
		Save:   func(tx *shop.Tx, t, _ *term, _ rest.Args) error { return t.Save(tx) },
		Delete: func(tx *shop.Tx, t *term, _ rest.Args) error { return t.Delete(tx) },
	}
}

func termFilters() []rest.Param {
	return slices.Concat(listFilters("", "asc"), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "name",
			Enum: []string{"id", "include", "name", "slug", "term_group", "description", "count", "menu_order"}},
		{Name: "hide_empty", Type: rest.Boolean, Default: false},
		{Name: "parent", Type: rest.Integer},
		{Name: "product", Type: rest.Integer, Description: "Only terms that this product carries."},
		{Name: "slug", Type: rest.String},
	})
}

var termOrders = map[string]*state.Ordered[*term]{"name": shop.Terms.ByName, "slug": shop.Terms.BySlug, "menu_order": shop.Terms.ByOrder}

func selectTerms(v shop.View, r *rest.Request, taxonomy string) ([]*term, int, error) {
	c := conditions[*term]{args: r.Args}
	c.add(shop.Terms.Taxonomy.Is(taxonomy))
	c.chosen()
	if r.Args.Has("parent") {
		c.add(shop.Terms.Parent.Is(rest.IDText(r.Args.Int("parent"))))
	}
	if r.Args.Bool("hide_empty") {
		c.add(state.Match(func(t *term) bool { return t.Count(v) > 0 }))
	}
	if r.Args.Has("product") {
		c.add(carriedBy(v, r.Args.Int("product")))
	}
	c.text("slug", func(t *term, want string) bool { return t.Slug == want })
	c.text("search", func(t *term, want string) bool { return shop.Mentions(want, t.Name, t.Slug) })
	if r.Args.String("orderby") == "count" {
		return byCount(v, r, c.where)
	}
	return listed(r, &v.Terms, termOrders[r.Args.String("orderby")], c.where)
}

// byCount orders terms by how many products carry them, which no index holds.
func byCount(v shop.View, r *rest.Request, where []state.Condition[*term]) ([]*term, int, error) {
	rows, total := v.Terms.Select(state.Query[*term]{Where: where})
	sign := 1
	if r.Args.String("order") == "desc" {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b *term) int { return sign * (a.Count(v) - b.Count(v)) })
	return rest.Slice(rest.PageOf(r), rows), total, nil
}

func carriedBy(v shop.View, id int64) state.Condition[*term] {
	p, ok := v.Products.Get(id)
	return state.Match(func(t *term) bool {
		return ok && (slices.Contains(p.CategoryIDs, t.ID) || slices.Contains(p.TagIDs, t.ID) ||
			slices.Contains(p.Extra().BrandIDs, t.ID) || p.ShippingClassID == t.ID)
	})
}

func encodeTermImage(e *rest.Encoding, b []byte, t *term) []byte {
	if t.Image == nil {
		return append(b, "null"...)
	}
	return image.Encode(e, b, t.Image)
}

func decodeTermImage(d *rest.Decoding, t *term, value any) error {
	sent, ok := value.(rest.Args)
	if !ok {
		t.Image = nil
		return nil
	}
	picture := shop.Image{Created: d.Now, Modified: d.Now}
	if t.Image != nil && (sent.String("src") == "" || sent.Int("id") == t.Image.ID) {
		picture = *t.Image
	}
	id := picture.ID
	if err := image.Decode(d, &picture, sent); err != nil {
		return err
	}
	picture.ID = id
	if picture.Src == "" {
		return rest.InvalidParamf("image", "The image needs a src.")
	}
	picture = named(d, picture)
	t.Image = &picture
	return nil
}

func restoreTermImage(d *rest.Decoding, t *term, shown any) error {
	object, isObject := shown.(rest.Args)
	if !isObject {
		return nil
	}
	t.Image = new(shop.Image)
	return image.Restore(d, t.Image, object)
}

type attribute = shop.Attribute

// Global attributes. A delete is always for good: they have no trash, and none is asked for.
var attributes = &rest.Resource[attribute]{
	Path:         "/products/attributes",
	HidesMethods: true,
	Name:         func(a *attribute) string { return rest.IDText(a.ID) },
	Record: rest.Lazily(func() *rest.Record[attribute] {
		return &rest.Record[attribute]{Fields: []rest.Field[attribute]{
			rest.Int("id", func(a *attribute) *int64 { return &a.ID }, rest.ReadOnly),
			rest.Text("name", func(a *attribute) *string { return &a.Name }, rest.Required),
			rest.Text("slug", func(a *attribute) *string { return &a.Slug }),
			rest.Text("type", func(a *attribute) *string { return &a.Type }, rest.OneOf("select"), rest.Default("select")),
			rest.Text("order_by", func(a *attribute) *string { return &a.OrderBy }, rest.OneOf("menu_order", "name", "name_num", "id"),
				rest.Default("menu_order")),
			rest.Flag("has_archives", func(a *attribute) *bool { return &a.HasArchives }, rest.Default(false)),
		}}
	}),
	Select: func(v shop.View, r *rest.Request) ([]*attribute, int, error) {
		rows := slices.Collect(v.Attributes.All())
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find: rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*attribute, error) { return v.AttributeByID(id) }),
	New: func(*shop.Tx, *rest.Request) (*attribute, error) {
		return &attribute{Type: "select", OrderBy: "menu_order"}, nil
	},
	Create: func(tx *shop.Tx, a *attribute, _ rest.Args) error { return a.Create(tx) },
	Save:   func(tx *shop.Tx, a, old *attribute, _ rest.Args) error { return a.Save(tx, old) },
	Trash:  (*shop.Attribute).Delete,
	Delete: func(tx *shop.Tx, a *attribute, _ rest.Args) error { return a.Delete(tx) },
}
