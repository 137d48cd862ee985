package management_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/testkit"
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
	made := s.Post("/shop/v3/orders", wholeOrder).Want(201).HasFields("", documentedOrder).HasFields(
		"line_items.0", "id name product_id variation_id quantity tax_class subtotal subtotal_tax total total_tax taxes meta_data "+
			"sku price image parent_name",
	).HasFields("shipping_lines.0", "id method_title method_id instance_id total total_tax taxes tax_status meta_data").
		HasFields("fee_lines.0", "id name tax_class tax_status amount total total_tax taxes meta_data").
		HasFields("coupon_lines.0", "id code discount discount_tax meta_data discount_type nominal_amount free_shipping").
		HasFields("billing", "first_name last_name company address_1 address_2 city state postcode country email phone").
		HasFields("shipping", "first_name last_name company address_1 address_2 city state postcode country")
	id := made.Get("id").String()
	made.Has(
		"status", "pending", "discount_total", "8.50", "shipping_total", "10.00", "total", "89.00", "total_tax", "0.00",
		"customer_id", 1, "created_via", "rest-api", "number", id, "date_paid", nil, "currency", "USD",
		"currency_symbol", "$", "customer_note", "Ring twice", "line_items.0.price", 31.5, "line_items.0.subtotal", "70.00",
		"line_items.0.total", "63.00", "line_items.0.parent_name", nil, "line_items.1.parent_name", "Shirt", "line_items.1.sku", "SH-L",
		"line_items.1.meta_data.0.display_value", "L", "line_items.1.name", "Shirt - L", "coupon_lines.0.code", "save10",
		"coupon_lines.0.discount", "8.50", "coupon_lines.0.nominal_amount", 10, "meta_data.0.value", testkit.JSON(`{"a":[1,2]}`),
		"is_editable", true, "needs_payment", true, "needs_processing", true, "refunds", []any{}, "tax_lines", []any{},
		"payment_url", "http://shop.test/checkout/order-pay/"+id+"/?pay_for_order=true&key="+
			made.Get("order_key").String(),
		"_links.customer.0.href", "http://shop.test/shop/v3/customers/1",
	)
	if strings.Contains(made.Raw, "set_paid") || !strings.HasPrefix(made.Get("order_key").String(), "order_") {
		t.Errorf("record: %s", made.Raw)
	}
}

func TestAmountsOfOrdersHaveTheDecimalsAskedFor(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", wholeOrder)
	s.Get(path+"?dp=4&_fields=total,billing.email,line_items").Want(200).HasFields("", "total billing line_items _links").
		HasFields("billing", "email").Has("total", "89.0000", "line_items.#.total", []string{"63.0000", "13.5000"})
	s.Get("/shop/v3/orders?dp=0&_fields=total").Want(200).Has("@this", testkit.JSON(`[{"total":"89"}]`))
}

func TestPicturesOfOrderLines(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	lines := `{"line_items":[{"product_id":1,"quantity":1},{"product_id":2,"variation_id":3,"quantity":1}]}`
	s.Post("/shop/v3/orders", lines).Want(201).Has("line_items.#.image", testkit.JSON(`[{"id":"","src":""},{"id":0,"src":""}]`))
	for _, path := range []string{"/shop/v3/products/1", "/shop/v3/products/2"} {
		s.Call("PUT", path, `{"images":[{"src":"/a.jpg"}]}`).Want(200)
	}
	mug, shirt := s.Get("/shop/v3/products/1").Get("images.0.id").String(), s.Get("/shop/v3/products/2").Get("images.0.id").String()
	s.Post("/shop/v3/orders", lines).Want(201).Has("line_items.#.image.id", testkit.JSON(`["`+mug+`",`+shirt+`]`))
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
	s.Post("/shop/v3/orders",
		`{"shipping":{"country":"US","state":"CA"},"line_items":[{"product_id":1,"quantity":2}],`+
			`"shipping_lines":[{"method_id":"flat_rate","total":"10"}]}`).
		Want(201).Has(
		"total", "88.00", "total_tax", "8.00", "cart_tax", "7.00", "shipping_tax", "1.00", "line_items.0.total_tax", "7.00",
		"line_items.0.taxes", testkit.JSON(`[{"id":1,"total":"7.00","subtotal":"7.00"}]`),
		"shipping_lines.0.taxes", testkit.JSON(`[{"id":1,"total":"1.00","subtotal":""}]`), "tax_lines.0.rate_percent", 10,
		"tax_lines.0.tax_total", "7.00", "tax_lines.0.shipping_tax_total", "1.00", "tax_lines.0.compound", false,
		"tax_lines.0.rate_id", 1,
	)
}

func TestOrderRefusals(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	const orders = "/shop/v3/orders"
	path := s.Create(orders, wholeOrder)
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
		refuse(t, s, refusal{400, code, "POST", orders, body})
	}
	invalid(t, s, orders, map[string]string{
		`{"status":"nope"}`: "status", `{"currency":"ZZZ"}`: "currency", `{"billing":{"email":"nope"}}`: "billing",
		`{"line_items":"x"}`: "line_items", `{"customer_id":-1}`: "customer_id",
		`{"line_items":[{"product_id":1,"quantity":1.5}]}`: "line_items", `{"line_items":[{"product_id":1,"total":"x"}]}`: "line_items",
		`{"line_items":[{"product_id":1,"total":7}]}`:         "line_items",
		`{"line_items":[{"product_id":1,"total":"-1"}]}`:      "line_items",
		`{"shipping_lines":[{"method_id":"x","total":"-1"}]}`: "shipping_lines", `{"fee_lines":[{"name":"x","total":"y"}]}`: "fee_lines",
		`{"set_paid":"maybe"}`: "set_paid", `{"meta_data":"x"}`: "meta_data",
	})
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", path, `{"status":"nope"}`},
		refusal{400, "shop_rest_invalid_item_id", "PUT", path, `{"line_items":[{"id":777,"quantity":1}]}`},
		refusal{404, "shop_rest_shop_order_invalid_id", "GET", orders + "/99999", ""},
		refusal{404, "shop_rest_shop_order_invalid_id", "PUT", orders + "/99999", `{"status":"completed"}`},
		refusal{404, "shop_rest_shop_order_invalid_id", "DELETE", orders + "/99999", ""},
		refusal{404, "rest_no_route", "GET", orders + "/abc", ""},
	)
	invalidQueries(t, s, orders, "status=nope", "status=any,nope", "customer=x", "product=x", "orderby=nope", "order=x", "after=nope",
		"before=nope", "modified_after=x", "dp=-1", "dp=99", "page=0", "per_page=101", "parent=x")
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
		s.Call("PUT", path, step.body).Want(200).Has(step.path, testkit.JSON(step.want))
	}
	s.Get("/shop/v3/products/1?_fields=stock_quantity").Has("stock_quantity", 2)
	s.Call("PUT", path, `{"status":"cancelled"}`).Want(200)
	s.Get("/shop/v3/products/1?_fields=stock_quantity").Has("stock_quantity", 5)
}

func TestOrderSetPaid(t *testing.T) {
	t.Parallel()
	orderShop(t).Post("/shop/v3/orders", `{"set_paid":true,"line_items":[{"product_id":1}]}`).Want(201).
		Has("status", "processing", "date_paid", "2026-03-01T12:00:00", "needs_payment", false, "is_editable", false)
}

func TestOrderTrashAndDelete(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", `{"status":"on-hold"}`)
	s.Call("DELETE", path, "").Want(200).Has("status", "on-hold")
	s.Get(path).Want(200).Has("status", "trash")
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", path, "")
	s.Call("PUT", path, `{"status":"pending"}`).Want(200)
	s.Get("/shop/v3/orders").Want(200).Has("#", 1)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "GET", path, "")
}

func TestOrderListParametersCombine(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	for i, body := range []string{
		`"customer_id":1,"status":"completed","line_items":[{"product_id":1}],"billing":{"last_name":"Stone","company":"%d"}`,
		`"customer_id":1,"status":"processing","line_items":[{"product_id":2,"variation_id":3}],
			"billing":{"email":"bea@shop.example","company":"%d"}`,
		`"status":"on-hold","shipping":{"city":"Oslo"},"billing":{"company":"%d"}`, `"status":"trash","billing":{"company":"%d"}`,
		`"status":"checkout-draft","billing":{"company":"%d"}`, `"parent_id":7,"billing":{"company":"%d"}`,
	} {
		s.Post("/shop/v3/orders", "{"+fmt.Sprintf(body, i+1)+"}").Want(201)
		s.Clock.Move(24 * time.Hour)
	}
	lists(t, s, "/shop/v3/orders", "billing.company", map[string]string{
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
	})
	list := s.Get("/shop/v3/orders?per_page=3").HasHeader("X-Shop-Total", "4", "X-Shop-TotalPages", "2")
	if link := list.Header.Get("Link"); !strings.Contains(link, `rel="next"`) {
		t.Errorf("Link is %q", link)
	}
}

func TestOrderBatch(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	id := s.Post("/shop/v3/orders", `{}`).Want(201).Get("id").String()
	s.Post("/shop/v3/orders/batch",
		`{"create":[{"line_items":[{"product_id":1}]},{"line_items":[{"product_id":99}]}],"update":[{"id":`+id+
			`,"status":"completed"},{"id":99999,"status":"completed"}],"delete":[99998]}`).
		Want(200).Has(
		"create.0.total", "35.00", "create.1.error.code", "shop_rest_invalid_product_id", "update.0.status", "completed",
		"update.1.error.code", "shop_rest_shop_order_invalid_id", "delete.0.error.data.status", 404,
	)
}

func TestOrderNotes(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Create("/shop/v3/orders", `{"status":"on-hold"}`)
	made := s.Post(order+"/notes", `{"note":"hello"}`).Want(201)
	path := order + "/notes/" + made.Get("id").String()
	made.HasFields("", "id author date_created date_created_gmt note customer_note _links").
		HasHeader("Location", "http://shop.test"+path).
		Has("customer_note", false, "_links.up.0.href", "http://shop.test"+order,
			"_links.self.0.targetHints.allow", []string{"GET", "DELETE"})
	s.Get(path).Want(200).Has("note", "hello")
	s.Post(order+"/notes", `{"note":"to you","customer_note":true}`).Want(201)
	const changed = "Status changed from pending to on-hold."
	lists(t, s, order+"/notes", "note", map[string]string{
		"": "to you hello " + changed, "type=any": "to you hello " + changed, "type=customer": "to you",
		"type=internal": "hello " + changed, "per_page=1&page=3": changed,
	})
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
	s.Call("GET", "/shop/v1"+one[len("/shop/v3"):], "").Want(200).Has("line_items.0.meta", []any{})
}
