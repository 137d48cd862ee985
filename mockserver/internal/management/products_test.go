package management_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
)

// documentedProduct is the field order of a product record.
var documentedProduct = strings.Fields(`
	id name slug permalink date_created date_created_gmt date_modified date_modified_gmt type status featured catalog_visibility
	description short_description sku price regular_price sale_price date_on_sale_from date_on_sale_from_gmt date_on_sale_to
	date_on_sale_to_gmt on_sale purchasable total_sales virtual downloadable downloads download_limit download_expiry external_url
	button_text tax_status tax_class manage_stock stock_quantity backorders backorders_allowed backordered low_stock_amount
	sold_individually weight dimensions shipping_required shipping_taxable shipping_class shipping_class_id reviews_allowed
	average_rating rating_count upsell_ids cross_sell_ids parent_id purchase_note categories brands tags images attributes
	default_attributes variations grouped_products menu_order price_html related_ids meta_data stock_status has_options post_password
	global_unique_id _links
`)

func TestProductRecordHasTheDocumentedFieldsInOrder(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v3/products",
		`{"name":"Mug","regular_price":"35","sku":"MUG","manage_stock":true,"stock_quantity":4,
		"images":[{"src":"http://img.test/a.png"}],"meta_data":[{"key":"k","value":{"a":[1]}}],"dimensions":{"length":"2"}}`).
		Want(201)
	if made.Header.Get("Location") != "http://shop.test/shop/v3/products/"+made.Get("id").String() {
		t.Errorf("Location is %q", made.Header.Get("Location"))
	}
	got := s.Get("/shop/v3/products/" + made.Get("id").String()).Want(200)
	var keys []string
	got.ForEach(func(key, _ gjson.Result) bool { keys = append(keys, key.String()); return true })
	if strings.Join(keys, " ") != strings.Join(documentedProduct, " ") {
		t.Errorf("fields are\n%v, want\n%v", keys, documentedProduct)
	}
	for path, want := range map[string]string{
		"price": "35", "regular_price": "35", "slug": "mug", "permalink": "http://shop.test/product/mug/", "stock_quantity": "4",
		"images.0.src": "http://img.test/a.png", "meta_data.0.value.a.0": "1", "dimensions.length": "2", "dimensions.width": "",
		"categories.0.slug": "uncategorized", "date_created": "2026-03-01T12:00:00", "purchasable": "true", "stock_status": "instock",
	} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, got.Get(path).String(), want)
		}
	}
}

func TestProductRefusals(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	taken := s.Post("/shop/v3/products", `{"name":"A","sku":"A"}`).Want(201).Get("id").Int()
	if got := s.Refuses(400, "shop_rest_product_sku_already_exists", "POST", "/shop/v3/products",
		`{"name":"B","sku":"A"}`); got.Get("data.resource_id").Int() != taken {
		t.Errorf("resource_id is %s, want %d", got.Get("data.resource_id"), taken)
	}
	refuse(t, s,
		refusal{400, "shop_rest_product_name_required", "POST", "/shop/v3/products", `{}`},
		refusal{400, "shop_rest_product_name_required", "POST", "/shop/v3/products", `{"name":"  "}`},
		refusal{404, "shop_rest_product_invalid_id", "GET", "/shop/v3/products/999", ""},
		refusal{404, "shop_rest_product_invalid_id", "GET", "/shop/v3/products/99999999999999999999", ""},
		refusal{404, "shop_rest_product_invalid_id", "PUT", "/shop/v3/products/999", `{"name":"x"}`},
		refusal{404, "shop_rest_product_invalid_id", "DELETE", "/shop/v3/products/999?force=true", ""},
		refusal{404, "rest_no_route", "GET", "/shop/v3/products/abc", ""},
		refusal{404, "rest_no_route", "DELETE", "/shop/v3/products", ""},
		refusal{400, "rest_invalid_json", "POST", "/shop/v3/products", `{"name":`},
		refusal{400, "rest_invalid_json", "POST", "/shop/v3/products", `[1]`},
		refusal{413, "shop_rest_request_entity_too_large", "POST", "/shop/v3/products", `{"name":"` + strings.Repeat("x", 1<<20) + `"}`},
	)
	for param, body := range map[string]string{
		"type": `{"name":"x","type":"nope"}`, "regular_price": `{"name":"x","regular_price":24.5}`,
		"sale_price":     `{"name":"x","sale_price":"abc"}`,
		"stock_quantity": `{"name":"x","stock_quantity":"many"}`, "manage_stock": `{"name":"x","manage_stock":"maybe"}`,
		"status":     `{"name":"x","status":"gone"}`,
		"dimensions": `{"name":"x","dimensions":{"width":"wide"}}`, "weight": `{"name":"x","weight":"-1"}`,
		"download_limit":   `{"name":"x","download_limit":-2}`,
		"low_stock_amount": `{"name":"x","low_stock_amount":-1}`, "parent_id": `{"name":"x","parent_id":-1}`,
		"external_url": `{"name":"x","external_url":"javascript:alert(1)"}`,
		"categories":   `{"name":"x","categories":[{"id":999}]}`, "images": `{"name":"x","images":[{}]}`, "name": `{"name":7}`,
		"attributes": `{"name":"x","attributes":[{"id":77}]}`,
	} {
		got := s.Refuses(400, "rest_invalid_param", "POST", "/shop/v3/products", body)
		if !got.Get("data.params." + param).Exists() {
			t.Errorf("%s: data.params does not name %s: %s", body, param, got.Raw)
		}
	}
	for _, price := range []string{" 5", "+5", "5,00", "1e3", "5_0", "-1", "free"} {
		s.Refuses(400, "rest_invalid_param", "POST", "/shop/v3/products", `{"name":"x","regular_price":"`+price+`"}`)
	}
	for _, src := range []string{"nowhere", "javascript:alert(1)", "http://", "ftp://x.test/a.png", "http://x.test/a b.png"} {
		s.Refuses(400, "rest_invalid_param", "POST", "/shop/v3/products", `{"name":"x","images":[{"src":"`+src+`"}]}`)
	}
	for _, query := range []string{"per_page=0", "per_page=101", "per_page=abc", "page=0", "orderby=nope", "order=up", "status=nope",
		"type=nope", "after=nope", "min_price=abc", "category=x", "featured=maybe"} {
		got := s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/products?"+query, "")
		name, _, _ := strings.Cut(query, "=")
		if !got.Get("data.params." + name).Exists() {
			t.Errorf("%s: data.params does not name it: %s", query, got.Raw)
		}
	}
}

func TestProductTrashAndDelete(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.Create("/shop/v3/products", `{"name":"A"}`)
	if got := s.Call("DELETE", path, "").Want(200); got.Get("status").String() != "publish" {
		t.Errorf("delete answers the record as it was, but status is %s", got.Get("status"))
	}
	if got := s.Get(path).Want(200); got.Get("status").String() != "trash" {
		t.Errorf("status is %s, want trash", got.Get("status"))
	}
	if got := s.Get("/shop/v3/products").Want(200); len(got.Array()) != 0 {
		t.Errorf("the list shows a trashed product: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/products?status=trash").Want(200); len(got.Array()) != 1 {
		t.Errorf("status=trash does not show it: %s", got.Raw)
	}
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", path, "")
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_product_invalid_id", "GET", path, "")
}

func TestProductListParametersCombine(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, func(tx *shop.Tx) error {
		for i := range 30 {
			p := tx.NewProduct()
			p.Name = fmt.Sprintf("Item %02d", i)
			p.SKU = fmt.Sprintf("I-%02d", i)
			p.RegularPrice = fmt.Sprint(10 + i)
			p.Featured = i%2 == 0
			if i%3 == 0 {
				p.SalePrice = "5"
			}
			if i%5 == 0 {
				p.StockStatus = shop.OutOfStock
			}
			p.Created = tx.Now.AddDate(0, 0, -i)
			if err := p.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	for query, want := range map[string]string{
		"per_page=3":                                        "Item 00,Item 01,Item 02",
		"per_page=3&page=2":                                 "Item 03,Item 04,Item 05",
		"per_page=2&order=asc":                              "Item 29,Item 28",
		"featured=true&on_sale=true&per_page=2":             "Item 00,Item 06",
		"featured=1&on_sale=0&stock_status=outofstock":      "Item 10,Item 20",
		"orderby=price&order=asc&per_page=3&on_sale=false":  "Item 01,Item 02,Item 04",
		"min_price=37&max_price=38":                         "Item 28",
		"sku=I-07":                                          "Item 07",
		"search=item+1&per_page=2&orderby=title&order=desc": "Item 21,Item 19",
		"include=5,3&orderby=include":                       "Item 04,Item 02",
		"include=5,3&orderby=post__in":                      "Item 04,Item 02",
		"orderby=sales&per_page=2":                          "Item 29,Item 28",
		"tax_class=standard&per_page=1&order=asc":           "Item 29",
		"tax_class=reduced-rate":                            "",
		"min_price=37&search=item+36":                       "",
		"include[]=5&include[]=3&order=asc&orderby=id":      "Item 02,Item 04",
		"exclude=1,2&per_page=1":                            "Item 02",
		"offset=28":                                         "Item 28,Item 29",
		"after=2026-02-27T12:00:00":                         "Item 00,Item 01",
		"before=2026-02-02T12:00:00Z&on_sale=false":         "Item 28,Item 29",
		"page=99":                            "",
		"slug=item-04":                       "Item 04",
		"search_name_or_sku=i-07":            "Item 07",
		"search_name_or_sku=item%2007":       "Item 07",
		"type=variable":                      "",
		"status=draft":                       "",
		"category=1&per_page=1&_fields=name": "Item 00",
		"tag=77":                             "",
	} {
		got := s.Get("/shop/v3/products?" + query).Want(200)
		var names []string
		for _, row := range got.Array() {
			names = append(names, row.Get("name").String())
		}
		if strings.Join(names, ",") != want {
			t.Errorf("%s: %v, want %s", query, names, want)
		}
	}
	s.checkRandomOrder()
	page := s.Get("/shop/v3/products?per_page=7&page=2&consumer_secret=hidden")
	if page.Header.Get("X-Shop-Total") != "30" || page.Header.Get("X-Shop-TotalPages") != "5" {
		t.Errorf("paging headers: %v", page.Header)
	}
	link := page.Header.Get("Link")
	if !strings.Contains(link, `page=1`) || !strings.Contains(link, `rel="prev"`) || !strings.Contains(link, `rel="next"`) ||
		strings.Contains(link, "hidden") {
		t.Errorf("Link is %q", link)
	}
}

// checkRandomOrder checks that orderby=random shuffles the whole list, stays while pages are turned, and changes with the shop.
func (s *testShop) checkRandomOrder() {
	s.T.Helper()
	order := func(query string) string {
		return s.Get("/shop/v3/products?_fields=id&" + query).Get("#.id").Raw
	}
	all := order("orderby=random&per_page=100")
	if ids := gjson.Parse(all).Array(); len(ids) != 30 || all == order("orderby=id&per_page=100") ||
		all == order("orderby=id&order=asc&per_page=100") {
		s.T.Errorf("random order: %s", all)
	}
	pages := order("orderby=random&per_page=15") + order("orderby=random&per_page=15&page=2")
	if strings.ReplaceAll(pages, "][", ",") != all {
		s.T.Errorf("the pages of a random order: %s, want %s", pages, all)
	}
	s.Call("PUT", "/shop/v3/products/1", `{"menu_order":1}`).Want(200)
	if again := order("orderby=random&per_page=100"); again == all {
		s.T.Error("a random order stays when the shop changes")
	}
}

func TestKeysAndPermissions(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for _, c := range []struct {
		key, secret, method string
		status              int
	}{
		{"", "", "GET", 401}, {"", "", "POST", 401}, {"ck_mock_rw", "wrong", "GET", 401}, {"ck_nobody", "x", "GET", 401},
		{"ck_mock_revoked", "cs_mock_revoked", "GET", 401},
		{"ck_mock_r", "cs_mock_r", "GET", 200}, {"ck_mock_r", "cs_mock_r", "POST", 403}, {"ck_mock_w", "cs_mock_w", "GET", 403},
		{"ck_mock_w", "cs_mock_w", "POST", 201},
		{"ck_mock_rw", "cs_mock_rw", "POST", 201},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"name":"x"}`
		}
		got := s.As(c.key, c.secret).Call(c.method, "/shop/v3/products", body)
		if got.Status != c.status {
			t.Errorf("%s with %s: %d, want %d", c.method, c.key, got.Status, c.status)
		}
		byQuery := s.As("", "").Call(c.method, "/shop/v3/products?consumer_key="+c.key+"&consumer_secret="+c.secret, body)
		if byQuery.Status != c.status {
			t.Errorf("%s with %s in the query: %d, want %d", c.method, c.key, byQuery.Status, c.status)
		}
	}
}

func TestVariationsMoveTheirParent(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	parent := s.Post("/shop/v3/products",
		`{"name":"Shirt","type":"variable","sku":"SH","attributes":[{"name":"Size","variation":true,"visible":true,"options":["S","M"]}]}`).
		Want(201)
	base := "/shop/v3/products/" + parent.Get("id").String()
	small := s.Post(base+"/variations", `{"regular_price":"12.00","attributes":[{"name":"size","option":"s"}]}`).Want(201)
	if small.Get("attributes.0.option").String() != "S" || small.Get("name").String() != "S" || small.Get("sku").String() != "SH" {
		t.Errorf("variation: %s", small.Raw)
	}
	s.Post(base+"/variations",
		`{"regular_price":"10","stock_status":"outofstock","attributes":[{"name":"Size","option":"M"}]}`).
		Want(201)
	got := s.Get(base)
	if got.Get("price").String() != "10" || got.Get("stock_status").String() != "instock" || len(got.Get("variations").Array()) != 2 {
		t.Errorf("parent: %s", got.Raw)
	}
	s.Call("DELETE", base+"/variations/"+small.Get("id").String()+"?force=true", "").Want(200)
	got = s.Get(base)
	if got.Get("stock_status").String() != "outofstock" || len(got.Get("variations").Array()) != 1 {
		t.Errorf("parent after delete: %s", got.Raw)
	}
	s.Refuses(404, "shop_rest_product_variation_invalid_id", "GET", base+"/variations/999", "")
	s.Refuses(404, "shop_rest_product_invalid_id", "POST", "/shop/v3/products/999/variations", `{}`)
	if got := s.Post(base+"/variations/generate", `{"default_values":{"regular_price":"3"}}`).
		Want(200); got.Get("count").Int() != 1 {
		t.Errorf("generate: %s", got.Raw)
	}
}

func TestVariationsHaveATrash(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	parent := s.Call("POST", "/shop/v3/products", `{"name":"Shirt","type":"variable","attributes":[{"name":"Size",
		"variation":true,"options":["S"]}]}`).Want(201).Get("id").String()
	list := "/shop/v3/products/" + parent + "/variations"
	made := s.Call("POST", list, `{"regular_price":"12","attributes":[{"name":"Size","option":"S"}]}`).Want(201)
	one := list + "/" + made.Get("id").String()

	if got := s.Call("DELETE", one, "").Want(200); got.Get("status").String() != "publish" {
		t.Errorf("a delete answers the record as it was: %s", got.Raw)
	}
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", one, "")
	if got := s.Call("GET", one, "").Want(200); got.Get("status").String() != "trash" || got.Get("purchasable").Bool() ||
		got.Get("meta_data.0.value").String() != "publish" {
		t.Errorf("in the trash: %s", got.Raw)
	}
	shirt := s.Call("GET", "/shop/v3/products/"+parent, "")
	if shirt.Get("variations").Raw != "[]" || shirt.Get("price").String() != "" || s.Call("GET", list, "").Raw != "[]" {
		t.Errorf("the product still shows it: %s", shirt.Raw)
	}
	s.Call("PUT", one, `{"status":"publish"}`).Want(200)
	if got := s.Call("GET", "/shop/v3/products/"+parent, ""); got.Get("price").String() != "12" {
		t.Errorf("after it came back: %s", got.Raw)
	}
	s.Call("DELETE", one, "").Want(200)
	s.Call("DELETE", "/shop/v3/products/"+parent+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_product_variation_invalid_id", "GET", one, "")
}

func TestBatchRunsEachItemOnItsOwn(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	id := s.Post("/shop/v3/products", `{"name":"A","sku":"A"}`).Want(201).Get("id").String()
	got := s.Post("/shop/v3/products/batch",
		`{"create":[{"name":"B"},{"name":"C","sku":"A"}],"update":[{"id":`+id+`,"name":"A2"},{"id":999,"name":"x"}],"delete":[888]}`).
		Want(200)
	for path, want := range map[string]string{
		"create.0.name": "B", "create.1.error.code": "shop_rest_product_sku_already_exists", "update.0.name": "A2",
		"update.1.id": "999", "update.1.error.code": "shop_rest_product_invalid_id", "delete.0.id": "888",
		"delete.0.error.data.status": "404",
	} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %s, want %s", path, got.Get(path), want)
		}
	}
	s.Refuses(413, "shop_rest_request_entity_too_large", "POST", "/shop/v3/products/batch",
		`{"delete":[`+strings.TrimSuffix(strings.Repeat("1,", 101), ",")+`]}`)
	s.Post("/shop/v3/products/batch", `{"delete":[`+id+`]}`).Want(200)
	s.Refuses(404, "shop_rest_product_invalid_id", "GET", "/shop/v3/products/"+id, "")
}

func TestTermsAndAttributes(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	mugs := s.Post("/shop/v3/products/categories", `{"name":"Mugs"}`).Want(201).Get("id").String()
	refuse(t, s,
		refusal{400, "term_exists", "POST", "/shop/v3/products/categories", `{"name":"Mugs"}`},
		refusal{400, "missing_parent", "POST", "/shop/v3/products/categories", `{"name":"X","parent":999}`},
		refusal{400, "missing_parent", "PUT", "/shop/v3/products/categories/" + mugs, `{"parent":` + mugs + `}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/products/tags", `{}`},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", "/shop/v3/products/categories/" + mugs, ""},
	)
	big := s.Post("/shop/v3/products/categories", `{"name":"Big mugs","parent":`+mugs+`}`).Want(201).Get("id").String()
	s.Post("/shop/v3/products", `{"name":"P","categories":[{"id":`+big+`}]}`).Want(201)
	if got := s.Get("/shop/v3/products?category=" + mugs); len(got.Array()) != 1 {
		t.Errorf("a category does not include its sub-categories: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/products/categories/" + big); got.Get("count").Int() != 1 {
		t.Errorf("count: %s", got.Raw)
	}
	s.Call("DELETE", "/shop/v3/products/categories/"+big+"?force=true", "").Want(200)
	if got := s.Get("/shop/v3/products?_fields=categories"); got.Get("0.categories.0.slug").String() != "uncategorized" {
		t.Errorf("the product keeps a category that is gone: %s", got.Raw)
	}
	size := s.Post("/shop/v3/products/attributes", `{"name":"Size"}`).Want(201)
	if size.Get("slug").String() != "pa_size" {
		t.Errorf("slug is %s", size.Get("slug"))
	}
	s.Refuses(400, "shop_rest_cannot_create", "POST", "/shop/v3/products/attributes", `{"name":"x","slug":"size"}`)
	terms := "/shop/v3/products/attributes/" + size.Get("id").String() + "/terms"
	s.Post(terms, `{"name":"Small"}`).Want(201)
	s.Refuses(404, "shop_rest_taxonomy_invalid", "GET", "/shop/v3/products/attributes/99/terms", "")
	s.Post("/shop/v3/products",
		`{"name":"T","attributes":[{"id":`+size.Get("id").String()+`,"options":["small","Large"]}]}`).
		Want(201)
	if got := s.Get(terms); len(got.Array()) != 2 {
		t.Errorf("terms: %s", got.Raw)
	}
}

func TestReadsInTheEditContextAndWithFields(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := "/shop/v3/products/" + s.Call("POST", "/shop/v3/products", `{"name":"A"}`).Want(201).Get("id").String()
	if got := s.Call("GET", path+"?_fields=id,categories.slug,dimensions.width", ""); !strings.HasPrefix(got.Raw,
		`{"id":`+got.Get("id").Raw+`,"dimensions":{"width":""},"_links":`) {
		t.Errorf("_fields: %s", got.Raw)
	}
	if got := s.Get(path + "?context=edit"); !got.Get("permalink_template").Exists() {
		t.Errorf("edit context: %s", got.Raw)
	}
	options := s.Call("OPTIONS", "/shop/v3/products", "").Want(200)
	if options.Get("endpoints.0.args.per_page.maximum").Int() != 100 || options.Get("endpoints.1.args.type.default").String() != "simple" {
		t.Errorf("OPTIONS: %s", options.Raw)
	}
	index := s.Get("/shop/v3").Want(200)
	if index.Get("namespace").String() != "shop/v3" {
		t.Errorf("index: %s", index.Raw)
	}
}

func TestListsChooseEntriesOfMetaData(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/products",
		`{"name":"A","meta_data":[{"key":"a","value":"1"},{"key":"b","value":"2"},{"key":"c","value":"3"}]}`).
		Want(201)
	for query, want := range map[string]string{
		"":                               `["a","b","c"]`,
		"include_meta=a,c":               `["a","c"]`,
		"exclude_meta[]=a":               `["b","c"]`,
		"include_meta=a&exclude_meta=a":  `[]`,
		"include_meta=nothing-like-this": `[]`,
	} {
		if got := s.Get("/shop/v3/products?" + query).Get("0.meta_data.#.key"); got.Raw != want {
			t.Errorf("%q: %s, want %s", query, got.Raw, want)
		}
	}
}

// TestNoAddressIsStoredThatRunsOrReads sends addresses that are no web pages wherever a record holds one.
func TestNoAddressIsStoredThatRunsOrReads(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.product(`{"name":"Shirt","type":"variable"}`)
	for _, address := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\\tscript:alert(1)", "data:text/html,x",
		"file:///etc/passwd", "vbscript:x",
		"ftp://shop.example/x", "https://", "http:x", "//evil.example/x", "/\\\\evil.example", "https://shop.example/a b",
		"https:/" + strings.Repeat("/x", 1100), "x.pdf",
	} {
		for _, c := range []struct{ method, path, param, body string }{
			{"POST", "/shop/v3/products", "downloads", `{"name":"Book","downloads":[{"name":"PDF","file":"%"}]}`},
			{"POST", "/shop/v3/products", "images", `{"name":"Book","images":[{"src":"%"}]}`},
			{"POST", "/shop/v3/products", "external_url", `{"name":"Book","type":"external","external_url":"%"}`},
			{"POST", "/shop/v3/products/1/variations", "image", `{"image":{"src":"%"}}`},
			{"POST", "/shop/v3/products/1/variations", "downloads", `{"downloads":[{"file":"%"}]}`},
			{"POST", "/shop/v3/products/categories", "image", `{"name":"Books","image":{"src":"%"}}`},
			{"POST", "/shop/v3/products/brands", "image", `{"name":"Books","image":{"src":"%"}}`},
			{"POST", "/shop/v1/products", "images", `{"name":"Book","images":[{"src":"%"}]}`},
		} {
			got := s.Refuses(400, "rest_invalid_param", c.method, c.path, strings.Replace(c.body, "%", address, 1))
			if !got.Get("data.params." + c.param).Exists() {
				t.Errorf("%s %s: data.params does not name %s: %s", c.path, address, c.param, got.Raw)
			}
		}
		s.Refuses(400, "shop_rest_shop_webhook_invalid_delivery_url", "POST", "/shop/v3/webhooks",
			strings.Replace(`{"topic":"order.created","delivery_url":"%"}`, "%", address, 1))
	}
	for _, address := range []string{"https://shop.example/a.pdf?x=1#y", "http://[::1]:8080/", "/downloads/a.pdf"} {
		s.Post("/shop/v3/products", `{"name":"Book","downloads":[{"name":"PDF","file":"`+address+`"}],"external_url":"`+
			address+`","images":[{"src":"`+address+`"}]}`).
			Want(201)
	}
}
