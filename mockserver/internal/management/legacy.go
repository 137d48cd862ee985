package management

import (
	"maps"
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// How products look in the legacy versions v2 and v1 (contract, "Versioning"): other fields in another order, in_stock in
// place of stock_status, images with a position; v1 has no _gmt dates. What is not here is as in v3.

const (
	v2ProductFields = `id name slug permalink date_created date_created_gmt date_modified date_modified_gmt type status featured
		catalog_visibility description short_description sku price regular_price sale_price date_on_sale_from date_on_sale_from_gmt
		date_on_sale_to date_on_sale_to_gmt on_sale purchasable total_sales virtual downloadable downloads download_limit
		download_expiry external_url button_text tax_status tax_class manage_stock stock_quantity in_stock backorders
		backorders_allowed backordered sold_individually weight dimensions shipping_required shipping_taxable shipping_class
		shipping_class_id reviews_allowed average_rating rating_count upsell_ids cross_sell_ids parent_id purchase_note categories
		tags images attributes default_attributes variations grouped_products menu_order price_html related_ids meta_data brands`

	v1ProductFields = `id name slug permalink date_created date_modified type status featured catalog_visibility description
		short_description sku price regular_price sale_price date_on_sale_from date_on_sale_to price_html on_sale purchasable
		total_sales virtual downloadable downloads download_limit download_expiry download_type external_url button_text tax_status
		tax_class manage_stock stock_quantity in_stock backorders backorders_allowed backordered sold_individually weight dimensions
		shipping_required shipping_taxable shipping_class shipping_class_id reviews_allowed average_rating rating_count related_ids
		upsell_ids cross_sell_ids parent_id purchase_note categories tags images attributes default_attributes variations
		grouped_products menu_order brands`

	v2VariationFields = `id date_created date_created_gmt date_modified date_modified_gmt description permalink sku price
		regular_price sale_price date_on_sale_from date_on_sale_from_gmt date_on_sale_to date_on_sale_to_gmt on_sale purchasable
		virtual downloadable downloads download_limit download_expiry tax_status tax_class manage_stock stock_quantity in_stock
		backorders backorders_allowed backordered weight dimensions shipping_class shipping_class_id image attributes menu_order
		meta_data`

	v1VariationFields = `id date_created date_modified permalink sku price regular_price sale_price date_on_sale_from
		date_on_sale_to on_sale purchasable virtual downloadable downloads download_limit download_expiry tax_status tax_class
		manage_stock stock_quantity in_stock backorders backorders_allowed backordered weight dimensions shipping_class
		shipping_class_id image attributes`
)

var (
	v2Products = legacy(products, productFields, v2ProductFields, func() []rest.Field[product] {
		return fields(inStock(), plainAttributes(), positioned(image))
	})
	v2Variations = legacy(variations, variationFields, v2VariationFields, func() []rest.Field[product] {
		return fields(inherited(inStock(), drawsOnParent), plainChoices())
	})
	v1Products = legacy(products, productFields, v1ProductFields, func() []rest.Field[product] {
		return slices.Concat(legacySaleDates(), fields(inStock(), downloadType(), plainAttributes(), positioned(plainImage)))
	})
	v1Variations = legacy(variations, variationFields, v1VariationFields, func() []rest.Field[product] {
		return slices.Concat(legacySaleDates(), fields(inherited(inStock(), drawsOnParent), plainChoices()))
	})
)

// legacy is a resource of products with another record: the named fields, own ones first.
func legacy(
	res *rest.Resource[product], record *rest.Record[product], names string, own func() []rest.Field[product],
) *rest.Resource[product] {
	changed := recorded(res, rest.Lazily(func() *rest.Record[product] { return record.Pick(own(), strings.Fields(names)...) }))
	changed.Filters = func() []rest.Param { return append(res.Filters(), rest.Param{Name: "in_stock", Type: rest.Boolean}) }
	return changed
}

// v1Faults are the faults of v1, which names some codes the other way round.
func v1Faults() rest.FaultTable {
	table := maps.Clone(faults)
	for kind, code := range map[shop.Kind]string{
		shop.NoSuchProduct: "shop_rest_invalid_product_id",
		shop.NoSuchOrder:   "shop_rest_invalid_shop_order_id",
	} {
		table[kind] = rest.FaultCode{Status: table[kind].Status, Code: code}
	}
	return table
}

func inStock() rest.Field[product] {
	return rest.NewField(rest.Param{Name: "in_stock", Type: rest.Boolean},
		func(_ *rest.Encoding, b []byte, p *product) []byte {
			return rest.AppendBool(b, p.StockStatus != shop.OutOfStock)
		},
		func(_ *rest.Decoding, p *product, value any) error {
			p.StockStatus = shop.OutOfStock
			if value.(bool) {
				p.StockStatus = shop.InStock
			}
			return nil
		})
}

// addInStock adds the legacy filter in_stock.
func addInStock(c *conditions[*product], stock *state.Facet[*product]) {
	if !c.args.Has("in_stock") {
		return
	}
	if c.args.Bool("in_stock") {
		c.add(stock.Not(shop.OutOfStock))
	} else {
		c.add(stock.Is(shop.OutOfStock))
	}
}

func downloadType() rest.Field[product] {
	return rest.TextOf("download_type", func(*rest.Encoding, *product) string { return "standard" })
}

func plainAttributes() rest.Field[product] {
	return rest.Rows("attributes", func(p *product) *[]shop.ProductAttribute { return &p.Attributes },
		productAttribute.Pick(nil, "id", "name", "position", "visible", "variation", "options"), decodeAttributes)
}

func plainChoices() rest.Field[product] {
	return rest.Rows("attributes", func(p *product) *[]shop.AttributeChoice { return &p.Choices },
		defaultAttribute, rest.Fresh[product](defaultAttribute))
}

var plainImage = rest.Lazily(func() *rest.Record[shop.Image] {
	return image.Pick(nil, "id", "date_created", "date_modified", "src", "name", "alt")
})

// positioned shows each image with its place in the list; a product without any has the placeholder.
func positioned(record *rest.Record[shop.Image]) rest.Field[product] {
	field := rest.Rows("images", func(p *product) *[]shop.Image { return &p.Images }, record, decodeImages)
	field.Encode = func(e *rest.Encoding, b []byte, p *product) []byte {
		images := p.Images
		if len(images) == 0 {
			images = []shop.Image{{Created: e.Now, Modified: e.Now, Src: rest.Placeholder, Name: "Placeholder", Alt: "Placeholder"}}
		}
		b = append(b, '[')
		for i := range images {
			if i > 0 {
				b = append(b, ',')
			}
			b = record.Encode(e, b, &images[i])
			b = append(b[:len(b)-1], `,"position":`...)
			b = append(rest.AppendInt(b, int64(i)), '}')
		}
		return append(b, ']')
	}
	return field
}

// legacySaleDates are "" in v1 when they are not set.
func legacySaleDates() []rest.Field[product] {
	return fields(legacySaleDate("date_on_sale_from", saleFrom), legacySaleDate("date_on_sale_to", saleTo))
}

func legacySaleDate(name string, at func(*shop.Extras) **time.Time) rest.Field[product] {
	field := saleDates(name, at)[0]
	field.Encode = func(_ *rest.Encoding, b []byte, p *product) []byte {
		if date := *at(p.Extra()); date != nil {
			return rest.AppendTime(b, date)
		}
		return rest.AppendString(b, "")
	}
	return field
}
