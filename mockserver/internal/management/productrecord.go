package management

import (
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The wire form of a product (contract, "Management API: Product").

var dimensions = rest.Lazily(func() *rest.Record[shop.Dimensions] {
	return &rest.Record[shop.Dimensions]{Fields: []rest.Field[shop.Dimensions]{
		rest.Text("length", func(d *shop.Dimensions) *string { return &d.Length }),
		rest.Text("width", func(d *shop.Dimensions) *string { return &d.Width }),
		rest.Text("height", func(d *shop.Dimensions) *string { return &d.Height }),
	}}
})

var download = rest.Lazily(func() *rest.Record[shop.Download] {
	return &rest.Record[shop.Download]{Fields: []rest.Field[shop.Download]{
		rest.Text("id", func(d *shop.Download) *string { return &d.ID }),
		rest.Text("name", func(d *shop.Download) *string { return &d.Name }),
		linkText("file", func(d *shop.Download) *string { return &d.File }),
	}}
})

var image = rest.Lazily(func() *rest.Record[shop.Image] {
	return &rest.Record[shop.Image]{Fields: slices.Concat(
		[]rest.Field[shop.Image]{rest.Restoring(rest.Int("id", func(i *shop.Image) *int64 { return &i.ID }), restoreImageID)},
		rest.Moment("date_created", func(i *shop.Image) *time.Time { return &i.Created }, nil),
		rest.Moment("date_modified", func(i *shop.Image) *time.Time { return &i.Modified }, nil),
		[]rest.Field[shop.Image]{
			linkText("src", func(i *shop.Image) *string { return &i.Src }),
			rest.Text("name", func(i *shop.Image) *string { return &i.Name }),
			rest.Text("alt", func(i *shop.Image) *string { return &i.Alt }),
		},
	)}
})

func restoreImageID(d *rest.Decoding, i *shop.Image, shown any) error {
	i.ID = rest.ShownID(shown)
	d.LastID.Image = max(d.LastID.Image, i.ID)
	return nil
}

// linkText is a text that is an address; one that begins with a slash lies on the shop's own site.
func linkText[T any](name string, at func(*T) *string) rest.Field[T] {
	field := rest.Text(name, at, rest.As(rest.URI))
	field.Encode = func(e *rest.Encoding, b []byte, row *T) []byte {
		return rest.AppendString(b, e.Site.Absolute(*at(row)))
	}
	return field
}

var productAttribute = rest.Lazily(func() *rest.Record[shop.ProductAttribute] {
	return &rest.Record[shop.ProductAttribute]{Fields: []rest.Field[shop.ProductAttribute]{
		rest.Int("id", func(a *shop.ProductAttribute) *int64 { return &a.ID }),
		rest.Text("name", func(a *shop.ProductAttribute) *string { return &a.Name }),
		rest.Text("slug", func(a *shop.ProductAttribute) *string { return &a.Slug }, rest.ReadOnly),
		rest.Int("position", func(a *shop.ProductAttribute) *int64 { return &a.Position }),
		rest.Flag("visible", func(a *shop.ProductAttribute) *bool { return &a.Visible }),
		rest.Flag("variation", func(a *shop.ProductAttribute) *bool { return &a.Variation }),
		rest.Texts("options", func(a *shop.ProductAttribute) *[]string { return &a.Options }),
	}}
})

var defaultAttribute = rest.Lazily(func() *rest.Record[shop.AttributeChoice] {
	return &rest.Record[shop.AttributeChoice]{Fields: []rest.Field[shop.AttributeChoice]{
		rest.Int("id", func(c *shop.AttributeChoice) *int64 { return &c.ID }),
		rest.Text("name", func(c *shop.AttributeChoice) *string { return &c.Name }),
		rest.Text("option", func(c *shop.AttributeChoice) *string { return &c.Option }),
	}}
})

// productFields are shown in the order of _fields where that chooses them, as in live shops; no other record's are.
var productFields = rest.Lazily(func() *rest.Record[product] {
	return asAsked(record(
		fields(
			rest.Int("id", func(p *product) *int64 { return &p.ID }, rest.ReadOnly, rest.About("Identifier of the product.")),
			rest.Text("name", func(p *product) *string { return &p.Name }, rest.About("Name of the product; a create needs it.")),
			rest.Text("slug", func(p *product) *string { return &p.Slug },
				rest.About("Its part of the address; made from the name when absent.")),
			productLinkField("permalink", func(p *product) string { return p.Slug }),
		),
		rest.Moment("date_created", func(p *product) *time.Time { return &p.Created }, nil),
		rest.Moment("date_modified", func(p *product) *time.Time { return &p.Modified }, nil),
		fields(
			rest.Text("type", func(p *product) *string { return (*string)(&p.Type) },
				rest.OneOf("simple", "grouped", "external", "variable"),
				rest.Default("simple")),
			rest.Text("status", func(p *product) *string { return &p.Status },
				rest.OneOf("draft", "pending", "private", "publish", "future", "auto-draft", "trash"), rest.Default("publish")),
			rest.Flag("featured", func(p *product) *bool { return &p.Featured }, rest.Default(false)),
			rest.Text("catalog_visibility", func(p *product) *string { return &p.Visibility },
				rest.OneOf("visible", "catalog", "search", "hidden"), rest.Default("visible")),
			rest.Text("description", func(p *product) *string { return &p.Description }),
			rest.Text("short_description", func(p *product) *string { return &p.ShortDescription }),
			rest.Text("sku", func(p *product) *string { return &p.SKU }, rest.About("Stock keeping unit, unique in the shop.")),
		),
		priceFields(),
		fields(
			rest.FlagOf("purchasable", func(e *rest.Encoding, p *product) bool { return p.Purchasable() }),
			rest.Int("total_sales", func(p *product) *int64 { return &p.TotalSales }, rest.ReadOnly),
		),
		delivery(),
		fields(
			extra(linkText("external_url", func(e *shop.Extras) *string { return &e.ExternalURL })),
			extra(rest.Text("button_text", func(e *shop.Extras) *string { return &e.ButtonText })),
			taxStatus(), taxClass(), manageStock(), stockQuantity(), backorders(), backordersAllowed(), backordered(), lowStockAmount(),
			rest.Flag("sold_individually", func(p *product) *bool { return &p.SoldIndividually }, rest.Default(false)),
			weight(), dimensionsField(),
			rest.FlagOf("shipping_required", func(_ *rest.Encoding, p *product) bool { return p.NeedsShipping() }),
			rest.FlagOf("shipping_taxable", func(_ *rest.Encoding, p *product) bool {
				return p.NeedsShipping() && (p.TaxStatus == "taxable" || p.TaxStatus == "shipping")
			}),
			shippingClass(), shippingClassID(),
			rest.Flag("reviews_allowed", func(p *product) *bool { return &p.ReviewsAllowed }, rest.Default(true)),
			rest.TextOf("average_rating", func(_ *rest.Encoding, p *product) string { return p.AverageRating.String() }),
			rest.Int("rating_count", func(p *product) *int64 { return &p.RatingCount }, rest.ReadOnly),
			extra(rest.IDs("upsell_ids", func(e *shop.Extras) *[]int64 { return &e.UpsellIDs })),
			extra(rest.IDs("cross_sell_ids", func(e *shop.Extras) *[]int64 { return &e.CrossSellIDs })),
			rest.Int("parent_id", func(p *product) *int64 { return &p.ParentID }, rest.AtLeast(0)),
			extra(rest.Text("purchase_note", func(e *shop.Extras) *string { return &e.PurchaseNote })),
			termRefs("categories", shop.TaxonomyCategory, func(p *product) *[]int64 { return &p.CategoryIDs }),
			extra(termRefs("brands", shop.TaxonomyBrand, func(e *shop.Extras) *[]int64 { return &e.BrandIDs })),
			termRefs("tags", shop.TaxonomyTag, func(p *product) *[]int64 { return &p.TagIDs }),
			rest.RestoredRows(rest.Rows("images", imagesOf, image, decodeImages), imagesOf, image),
			rest.Rows("attributes", func(p *product) *[]shop.ProductAttribute { return &p.Attributes }, productAttribute, decodeAttributes),
			extra(rest.Rows("default_attributes", func(e *shop.Extras) *[]shop.AttributeChoice { return &e.DefaultAttributes },
				defaultAttribute, rest.Fresh[shop.Extras](defaultAttribute))),
			rest.IDsOf("variations", variationIDs),
			extra(rest.IDs("grouped_products", func(e *shop.Extras) *[]int64 { return &e.GroupedIDs }, rest.Unlisted)),
			rest.Int("menu_order", func(p *product) *int64 { return &p.MenuOrder }),
			rest.TextOf("price_html", func(e *rest.Encoding, p *product) string { return e.Config.PriceHTML(p.Prices) }),
			rest.IDsOf("related_ids", func(e *rest.Encoding, p *product) []int64 {
				related := p.Related(e.View)
				return related.IDs()
			}),
			productMeta(),
			stockStatus(),
			rest.FlagOf("has_options", func(_ *rest.Encoding, p *product) bool { return p.Type == shop.Variable }),
			extra(rest.Text("post_password", func(e *shop.Extras) *string { return &e.Password })),
			globalUniqueID(),
			editOnly(productLinkField("permalink_template", func(*product) string { return "%pagename%" })),
			editOnly(rest.TextOf("generated_slug", func(_ *rest.Encoding, p *product) string { return shop.Slugify(p.Name) })),
		),
	))
})

type product = shop.Product

// extra is a field of a product that few products have.
func extra(field rest.Field[shop.Extras]) rest.Field[product] {
	return rest.Within(field, (*product).Extra, (*product).SetExtras)
}

// Fields that products and variations share.

func globalUniqueID() rest.Field[product] {
	return extra(rest.Text("global_unique_id", func(e *shop.Extras) *string { return &e.GlobalUniqueID }))
}

func productMeta() rest.Field[product] {
	return extra(rest.MetaData(func(e *shop.Extras) *[]shop.Meta { return &e.Meta }))
}

func taxStatus() rest.Field[product] {
	return rest.Text("tax_status", func(p *product) *string { return &p.TaxStatus }, rest.OneOf("taxable", "shipping", "none"),
		rest.Default("taxable"))
}

func taxClass() rest.Field[product] {
	return rest.Text("tax_class", func(p *product) *string { return &p.TaxClass })
}

func manageStock() rest.Field[product] {
	return rest.Flag("manage_stock", func(p *product) *bool { return &p.ManageStock }, rest.Default(false))
}

func stockQuantity() rest.Field[product] {
	return rest.IntOrNull("stock_quantity", func(p *product) **int64 { return &p.StockQuantity })
}

func stockStatus() rest.Field[product] {
	return rest.Text("stock_status", func(p *product) *string { return &p.StockStatus },
		rest.OneOf("instock", "outofstock", "onbackorder"), rest.Default("instock"))
}

func backorders() rest.Field[product] {
	return rest.Text("backorders", func(p *product) *string { return &p.Backorders }, rest.OneOf("no", "notify", "yes"),
		rest.Default("no"))
}

func backordersAllowed() rest.Field[product] {
	return rest.FlagOf("backorders_allowed",
		func(_ *rest.Encoding, p *product) bool { return p.Backorders != shop.BackordersNo })
}

func backordered() rest.Field[product] {
	return rest.FlagOf("backordered", func(_ *rest.Encoding, p *product) bool { return p.StockStatus == shop.OnBackorder })
}

func lowStockAmount() rest.Field[product] {
	return extra(rest.IntOrNull("low_stock_amount", func(e *shop.Extras) **int64 { return &e.LowStockAmount }, rest.AtLeast(0)))
}

func weight() rest.Field[product] {
	return rest.Text("weight", func(p *product) *string { return &p.Weight })
}

func dimensionsField() rest.Field[product] {
	return extra(rest.Nested("dimensions", func(e *shop.Extras) *shop.Dimensions { return &e.Dimensions }, dimensions))
}

func shippingClassID() rest.Field[product] {
	return rest.IntOf("shipping_class_id", func(e *rest.Encoding, p *product) int64 { return p.ShippingClass(e.View) })
}

func shippingClass() rest.Field[product] {
	return rest.NewField(rest.Param{Name: "shipping_class", Type: rest.String}, encodeShippingClass, decodeShippingClass)
}

// priceFields are the fields from price to on_sale.
func priceFields() []rest.Field[product] {
	return slices.Concat(
		fields(
			rest.Text("price", func(p *product) *string { return &p.Price }, rest.ReadOnly, rest.About("The current price.")),
			rest.Text("regular_price", func(p *product) *string { return &p.RegularPrice }),
			rest.Text("sale_price", func(p *product) *string { return &p.SalePrice }),
		),
		saleDates("date_on_sale_from", saleFrom),
		saleDates("date_on_sale_to", saleTo),
		fields(rest.FlagOf("on_sale", func(_ *rest.Encoding, p *product) bool { return p.Prices.OnSale })),
	)
}

func saleFrom(e *shop.Extras) **time.Time { return &e.SaleFrom }
func saleTo(e *shop.Extras) **time.Time   { return &e.SaleTo }

// saleDates are the two fields of a date of sales.
func saleDates(name string, at func(*shop.Extras) **time.Time) []rest.Field[product] {
	dates := rest.Moment(name, func(e *shop.Extras) *time.Time { return *at(e) }, func(e *shop.Extras, t *time.Time) { *at(e) = t })
	return fields(extra(dates[0]), extra(dates[1]))
}

// delivery are the fields from virtual to download_expiry.
func delivery() []rest.Field[product] {
	return fields(
		rest.Flag("virtual", func(p *product) *bool { return &p.Virtual }, rest.Default(false)),
		rest.Flag("downloadable", func(p *product) *bool { return &p.Downloadable }, rest.Default(false)),
		extra(rest.Rows("downloads", func(e *shop.Extras) *[]shop.Download { return &e.Downloads }, download, decodeDownloads)),
		rest.Int("download_limit", func(p *product) *int64 { return &p.DownloadLimit }, rest.Default(int64(-1)), rest.AtLeast(-1)),
		rest.Int("download_expiry", func(p *product) *int64 { return &p.DownloadExpiry }, rest.Default(int64(-1)), rest.AtLeast(-1)),
	)
}

func fields(all ...rest.Field[product]) []rest.Field[product] { return all }

func record(groups ...[]rest.Field[product]) *rest.Record[product] {
	return &rest.Record[product]{Fields: slices.Concat(groups...)}
}

func asAsked(fields *rest.Record[product]) *rest.Record[product] {
	fields.AsAsked = true
	return fields
}

func editOnly(f rest.Field[product]) rest.Field[product] {
	f.Edit = true
	return f
}

func productLink(site rest.Site, slug string) string { return site.Home + productPath + slug + "/" }

const productPath = "/product/" // below it are the pages of products

func productLinkField(name string, slug func(*product) string) rest.Field[product] {
	return rest.NewField(rest.Param{Name: name, Type: rest.String}, func(e *rest.Encoding, b []byte, p *product) []byte {
		return rest.AppendJoined(b, e.Site.Home, productPath, slug(p), "/")
	}, nil, rest.ReadOnly)
}

func variationIDs(e *rest.Encoding, p *product) []int64 {
	var ids []int64
	if p.Type == shop.Variable {
		for _, child := range e.Children(p.ID) {
			ids = append(ids, child.ID)
		}
	}
	return ids
}

// termRefs is a list of terms: shown as {id, name, slug}, written as {id}.
func termRefs[T any](name, taxonomy string, at func(*T) *[]int64) rest.Field[T] {
	entry := []rest.Param{
		{Name: "id", Type: rest.Integer},
		{Name: "name", Type: rest.String, ReadOnly: true},
		{Name: "slug", Type: rest.String, ReadOnly: true},
	}
	return rest.NewField(rest.Param{Name: name, Type: rest.Array, Items: &rest.Param{Type: rest.Object, Fields: entry}},
		func(e *rest.Encoding, b []byte, row *T) []byte { return appendTerms(e, b, *at(row)) },
		func(d *rest.Decoding, row *T, value any) error {
			ids, err := decodeTerms(d, name, taxonomy, rest.ObjectsOf(value))
			if err == nil {
				*at(row) = ids
			}
			return err
		})
}

func appendTerms(e *rest.Encoding, b []byte, ids []int64) []byte {
	b = append(b, '[')
	first := true
	for _, id := range ids {
		term, ok := e.Terms.Get(id)
		if !ok {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(rest.AppendInt(append(b, `{"id":`...), term.ID), `,"name":`...)
		b = append(rest.AppendString(b, term.Name), `,"slug":`...)
		b = append(rest.AppendString(b, term.Slug), '}')
	}
	return append(b, ']')
}

func decodeTerms(d *rest.Decoding, field, taxonomy string, sent []rest.Args) ([]int64, error) {
	ids := []int64{}
	for _, entry := range sent {
		term, err := d.TermOf(taxonomy, entry.Int("id"))
		if err != nil {
			return nil, rest.InvalidParamf(field, "%s holds the id %d, which does not exist.", field, entry.Int("id"))
		}
		if !slices.Contains(ids, term.ID) {
			ids = append(ids, term.ID)
		}
	}
	return ids, nil
}

// decodeImages makes the pictures of a product: an id that the product has keeps its picture, a src makes a new one.
func decodeImages(d *rest.Decoding, p *product, sent []rest.Args) ([]shop.Image, error) {
	images := make([]shop.Image, len(sent))
	for i, entry := range sent {
		picture := &images[i]
		picture.Created, picture.Modified = d.Now, d.Now
		if at := slices.IndexFunc(p.Images, func(i shop.Image) bool { return i.ID == entry.Int("id") }); at >= 0 {
			*picture = p.Images[at]
		}
		id := picture.ID
		if err := image.Decode(d, picture, entry); err != nil {
			return nil, err
		}
		picture.ID = id
		if picture.Src == "" {
			return nil, rest.InvalidParamf("images", "Each image needs a src, or the id of a picture that the product has.")
		}
		*picture = named(d, *picture)
	}
	return images, nil
}

func imagesOf(p *product) *[]shop.Image { return &p.Images }

func named(d *rest.Decoding, picture shop.Image) shop.Image {
	if picture.ID == 0 {
		picture.ID = d.NextImage()
	}
	if picture.Name == "" {
		picture.Name = picture.Src[strings.LastIndex(picture.Src, "/")+1:]
	}
	return picture
}

func decodeDownloads(d *rest.Decoding, _ *shop.Extras, sent []rest.Args) ([]shop.Download, error) {
	files := []shop.Download{}
	for _, entry := range sent {
		var file shop.Download
		if err := download.Decode(d, &file, entry); err != nil {
			return nil, err
		}
		if file.ID == "" {
			file.ID = strings.ToLower(d.Token(32))
		}
		files = append(files, file)
	}
	return files, nil
}

// decodeAttributes makes the attributes of a product: an id names a global attribute, else it is one of the product's own.
func decodeAttributes(d *rest.Decoding, _ *product, sent []rest.Args) ([]shop.ProductAttribute, error) {
	all := []shop.ProductAttribute{}
	for i, entry := range sent {
		attribute := shop.ProductAttribute{Position: int64(i)}
		if err := productAttribute.Decode(d, &attribute, entry); err != nil {
			return nil, err
		}
		resolved, err := d.ResolveAttribute(attribute)
		if err != nil {
			return nil, err
		}
		all = append(all, resolved)
	}
	return all, nil
}

func encodeShippingClass(e *rest.Encoding, b []byte, p *product) []byte {
	if term, ok := e.Terms.Get(p.ShippingClass(e.View)); ok {
		return rest.AppendString(b, term.Slug)
	}
	return rest.AppendString(b, "")
}

func decodeShippingClass(d *rest.Decoding, p *product, value any) error {
	slug := value.(string)
	inherits := p.Type == shop.Variation && shop.TaxClassNamed(slug) == shop.ParentTaxClass // variations name both classes so
	if slug == "" || inherits {
		p.ShippingClassID = 0
		return nil
	}
	term, ok := shop.Terms.Slug.Find(&d.Terms, shop.TermKey(shop.TaxonomyShippingClass, slug))
	if !ok {
		return rest.InvalidParamf("shipping_class", "There is no shipping class %q.", slug)
	}
	p.ShippingClassID = term.ID
	return nil
}
