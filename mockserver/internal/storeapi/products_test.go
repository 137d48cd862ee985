package storeapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func path(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func (a *answer) ids() []int64 {
	var ids []int64
	for _, record := range a.Array() {
		ids = append(ids, record.Get("id").Int())
	}
	return ids
}

func TestProductRecordsHaveTheDocumentedShape(t *testing.T) {
	s := open(t)
	list := s.get("/products?per_page=100").wants(http.StatusOK)
	if len(list.Array()) != 11 {
		t.Fatalf("got %d products, want the 11 that the catalogue shows", len(list.Array()))
	}
	for _, record := range list.Array() {
		wantShape(t, "product", record)
		one := s.get(path("/products/%d", record.Get("id").Int())).wants(http.StatusOK)
		if one.Raw != record.Raw {
			t.Errorf("alone, product %s reads\n%s, in the list\n%s", record.Get("id"), one.Raw, record.Raw)
		}
	}
	wantShape(t, "product", s.get(path("/products/%d", s.goods.medium)).wants(http.StatusOK).Result)
}

func TestAPlainProduct(t *testing.T) {
	s := open(t)
	s.get(path("/products/%d", s.goods.plain)).wants(http.StatusOK).has(
		"name", "Plain coat", "slug", "plain-coat", "type", "simple", "sku", "PLAIN-COAT",
		"permalink", "http://shop.test/product/plain-coat/",
		"prices.price", "3500", "prices.regular_price", "3500", "prices.sale_price", "3500", "prices.price_range", nil,
		"prices.currency_code", "USD", "prices.currency_minor_unit", 2, "prices.currency_prefix", "$",
		"images.0.src", "http://shop.test/pictures/coat.svg",
		"categories.0.link", "http://shop.test/product-category/clothing/",
		"tags.0.slug", "sale", "brands.0.name", "Acme",
		"is_purchasable", true, "is_in_stock", true, "low_stock_remaining", nil, "add_to_cart.maximum", 9999,
	)
}

func TestProductsOfOtherKinds(t *testing.T) {
	s := open(t)
	product := func(id int64) *answer { return s.get(path("/products/%d", id)).wants(http.StatusOK) }
	product(s.goods.onSale).has("on_sale", true, "prices.price", "1400", "prices.sale_price", "1400", "prices.regular_price", "1750",
		"average_rating", "4.50", "review_count", 2)
	product(s.goods.gone).has("is_in_stock", false, "is_purchasable", true, "stock_availability.class", "out-of-stock")
	product(s.goods.low).has("low_stock_remaining", 2, "add_to_cart.maximum", 2)
	product(s.goods.backorder).has("is_on_backorder", true, "is_in_stock", true, "low_stock_remaining", nil)
	product(s.goods.one).has("sold_individually", true, "add_to_cart.maximum", 1)
	product(s.goods.unpriced).has("is_purchasable", false, "prices.price", "0", "price_html", "")
	product(s.goods.external).has("is_purchasable", false, "add_to_cart.url", "https://example.test/buy")
	product(s.goods.grouped).has("grouped_products", []int64{s.goods.plain, s.goods.onSale}, "prices.price_range.max_amount", "3500")
	product(s.goods.variable).has("has_options", true, "prices.price_range.min_amount", "500", "prices.price_range.max_amount", "1700",
		"attributes.0.taxonomy", "pa_size", "attributes.0.has_variations", true, "attributes.0.terms.1.slug", "medium",
		"attributes.1.taxonomy", nil, "attributes.1.terms.0.slug", "Yes",
		"variations.0.id", s.goods.small, "variations.0.attributes.0.value", "small", "variations.0.attributes.1.value", nil,
		"categories.0.link", "http://shop.test/product-category/clothing/shirts/")
	product(s.goods.medium).has("type", "variation", "parent", s.goods.variable, "name", "Shirt", "variation", "Size: Medium, Logo: any",
		"sku", "SHIRT-MEDIUM", "prices.price", "1700")
}

func TestProductsThatCustomersDoNotSee(t *testing.T) {
	s := open(t)
	listed := s.get("/products?per_page=100").ids()
	for _, id := range []int64{s.goods.draft, s.goods.hidden, s.goods.searchOnly, s.goods.medium} {
		if slices.Contains(listed, id) {
			t.Errorf("product %d is in the list", id)
		}
	}
	s.get(path("/products/%d", s.goods.draft)).fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.get("/products/draft").fails(http.StatusNotFound, "shop_rest_product_invalid_slug")
	s.get("/products/999999").fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.get("/products/99999999999999999999").fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.get(path("/products/%d", s.goods.hidden)).wants(http.StatusOK)
	s.get("/products/hidden").wants(http.StatusOK).has("id", s.goods.hidden)
}

func TestProductLists(t *testing.T) {
	s := open(t)
	g := s.goods
	for query, want := range map[string][]int64{
		"slug=record,set&order=asc": {g.onSale, g.grouped},
		"search=coat+more":          {g.plain},
		"search=search":             {g.searchOnly},
		"include=" + list(g.onSale, g.plain) + "&orderby=include": {g.onSale, g.plain},
		"type=variable": {g.variable},
		"type=variation&orderby=price&order=desc":                        {g.medium, g.small},
		"type=variation&parent=" + list(g.variable) + "&sku=SHIRT-SMALL": {g.small},
		"sku=RECORD":               {g.onSale},
		"featured=true":            {g.plain},
		"on_sale=true&type=simple": {g.onSale},
		"category=" + list(g.clothing) + "&order=asc&orderby=id": {g.plain, g.variable},
		"category=shirts": {g.variable},
		"category=" + list(g.clothing, g.music) + "&category_operator=and": nil,
		"category=no-such":          nil,
		"tag=sale":                  {g.plain},
		"brand=" + list(g.acme):     {g.plain},
		"stock_status[]=outofstock": {g.gone},
		"stock_status=outofstock,onbackorder&order=asc&orderby=id": {g.gone, g.backorder},
		"min_price=1300&max_price=1500&order=asc&orderby=id":       {g.onSale, g.variable, g.grouped},
		"min_price=3600": nil,
		"attributes[0][attribute]=pa_size&attributes[0][slug][]=large": {g.variable},
		"attributes[0][attribute]=pa_size&attributes[0][slug]=nope":    nil,
		"rating=5":                            {g.onSale},
		"catalog_visibility=hidden":           {g.hidden},
		"after=2026-11-21T00:00:00":           nil,
		"orderby=popularity&per_page=1":       {g.onSale},
		"orderby=price&order=desc&per_page=1": {g.plain},
		"orderby=title&order=asc&per_page=1":  {g.external},
		"page=50":                             nil,
	} {
		got := s.get("/products?" + query).wants(http.StatusOK).ids()
		if !slices.Equal(got, want) {
			t.Errorf("?%s lists %v, want %v", query, got, want)
		}
	}
	excluded := s.get("/products?exclude=" + list(g.plain) + "&per_page=100").ids()
	if len(excluded) != 10 || slices.Contains(excluded, g.plain) {
		t.Errorf("exclude lists %v", excluded)
	}
}

func list(ids ...int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ",")
}

func TestProductPages(t *testing.T) {
	s := open(t)
	page := s.get("/products?per_page=4&page=2&orderby=id").wants(http.StatusOK)
	for name, want := range map[string]string{"X-Shop-Total": "11", "X-Shop-Totalpages": "3"} {
		if got := page.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if link := page.header.Get("Link"); !strings.Contains(link, `page=1&per_page=4>; rel="prev"`) ||
		!strings.Contains(link, `page=3&per_page=4>; rel="next"`) {
		t.Errorf("Link is %s", link)
	}
	if page.header.Get("Nonce") == "" {
		t.Error("the answer carries no nonce")
	}
}

func TestMalformedListParameters(t *testing.T) {
	s := open(t)
	for query, param := range map[string]string{
		"orderby=nope": "orderby", "per_page=101": "per_page", "per_page=0": "per_page", "page=0": "page", "type=nope": "type",
		"min_price=abc": "min_price", "max_price=1e3": "max_price", "stock_status=nope": "stock_status", "rating=6": "rating",
		"include=a": "include", "attributes=x": "attributes",
	} {
		refused := s.get("/products?"+query).fails(http.StatusBadRequest, "rest_invalid_param")
		if !refused.Get("data.params." + param).Exists() {
			t.Errorf("?%s: data.params is %s", query, refused.Get("data.params"))
		}
	}
}

func TestOutOfStockProductsCanBeLeftOut(t *testing.T) {
	s := open(t, hideOutOfStock)
	if ids := s.get("/products?per_page=100").ids(); slices.Contains(ids, s.goods.gone) {
		t.Error("what is sold out is still listed")
	}
}

func TestCategoriesTagsAndBrands(t *testing.T) {
	s := open(t)
	categories := s.get("/products/categories").wants(http.StatusOK)
	for _, record := range categories.Array() {
		wantShape(t, "category", record)
	}
	categories.has("#.slug", []string{"clothing", "music", "shirts"}, "0.count", 1, "0.image.src", "http://shop.test/pictures/clothing.svg",
		"1.image", nil, "1.review_count", 2, "2.parent", s.goods.clothing)
	if categories.header.Get("X-Shop-Total") != "3" {
		t.Errorf("X-Shop-Total is %s", categories.header.Get("X-Shop-Total"))
	}
	s.get("/products/categories?hide_empty=false&search=yet").has("#.id", []int64{s.goods.empty})
	s.get("/products/categories?parent="+list(s.goods.clothing)).has("#.slug", []string{"shirts"})
	s.get("/products/categories?orderby=count&order=desc&per_page=1&hide_empty=false").has("#", 1)
	s.get(path("/products/categories/%d", s.goods.music)).wants(http.StatusOK).has("name", "Music", "permalink",
		"http://shop.test/product-category/music/")
	s.get("/products/categories/99999").fails(http.StatusNotFound, "shop_rest_category_invalid_id")
	s.get("/products/tags").wants(http.StatusOK).has("#.slug", []string{"sale"}, "0.count", 1)
	s.get("/products/tags/99999").fails(http.StatusNotFound, "shop_rest_tag_invalid_id")
	brands := s.get("/products/brands").wants(http.StatusOK).has("#.slug", []string{"acme"})
	wantShape(t, "category", brands.Get("0"))
}

func TestAttributes(t *testing.T) {
	s := open(t)
	attributes := s.get("/products/attributes").wants(http.StatusOK).has("0.taxonomy", "pa_size", "0.count", 3)
	wantShape(t, "attribute", attributes.Get("0"))
	s.get(path("/products/attributes/%d", s.goods.size)).wants(http.StatusOK).has("name", "Size")
	s.get("/products/attributes/999").fails(http.StatusNotFound, "shop_rest_attribute_invalid_id")
	s.get(path("/products/attributes/%d/terms", s.goods.size)).wants(http.StatusOK).has("#.slug", []string{"large", "medium", "small"},
		"0.count", 1)
	s.get("/products/attributes/999/terms").fails(http.StatusNotFound, "shop_rest_taxonomy_invalid")
}

func TestCollectionData(t *testing.T) {
	s := open(t)
	s.get("/products/collection-data").wants(http.StatusOK).has("price_range", nil, "attribute_counts", nil, "rating_counts", nil,
		"stock_status_counts", nil)
	s.get("/products/collection-data?calculate_price_range=true&calculate_stock_status_counts=true&calculate_rating_counts=1"+
		"&calculate_attribute_counts[0][taxonomy]=pa_size&calculate_taxonomy_counts=product_tag").wants(http.StatusOK).has(
		"price_range.min_price", "500", "price_range.max_price", "3500", "price_range.currency_code", "USD",
		"stock_status_counts.0.status", "instock", "stock_status_counts.0.count", "9", "stock_status_counts.1.count", "1",
		"rating_counts.0.rating", 5, "rating_counts.0.count", 1, "attribute_counts.#", 3,
		"taxonomy_counts.0.term", s.goods.sale, "taxonomy_counts.0.count", 1,
	)
	s.get(path("/products/collection-data?category=%d&calculate_price_range=true", s.goods.music)).has("price_range.min_price", "1400",
		"price_range.max_price", "1400")
}

func TestUnknownRoutes(t *testing.T) {
	s := open(t)
	s.get("/nope").fails(http.StatusNotFound, "rest_no_route")
	s.send(http.MethodDelete, "/products", nil).fails(http.StatusNotFound, "rest_no_route")
	s.get("/products/1/2/3").fails(http.StatusNotFound, "rest_no_route")
}
