package management_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

// documentedProduct is the field order of a product record.
const documentedProduct = `
	id name slug permalink date_created date_created_gmt date_modified date_modified_gmt type status featured catalog_visibility
	description short_description sku price regular_price sale_price date_on_sale_from date_on_sale_from_gmt date_on_sale_to
	date_on_sale_to_gmt on_sale purchasable total_sales virtual downloadable downloads download_limit download_expiry external_url
	button_text tax_status tax_class manage_stock stock_quantity backorders backorders_allowed backordered low_stock_amount
	sold_individually weight dimensions shipping_required shipping_taxable shipping_class shipping_class_id reviews_allowed
	average_rating rating_count upsell_ids cross_sell_ids parent_id purchase_note categories brands tags images attributes
	default_attributes variations grouped_products menu_order price_html related_ids meta_data stock_status has_options post_password
	global_unique_id _links
`

func TestProductRecordHasTheDocumentedFieldsInOrder(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v3/products",
		`{"name":"Mug","regular_price":"35","sku":"MUG","manage_stock":true,"stock_quantity":4,
		"images":[{"src":"http://img.test/a.png"}],"meta_data":[{"key":"k","value":{"a":[1]}}],"dimensions":{"length":"2"}}`).
		Want(201)
	path := "/shop/v3/products/" + made.Get("id").String()
	made.HasHeader("Location", "http://shop.test"+path)
	s.Get(path).Want(200).HasFields("", strings.Join(strings.Fields(documentedProduct), " ")).Has(
		"price", "35", "regular_price", "35", "slug", "mug", "permalink", "http://shop.test/product/mug/", "stock_quantity", 4,
		"images.0.src", "http://img.test/a.png", "meta_data.0.value.a.0", 1, "dimensions.length", "2", "dimensions.width", "",
		"categories.0.slug", "uncategorized", "date_created", "2026-03-01T12:00:00", "purchasable", true, "stock_status", "instock",
	)
}

func TestProductRefusals(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const products = "/shop/v3/products"
	taken := s.Post(products, `{"name":"A","sku":"A"}`).Want(201).Get("id").Int()
	s.Refuses(400, "shop_rest_product_sku_already_exists", "POST", products, `{"name":"B","sku":"A"}`).Has("data.resource_id", taken)
	refuse(t, s,
		refusal{400, "shop_rest_product_name_required", "POST", products, `{}`},
		refusal{400, "shop_rest_product_name_required", "POST", products, `{"name":"  "}`},
		refusal{404, "shop_rest_product_invalid_id", "GET", products + "/999", ""},
		refusal{404, "shop_rest_product_invalid_id", "GET", products + "/99999999999999999999", ""},
		refusal{404, "shop_rest_product_invalid_id", "PUT", products + "/999", `{"name":"x"}`},
		refusal{404, "shop_rest_product_invalid_id", "DELETE", products + "/999?force=true", ""},
		refusal{404, "rest_no_route", "GET", products + "/abc", ""},
		refusal{404, "rest_no_route", "DELETE", products, ""},
		refusal{400, "rest_invalid_json", "POST", products, `{"name":`},
		refusal{400, "rest_invalid_json", "POST", products, `[1]`},
		refusal{413, "shop_rest_request_entity_too_large", "POST", products, `{"name":"` + strings.Repeat("x", 1<<20) + `"}`},
	)
	wrong := map[string]string{`{"name":7}`: "name"}
	for _, c := range [][2]string{
		{"type", `"nope"`}, {"regular_price", `24.5`}, {"sale_price", `"abc"`}, {"stock_quantity", `"many"`}, {"manage_stock", `"maybe"`},
		{"status", `"gone"`}, {"dimensions", `{"width":"wide"}`}, {"weight", `"-1"`}, {"download_limit", `-2`}, {"low_stock_amount", `-1`},
		{"parent_id", `-1`}, {"external_url", `"javascript:alert(1)"`}, {"categories", `[{"id":999}]`}, {"images", `[{}]`},
		{"attributes", `[{"id":77}]`},
	} {
		wrong[`{"name":"x","`+c[0]+`":`+c[1]+`}`] = c[0]
	}
	for _, price := range []string{" 5", "+5", "5,00", "1e3", "5_0", "-1", "free"} {
		wrong[`{"name":"x","regular_price":"`+price+`"}`] = "regular_price"
	}
	for _, src := range []string{"nowhere", "javascript:alert(1)", "http://", "ftp://x.test/a.png", "http://x.test/a b.png"} {
		wrong[`{"name":"x","images":[{"src":"`+src+`"}]}`] = "images"
	}
	invalid(t, s, products, wrong)
	invalidQueries(t, s, products, "per_page=0", "per_page=101", "per_page=abc", "page=0", "orderby=nope", "order=up", "status=nope",
		"type=nope", "after=nope", "min_price=abc", "category=x", "featured=maybe")
}

func TestProductTrashAndDelete(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.Create("/shop/v3/products", `{"name":"A"}`)
	s.Call("DELETE", path, "").Want(200).Has("status", "publish")
	s.Get(path).Want(200).Has("status", "trash")
	s.Get("/shop/v3/products").Want(200).Has("#", 0)
	s.Get("/shop/v3/products?status=trash").Want(200).Has("#", 1)
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
			p.SetExtras(shop.Extras{GlobalUniqueID: fmt.Sprintf("40%02d", i)})
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
	lists(t, s, "/shop/v3/products", "sku", map[string]string{
		"per_page=3":                                        "I-00 I-01 I-02",
		"per_page=3&page=2":                                 "I-03 I-04 I-05",
		"per_page=2&order=asc":                              "I-29 I-28",
		"featured=true&on_sale=true&per_page=2":             "I-00 I-06",
		"featured=1&on_sale=0&stock_status=outofstock":      "I-10 I-20",
		"orderby=price&order=asc&per_page=3&on_sale=false":  "I-01 I-02 I-04",
		"min_price=37&max_price=38":                         "I-28",
		"sku=I-07":                                          "I-07",
		"search=item+1&per_page=2&orderby=title&order=desc": "I-21 I-19",
		"include=5,3&orderby=include":                       "I-04 I-02",
		"include=5,3&orderby=post__in":                      "I-04 I-02",
		"orderby=sales&per_page=2":                          "I-29 I-28",
		"tax_class=standard&per_page=1&order=asc":           "I-29",
		"tax_class=reduced-rate":                            "",
		"min_price=37&search=item+36":                       "",
		"include[]=5&include[]=3&order=asc&orderby=id":      "I-02 I-04",
		"exclude=1,2&per_page=1":                            "I-02",
		"offset=28":                                         "I-28 I-29",
		"after=2026-02-27T12:00:00":                         "I-00 I-01",
		"before=2026-02-02T12:00:00Z&on_sale=false":         "I-28 I-29",
		"page=99":                      "",
		"slug=item-04":                 "I-04",
		"search_name_or_sku=i-07":      "I-07",
		"search_name_or_sku=item%2007": "I-07",
		"search_name_or_sku=07&search=a&sku=07&search_sku=a": "I-07",
		"search_sku=-07&sku=-07":                             "I-07",
		"global_unique_id=4009,4007":                         "I-07 I-09",
		"global_unique_id=400":                               "",
		"type=variable":                                      "",
		"status=draft":                                       "",
		"category=1&per_page=1&_fields=sku":                  "I-00",
		"tag=77":                                             "",
	})
	t.Run("random", func(t *testing.T) { s.in(t).checkRandomOrder() })
	page := s.Get("/shop/v3/products?per_page=7&page=2&consumer_secret=hidden").HasHeader("X-Shop-Total", "30", "X-Shop-TotalPages", "5")
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
		t.Run(c.method+" with "+c.key+":"+c.secret, func(t *testing.T) {
			s, body := s.in(t), map[string]string{"POST": `{"name":"x"}`}[c.method]
			s.As(c.key, c.secret).Call(c.method, "/shop/v3/products", body).Want(c.status)
			query := "?consumer_key=" + c.key + "&consumer_secret=" + c.secret
			s.As("", "").Call(c.method, "/shop/v3/products"+query, body).Want(c.status)
		})
	}
}

func TestVariationsMoveTheirParent(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	parent := s.product(`{"name":"Shirt","type":"variable","sku":"SH",` +
		`"attributes":[{"name":"Size","variation":true,"visible":true,"options":["S","M"]}]}`)
	small := s.Post(parent+"/variations", `{"regular_price":"12.00","attributes":[{"name":"size","option":"s"}]}`).Want(201).
		Has("attributes.0.option", "S", "name", "S", "sku", "SH").Get("id").String()
	s.Post(parent+"/variations",
		`{"regular_price":"10","stock_status":"outofstock","attributes":[{"name":"Size","option":"M"}]}`).
		Want(201)
	s.Get(parent).Has("price", "10", "stock_status", "instock", "variations.#", 2)
	s.Call("DELETE", parent+"/variations/"+small+"?force=true", "").Want(200)
	s.Get(parent).Has("stock_status", "outofstock", "variations.#", 1)
	s.Post(parent+"/variations/generate", `{"default_values":{"regular_price":"3"}}`).Want(200).Has("count", 1)
	refuse(t, s,
		refusal{404, "shop_rest_product_variation_invalid_id", "GET", parent + "/variations/999", ""},
		refusal{404, "shop_rest_product_invalid_id", "POST", "/shop/v3/products/999/variations", `{}`},
	)
}

func TestVariationsHaveATrash(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	parent := s.product(`{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,"options":["S"]}]}`)
	list := parent + "/variations"
	one := s.Create(list, `{"regular_price":"12","attributes":[{"name":"Size","option":"S"}]}`)

	s.Call("DELETE", one, "").Want(200).Has("status", "publish") // as it was
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", one, "")
	s.Get(one).Want(200).Has("status", "trash", "purchasable", false, "meta_data.0.value", "publish")
	s.Get(parent).Has("variations", []int{}, "price", "")
	s.Get(list).Has("#", 0)
	s.Call("PUT", one, `{"status":"publish"}`).Want(200)
	s.Get(parent).Has("price", "12")
	s.Call("DELETE", one, "").Want(200)
	s.Call("DELETE", parent+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_product_variation_invalid_id", "GET", one, "")
}

func TestBatchRunsEachItemOnItsOwn(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	id := s.Post("/shop/v3/products", `{"name":"A","sku":"A"}`).Want(201).Get("id").String()
	s.Post("/shop/v3/products/batch",
		`{"create":[{"name":"B"},{"name":"C","sku":"A"}],"update":[{"id":`+id+`,"name":"A2"},{"id":999,"name":"x"}],"delete":[888]}`).
		Want(200).Has(
		"create.0.name", "B", "create.1.error.code", "shop_rest_product_sku_already_exists", "update.0.name", "A2", "update.1.id", 999,
		"update.1.error.code", "shop_rest_product_invalid_id", "delete.0.id", 888, "delete.0.error.data.status", 404,
	)
	s.Refuses(413, "shop_rest_request_entity_too_large", "POST", "/shop/v3/products/batch",
		`{"delete":[`+strings.TrimSuffix(strings.Repeat("1,", 101), ",")+`]}`)
	s.Post("/shop/v3/products/batch", `{"delete":[`+id+`]}`).Want(200)
	s.Refuses(404, "shop_rest_product_invalid_id", "GET", "/shop/v3/products/"+id, "")
}

func TestCategories(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const categories = "/shop/v3/products/categories"
	mugs := s.Post(categories, `{"name":"Mugs"}`).Want(201).Get("id").String()
	refuse(t, s,
		refusal{400, "term_exists", "POST", categories, `{"name":"Mugs"}`},
		refusal{400, "missing_parent", "POST", categories, `{"name":"X","parent":999}`},
		refusal{400, "missing_parent", "PUT", categories + "/" + mugs, `{"parent":` + mugs + `}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/products/tags", `{}`},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", categories + "/" + mugs, ""},
	)
	big := s.Post(categories, `{"name":"Big mugs","parent":`+mugs+`}`).Want(201).Get("id").String()
	s.product(`{"name":"P","categories":[{"id":` + big + `}]}`)
	s.Get("/shop/v3/products?category="+mugs).Has("#.name", []string{"P"}) // of a category below
	s.Get(categories+"/"+big).Has("count", 1)
	s.Call("DELETE", categories+"/"+big+"?force=true", "").Want(200)
	s.Get("/shop/v3/products?_fields=categories").Has("0.categories.0.slug", "uncategorized")
}

func TestAttributesAndTheirTerms(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const attributes = "/shop/v3/products/attributes"
	size := s.Post(attributes, `{"name":"Size"}`).Want(201).Has("slug", "pa_size").Get("id").String()
	terms := attributes + "/" + size + "/terms"
	refuse(t, s,
		refusal{400, "shop_rest_cannot_create", "POST", attributes, `{"name":"x","slug":"size"}`},
		refusal{404, "shop_rest_taxonomy_invalid", "GET", attributes + "/99/terms", ""},
	)
	s.Post(terms, `{"name":"Small"}`).Want(201)
	s.product(`{"name":"T","attributes":[{"id":` + size + `,"options":["small","Large"]}]}`)
	s.Get(terms).Has("#", 2) // the product brought the second
}

func TestReadsInTheEditContextAndWithFields(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.product(`{"name":"A"}`)
	s.Get(path+"?_fields=id,categories.slug,dimensions.width").HasFields("", "id dimensions _links").
		Has("dimensions", testkit.JSON(`{"width":""}`))
	s.Get(path+"?context=edit").Has("permalink_template", "http://shop.test/product/%pagename%/")
	s.Call("OPTIONS", "/shop/v3/products", "").Want(200).
		Has("endpoints.0.args.per_page.maximum", 100, "endpoints.1.args.type.default", "simple")
	s.Get("/shop/v3").Want(200).Has("namespace", "shop/v3")
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
