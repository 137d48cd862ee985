package management_test

import (
	"testing"
)

func TestData(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for path, want := range map[string][]any{
		"": {"#", 3, "0.slug", "continents", "1._links.self.0.href", "http://shop.test/shop/v3/data/countries",
			"2._links.collection.0.href", "http://shop.test/shop/v3/data"},
		"/countries/us": {"code", "US", "name", "United States", `states.#(code=="CA").name`, "California",
			"_links.self.0.href", "http://shop.test/shop/v3/data/countries/us",
			"_links.collection.0.href", "http://shop.test/shop/v3/data/countries"},
		"/countries/SG": {"code", "SG", "states.#", 0},
		"/currencies/eur": {"code", "EUR", "symbol", "€", "name", "Euro",
			"_links.self.0.href", "http://shop.test/shop/v3/data/currencies/EUR"},
		"/currencies/current": {"code", "USD", "symbol", "$", "_links.self.0.href", "http://shop.test/shop/v3/data/currencies/USD"},
		"/continents/EU": {"code", "EU", "name", "Europe", `countries.#(code=="DE").currency_code`, "EUR",
			`countries.#(code=="DE").decimal_sep`, ",", `countries.#(code=="DE").num_decimals`, 2,
			`countries.#(code=="DE").weight_unit`, "kg", `countries.#(code=="DE").name`, "Germany",
			"_links.self.0.href", "http://shop.test/shop/v3/data/continents/eu"},
		"/continents/as": {`countries.#(code=="JP").num_decimals`, 0, `countries.#(code=="JP").dimension_unit`, "cm"},
	} {
		t.Run(path, func(t *testing.T) { s.In(t).Get("/shop/v3/data" + path).Want(200).Has(want...) })
	}
	refuse(t, s,
		refusal{404, "shop_rest_data_invalid_location", "GET", "/shop/v3/data/countries/zz", ""},
		refusal{404, "shop_rest_data_invalid_location", "GET", "/shop/v3/data/continents/zz", ""},
		refusal{404, "shop_rest_data_invalid_currency", "GET", "/shop/v3/data/currencies/zzz", ""},
		refusal{404, "rest_no_route", "GET", "/shop/v3/data/countries/a%2Fb", ""},
	)
}

func TestListsOfDataAreWhole(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for path, want := range map[string]struct {
		fields  string
		atLeast int
	}{
		"countries": {"code name states _links", 240}, "currencies": {"code name symbol _links", 140},
		"continents": {"code name countries _links", 7},
	} {
		list := s.Get("/shop/v2/data/"+path).Want(200).HasFields("0", want.fields).HasHeader("X-Shop-Total", "")
		if got := len(list.Array()); got < want.atLeast {
			t.Errorf("%d %s, want %d at least", got, path, want.atLeast)
		}
	}
	s.Get("/shop/v3/data/continents/na").HasFields("countries.0", "code name currency_code currency_pos decimal_sep dimension_unit "+
		"num_decimals thousand_sep weight_unit states")
	s.Get("/shop/v3/data/countries?_fields=code").Want(200).HasFields("0", "code")
}

func TestTheCurrentCurrencyFollowsTheSetting(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Call("PUT", "/shop/v3/settings/general/shop_currency", `{"value":"JPY"}`).Want(200)
	s.Get("/shop/v3/data/currencies/current").Want(200).Has("code", "JPY")
}
