package management_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

const documentedOrder = `id parent_id status currency version prices_include_tax date_created date_modified discount_total discount_tax ` +
	`shipping_total shipping_tax cart_tax total total_tax customer_id order_key billing shipping payment_method payment_method_title ` +
	`transaction_id customer_ip_address customer_user_agent created_via customer_note date_completed date_paid cart_hash number ` +
	`meta_data line_items tax_lines shipping_lines fee_lines coupon_lines refunds payment_url is_editable needs_payment needs_processing ` +
	`date_created_gmt date_modified_gmt date_completed_gmt date_paid_gmt currency_symbol _links`

// orderShop has product 1 (35, five in stock) and variation 3 of product 2 (15), the coupon save10 and the customer 1.
func orderShop(t testing.TB) *testShop {
	return newTestShop(t, func(tx *shop.Tx) error {
		five := int64(5)
		mug := tx.NewProduct()
		mug.Name, mug.SKU, mug.RegularPrice, mug.ManageStock, mug.StockQuantity = "Mug", "MUG", "35", true, &five
		if err := mug.Create(tx); err != nil {
			return err
		}
		shirt := tx.NewProduct()
		shirt.Name, shirt.Type = "Shirt", shop.Variable
		shirt.Attributes = []shop.ProductAttribute{{Name: "Size", Slug: "Size", Variation: true, Options: []string{"L"}}}
		if err := shirt.Create(tx); err != nil {
			return err
		}
		large, err := tx.NewVariation(shirt.ID)
		if err != nil {
			return err
		}
		large.RegularPrice, large.SKU, large.Choices = "15", "SH-L", []shop.AttributeChoice{{Name: "Size", Option: "L"}}
		if err := large.CreateVariation(tx); err != nil {
			return err
		}
		save := tx.NewCoupon()
		save.Code, save.Type, save.Amount = "save10", pricing.PercentCoupon, "10"
		if err := save.Create(tx); err != nil {
			return err
		}
		return (&shop.Customer{Email: "ann@shop.example", FirstName: "Ann", LastName: "Lee"}).Create(tx)
	})
}

const wholeOrder = `{"payment_method":"bacs","payment_method_title":"Transfer","customer_id":1,"customer_note":"Ring twice",
	"billing":{"first_name":"Ann","last_name":"Lee","address_1":"1 Main","city":"San Francisco","state":"CA","postcode":"94103",
	"country":"US","email":"ann@shop.example","phone":"5551234"},
	"shipping":{"first_name":"Ann","city":"San Francisco","country":"US","phone":"1"},"line_items":[{"product_id":1,"quantity":2},
	{"product_id":2,"variation_id":3}],
	"shipping_lines":[{"method_id":"flat_rate","method_title":"Flat rate","total":"10.00"}],"fee_lines":[{"name":"Wrapping",
	"total":"2.50"}],
	"coupon_lines":[{"code":"SAVE10"}],"meta_data":[{"key":"m","value":{"a":[1,2]}}]}`

func TestOrderRecordHasTheDocumentedFieldsInOrder(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	made := s.Post("/shop/v3/orders", wholeOrder).Want(201)
	if keysOf(made.Result) != documentedOrder {
		t.Errorf("fields are\n%s, want\n%s", keysOf(made.Result), documentedOrder)
	}
	for path, want := range map[string]string{
		"line_items.0": "id name product_id variation_id quantity tax_class subtotal subtotal_tax total total_tax taxes meta_data " +
			"sku price image parent_name",
		"shipping_lines.0": "id method_title method_id instance_id total total_tax taxes tax_status meta_data",
		"fee_lines.0":      "id name tax_class tax_status amount total total_tax taxes meta_data",
		"coupon_lines.0":   "id code discount discount_tax meta_data discount_type nominal_amount free_shipping",
		"billing":          "first_name last_name company address_1 address_2 city state postcode country email phone",
		"shipping":         "first_name last_name company address_1 address_2 city state postcode country",
	} {
		if keysOf(made.Get(path)) != want {
			t.Errorf("%s has %s, want %s", path, keysOf(made.Get(path)), want)
		}
	}
	id := made.Get("id").String()
	for path, want := range map[string]string{
		"status": `"pending"`, "discount_total": `"8.50"`, "shipping_total": `"10.00"`, "total": `"89.00"`, "total_tax": `"0.00"`,
		"customer_id": "1",
		"created_via": `"rest-api"`, "number": `"` + id + `"`, "date_paid": "null", "currency": `"USD"`, "currency_symbol": `"$"`,
		"customer_note":      `"Ring twice"`,
		"line_items.0.price": "31.5", "line_items.0.subtotal": `"70.00"`, "line_items.0.total": `"63.00"`,
		"line_items.0.parent_name": "null", "line_items.1.parent_name": `"Shirt"`,
		"line_items.1.sku": `"SH-L"`, "line_items.1.meta_data.0.display_value": `"L"`, "line_items.1.name": `"Shirt - L"`,
		"coupon_lines.0.code": `"save10"`, "coupon_lines.0.discount": `"8.50"`, "coupon_lines.0.nominal_amount": "10",
		"meta_data.0.value": `{"a":[1,2]}`,
		"is_editable":       "true", "needs_payment": "true", "needs_processing": "true", "refunds": "[]", "tax_lines": "[]",
		"payment_url": `"http://shop.test/checkout/order-pay/` + id + `/?pay_for_order=true&key=` +
			made.Get("order_key").String() + `"`,
		"_links.customer.0.href": `"http://shop.test/shop/v3/customers/1"`,
	} {
		if made.Get(path).Raw != want {
			t.Errorf("%s is %s, want %s", path, made.Get(path).Raw, want)
		}
	}
	if strings.Contains(made.Raw, "set_paid") || !strings.HasPrefix(made.Get("order_key").String(), "order_") {
		t.Errorf("record: %s", made.Raw)
	}
	got := s.Call("GET", "/shop/v3/orders/"+id+"?dp=4&_fields=total,billing.email,line_items", "").Want(200)
	if !strings.HasPrefix(got.Raw, `{"total":"89.0000","billing":{"email":"`) ||
		got.Get("line_items.#.total").Raw != `["63.0000","13.5000"]` {
		t.Errorf("dp=4: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/orders?dp=0&_fields=total").Want(200); got.Raw != `[{"total":"89"}]` {
		t.Errorf("dp=0: %s", got.Raw)
	}
}

func TestOrderTaxesShowByLineAndRate(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, func(tx *shop.Tx) error {
		config := *tx.Config
		config.TaxesEnabled = true
		tx.Config = &config
		mug := tx.NewProduct()
		mug.Name, mug.RegularPrice = "Mug", "35"
		if err := mug.Create(tx); err != nil {
			return err
		}
		return (&shop.TaxRate{Country: "US", State: "CA", Rate: "10", Name: "CA tax", Priority: 1, Shipping: true}).Create(tx)
	})
	got := s.Post("/shop/v3/orders",
		`{"shipping":{"country":"US","state":"CA"},"line_items":[{"product_id":1,"quantity":2}],`+
			`"shipping_lines":[{"method_id":"flat_rate","total":"10"}]}`).
		Want(201)
	for path, want := range map[string]string{
		"total": `"88.00"`, "total_tax": `"8.00"`, "cart_tax": `"7.00"`, "shipping_tax": `"1.00"`, "line_items.0.total_tax": `"7.00"`,
		"line_items.0.taxes":       `[{"id":1,"total":"7.00","subtotal":"7.00"}]`,
		"shipping_lines.0.taxes":   `[{"id":1,"total":"1.00","subtotal":""}]`,
		"tax_lines.0.rate_percent": "10", "tax_lines.0.tax_total": `"7.00"`, "tax_lines.0.shipping_tax_total": `"1.00"`,
		"tax_lines.0.compound": "false", "tax_lines.0.rate_id": "1",
	} {
		if got.Get(path).Raw != want {
			t.Errorf("%s is %s, want %s", path, got.Get(path).Raw, want)
		}
	}
}

func TestOrderRefusals(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", wholeOrder)
	for body, code := range map[string]string{
		`{"line_items":[{"product_id":999,"quantity":1}]}`:                   "shop_rest_invalid_product_id",
		`{"line_items":[{"product_id":1,"quantity":6}]}`:                     "shop_rest_product_not_enough_stock",
		`{"line_items":[{"quantity":1}]}`:                                    "shop_rest_required_product_reference",
		`{"line_items":[{"product_id":1,"quantity":-1}]}`:                    "shop_rest_invalid_quantity",
		`{"line_items":[{"product_id":1,"quantity":0}]}`:                     "shop_rest_invalid_quantity",
		`{"customer_id":999}`:                                                "shop_rest_invalid_customer_id",
		`{"line_items":[{"product_id":1}],"coupon_lines":[{"code":"nope"}]}`: "shop_rest_invalid_coupon",
		`{"line_items":[{"product_id":1}],"coupon_lines":[{}]}`:              "shop_rest_invalid_coupon",
		`{"shipping_lines":[{"method_title":"x","total":"1"}]}`:              "shop_rest_invalid_shipping_item",
		`{"fee_lines":[{"total":"1"}]}`:                                      "shop_rest_invalid_fee_item",
		`{"line_items":[{"id":77,"quantity":1}]}`:                            "shop_rest_invalid_item_id",
	} {
		s.Refuses(400, code, "POST", "/shop/v3/orders", body)
	}
	for body, param := range map[string]string{
		`{"status":"nope"}`: "status", `{"currency":"ZZZ"}`: "currency", `{"billing":{"email":"nope"}}`: "billing",
		`{"line_items":"x"}`: "line_items", `{"customer_id":-1}`: "customer_id",
		`{"line_items":[{"product_id":1,"quantity":1.5}]}`: "line_items", `{"line_items":[{"product_id":1,"total":"x"}]}`: "line_items",
		`{"line_items":[{"product_id":1,"total":7}]}`:         "line_items",
		`{"line_items":[{"product_id":1,"total":"-1"}]}`:      "line_items",
		`{"shipping_lines":[{"method_id":"x","total":"-1"}]}`: "shipping_lines", `{"fee_lines":[{"name":"x","total":"y"}]}`: "fee_lines",
		`{"set_paid":"maybe"}`: "set_paid", `{"meta_data":"x"}`: "meta_data",
	} {
		if got := s.Refuses(400, "rest_invalid_param", "POST", "/shop/v3/orders", body); !got.Get("data.params." + param).Exists() {
			t.Errorf("%s: %s", body, got.Raw)
		}
	}
	s.Refuses(400, "rest_invalid_param", "PUT", path, `{"status":"nope"}`)
	s.Refuses(400, "shop_rest_invalid_item_id", "PUT", path, `{"line_items":[{"id":777,"quantity":1}]}`)
	for _, call := range [][2]string{{"GET", ""}, {"PUT", `{"status":"completed"}`}, {"DELETE", ""}} {
		s.Refuses(404, "shop_rest_shop_order_invalid_id", call[0], "/shop/v3/orders/99999", call[1])
	}
	s.Refuses(404, "rest_no_route", "GET", "/shop/v3/orders/abc", "")
	for _, query := range []string{"status=nope", "status=any,nope", "customer=x", "product=x", "orderby=nope", "order=x", "after=nope",
		"before=nope", "modified_after=x", "dp=-1", "dp=99", "page=0", "per_page=101", "parent=x"} {
		s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/orders?"+query, "")
	}
	if len(s.Read().NotesOf(1)) != 0 {
		t.Error("a refused call left notes")
	}
}

func TestOrderUpdates(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	made := s.Post("/shop/v3/orders", wholeOrder).Want(201)
	path := "/shop/v3/orders/" + made.Get("id").String()
	mug, shirt, fee := made.Get("line_items.0.id").String(), made.Get("line_items.1.id").String(), made.Get("fee_lines.0.id").String()
	for _, step := range []struct{ body, path, want string }{
		{`{"status":"processing"}`, "status", `"processing"`},
		{`{}`, "date_paid", `"2026-03-01T12:00:00"`},
		{`{"billing":{"city":"Oakland"}}`, "billing.city", `"Oakland"`},
		{`{}`, "billing.first_name", `"Ann"`},
		{`{"customer_note":"Later","payment_method":"cod","transaction_id":"t-1"}`, "transaction_id", `"t-1"`},
		{`{"line_items":[{"id":` + mug + `,"quantity":3,"subtotal":"30.00","total":"30.00"}]}`, "total", `"56.00"`},
		{`{}`, "line_items.0.price", "10"},
		{`{"line_items":[{"id":` + shirt + `,"quantity":0}]}`, "line_items.#", "1"},
		{`{"fee_lines":[{"id":` + fee + `,"name":null}]}`, "fee_lines", "[]"},
		{`{"coupon_lines":[]}`, "coupon_lines", "[]"},
		{`{"line_items":[{"sku":"SH-L","quantity":2,"total":"7.00","subtotal":"8.00","meta_data":[{"key":"Gift","value":"yes"}]}]}`,
			"line_items.1.total", `"7.00"`},
		{`{}`, "line_items.1.meta_data.#.key", `["Size","Gift"]`},
		{`{"status":"completed","number":"9","total":"1","order_key":"x"}`, "date_completed_gmt", `"2026-03-01T12:00:00"`},
		{`{}`, "number", made.Get("number").Raw},
	} {
		if got := s.Call("PUT", path, step.body).Want(200); got.Get(step.path).Raw != step.want {
			t.Errorf("%s: %s is %s, want %s", step.body, step.path, got.Get(step.path).Raw, step.want)
		}
	}
	if got := s.Get("/shop/v3/products/1?_fields=stock_quantity"); got.Get("stock_quantity").Int() != 2 {
		t.Errorf("stock: %s, want 2 of 5", got.Raw)
	}
	s.Call("PUT", path, `{"status":"cancelled"}`).Want(200)
	if got := s.Get("/shop/v3/products/1?_fields=stock_quantity"); got.Get("stock_quantity").Int() != 5 {
		t.Errorf("stock after the order was cancelled: %s, want 5", got.Raw)
	}
}

func TestOrderSetPaid(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	got := s.Post("/shop/v3/orders", `{"set_paid":true,"line_items":[{"product_id":1}]}`).Want(201)
	if got.Get("status").String() != "processing" || got.Get("date_paid").String() == "" || got.Get("needs_payment").Bool() ||
		got.Get("is_editable").Bool() {
		t.Errorf("set_paid: %s", got.Raw)
	}
}

func TestOrderTrashAndDelete(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", `{"status":"on-hold"}`)
	if got := s.Call("DELETE", path, "").Want(200); got.Get("status").String() != "on-hold" {
		t.Errorf("delete answers the record as it was: %s", got.Raw)
	}
	if got := s.Get(path).Want(200); got.Get("status").String() != "trash" {
		t.Errorf("status is %s, want trash", got.Get("status"))
	}
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", path, "")
	s.Call("PUT", path, `{"status":"pending"}`).Want(200)
	if got := s.Get("/shop/v3/orders").Want(200); len(got.Array()) != 1 {
		t.Errorf("the order did not come back: %s", got.Raw)
	}
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "GET", path, "")
}

func TestOrderListParametersCombine(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	for _, body := range []string{
		`{"customer_id":1,"status":"completed","line_items":[{"product_id":1}],"billing":{"last_name":"Stone"}}`,
		`{"customer_id":1,"status":"processing","line_items":[{"product_id":2,"variation_id":3}],"billing":{"email":"bea@shop.example"}}`,
		`{"status":"on-hold","shipping":{"city":"Oslo"}}`,
		`{"status":"trash"}`, `{"status":"checkout-draft"}`, `{"parent_id":7}`,
	} {
		s.Post("/shop/v3/orders", body).Want(201)
		s.Clock.Set(s.Clock.Now().AddDate(0, 0, 1))
	}
	first := s.Get("/shop/v3/orders?order=asc&per_page=1").Get("0.id").Int()
	for query, want := range map[string]string{
		"":                                       "6 3 2 1",
		"order=asc":                              "1 2 3 6",
		"orderby=id&order=asc&per_page=2&page=2": "3 6",
		"orderby=title":                          "6 3 2 1",
		"offset=3":                               "1",
		"page=9":                                 "",
		"status=any":                             "6 3 2 1",
		"status=processing":                      "2",
		"status=processing,on-hold":              "3 2",
		"status[]=completed&status[]=on-hold":    "3 1",
		"status=trash":                           "4",
		"status=checkout-draft":                  "5",
		"status=trash,completed":                 "4 1",
		"status=trash,completed&orderby=modified": "4 1",
		"customer=1":                  "2 1",
		"customer=0":                  "6 3",
		"customer=1&status=completed": "1",
		"product=1":                   "1",
		"product=2":                   "2",
		"product=3":                   "2",
		"product=99":                  "",
		"search=stone":                "1",
		"search=bea%40shop.example":   "2",
		"search=oslo":                 "3",
		"search=Shirt":                "2",
		"search=nobody":               "",
		"after=2026-03-02T12:00:00":   "6 3",
		"before=2026-03-02T12:00:00":  "1",
		"after=2026-03-01T12:00:00&before=2026-03-03T12:00:00": "2",
		"modified_after=2026-03-02T13:00:00":                   "6 3",
		"parent=7":                                             "6",
		"parent_exclude=0":                                     "6",
		"created_via=checkout":                                 "",
		"created_via=rest-api&per_page=1":                      "6",
	} {
		var ids []string
		for _, row := range s.Get("/shop/v3/orders?" + query).Want(200).Array() {
			ids = append(ids, string(rune('0'+row.Get("id").Int()-first+1)))
		}
		if strings.Join(ids, " ") != want {
			t.Errorf("%s: %v, want %s", query, ids, want)
		}
	}
	list := s.Get("/shop/v3/orders?per_page=3")
	if list.Header.Get("X-Shop-Total") != "4" || list.Header.Get("X-Shop-TotalPages") != "2" ||
		!strings.Contains(list.Header.Get("Link"), `rel="next"`) {
		t.Errorf("paging headers: %v", list.Header)
	}
}

func TestOrderBatch(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	id := s.Post("/shop/v3/orders", `{}`).Want(201).Get("id").String()
	got := s.Post("/shop/v3/orders/batch",
		`{"create":[{"line_items":[{"product_id":1}]},{"line_items":[{"product_id":99}]}],"update":[{"id":`+id+
			`,"status":"completed"},{"id":99999,"status":"completed"}],"delete":[99998]}`).
		Want(200)
	for path, want := range map[string]string{
		"create.0.total": "35.00", "create.1.error.code": "shop_rest_invalid_product_id", "update.0.status": "completed",
		"update.1.error.code": "shop_rest_shop_order_invalid_id", "delete.0.error.data.status": "404",
	} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %s, want %s", path, got.Get(path), want)
		}
	}
}

func TestOrderNotes(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Create("/shop/v3/orders", `{"status":"on-hold"}`)
	made := s.Post(order+"/notes", `{"note":"hello"}`).Want(201)
	path := order + "/notes/" + made.Get("id").String()
	if keysOf(made.Result) != "id author date_created date_created_gmt note customer_note _links" || made.Get("customer_note").Bool() ||
		made.Header.Get("Location") != "http://shop.test"+path ||
		made.Get("_links.up.0.href").String() != "http://shop.test"+order ||
		made.Get("_links.self.0.targetHints.allow").Raw != `["GET","DELETE"]` {
		t.Errorf("note: %s", made.Raw)
	}
	s.Post(order+"/notes", `{"note":"to you","customer_note":true}`).Want(201)
	for query, want := range map[string]int{"": 3, "?type=any": 3, "?type=customer": 1, "?type=internal": 2, "?per_page=1&page=3": 1} {
		if got := s.Get(order + "/notes" + query).Want(200); len(got.Array()) != want {
			t.Errorf("notes%s: %s, want %d", query, got.Raw, want)
		}
	}
	if got := s.Get(path).Want(200); got.Get("note").String() != "hello" {
		t.Errorf("note: %s", got.Raw)
	}
	refuse(t, s,
		refusal{400, "rest_missing_callback_param", "POST", order + "/notes", `{}`},
		refusal{400, "rest_invalid_param", "POST", order + "/notes", `{"note":" "}`},
		refusal{400, "rest_invalid_param", "GET", order + "/notes?type=x", ""},
		refusal{404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999/notes", ""},
		refusal{404, "shop_rest_shop_order_invalid_id", "POST", "/shop/v3/orders/9999/notes", `{"note":"x"}`},
		refusal{404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999/notes/1", ""},
		refusal{404, "shop_rest_invalid_id", "GET", order + "/notes/9999", ""},
		refusal{404, "rest_no_route", "PUT", path, `{"note":"x"}`},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", path, ""},
	)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_invalid_id", "GET", path, "")
}

func TestOrderLinesTellWhatWasTakenFromTheStock(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	made := s.Call("POST", "/shop/v3/orders", `{"status":"processing","line_items":[{"product_id":1,"quantity":2}]}`).Want(201)
	one := "/shop/v3/orders/" + made.Get("id").String()
	for _, step := range []struct{ body, want string }{
		{`{}`, `["2"]`}, {`{"status":"completed"}`, `["2"]`}, {`{"status":"cancelled"}`, `[]`}, {`{"status":"on-hold"}`, `["2"]`},
	} {
		got := s.Call("PUT", one, step.body).Want(200)
		if taken := got.Get(`line_items.0.meta_data.#(key=="_reduced_stock")#.display_value`).Raw; taken != step.want {
			t.Errorf("after %s: %s, want %s", step.body, taken, step.want)
		}
	}
	if got := s.Call("GET", "/shop/v1"+one[len("/shop/v3"):], "").Want(200); got.Get("line_items.0.meta").Raw != "[]" {
		t.Errorf("the first version shows what people see: %s", got.Raw)
	}
}
