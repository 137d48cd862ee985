package management_test

import "testing"

func TestSystemStatus(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	got := s.Get("/shop/v3/system_status").Want(200)
	if keysOf(got.Result) != "environment database active_plugins inactive_plugins dropins_mu_plugins theme settings security pages "+
		"post_type_counts" {
		t.Errorf("fields: %s", keysOf(got.Result))
	}
	if got.Get("settings.currency").String() != "USD" || got.Get("environment.home_url").String() != "http://shop.test" ||
		got.Get("settings.number_of_decimals").Int() != 2 {
		t.Errorf("status: %s", got.Raw)
	}
	if keysOf(got.Get("settings")) != "api_enabled force_ssl currency currency_symbol currency_position thousand_separator "+
		"decimal_separator number_of_decimals geolocation_enabled taxonomies product_visibility_terms" {
		t.Errorf("settings: %s", keysOf(got.Get("settings")))
	}
	got.Has("settings.geolocation_enabled", false, "settings.taxonomies.variable", "variable",
		"settings.product_visibility_terms.outofstock", "outofstock")
	if got := s.Get("/shop/v3/system_status?_fields=settings").Want(200); keysOf(got.Result) != "settings" {
		t.Errorf("_fields: %s", got.Raw)
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	list := s.Get("/shop/v3/system_status/tools").Want(200)
	if len(list.Array()) != 4 || keysOf(list.Get("0")) != "id name action description _links" {
		t.Errorf("list: %s", list.Raw)
	}
	before := s.Version()
	for _, tool := range list.Array() {
		path := "/shop/v3/system_status/tools/" + tool.Get("id").String()
		if got := s.Call("PUT", path, `{"confirm":true}`).Want(200); !got.Get("success").Bool() || got.Get("message").String() == "" {
			t.Errorf("%s: %s", path, got.Raw)
		}
		if got := s.Call("PUT", path, `{"confirm":false}`).Want(200); got.Get("success").Exists() {
			t.Errorf("%s ran without being told to: %s", path, got.Raw)
		}
		s.Refuses(400, "rest_invalid_param", "PUT", path, `{"confirm":"perhaps"}`)
	}
	if s.Version() != before {
		t.Error("a tool changed something")
	}
	s.Refuses(404, "shop_rest_system_status_tool_invalid_id", "GET", "/shop/v3/system_status/tools/nope", "")
	s.Refuses(404, "shop_rest_system_status_tool_invalid_id", "PUT", "/shop/v3/system_status/tools/nope", `{"confirm":true}`)
}
