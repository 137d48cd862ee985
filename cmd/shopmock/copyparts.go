package main

// What is copied of a shop, list by list.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/fixtures/seedfile"
)

// fields are the members of a record that are kept, with those of the objects in it. Whatever else a shop shows is left out.
type fields map[string]fields

// keep makes fields of names.
func keep(names string) fields {
	kept := fields{}
	for _, name := range strings.Fields(names) {
		kept[name] = nil
	}
	return kept
}

// with adds an object, or a list of objects.
func (f fields) with(name string, inner fields) fields {
	f[name] = inner
	return f
}

// of is what is kept of a record.
func (f fields) of(record gjson.Result) map[string]any {
	kept, _ := f.value(record).(map[string]any)
	return kept
}

func (f fields) value(value gjson.Result) any {
	switch {
	case value.IsArray():
		list := []any{}
		for _, item := range value.Array() {
			if item.IsObject() == (f != nil) && !item.IsArray() {
				list = append(list, f.value(item))
			}
		}
		return list
	case value.IsObject():
		object := map[string]any{}
		for name, inner := range f {
			if member := value.Get(gjson.Escape(name)); member.Exists() && !(member.IsObject() && inner == nil) {
				object[name] = inner.value(member)
			}
		}
		return object
	case value.Type == gjson.Number: // as it is: not each fits a number of ours
		return json.Number(value.Raw)
	}
	return value.Value()
}

var (
	pictureFields = keep("id date_created_gmt date_modified_gmt src name alt")
	termFields    = keep("id name slug parent description display menu_order").with("image", pictureFields)
	offerFields   = "id date_created_gmt date_modified_gmt status description sku regular_price sale_price " +
		"date_on_sale_from_gmt date_on_sale_to_gmt virtual downloadable download_limit download_expiry tax_status tax_class manage_stock " +
		"stock_quantity stock_status backorders low_stock_amount weight shipping_class menu_order global_unique_id"
	productFields = withOffer(keep(offerFields+" name slug type featured catalog_visibility short_description total_sales external_url "+
		"button_text sold_individually reviews_allowed upsell_ids cross_sell_ids purchase_note grouped_products")).
		with("categories", keep("id")).with("tags", keep("id")).with("brands", keep("id")).with("images", pictureFields).
		with("attributes", keep("id name position visible variation options")).with("default_attributes", keep("id name option"))
	variationFields = withOffer(keep(offerFields)).with("image", pictureFields).with("attributes", keep("id name option"))
	couponFields    = keep("id code amount status date_created_gmt date_modified_gmt discount_type date_expires_gmt usage_count " +
		"individual_use product_ids excluded_product_ids usage_limit usage_limit_per_user limit_usage_to_x_items free_shipping " +
		"product_categories excluded_product_categories exclude_sale_items minimum_amount maximum_amount")
	taxFields    = keep("id country state postcode city postcodes cities rate name priority compound shipping order class")
	methodFields = keep("id order enabled method_id")
)

func withOffer(f fields) fields {
	return f.with("dimensions", keep("length width height")).with("downloads", keep("id name"))
}

// settingGroups are the groups of settings that are copied. Those of e-mails and of other services hold addresses and keys.
var settingGroups = []string{"general", "products", "tax", "shipping", "account"}

// writtenSettings are the settings that are copied although people write them in words of their own.
var writtenSettings = strings.Fields("shop_price_thousand_sep shop_price_decimal_sep shop_store_postcode")

func (c *copier) copySettings() error {
	var paths []string
	for _, group := range settingGroups {
		paths = append(paths, "/settings/"+group)
	}
	return c.list("settings", paths, nil, func(group int, setting gjson.Result) (any, error) {
		chosen := slices.Contains([]string{"checkbox", "number", "select", "radio", "multiselect"}, setting.Get("type").Str)
		if id := setting.Get("id").Str; !chosen && !slices.Contains(writtenSettings, id) {
			return nil, nil
		}
		kept := keep("id value").of(setting)
		kept["group"] = settingGroups[group]
		return kept, nil
	})
}

func (c *copier) copyTaxes() error {
	if err := c.plain("tax_classes", "/taxes/classes", nil, keep("slug name"), c.named("tax class", "slug", "name")); err != nil {
		return err
	}
	return c.plain("taxes", "/taxes", byID, taxFields, c.named("tax", "id", "name"))
}

func (c *copier) copyTerms() error {
	for _, name := range []string{"categories", "brands", "tags", "shipping_classes"} {
		if err := c.plain(name, "/products/"+name, byID, termFields, nothing); err != nil {
			return err
		}
	}
	var attributes, paths []string
	err := c.list("attributes", []string{"/products/attributes"}, nil, func(_ int, record gjson.Result) (any, error) {
		id := pathPart(record.Get("id"))
		attributes, paths = append(attributes, id), append(paths, "/products/attributes/"+id+"/terms")
		return keep("id name slug order_by has_archives").of(record), nil
	})
	if err != nil {
		return err
	}
	return c.list("attribute_terms", paths, byID, func(at int, record gjson.Result) (any, error) {
		return below(termFields.of(record), "attribute_id", attributes[at]), nil
	})
}

// pathPart is an id as a part of a path: a hostile one cannot lead elsewhere.
func pathPart(id gjson.Result) string { return strconv.FormatInt(id.Int(), 10) }

// below says of a record which one it belongs to.
func below(record map[string]any, name, id string) map[string]any {
	record[name] = gjson.Parse(id).Int()
	return record
}

func (c *copier) copyProducts() error {
	var parents, paths []string
	err := c.list("products", []string{"/products"}, byID, func(_ int, record gjson.Result) (any, error) {
		c.learn("product", record.Get("id").String(), record.Get("name").String())
		c.learn("sku", record.Get("sku").String(), "")
		if len(record.Get("variations").Array()) > 0 {
			id := pathPart(record.Get("id"))
			parents, paths = append(parents, id), append(paths, "/products/"+id+"/variations")
		}
		return goods(productFields, record), nil
	})
	if err != nil {
		return err
	}
	return c.list("variations", paths, byID, func(at int, record gjson.Result) (any, error) {
		c.learn("sku", record.Get("sku").String(), "")
		c.learn("variation", record.Get("id").String(), record.Get("name").String())
		kept := below(goods(variationFields, record), "product_id", parents[at])
		return below(kept, "parent_id", parents[at]), nil
	})
}

// goods is what is kept of a product or a variation. The addresses of its files, for which customers pay, are not.
func goods(kept fields, record gjson.Result) map[string]any {
	product := kept.of(record)
	product["meta_data"] = openMeta(record.Get("meta_data"))
	files, _ := product["downloads"].([]any)
	for _, file := range files {
		file.(map[string]any)["file"] = "/pictures/placeholder.svg" // of the mock
	}
	return product
}

// openMeta is the meta data that shops show to everybody: entries of simple values, whose key does not begin with _ and that have
// nothing like an e-mail address.
func openMeta(entries gjson.Result) []any {
	open := []any{}
	for _, entry := range entries.Array() {
		key, value := entry.Get("key").Str, entry.Get("value")
		hidden := key == "" || strings.HasPrefix(key, "_") || value.IsObject() || value.IsArray() || strings.Contains(value.String(), "@")
		if !hidden {
			open = append(open, keep("id key value").of(entry))
		}
	}
	return open
}

func (c *copier) copyShipping() error {
	var zones, paths []string
	err := c.list("zones", []string{"/shipping/zones"}, nil, func(_ int, record gjson.Result) (any, error) {
		id := pathPart(record.Get("id"))
		zones = append(zones, id)
		paths = append(paths, "/shipping/zones/"+id+"/methods")
		kept := keep("id name order").of(record)
		locations, size := []any{}, 0
		_, err := c.each("/shipping/zones/"+id+"/locations", nil, func(place gjson.Result) error {
			text, err := json.Marshal(keep("code type").of(place))
			if size += len(text); size > seedfile.MaxFile {
				return errTooLarge
			}
			locations = append(locations, json.RawMessage(text))
			return err
		})
		kept["locations"] = locations
		return kept, err
	})
	if err != nil {
		return err
	}
	return c.list("shipping_methods", paths, nil, func(at int, record gjson.Result) (any, error) {
		c.learn("method", record.Get("method_id").String(), "")
		c.learn("method title", record.Get("title").String(), "")
		kept := below(methodFields.of(record), "zone_id", zones[at])
		kept["settings"] = methodSettings(record.Get("settings"))
		return kept, nil
	})
}

// methodSettings are the settings of a shipping method that say what it costs.
func methodSettings(settings gjson.Result) map[string]any {
	kept := map[string]any{}
	settings.ForEach(func(id, setting gjson.Result) bool {
		known := slices.Contains(strings.Fields("title tax_status cost requires min_amount ignore_discounts type no_class_cost"), id.Str)
		if known || strings.HasPrefix(id.Str, "class_cost_") {
			kept[id.Str] = setting.Get("value").String()
		}
		return true
	})
	return kept
}

func (c *copier) copyCoupons() error {
	return c.list("coupons", []string{"/coupons"}, byID, func(_ int, record gjson.Result) (any, error) {
		c.learn("coupon", strings.ToLower(record.Get("code").String()), "")
		kept := couponFields.of(record)
		emails := []string{}
		for _, email := range record.Get("email_restrictions").Array() {
			emails = append(emails, c.mask.person(email.String()).Email)
		}
		kept["email_restrictions"] = emails
		return kept, nil
	})
}
