package management_test

import "testing"

func TestSystemStatus(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	got := s.Get("/shop/v3/system_status").Want(200).HasFields(
		"", "environment database active_plugins inactive_plugins dropins_mu_plugins theme settings security pages "+
			"post_type_counts",
	).HasFields(
		"settings", "api_enabled force_ssl currency currency_symbol currency_position thousand_separator "+
			"decimal_separator number_of_decimals geolocation_enabled taxonomies product_visibility_terms",
	).Has("settings.currency", "USD", "environment.home_url", "http://shop.test", "settings.number_of_decimals", 2)
	got.Has("settings.geolocation_enabled", false, "settings.taxonomies.variable", "variable",
		"settings.product_visibility_terms.outofstock", "outofstock")
	s.Get("/shop/v3/system_status?_fields=settings").Want(200).HasFields("", "settings")
}

func TestTools(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const tools = "/shop/v3/system_status/tools"
	list := s.Get(tools).Want(200).HasFields("0", "id name action description _links").Has("#", 4)
	before := s.Version()
	for _, tool := range list.Array() {
		id := tool.Get("id").String()
		t.Run(id, func(t *testing.T) {
			s := s.in(t)
			done := s.Call("PUT", tools+"/"+id, `{"confirm":true}`).Want(200).Has("success", true)
			if done.Get("message").String() == "" {
				t.Errorf("it does not say what was done: %s", done.Raw)
			}
			s.Call("PUT", tools+"/"+id, "").Want(200).Has("success", true)
			s.Call("PUT", tools+"/"+id, `{"confirm":false}`).Want(200).HasNo("success")
			s.Refuses(400, "rest_invalid_param", "PUT", tools+"/"+id, `{"confirm":"perhaps"}`)
		})
	}
	if s.Version() != before {
		t.Error("a tool changed something")
	}
	refuse(t, s,
		refusal{404, "shop_rest_system_status_tool_invalid_id", "GET", tools + "/nope", ""},
		refusal{404, "shop_rest_system_status_tool_invalid_id", "PUT", tools + "/nope", `{"confirm":true}`},
	)
}
