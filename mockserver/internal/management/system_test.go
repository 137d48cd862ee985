package management_test

import "testing"

func TestSystemStatus(t *testing.T) {
	s := newTestShop(t, nil)
	got := s.want(s.call("GET", "/shop/v3/system_status", ""), 200)
	if keysOf(got.Result) != "environment database active_plugins inactive_plugins dropins_mu_plugins theme settings security pages "+
		"post_type_counts" {
		t.Errorf("fields: %s", keysOf(got.Result))
	}
	if got.Get("settings.currency").String() != "USD" || got.Get("environment.home_url").String() != "http://shop.test" ||
		got.Get("settings.number_of_decimals").Int() != 2 {
		t.Errorf("status: %s", got.Raw)
	}
	if got := s.want(s.call("GET", "/shop/v3/system_status?_fields=settings", ""), 200); keysOf(got.Result) != "settings" {
		t.Errorf("_fields: %s", got.Raw)
	}
}

func TestTools(t *testing.T) {
	s := newTestShop(t, nil)
	list := s.want(s.call("GET", "/shop/v3/system_status/tools", ""), 200)
	if len(list.Array()) != 4 || keysOf(list.Get("0")) != "id name action description _links" {
		t.Errorf("list: %s", list.Raw)
	}
	before := s.shop.Version()
	for _, tool := range list.Array() {
		path := "/shop/v3/system_status/tools/" + tool.Get("id").String()
		if got := s.want(s.call("PUT", path, `{"confirm":true}`), 200); !got.Get("success").Bool() || got.Get("message").String() == "" {
			t.Errorf("%s: %s", path, got.Raw)
		}
		if got := s.want(s.call("PUT", path, `{"confirm":false}`), 200); got.Get("success").Exists() {
			t.Errorf("%s ran without being told to: %s", path, got.Raw)
		}
		s.refused(400, "rest_invalid_param", "PUT", path, `{"confirm":"perhaps"}`)
	}
	if s.shop.Version() != before {
		t.Error("a tool changed something")
	}
	s.refused(404, "shop_rest_system_status_tool_invalid_id", "GET", "/shop/v3/system_status/tools/nope", "")
	s.refused(404, "shop_rest_system_status_tool_invalid_id", "PUT", "/shop/v3/system_status/tools/nope", `{"confirm":true}`)
}
