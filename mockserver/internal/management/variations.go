package management

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Variations of a variable product (contract, "Products"): products of their own, below their parent.
var variations = &rest.Resource[product]{
	Path:         "/products/{product_id:[0-9]+}/variations",
	HidesMethods: true,
	Record:       variationFields,
	Name:         func(p *product) string { return rest.IDText(p.ID) },
	Filters:      variationFilters,
	Select:       selectVariations,
	Find: rest.ByID(func(v shop.View, r *rest.Request, id int64) (*product, error) {
		return v.VariationOf(r.ID("product_id"), id)
	}),
	New:    func(tx *shop.Tx, r *rest.Request) (*product, error) { return tx.NewVariation(r.ID("product_id")) },
	Create: func(tx *shop.Tx, p *product, _ rest.Args) error { return p.CreateVariation(tx) },
	Save:   func(tx *shop.Tx, p, _ *product, _ rest.Args) error { return p.SaveVariation(tx) },
	Trash:  (*shop.Product).TrashVariation,
	Delete: func(tx *shop.Tx, p *product, _ rest.Args) error { return p.DeleteVariation(tx) },
	Memo:   func(p *product) *shop.Memo { return p.Memo },
	Parent: func(v shop.View, p *product) *product { // its address is in a variation's
		parent, _ := v.Products.Get(p.ParentID)
		return parent
	},
	Links: func(p *product) []rest.Link {
		return []rest.Link{{Relation: "up", Path: "/products/" + rest.IDText(p.ParentID)}}
	},
}

var variationFields = rest.Lazily(func() *rest.Record[product] {
	return record(
		fields(
			rest.Int("id", func(p *product) *int64 { return &p.ID }, rest.ReadOnly),
			rest.Text("type", func(p *product) *string { return (*string)(&p.Type) }, rest.ReadOnly),
		),
		rest.Moment("date_created", func(p *product) *time.Time { return &p.Created }, nil),
		rest.Moment("date_modified", func(p *product) *time.Time { return &p.Modified }, nil),
		fields(
			rest.Text("description", func(p *product) *string { return &p.Description }),
			rest.TextOf("permalink", variationLink),
			inherited(rest.Text("sku", func(p *product) *string { return &p.SKU }),
				func(_ shop.View, p *product) bool { return p.SKU == "" }),
			globalUniqueID(),
		),
		priceFields(),
		fields(
			rest.Text("status", func(p *product) *string { return &p.Status }, rest.OneOf("draft", "pending", "private", "publish"),
				rest.Default("publish")),
			rest.FlagOf("purchasable", func(_ *rest.Encoding, p *product) bool { return p.Purchasable() }),
		),
		delivery(),
		fields(
			taxStatus(), taxClass(), manageVariationStock(), inherited(stockQuantity(), drawsOnParent),
			inherited(stockStatus(), drawsOnParent), inherited(backorders(), drawsOnParent), inherited(backordersAllowed(), drawsOnParent),
			inherited(backordered(), drawsOnParent), lowStockAmount(),
			inherited(weight(), func(_ shop.View, p *product) bool { return p.Weight == "" }),
			inherited(dimensionsField(), func(_ shop.View, p *product) bool { return p.Extra().Dimensions == shop.Dimensions{} }),
			shippingClass(), shippingClassID(),
			inherited(rest.Restoring(rest.NewField(rest.Param{Name: "image", Type: rest.Object | rest.Null, Fields: image.Changes()},
				encodeOneImage, decodeOneImage), restoreOneImage), func(_ shop.View, p *product) bool { return len(p.Images) == 0 }),
			rest.Rows("attributes", func(p *product) *[]shop.AttributeChoice { return &p.Choices }, variationChoice,
				rest.Fresh[product](variationChoice)),
			rest.Int("menu_order", func(p *product) *int64 { return &p.MenuOrder }),
			productMeta(),
			rest.Text("name", func(p *product) *string { return &p.Name }, rest.ReadOnly),
			rest.Int("parent_id", func(p *product) *int64 { return &p.ParentID }, rest.ReadOnly),
		),
	)
})

var variationChoice = rest.Lazily(func() *rest.Record[shop.AttributeChoice] {
	return &rest.Record[shop.AttributeChoice]{Fields: []rest.Field[shop.AttributeChoice]{
		rest.Int("id", func(c *shop.AttributeChoice) *int64 { return &c.ID }),
		rest.Text("name", func(c *shop.AttributeChoice) *string { return &c.Name }),
		rest.Text("slug", func(c *shop.AttributeChoice) *string { return &c.Slug }, rest.ReadOnly),
		rest.Text("option", func(c *shop.AttributeChoice) *string { return &c.Option }),
	}}
})

func variationFilters() []rest.Param {
	return slices.Concat(goodsFilters(), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date",
			Enum: []string{"date", "id", "include", "title", "slug", "modified", "menu_order"}},
		{Name: "has_price", Type: rest.Boolean},
	})
}

var variationOrders = map[string]*state.Ordered[*product]{
	"date": shop.Variations.ByDate, "modified": shop.Variations.ByModified, "id": shop.Variations.ByID,
	"title": shop.Variations.ByTitle, "slug": shop.Variations.BySlug, "menu_order": shop.Variations.ByMenuOrder,
	"include": shop.Variations.ByID,
}

func selectVariations(v shop.View, r *rest.Request) ([]*product, int, error) {
	if _, err := v.Product(r.ID("product_id")); err != nil {
		return nil, 0, err
	}
	index := &shop.Variations
	c := conditions[*product]{args: r.Args}
	c.add(index.Parent.Is(rest.IDText(r.ID("product_id"))))
	goods(&c, &v.Variations, index)
	c.text("slug", func(p *product, want string) bool { return slices.Contains(strings.Split(want, ","), p.Slug) }) // no index has these
	if r.Args.Has("has_price") {
		c.add(state.Match(func(p *product) bool { return p.Prices.Set == r.Args.Bool("has_price") }))
	}
	if c.err != nil {
		return nil, 0, c.err
	}
	return listed(r, &v.Variations, variationOrders[r.Args.String("orderby")], c.where)
}

// inherited shows what the parent has where a variation lacks its own, as the shop sells it. To restore it, what is the parent's is left
// to the parent.
func inherited(field rest.Field[product], lacks func(shop.View, *product) bool) rest.Field[product] {
	encode, restore := field.Encode, field.Restore
	field.Encode = func(e *rest.Encoding, b []byte, p *product) []byte {
		if parent, ok := e.Products.Get(p.ParentID); ok && lacks(e.View, p) {
			p = parent
		}
		return encode(e, b, p)
	}
	if restore == nil {
		return field
	}
	return rest.Restoring(field, func(d *rest.Decoding, p *product, shown any) error {
		own := *p
		if err := restore(d, &own, shown); err != nil {
			return err
		}
		e := &rest.Encoding{View: d.View, Site: d.Site}
		if parent, ok := d.Products.Get(p.ParentID); !ok || !bytes.Equal(encode(e, nil, &own), encode(e, nil, parent)) {
			*p = own
		}
		return nil
	})
}

func drawsOnParent(v shop.View, p *product) bool { return p.DrawsOnParent(v) }

// manageVariationStock tells, too, that the variable product counts the pieces. That cannot be written.
func manageVariationStock() rest.Field[product] {
	const byParent = "parent"
	field := manageStock()
	encode, restore := field.Encode, field.Restore
	field.Shown = rest.String
	field.Encode = func(e *rest.Encoding, b []byte, p *product) []byte {
		if drawsOnParent(e.View, p) {
			return rest.AppendString(b, byParent)
		}
		return encode(e, b, p)
	}
	return rest.Restoring(field, func(d *rest.Decoding, p *product, shown any) error {
		if shown == byParent {
			shown = false
		}
		return restore(d, p, shown)
	})
}

// variationLink leads to the parent's page with the variation chosen.
func variationLink(e *rest.Encoding, p *product) string {
	parent, ok := e.Products.Get(p.ParentID)
	if !ok {
		return e.Site.Home + "/"
	}
	link, separator := productLink(e.Site, parent.Slug), "?"
	for _, choice := range p.Choices {
		link += separator + "attribute_" + shop.Slugify(choice.Slug) + "=" + shop.Slugify(choice.Option)
		separator = "&"
	}
	return link
}

func encodeOneImage(e *rest.Encoding, b []byte, p *product) []byte {
	if len(p.Images) == 0 {
		return append(b, "null"...)
	}
	return image.Encode(e, b, &p.Images[0])
}

func decodeOneImage(d *rest.Decoding, p *product, value any) error {
	sent, ok := value.(rest.Args)
	if !ok {
		p.Images = nil
		return nil
	}
	holder := p
	if parent, ok := d.Products.Get(p.ParentID); ok && len(p.Images) == 0 {
		holder = parent // whose picture is shown, and may come back
	}
	images, err := decodeImages(d, holder, []rest.Args{sent})
	if err == nil {
		p.Images = images
	}
	return err
}

func restoreOneImage(d *rest.Decoding, p *product, shown any) error {
	object, isObject := shown.(rest.Args)
	if !isObject || rest.ShownID(object.Value("id")) == 0 {
		return nil
	}
	p.Images = make([]shop.Image, 1)
	return image.Restore(d, &p.Images[0], object)
}

// variationExtras are what variations have besides the generic operations.
func variationExtras() []rest.Endpoint {
	return []rest.Endpoint{{
		Methods: methods(http.MethodPost),
		Path:    "/products/{product_id:[0-9]+}/variations/generate",
		Access:  rest.Write,
		Params: []rest.Param{
			{Name: "delete", Type: rest.Boolean, Default: false,
				Description: "Remove variations that no combination of options stands for."},
			{Name: "default_values", Type: rest.Object, Fields: variationFields.Changes(),
				Description: "Fields that every new variation starts with."},
		},
		Do: generateVariations,
	}}
}

// generateVariations makes a variation for each combination of options that has none yet, and says how many.
func generateVariations(r *rest.Request) (rest.Answer, error) {
	count := 0
	err := r.Write(func(tx *shop.Tx) error {
		missing, err := tx.MissingVariations(r.ID("product_id"))
		if err != nil {
			return err
		}
		count = len(missing)
		for _, p := range missing {
			if err := variationFields.Decode(&rest.Decoding{Tx: tx, Site: r.Site}, p, r.Args.Object("default_values")); err != nil {
				return err
			}
		}
		_, err = tx.CreateVariations(missing)
		return err
	})
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(rest.Pairs{{Name: "count", Value: count}})
}
