package management_test

// Lists of products that have a range of prices, in both APIs, and what is related to what.

import (
	"strings"
	"testing"
)

// ranged is a shop with two plain mugs, a shirt that costs 5 to 30 and a kit of both mugs.
func ranged(t *testing.T) *testShop {
	t.Helper()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/products", `{"name":"Mug 10","regular_price":"10"}`).Want(201)
	s.Post("/shop/v3/products", `{"name":"Mug 20","regular_price":"20"}`).Want(201)
	shirt := s.product(`{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,"options":["S","M","L"]}]}`)
	for size, price := range map[string]string{"S": "5", "M": "30"} {
		s.Post(shirt+"/variations", `{"regular_price":"`+price+`","attributes":[{"name":"Size","option":"`+size+`"}]}`).Want(201)
	}
	s.Post(shirt+"/variations", `{"regular_price":"99","status":"draft","attributes":[{"name":"Size","option":"L"}]}`).Want(201)
	s.Post("/shop/v3/products", `{"name":"Kit","type":"grouped","grouped_products":[1,2]}`).Want(201)
	return s
}

func TestPriceRangesAreSortedAndFiltered(t *testing.T) {
	t.Parallel()
	s := ranged(t)
	for query, want := range map[string]string{
		"orderby=price&order=asc":                           "Shirt, Mug 10, Kit, Mug 20",
		"orderby=price&order=desc":                          "Shirt, Kit, Mug 20, Mug 10",
		"orderby=price":                                     "Shirt, Kit, Mug 20, Mug 10",
		"orderby=price&order=desc&per_page=2&page=2":        "Mug 20, Mug 10",
		"orderby=price&order=asc&min_price=21":              "Shirt",
		"orderby=price&order=asc&max_price=9":               "Shirt",
		"orderby=price&order=asc&min_price=6&max_price=9":   "Shirt",
		"orderby=price&order=asc&min_price=15&max_price=16": "Shirt, Kit",
		"orderby=price&order=asc&min_price=31":              "",
	} {
		if got := s.names("/shop/v3/products?" + query); got != want {
			t.Errorf("management, %s: %s, want %s", query, got, want)
		}
		minor := strings.NewReplacer("price=9", "price=900", "price=6", "price=600", "price=15", "price=1500", "price=16", "price=1600",
			"price=21", "price=2100", "price=31", "price=3100").Replace(query)
		if got := s.names("/shop/store/v1/products?" + minor); got != want {
			t.Errorf("store, %s: %s, want %s", minor, got, want)
		}
	}
}

// names lists the names of the products that a path answers.
func (s *testShop) names(path string) string {
	s.T.Helper()
	var names []string
	for _, product := range s.Get(path).Want(200).Array() {
		names = append(names, product.Get("name").String())
	}
	return strings.Join(names, ", ")
}

func TestRelatedProductsAreThoseThatExist(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	mug, pot, cup := s.product(`{"name":"Mug"}`), s.product(`{"name":"Pot"}`), s.product(`{"name":"Cup"}`)
	s.shows("all have the category of what has none", mug, "related_ids", "[2,3]")
	s.Call("DELETE", pot+"?force=true", "").Want(200)
	s.shows("one was deleted", mug, "related_ids", "[3]")
	s.Call("PUT", cup, `{"status":"draft"}`).Want(200)
	s.shows("one is not published", mug, "related_ids", "[]")
	s.Get("/shop/v3/products?include=1").Want(200).Has("0.related_ids", []any{})
	s.Call("PUT", cup, `{"status":"publish"}`).Want(200)
	s.shows("it is published again", mug, "related_ids", "[3]")
	if got := s.names("/shop/store/v1/products?related=1"); got != "Cup" {
		t.Errorf("the Store API's filter: %s", got)
	}
	for range 5 {
		s.product(`{"name":"More"}`)
	}
	s.shows("five at most", mug, "related_ids", "[3,4,5,6,7]")
}
