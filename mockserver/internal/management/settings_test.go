package management_test

import (
	"testing"

	"github.com/tidwall/gjson"
)

func TestSettingGroups(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	groups := s.Get("/shop/v3/settings").Want(200)
	if keysOf(groups.Get("0")) != "id label description parent_id sub_groups _links" {
		t.Errorf("fields: %s", keysOf(groups.Get("0")))
	}
	email := groups.Get(`#(id=="email")`)
	if len(email.Get("sub_groups").Array()) != 15 ||
		email.Get("_links.options.0.href").String() != "http://shop.test/shop/v3/settings/email" {
		t.Errorf("email: %s", email.Raw)
	}
	for _, group := range groups.Array() {
		list := s.Get("/shop/v3/settings/" + group.Get("id").String()).Want(200)
		id := group.Get("id").String()
		if empty := id == "checkout" || id == "integration"; (list.Get("#").Int() == 0) != empty {
			t.Errorf("%s holds %s settings", id, list.Get("#"))
		}
		for _, setting := range list.Array() {
			s.checkSetting(group.Get("id").String(), setting)
		}
	}
	const inOrder = `["general","products","tax","shipping","checkout","account","email","integration","site-visibility",` +
		`"point-of-sale","advanced"]`
	if got := s.Get("/shop/v3/settings").Want(200); got.Get(`#(parent_id=="")#.id`).Raw != inOrder {
		t.Errorf("groups: %s", got.Get(`#(parent_id=="")#.id`))
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
func (s *testShop) checkSetting(group string, setting gjson.Result) {
	s.T.Helper()
	path := "/shop/v3/settings/" + group + "/" + setting.Get("id").String()
	want := "id label description type default tip value _links"
	if setting.Get("options").Exists() {
		want = "id label description type default options tip value _links"
	}
	if keysOf(setting) != want || setting.Get("label").String() == "" || setting.Get("description").String() == "" {
		s.T.Errorf("%s: %s", path, setting.Raw)
	}
	one := s.Get(path).Want(200)
	if one.Get("group_id").String() != group || one.Get("value").Raw != setting.Get("value").Raw {
		s.T.Errorf("%s: %s", path, one.Raw)
	}
	before := s.Version()
	if got := s.Call("PUT", path, `{"value":`+setting.Get("value").Raw+`}`).Want(200); got.Raw != one.Raw || s.Version() != before {
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
		if got := s.Get(path).Want(200); got.Get("value").Raw != c.want {
			t.Errorf("%s := %s is %s, want %s", c.path, c.sent, got.Get("value").Raw, c.want)
		}
	}
	for path, sent := range map[string]string{
		"general/shop_allowed_countries":          `"nope"`,
		"general/shop_currency":                   `"XXX"`,
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
	if got := s.Get("/shop/v3/settings/email_cancelled_order/recipient").Want(200); got.Get("value").String() != "" {
		t.Errorf("one e-mail's recipient shows in another's: %s", got.Raw)
	}
}

func TestSettingBatches(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	body := `{"update":[{"id":"shop_store_city","value":"San ` +
		`Francisco"},{"id":"nope","value":"x"},{"id":"shop_currency","value":"XXX"}],"create":[{"id":"a"}],"delete":["b"]}`
	got := s.Post("/shop/v3/settings/general/batch", body).Want(200)
	if keysOf(got.Result) != "update" || got.Get("update.0.value").String() != "San Francisco" ||
		got.Get("update.0.group_id").String() != "general" ||
		got.Get("update.1.error.code").String() != "rest_setting_setting_invalid" ||
		got.Get("update.2.error.code").String() != "rest_setting_value_invalid" {
		t.Errorf("batch of a group: %s", got.Raw)
	}
	got = s.Call("POST", "/shop/v3/settings/batch", `{"update":[{"group_id":"general","id":"shop_store_city",
		"value":"Oakland"}]}`).Want(200)
	if got.Get("update.0.id").String() != "shop_store_city" || got.Get("update.0.error.code").String() != "invalid-method" ||
		got.Get("update.0.error.data.status").Int() != 405 {
		t.Errorf("batch of all groups: %s", got.Raw)
	}
	s.Call("POST", "/shop/v3/settings/batch", `{}`).Want(200)
	s.As("ck_mock_r", "cs_mock_r").Call("PUT", "/shop/v3/settings/general/shop_store_city", `{"value":"x"}`).Want(403)
	if got := s.Call("GET", "/shop/v2/settings/general/shop_store_city", "").Want(200); got.Get("value").String() != "San Francisco" {
		t.Errorf("v2: %s", got.Raw)
	}
}
