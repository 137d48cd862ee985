package management_test

import (
	"strconv"
	"testing"

	"shopcheck/mockserver/internal/testkit"
)

func TestSettingGroups(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	groups := s.Get("/shop/v3/settings").Want(200).HasFields("0", "id label description parent_id sub_groups _links").Has(
		`#(id=="email").sub_groups.#`, 15,
		`#(id=="email")._links.options.0.href`, "http://shop.test/shop/v3/settings/email",
		`#(parent_id=="")#.id`, []string{"general", "products", "tax", "shipping", "checkout", "account", "email", "integration",
			"site-visibility", "point-of-sale", "advanced"},
	)
	for _, group := range groups.Array() {
		id := group.Get("id").String()
		t.Run(id, func(t *testing.T) {
			list := s.In(t).Get("/shop/v3/settings/" + id).Want(200)
			if empty := id == "checkout" || id == "integration"; (list.Get("#").Int() == 0) != empty {
				t.Errorf("it holds %s settings", list.Get("#"))
			}
			for i := range list.Array() {
				s.in(t).checkSetting(id, list, strconv.Itoa(i))
			}
		})
	}
	s.Get("/shop/v3/settings/general/shop_specific_allowed_countries").Want(200).Has("default", "", "value", []string{})
	refuse(t, s,
		refusal{404, "rest_setting_setting_group_invalid", "GET", "/shop/v3/settings/nope", ""},
		refusal{404, "rest_setting_setting_invalid", "GET", "/shop/v3/settings/general/nope", ""},
		refusal{404, "rest_setting_setting_invalid", "PUT", "/shop/v3/settings/general/nope", `{"value":"x"}`},
		refusal{404, "rest_setting_setting_invalid", "GET", "/shop/v3/settings/products/shop_currency", ""},
		refusal{404, "rest_no_route", "DELETE", "/shop/v3/settings/general/shop_currency", ""},
	)
}

// checkSetting checks the shape of a setting in a list, and that setting it to what it is changes nothing.
func (s *testShop) checkSetting(group string, list *testkit.Answer, at string) {
	s.T.Helper()
	fields := "id label description type default tip value _links"
	if list.Get(at + ".options").Exists() {
		fields = "id label description type default options tip value _links"
	}
	list.HasFields(at, fields)
	setting := list.Get(at)
	if setting.Get("label").String() == "" || setting.Get("description").String() == "" {
		s.T.Errorf("not described: %s", setting.Raw)
	}
	value, path := setting.Get("value").Raw, "/shop/v3/settings/"+group+"/"+setting.Get("id").String()
	one := s.Get(path).Want(200).Has("group_id", group, "value", testkit.JSON(value))
	before := s.Version()
	if got := s.Call("PUT", path, `{"value":`+value+`}`).Want(200); got.Raw != one.Raw || s.Version() != before {
		s.T.Errorf("%s changed: %s", path, got.Raw)
	}
}

func TestSettingsTakeWhatTheirTypeSays(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for _, c := range []struct{ path, sent, want string }{
		{"general/shop_store_city", `"Oakland"`, `"Oakland"`},
		{"general/shop_store_city", `null`, `""`},
		{"general/shop_store_city", `94103`, `"94103"`},
		{"general/shop_currency", `"EUR"`, `"EUR"`},
		{"general/shop_currency", `""`, `"USD"`},
		{"general/shop_default_country", `"DE:BY"`, `"DE:BY"`},
		{"general/shop_price_num_decimals", `3`, `"3"`},
		{"general/shop_price_num_decimals", `"0"`, `"0"`},
		{"general/shop_price_num_decimals", `""`, `"2"`},
		{"general/shop_calc_taxes", `"yes"`, `"yes"`},
		{"general/shop_calc_taxes", `""`, `"no"`},
		{"general/shop_specific_allowed_countries", `["US","DE","US"]`, `["US","DE"]`},
		{"general/shop_specific_allowed_countries", `"FR"`, `["FR"]`},
		{"general/shop_specific_allowed_countries", `[]`, `[]`},
		{"tax/shop_prices_include_tax", `"yes"`, `"yes"`},
		{"tax/shop_shipping_tax_class", `""`, `""`},
		{"email/shop_email_from_address", `"a@b.example"`, `"a@b.example"`},
		{"email_new_order/recipient", `"a@b.example,c@d.example"`, `"a@b.example,c@d.example"`},
		{"email_new_order/email_type", `"plain"`, `"plain"`},
	} {
		path := "/shop/v3/settings/" + c.path
		s.Call("PUT", path, `{"value":`+c.sent+`}`).Want(200)
		s.Get(path).Want(200).Has("value", testkit.JSON(c.want))
	}
	for path, sent := range map[string]string{
		"general/shop_allowed_countries":          `"nope"`,
		"general/shop_currency":                   `"ZZZ"`,
		"general/shop_calc_taxes":                 `true`,
		"general/shop_price_num_decimals":         `"7"`,
		"general/shop_price_thousand_sep":         `"a separator without end"`,
		"general/shop_specific_allowed_countries": `["US","XX"]`,
		"general/shop_all_except_countries":       `[1]`,
		"general/shop_store_city":                 `["a"]`,
		"general/shop_store_address":              `{"a":1}`,
		"products/shop_hold_stock_minutes":        `-1`,
		"products/shop_notify_low_stock_amount":   `"many"`,
		"email/shop_email_from_address":           `"nobody"`,
		"tax/shop_shipping_tax_class":             `"unknown"`,
	} {
		s.Refuses(400, "rest_setting_value_invalid", "PUT", "/shop/v3/settings/"+path, `{"value":`+sent+`}`)
	}
	s.Get("/shop/v3/settings/email_cancelled_order/recipient").Want(200).Has("value", "")
}

func TestSettingBatches(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	body := `{"update":[{"id":"shop_store_city","value":"San ` +
		`Francisco"},{"id":"nope","value":"x"},{"id":"shop_currency","value":"ZZZ"}],"create":[{"id":"a"}],"delete":["b"]}`
	s.Post("/shop/v3/settings/general/batch", body).Want(200).HasFields("", "update").Has(
		"update.0.value", "San Francisco", "update.0.group_id", "general", "update.1.error.code", "rest_setting_setting_invalid",
		"update.2.error.code", "rest_setting_value_invalid",
	)
	s.Call("POST", "/shop/v3/settings/batch", `{"update":[{"group_id":"general","id":"shop_store_city",
		"value":"Oakland"}]}`).Want(200).
		Has("update.0.id", "shop_store_city", "update.0.error.code", "invalid-method", "update.0.error.data.status", 405)
	s.Call("POST", "/shop/v3/settings/batch", `{}`).Want(200)
	s.As("ck_mock_r", "cs_mock_r").Call("PUT", "/shop/v3/settings/general/shop_store_city", `{"value":"x"}`).Want(403)
	s.Call("GET", "/shop/v2/settings/general/shop_store_city", "").Want(200).Has("value", "San Francisco")
}
