package storeapi_test

import (
	"fmt"
	"net/http"
	"shopcheck/mockserver/internal/testkit"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func path(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func ids(a *testkit.Answer) []int64 {
	var ids []int64
	for _, record := range a.Array() {
		ids = append(ids, record.Get("id").Int())
	}
	return ids
}

func TestProductRecordsHaveTheDocumentedShape(t *testing.T) {
	t.Parallel()
	s := open(t)
	list := s.Get("/products?per_page=100").Want(http.StatusOK).Has("#", 11)
	for _, record := range list.Array() {
		wantShape(t, "product", record)
		one := s.Get(path("/products/%d", record.Get("id").Int())).Want(http.StatusOK)
		if one.Raw != record.Raw {
			t.Errorf("alone, product %s reads\n%s, in the list\n%s", record.Get("id"), one.Raw, record.Raw)
		}
	}
	wantShape(t, "product", s.Get(path("/products/%d", s.goods.medium)).Want(http.StatusOK).Result)
}

func TestAPlainProduct(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Get(path("/products/%d", s.goods.plain)).Want(http.StatusOK).Has(
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
	t.Parallel()
	s := open(t)
	for kind, c := range map[string]struct {
		id   int64
		want []any
	}{
		"on sale": {s.goods.onSale, []any{"on_sale", true, "prices.price", "1400", "prices.sale_price", "1400",
			"prices.regular_price", "1750", "average_rating", "4.50", "review_count", 2}},
		"sold out": {s.goods.gone, []any{"is_in_stock", false, "is_purchasable", true,
			"stock_availability.class", "out-of-stock"}},
		"low":               {s.goods.low, []any{"low_stock_remaining", 2, "add_to_cart.maximum", 2}},
		"on backorder":      {s.goods.backorder, []any{"is_on_backorder", true, "is_in_stock", true, "low_stock_remaining", nil}},
		"sold individually": {s.goods.one, []any{"sold_individually", true, "add_to_cart.maximum", 1}},
		"without a price":   {s.goods.unpriced, []any{"is_purchasable", false, "prices.price", "0", "price_html", ""}},
		"external":          {s.goods.external, []any{"is_purchasable", false, "add_to_cart.url", "https://example.test/buy"}},
		"grouped": {s.goods.grouped, []any{"grouped_products", []int64{s.goods.plain, s.goods.onSale},
			"prices.price_range.max_amount", "3500"}},
		"variable": {s.goods.variable, []any{"has_options", true, "prices.price_range.min_amount", "500",
			"prices.price_range.max_amount", "1700", "attributes.0.taxonomy", "pa_size", "attributes.0.has_variations", true,
			"attributes.0.terms.1.slug", "medium", "attributes.1.taxonomy", nil, "attributes.1.terms.0.slug", "Yes",
			"variations.0.id", s.goods.small, "variations.0.attributes.0.value", "small", "variations.0.attributes.1.value", nil,
			"categories.0.link", "http://shop.test/product-category/clothing/shirts/"}},
		"a variation": {s.goods.medium, []any{"type", "variation", "parent", s.goods.variable, "name", "Shirt",
			"variation", "Size: Medium, Logo: any", "sku", "SHIRT-MEDIUM", "prices.price", "1700"}},
	} {
		t.Run(kind, func(t *testing.T) { s.in(t).Get(path("/products/%d", c.id)).Want(http.StatusOK).Has(c.want...) })
	}
}

func TestProductsThatCustomersDoNotSee(t *testing.T) {
	t.Parallel()
	s := open(t)
	listed := ids(s.Get("/products?per_page=100"))
	for _, id := range []int64{s.goods.draft, s.goods.hidden, s.goods.searchOnly, s.goods.medium} {
		if slices.Contains(listed, id) {
			t.Errorf("product %d is in the list", id)
		}
	}
	s.Get(path("/products/%d", s.goods.draft)).Fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.Get("/products/draft").Fails(http.StatusNotFound, "shop_rest_product_invalid_slug")
	s.Get("/products/999999").Fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.Get("/products/99999999999999999999").Fails(http.StatusNotFound, "shop_rest_product_invalid_id")
	s.Get(path("/products/%d", s.goods.hidden)).Want(http.StatusOK)
	s.Get("/products/hidden").Want(http.StatusOK).Has("id", s.goods.hidden)
}

func TestProductLists(t *testing.T) {
	t.Parallel()
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
		"after=2026-03-02T00:00:00":           nil,
		"orderby=popularity&per_page=1":       {g.onSale},
		"orderby=price&order=desc&per_page=2": {g.grouped, g.plain},
		"orderby=title&order=asc&per_page=1":  {g.external},
		"page=50":                             nil,
	} {
		got := ids(s.Get("/products?" + query).Want(http.StatusOK))
		if !slices.Equal(got, want) {
			t.Errorf("?%s lists %v, want %v", query, got, want)
		}
	}
	excluded := ids(s.Get("/products?exclude=" + list(g.plain) + "&per_page=100"))
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
	t.Parallel()
	s := open(t)
	page := s.Get("/products?per_page=4&page=2&orderby=id").Want(http.StatusOK)
	for name, want := range map[string]string{"X-Shop-Total": "11", "X-Shop-Totalpages": "3"} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if link := page.Header.Get("Link"); !strings.Contains(link, `page=1&per_page=4>; rel="prev"`) ||
		!strings.Contains(link, `page=3&per_page=4>; rel="next"`) {
		t.Errorf("Link is %s", link)
	}
	if page.Header.Get("Nonce") == "" {
		t.Error("the answer carries no nonce")
	}
}

func TestMalformedListParameters(t *testing.T) {
	t.Parallel()
	s := open(t)
	for query, param := range map[string]string{
		"orderby=nope": "orderby", "per_page=101": "per_page", "per_page=0": "per_page", "page=0": "page", "type=nope": "type",
		"min_price=abc": "min_price", "max_price=1e3": "max_price", "stock_status=nope": "stock_status", "rating=6": "rating",
		"include=a": "include", "attributes=x": "attributes",
	} {
		refused := s.Get("/products?"+query).Fails(http.StatusBadRequest, "rest_invalid_param")
		if !refused.Get("data.params." + param).Exists() {
			t.Errorf("?%s: data.params is %s", query, refused.Get("data.params"))
		}
	}
}

func TestOutOfStockProductsCanBeLeftOut(t *testing.T) {
	t.Parallel()
	s := open(t, hideOutOfStock)
	if ids := ids(s.Get("/products?per_page=100")); slices.Contains(ids, s.goods.gone) {
		t.Error("what is sold out is still listed")
	}
}

func TestCategories(t *testing.T) {
	t.Parallel()
	s := open(t)
	categories := s.Get("/products/categories").Want(http.StatusOK).HasHeader("X-Shop-Total", "3").Has(
		"#.slug", []string{"clothing", "music", "shirts"}, "0.count", 1, "0.image.src", "http://shop.test/pictures/clothing.svg",
		"1.image", nil, "1.review_count", 2, "2.parent", s.goods.clothing)
	for _, record := range categories.Array() {
		wantShape(t, "category", record)
	}
	s.Get("/products/categories?hide_empty=false&search=yet").Has("#.id", []int64{s.goods.empty})
	s.Get("/products/categories?parent="+list(s.goods.clothing)).Has("#.slug", []string{"shirts"})
	s.Get("/products/categories?orderby=count&order=desc&per_page=1&hide_empty=false").Has("#", 1)
	s.Get(path("/products/categories/%d", s.goods.music)).Want(http.StatusOK).Has("name", "Music", "permalink",
		"http://shop.test/product-category/music/")
	s.Get("/products/categories/99999").Fails(http.StatusNotFound, "shop_rest_category_invalid_id")
}

func TestTagsAndBrands(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Get("/products/tags").Want(http.StatusOK).Has("#.slug", []string{"sale"}, "0.count", 1)
	s.Get("/products/tags/99999").Fails(http.StatusNotFound, "shop_rest_tag_invalid_id")
	brands := s.Get("/products/brands").Want(http.StatusOK).Has("#.slug", []string{"acme"})
	wantShape(t, "category", brands.Get("0"))
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	s := open(t)
	attributes := s.Get("/products/attributes").Want(http.StatusOK).Has("0.taxonomy", "pa_size", "0.count", 3)
	wantShape(t, "attribute", attributes.Get("0"))
	s.Get(path("/products/attributes/%d", s.goods.size)).Want(http.StatusOK).Has("name", "Size")
	s.Get("/products/attributes/999").Fails(http.StatusNotFound, "shop_rest_attribute_invalid_id")
	s.Get(path("/products/attributes/%d/terms", s.goods.size)).Want(http.StatusOK).Has("#.slug", []string{"large", "medium", "small"},
		"0.count", 1)
	s.Get("/products/attributes/999/terms").Fails(http.StatusNotFound, "shop_rest_taxonomy_invalid")
}

// TestTermsAreSortedAsTheirAttributeSays: clients send an attribute's order back as orderby.
func TestTermsAreSortedAsTheirAttributeSays(t *testing.T) {
	t.Parallel()
	s := open(t)
	staff := s.As("ck_mock_rw", "cs_mock_rw")
	staff.Site = strings.TrimSuffix(staff.Site, base) + "/shop/v3/products/attributes"
	attribute := staff.Post("", `{"name":"Length","order_by":"name_num"}`).Want(http.StatusCreated).Get("id").Int()
	staff.Post(path("/%d/terms/batch", attribute), `{"create":[{"name":"100 cm"},{"name":"9.5 cm"},{"name":"long"},{"name":"20 cm"}]}`)
	terms := path("/products/attributes/%d/terms?hide_empty=false&orderby=", attribute) +
		s.Get(path("/products/attributes/%d", attribute)).Want(http.StatusOK).Get("order").Str
	s.Get(terms).Want(http.StatusOK).Has("#.name", []string{"long", "9.5 cm", "20 cm", "100 cm"})
	s.Get(terms+"&order=desc&per_page=2").Want(http.StatusOK).Has("#.name", []string{"100 cm", "20 cm"}).HasHeader("X-Shop-TotalPages", "2")
	s.Get("/products/categories?orderby=name_num").Fails(http.StatusBadRequest, "rest_invalid_param")
}

func TestCollectionData(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Get("/products/collection-data").Want(http.StatusOK).Has("price_range", nil, "attribute_counts", nil, "rating_counts", nil,
		"stock_status_counts", nil)
	s.Get("/products/collection-data?calculate_price_range=true&calculate_stock_status_counts=true&calculate_rating_counts=1"+
		"&calculate_attribute_counts[0][taxonomy]=pa_size&calculate_taxonomy_counts=product_tag").Want(http.StatusOK).Has(
		"price_range.min_price", "500", "price_range.max_price", "3500", "price_range.currency_code", "USD",
		"stock_status_counts.0.status", "instock", "stock_status_counts.0.count", "9", "stock_status_counts.1.count", "1",
		"rating_counts.0.rating", 5, "rating_counts.0.count", 1, "attribute_counts.#", 3,
		"taxonomy_counts.0.term", s.goods.sale, "taxonomy_counts.0.count", 1,
	)
	s.Get(path("/products/collection-data?category=%d&calculate_price_range=true", s.goods.music)).Has("price_range.min_price", "1400",
		"price_range.max_price", "1400")
}

func TestUnknownRoutes(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Get("/nope").Fails(http.StatusNotFound, "rest_no_route")
	s.Call(http.MethodDelete, "/products", nil).Fails(http.StatusNotFound, "rest_no_route")
	s.Get("/products/1/2/3").Fails(http.StatusNotFound, "rest_no_route")
}
