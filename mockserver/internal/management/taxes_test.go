package management_test

import (
	"testing"

	"shopcheck/mockserver/internal/shop"
)

func withTaxClasses(tx *shop.Tx) error {
	for _, class := range []shop.TaxClass{{Slug: "standard", Name: "Standard"}, {Slug: "reduced-rate", Name: "Reduced rate"}} {
		if err := class.Create(tx); err != nil {
			return err
		}
	}
	return nil
}

func TestTaxRates(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withTaxClasses)
	path := "/shop/v3/taxes/" + s.Post("/shop/v3/taxes",
		`{"country":"us","state":"NV","rate":"4","name":"NV tax","shipping":false,"postcodes":["89001","890*"],"cities":["Vegas"]}`).
		Want(201).HasFields("", "id country state postcode city rate name priority compound shipping order class postcodes cities _links").
		Has("country", "US", "rate", "4.0000", "postcode", "89001;890*", "city", "VEGAS", "class", "standard", "priority", 1,
			"shipping", false).Get("id").String()
	s.Call("PUT", path, `{"rate":"5.5","class":"reduced-rate","postcode":"1;2"}`).
		Want(200).Has("rate", "5.5000", "class", "reduced-rate", "postcodes.#", 2)
	refuse(t, s,
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/taxes", `{"rate":"much"}`},
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/taxes", `{"rate":"-1"}`},
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/taxes", `{"class":"nope"}`},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", path, ""},
	)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_invalid_id", "GET", path, "")
}

func TestTaxRateLists(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withTaxClasses)
	s.Post("/shop/v3/taxes/batch", `{"create":[{"rate":"5.5","class":"reduced-rate"},{"rate":"1","order":9,"priority":3},
		{"rate":"2","order":8,"priority":7}]}`).Want(200)
	lists(t, s, "/shop/v3/taxes", "id", map[string]string{"": "1 3 2", "orderby=priority&order=desc": "3 2 1", "orderby=id": "1 2 3",
		"class=standard": "3 2", "class=reduced-rate": "1", "per_page=1&page=2": "3"})
}

func TestTaxClasses(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withTaxClasses)
	s.Post("/shop/v3/taxes/classes", `{"name":"Books & maps"}`).Want(201).
		HasHeader("Location", "http://shop.test/shop/v3/taxes/classes/books-maps").Has("slug", "books-maps")
	s.Get("/shop/v3/taxes/classes/books-maps").Want(200).Has("0.name", "Books & maps")
	s.Get("/shop/v3/taxes/classes").Want(200).Has("#", 3)
	rate := s.Post("/shop/v3/taxes", `{"class":"books-maps","rate":"1"}`).Want(201).Get("id").String()
	refuse(t, s,
		refusal{400, "shop_rest_tax_class_exists", "POST", "/shop/v3/taxes/classes", `{"name":"Books, maps"}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/taxes/classes", `{}`},
		refusal{400, "rest_invalid_param", "POST", "/shop/v3/taxes/classes", `{"name":"!"}`},
		refusal{404, "shop_rest_tax_class_invalid_slug", "GET", "/shop/v3/taxes/classes/nope", ""},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", "/shop/v3/taxes/classes/books-maps", ""},
		refusal{400, "rest_invalid_param", "DELETE", "/shop/v3/taxes/classes/standard?force=true", ""},
	)
	s.Call("DELETE", "/shop/v3/taxes/classes/books-maps?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_invalid_id", "GET", "/shop/v3/taxes/"+rate, "")
}

// TestAStarMatchesEverywhere makes rates with a star in place of each part of their place: an order from anywhere is taxed.
func TestAStarMatchesEverywhere(t *testing.T) {
	t.Parallel()
	for _, place := range []string{
		`"country":"*"`, `"country":"US","state":"*"`, `"country":"US","postcode":"*"`, `"country":"US","city":"*"`,
		`"country":"*","state":" * ","postcodes":["*"],"cities":["OAKLAND","*"]`, `"postcodes":["90*","94000...94999"]`,
		`"postcode":"10001;94103","city":"Oakland;San Francisco"`,
	} {
		t.Run(place, func(t *testing.T) {
			s := newTestShop(t, nil)
			s.Call("PUT", "/shop/v3/settings/general/shop_calc_taxes", `{"value":"yes"}`).Want(200)
			s.product(`{"name":"Mug","regular_price":"10"}`)
			s.Post("/shop/v3/taxes", `{"rate":"10",`+place+`}`).Want(201)
			made := s.Post("/shop/v3/orders",
				`{"line_items":[{"product_id":1}],"shipping":{"country":"US","state":"CA","city":"San Francisco","postcode":"94103"}}`).
				Want(201)
			if got := made.Get("total_tax").String(); got != "1.00" {
				t.Errorf("total_tax %s, want 1.00: %s", got, made.Get("tax_lines"))
			}
		})
	}
}
