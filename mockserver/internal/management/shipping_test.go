package management_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

func shippingShop(t *testing.T) *testShop {
	return newTestShop(t, func(tx *shop.Tx) error {
		for order, method := range []string{"bacs", "cod"} {
			if err := (&shop.Gateway{Method: method, Title: "Pay by " + method, Order: int64(order), Enabled: true,
				Settings: map[string]string{"instructions": "Soon, please."}}).Add(tx); err != nil {
				return err
			}
		}
		return tx.AddRestOfWorld("Everywhere else")
	})
}

func TestShippingZones(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	made := s.Post("/shop/v3/shipping/zones", `{"name":"North","order":5}`).Want(201)
	path := "/shop/v3/shipping/zones/" + made.Get("id").String()
	if keysOf(made.Result) != "id name order _links" || made.Header.Get("Location") != "http://shop.test"+path ||
		made.Get("_links.describedby.0.href").String() != "http://shop.test"+path+"/locations" {
		t.Errorf("create: %s", made.Raw)
	}
	if got := s.Call("PUT", path, `{"name":"Far north"}`).Want(200); got.Get("name").String() != "Far north" ||
		got.Get("order").Int() != 5 {
		t.Errorf("update: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/shipping/zones").Want(200); got.Get("#.id").Raw != "[0,1]" {
		t.Errorf("list: %s", got.Raw)
	}
	refuse(t, s,
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/shipping/zones", `{}`},
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/shipping/zones", `{"name":" "}`},
		refusal{403, "shop_rest_shipping_zone_invalid_zone", "PUT", "/shop/v3/shipping/zones/0", `{"name":"x"}`},
		refusal{404, "shop_rest_shipping_zone_invalid", "GET", "/shop/v3/shipping/zones/99", ""},
		refusal{501, "rest_trash_not_supported", "DELETE", path, ""},
	)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Call("DELETE", "/shop/v3/shipping/zones/0?force=true", "").Want(200)
	if got := s.Get("/shop/v3/shipping/zones").Want(200); got.Get("#.id").Raw != "[0]" {
		t.Errorf("after the deletes: %s", got.Raw)
	}
}

func TestPlacesOfAZone(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	path := s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`)
	got := s.Call("PUT", path+"/locations", `[{"code":"BR"},{"code":"xx","type":"nope"},{"code":"US:CA","type":"state"}]`).Want(200)
	if got.Get("#.code").Raw != `["BR","US:CA"]` || got.Get("0.type").String() != "country" ||
		got.Get("0._links.describes.0.href").String() != "http://shop.test"+path {
		t.Errorf("places: %s", got.Raw)
	}
	if read := s.Get(path + "/locations").Want(200); read.Raw != got.Raw {
		t.Errorf("places read: %s", read.Raw)
	}
	if zone := s.Read().ZoneFor(shop.Address{Country: "BR"}); zone != 1 {
		t.Errorf("Brazil lies in zone %d", zone)
	}
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", path + "/locations", `[{"type":"country"}]`},
		refusal{400, "rest_invalid_param", "PUT", path + "/locations", `["BR"]`},
		refusal{403, "shop_rest_shipping_zone_invalid_zone", "PUT", "/shop/v3/shipping/zones/0/locations", `[]`},
		refusal{404, "shop_rest_shipping_zone_invalid", "GET", "/shop/v3/shipping/zones/99/locations", ""},
	)
	s.Call("PUT", path+"/locations", `[]`).Want(200)
	if got := s.Get(path + "/locations").Want(200); got.Raw != "[]" {
		t.Errorf("no places: %s", got.Raw)
	}
}

func TestMethodsOfAZone(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	path := s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`)
	made := s.Post(path+"/methods",
		`{"method_id":"flat_rate","settings":{"cost":"7.50","title":"Van","class_cost_4":"2","nonsense":"x"}}`).
		Want(201)
	if keysOf(made.Result) != "id instance_id title order enabled method_id method_title method_description settings _links" ||
		keysOf(made.Get("settings.tax_status")) != "id label description type value default tip placeholder options" {
		t.Errorf("fields: %s", made.Raw)
	}
	for where, want := range map[string]string{"title": "Van", "order": "1", "enabled": "true", "settings.cost.value": "7.50",
		"settings.title.value": "Van", "settings.class_cost_4.value": "2", "settings.tax_status.value": "taxable",
		"settings.nonsense": ""} {
		if made.Get(where).String() != want {
			t.Errorf("%s is %q, want %q", where, made.Get(where).String(), want)
		}
	}
	method := path + "/methods/" + made.Get("id").String()
	if got := s.Call("PUT", method, `{"enabled":false,"settings":{"cost":"8"}}`).Want(200); got.Get("enabled").Bool() ||
		got.Get("settings.cost.value").String() != "8" || got.Get("title").String() != "Van" {
		t.Errorf("update: %s", got.Raw)
	}
	if got := s.Get(path + "/methods").Want(200); len(got.Array()) != 1 {
		t.Errorf("list: %s", got.Raw)
	}
	refuse(t, s,
		refusal{400, "rest_missing_callback_param", "POST", path + "/methods", `{}`},
		refusal{400, "shop_rest_shipping_zone_not_created", "POST", path + "/methods", `{"method_id":"nope"}`},
		refusal{400, "rest_invalid_param", "PUT", method, `{"settings":{"tax_status":"sometimes"}}`},
		refusal{400, "rest_invalid_param", "PUT", method, `{"settings":{"cost":8}}`},
	)
	for _, cost := range []string{"x", "10,5", "[qty", "2 +", "1/0", strings.Repeat("9", 400)} {
		s.Refuses(400, "rest_invalid_param", "PUT", method, `{"settings":{"cost":"`+cost+`"}}`)
	}
	s.Call("PUT", method, `{"settings":{"cost":""}}`).Want(200)
	s.Call("PUT", method, `{"settings":{"cost":"2 * [qty] + [fee percent=\"10\" min_fee=\"4\"]"}}`).Want(200)
	free := path + "/methods/" + s.Post(path+"/methods",
		`{"method_id":"free_shipping","settings":{"requires":"min_amount","min_amount":"50"}}`).
		Want(201).Get("id").String()
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", free, `{"settings":{"min_amount":"fifty"}}`},
		refusal{400, "rest_invalid_param", "PUT", free, `{"settings":{"min_amount":"-1"}}`},
		refusal{404, "shop_rest_shipping_zone_method_invalid", "GET", path + "/methods/99", ""},
		refusal{404, "shop_rest_shipping_zone_invalid", "GET", "/shop/v3/shipping/zones/99/methods", ""},
		refusal{501, "rest_trash_not_supported", "DELETE", method, ""},
	)
	s.Call("DELETE", method+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_shipping_zone_method_invalid", "GET", method, "")
}

func TestKindsOfMethodsAndTheShippingRoot(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	if got := s.Get("/shop/v3/shipping_methods").
		Want(200); got.Get("#.id").Raw != `["flat_rate","free_shipping","local_pickup"]` || got.Header.Get("X-Shop-Total") != "3" {
		t.Errorf("kinds: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/shipping_methods/flat_rate").Want(200); keysOf(got.Result) != "id title description _links" {
		t.Errorf("kind: %s", got.Raw)
	}
	s.Refuses(404, "shop_rest_shipping_method_invalid", "GET", "/shop/v3/shipping_methods/nope", "")
	if got := s.Get("/shop/v3/shipping").Want(200); got.Get("0._links.self.0.href").String() != "http://shop.test/shop/v3/shipping/zones" {
		t.Errorf("root: %s", got.Raw)
	}
}

func TestPaymentGateways(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	list := s.Get("/shop/v3/payment_gateways").Want(200)
	if list.Get("#.id").Raw != `["bacs","cod"]` ||
		keysOf(list.Get("0")) != "id title description order enabled method_title method_description method_supports settings "+
			"needs_setup post_install_scripts settings_url connection_url setup_help_text required_settings_keys _links" {
		t.Errorf("list: %s", list.Raw)
	}
	got := s.Call("PUT", "/shop/v3/payment_gateways/cod", `{"enabled":false,"order":3,"settings":{"title":"In cash","nope":"x"}}`).Want(200)
	for path, want := range map[string]string{"enabled": "false", "order": "3", "title": "In cash", "settings.title.value": "In cash",
		"settings.instructions.value": "Soon, please.", "settings.nope": ""} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, got.Get(path).String(), want)
		}
	}
	if got.Get("settings.enable_for_virtual.value").String() != "yes" || list.Get("0.settings.enable_for_virtual").Exists() {
		t.Errorf("settings of cash on delivery: %s", got.Get("settings").Raw)
	}
	for sent, want := range map[string]string{`""`: `""`, `"7"`: `7`, `4`: `4`, `0`: `""`} {
		if got := s.Call("PUT", "/shop/v3/payment_gateways/cod", `{"order":`+sent+`}`).Want(200); got.Get("order").Raw != want {
			t.Errorf("order %s is shown as %s", sent, got.Get("order").Raw)
		}
	}
	s.Refuses(400, "rest_invalid_param", "PUT", "/shop/v3/payment_gateways/cod", `{"order":"first"}`)
	s.Call("PUT", "/shop/v3/payment_gateways/cod", `{"settings":{"enable_for_methods":"flat_rate"}}`).Want(200)
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", "/shop/v3/payment_gateways/cod", `{"settings":{"enable_for_methods":"by_rocket"}}`},
		refusal{404, "shop_rest_payment_gateway_invalid", "GET", "/shop/v3/payment_gateways/nope", ""},
		refusal{404, "rest_no_route", "DELETE", "/shop/v3/payment_gateways/cod", ""},
		refusal{400, "rest_invalid_param", "PUT", "/shop/v3/payment_gateways/cod", `{"enabled":"maybe"}`},
	)
}

func TestShippingClassesHaveCostsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	zone := s.Post("/shop/v3/shipping/zones", `{"name":"Z"}`).Want(201).Get("id").String()
	method := "/shop/v3/shipping/zones/" + zone + "/methods/" +
		s.Post("/shop/v3/shipping/zones/"+zone+"/methods", `{"method_id":"flat_rate"}`).Want(201).Get("id").String()
	settings := func() string { return keysOf(s.Get(method).Want(200).Get("settings")) }
	if got := settings(); got != "title tax_status cost" {
		t.Errorf("without classes: %s", got)
	}
	class := s.Post("/shop/v3/products/shipping_classes", `{"name":"Bulky"}`).Want(201).Get("id").String()
	if got := settings(); got != "title tax_status cost class_cost_"+class+" no_class_cost type" {
		t.Errorf("with a class: %s", got)
	}
	s.Call("PUT", method, `{"settings":{"class_cost_`+class+`":"3","type":"order"}}`).Want(200)
	if got := s.Get(method).Want(200); got.Get("settings.class_cost_"+class+".value").String() != "3" ||
		got.Get("settings.type.value").String() != "order" {
		t.Errorf("changed: %s", got.Raw)
	}
}
