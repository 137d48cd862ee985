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
	made.HasFields("", "id name order _links").HasHeader("Location", "http://shop.test"+path).
		Has("_links.describedby.0.href", "http://shop.test"+path+"/locations")
	s.Call("PUT", path, `{"name":"Far north"}`).Want(200).Has("name", "Far north", "order", 5)
	s.Get("/shop/v3/shipping/zones").Want(200).Has("#.id", []int{0, 1})
	refuse(t, s,
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/shipping/zones", `{}`},
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/shipping/zones", `{"name":" "}`},
		refusal{403, "shop_rest_shipping_zone_invalid_zone", "PUT", "/shop/v3/shipping/zones/0", `{"name":"x"}`},
		refusal{404, "shop_rest_shipping_zone_invalid", "GET", "/shop/v3/shipping/zones/99", ""},
		refusal{501, "rest_trash_not_supported", "DELETE", path, ""},
	)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Call("DELETE", "/shop/v3/shipping/zones/0?force=true", "").Want(200)
	s.Get("/shop/v3/shipping/zones").Want(200).Has("#.id", []int{0})
}

func TestPlacesOfAZone(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	path := s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`)
	got := s.Call("PUT", path+"/locations", `[{"code":"BR"},{"code":"xx","type":"nope"},{"code":"US:CA","type":"state"}]`).Want(200).
		Has("#.code", []string{"BR", "US:CA"}, "0.type", "country", "0._links.describes.0.href", "http://shop.test"+path)
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
	s.Get(path+"/locations").Want(200).Has("#", 0)
}

func TestMethodsOfAZone(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	methods := s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`) + "/methods"
	method := methods + "/" + s.Post(methods,
		`{"method_id":"flat_rate","settings":{"cost":"7.50","title":"Van","class_cost_4":"2","nonsense":"x"}}`).
		Want(201).HasFields("", "id instance_id title order enabled method_id method_title method_description settings _links").
		HasFields("settings.tax_status", "id label description type value default tip placeholder options").Has(
		"title", "Van", "order", 1, "enabled", true, "settings.cost.value", "7.50", "settings.title.value", "Van",
		"settings.class_cost_4.value", "2", "settings.tax_status.value", "taxable",
	).HasNo("settings.nonsense").Get("id").String()
	s.Call("PUT", method, `{"enabled":false,"settings":{"cost":"8"}}`).Want(200).
		Has("enabled", false, "settings.cost.value", "8", "title", "Van")
	s.Get(methods).Want(200).Has("#", 1)
	refuse(t, s,
		refusal{400, "rest_missing_callback_param", "POST", methods, `{}`},
		refusal{400, "shop_rest_shipping_zone_not_created", "POST", methods, `{"method_id":"nope"}`},
		refusal{400, "rest_invalid_param", "PUT", method, `{"settings":{"tax_status":"sometimes"}}`},
		refusal{404, "shop_rest_shipping_zone_method_invalid", "GET", methods + "/99", ""},
		refusal{404, "shop_rest_shipping_zone_invalid", "GET", "/shop/v3/shipping/zones/99/methods", ""},
		refusal{501, "rest_trash_not_supported", "DELETE", method, ""},
	)
	s.Call("DELETE", method+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_shipping_zone_method_invalid", "GET", method, "")
}

func TestCostsOfAMethod(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	methods := s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`) + "/methods"
	flat := s.Create(methods, `{"method_id":"flat_rate"}`)
	for _, cost := range []string{``, `2 * [qty] + [fee percent=\"10\" min_fee=\"4\"]`} {
		s.Call("PUT", flat, `{"settings":{"cost":"`+cost+`"}}`).Want(200)
	}
	for number, text := range map[string]string{`8`: "8", `8.50`: "8.5", `0`: "0"} { // published clients send costs so, too
		s.Call("PUT", flat, `{"settings":{"cost":`+number+`}}`).Want(200).Has("settings.cost.value", text)
	}
	for _, cost := range []string{`true`, `["8"]`, `"x"`, `"10,5"`, `"[qty"`, `"2 +"`, `"1/0"`, `"` + strings.Repeat("9", 400) + `"`} {
		refuse(t, s, refusal{400, "rest_invalid_param", "PUT", flat, `{"settings":{"cost":` + cost + `}}`})
	}
	free := s.Create(methods, `{"method_id":"free_shipping","settings":{"requires":"min_amount","min_amount":"50"}}`)
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", free, `{"settings":{"min_amount":"fifty"}}`},
		refusal{400, "rest_invalid_param", "PUT", free, `{"settings":{"min_amount":"-1"}}`},
	)
}

func TestKindsOfMethodsAndTheShippingRoot(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	s.Get("/shop/v3/shipping_methods").
		Want(200).HasHeader("X-Shop-Total", "3").Has("#.id", []string{"flat_rate", "free_shipping", "local_pickup"})
	s.Get("/shop/v3/shipping_methods/flat_rate").Want(200).HasFields("", "id title description _links")
	s.Refuses(404, "shop_rest_shipping_method_invalid", "GET", "/shop/v3/shipping_methods/nope", "")
	s.Get("/shop/v3/shipping").Want(200).Has("0._links.self.0.href", "http://shop.test/shop/v3/shipping/zones")
}

func TestPaymentGateways(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	const cash = "/shop/v3/payment_gateways/cod"
	s.Get("/shop/v3/payment_gateways").Want(200).Has("#.id", []string{"bacs", "cod"}).
		HasFields("0", "id title description order enabled method_title method_description method_supports settings "+
			"needs_setup post_install_scripts settings_url connection_url setup_help_text required_settings_keys _links").
		HasNo("0.settings.enable_for_virtual")
	s.Call("PUT", cash, `{"enabled":false,"order":3,"settings":{"title":"In cash","nope":"x"}}`).Want(200).Has(
		"enabled", false, "order", 3, "title", "In cash", "settings.title.value", "In cash",
		"settings.instructions.value", "Soon, please.", "settings.enable_for_virtual.value", "yes",
	).HasNo("settings.nope")
	for sent, want := range map[string]any{`""`: "", `"7"`: 7, `4`: 4, `0`: ""} {
		s.Call("PUT", cash, `{"order":`+sent+`}`).Want(200).Has("order", want)
	}
	s.Call("PUT", cash, `{"settings":{"enable_for_methods":"flat_rate"}}`).Want(200)
	refuse(t, s,
		refusal{400, "rest_invalid_param", "PUT", cash, `{"order":"first"}`},
		refusal{400, "rest_invalid_param", "PUT", cash, `{"settings":{"enable_for_methods":"by_rocket"}}`},
		refusal{400, "rest_invalid_param", "PUT", cash, `{"enabled":"maybe"}`},
		refusal{404, "shop_rest_payment_gateway_invalid", "GET", "/shop/v3/payment_gateways/nope", ""},
		refusal{404, "rest_no_route", "DELETE", cash, ""},
	)
}

func TestShippingClassesHaveCostsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := shippingShop(t)
	method := s.Create(s.Create("/shop/v3/shipping/zones", `{"name":"Z"}`)+"/methods", `{"method_id":"flat_rate"}`)
	s.Get(method).Want(200).HasFields("settings", "title tax_status cost")
	cost := "class_cost_" + s.Post("/shop/v3/products/shipping_classes", `{"name":"Bulky"}`).Want(201).Get("id").String()
	s.Get(method).Want(200).HasFields("settings", "title tax_status cost "+cost+" no_class_cost type")
	s.Call("PUT", method, `{"settings":{"`+cost+`":"3","type":"order"}}`).Want(200)
	s.Get(method).Want(200).Has("settings."+cost+".value", "3", "settings.type.value", "order")
}
