package shopmock_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// keptShop is a shop whose encoded records are compared with ones that are made from scratch.
type keptShop struct {
	*testkit.Shop
	visitor *testkit.Client
	cart    *testkit.Client // the visitor with a cart
	lists   int             // how many were compared
}

func openKept(t *testing.T) *keptShop {
	shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{RandomSeed: 1}})
	visitor := shop.As("", "")
	token := visitor.Get("/shop/store/v1/cart").Want(http.StatusOK).Header.Get("Cart-Token")
	return &keptShop{Shop: shop, visitor: visitor, cart: visitor.With("Cart-Token", token)}
}

func (s *keptShop) do(method, path string, body any) string {
	s.T.Helper()
	caller := s.Client
	switch {
	case strings.HasPrefix(path, "/shop/store/v1/cart"):
		caller = s.cart
	case strings.HasPrefix(path, "/shop/store"):
		caller = s.visitor
	}
	answer := caller.Call(method, path, body)
	if answer.Status >= http.StatusBadRequest {
		s.T.Fatalf("%s with %v: %d %s", answer.What, body, answer.Status, answer.Body)
	}
	return answer.Body
}

// compare reads a record as it is kept, and again with all its fields named, which makes it anew.
func (s *keptShop) compare(path string) {
	s.T.Helper()
	kept := s.do(http.MethodGet, path, "")
	var names []string
	gjson.Parse(kept).ForEach(func(name, _ gjson.Result) bool { names = append(names, name.Str); return true })
	if made := s.do(http.MethodGet, path+"?_fields="+strings.Join(names, ","), ""); kept != made {
		s.T.Fatalf("%s is kept as\n%s\nbut is\n%s", path, kept, made)
	}
}

// compareList reads a list as it is kept, and again in a way in which it never was read before, with all fields of its records named.
func (s *keptShop) compareList(address string) {
	s.T.Helper()
	kept := s.do(http.MethodGet, address, "")
	var names []string
	gjson.Get(kept, "0").ForEach(func(name, _ gjson.Result) bool { names = append(names, name.Str); return true })
	s.lists++
	fresh := fmt.Sprintf("%s&_fields=%s&unknown=%d", address, strings.Join(names, ","), s.lists)
	if made := s.do(http.MethodGet, fresh, ""); kept != made {
		s.T.Fatalf("%s is kept as\n%s\nbut is\n%s", address, kept, made)
	}
}

func (s *keptShop) ids(list string) []string {
	var ids []string
	for _, id := range gjson.Get(s.do(http.MethodGet, list, ""), "#.id").Array() {
		ids = append(ids, id.String())
	}
	return ids
}

// anyMethod returns the address of a shipping method that the cart is offered.
func (s *keptShop) anyMethod(zones string) string {
	rate := gjson.Get(s.do(http.MethodGet, "/shop/store/v1/cart", ""), "shipping_rates.0.shipping_rates.0.instance_id").String()
	for _, zone := range s.ids(zones) {
		methods := s.do(http.MethodGet, zones+"/"+zone+"/methods", "")
		if gjson.Get(methods, "#(instance_id=="+rate+")").Exists() {
			return zones + "/" + zone + "/methods/" + rate
		}
	}
	s.T.Fatalf("the cart is offered no shipping method of any zone: %s", s.do(http.MethodGet, "/shop/store/v1/cart", ""))
	return ""
}

// TestKeptRecordsAreThoseOfNow writes at random, and finds after each write that every record which is kept is the one that
// would be made now.
func TestKeptRecordsAreThoseOfNow(t *testing.T) {
	t.Parallel()
	s := openKept(t)
	chance := rand.New(rand.NewPCG(1, 2))
	one := func(ids []string) string { return ids[chance.IntN(len(ids))] }
	const v3, store = "/shop/v3", "/shop/store/v1"
	parent := one(s.ids(v3 + "/products?type=variable&status=publish"))
	children := s.ids(v3 + "/products/" + parent + "/variations")
	products := append(s.ids(store+"/products?per_page=5"), parent)
	categories := s.ids(v3 + "/products/categories")
	product := func() string { return v3 + "/products/" + one(products) }
	child := func() string { return v3 + "/products/" + parent + "/variations/" + one(children) }
	simple := one(s.ids(v3 + "/products?type=simple&stock_status=instock&status=publish&virtual=false"))
	coupon := gjson.Get(s.do(http.MethodPost, v3+"/coupons", `{"code":"kept","amount":"5","discount_type":"percent"}`), "id").String()
	s.do(http.MethodPut, v3+"/products/"+simple, `{"manage_stock":true,"stock_quantity":100}`)
	s.do(http.MethodPost, store+"/cart/add-item", `{"id":`+simple+`,"quantity":1}`)
	s.do(http.MethodPost, store+"/cart/apply-coupon", `{"code":"kept"}`)
	method := s.anyMethod(v3 + "/shipping/zones")
	s.do(http.MethodPut, v3+"/settings/general/shop_calc_taxes", `{"value":"yes"}`)
	rate := gjson.Get(s.do(http.MethodGet, v3+"/taxes", ""), `#(state=="CA").id`).String()
	writes := []func(n int){
		func(n int) { s.do(http.MethodPut, product(), fmt.Sprintf(`{"name":"Name %d","slug":"slug-%d"}`, n, n)) },
		func(n int) {
			s.do(http.MethodPut, v3+"/products/"+parent, fmt.Sprintf(`{"slug":"parent-%d","description":"%d"}`, n, n))
		},
		func(n int) { s.do(http.MethodPut, child(), fmt.Sprintf(`{"regular_price":"%d.50"}`, n+1)) },
		func(n int) { s.do(http.MethodPut, child(), `{"manage_stock":true,"stock_quantity":2}`) },
		func(n int) {
			s.do(http.MethodPut, v3+"/products/categories/"+one(categories), fmt.Sprintf(`{"name":"Category %d"}`, n))
		},
		func(n int) { s.do(http.MethodPut, v3+"/taxes/"+rate, fmt.Sprintf(`{"rate":"%d"}`, n%30+1)) },
		func(int) {
			s.do(http.MethodPut, v3+"/settings/tax/shop_tax_display_shop", `{"value":"`+one([]string{"incl", "excl"})+`"}`)
		},
		func(int) {
			s.do(http.MethodPut, v3+"/settings/general/shop_price_num_decimals", `{"value":"`+one([]string{"0", "2", "3"})+`"}`)
		},
		func(n int) {
			s.do(http.MethodPost, v3+"/products/reviews",
				fmt.Sprintf(`{"product_id":%s,"review":"%d","reviewer":"Ann","reviewer_email":"ann%d@example.test","rating":%d}`,
					one(products), n, n, n%5+1))
		},
		func(n int) {
			s.do(http.MethodPost, store+"/cart/update-customer", fmt.Sprintf(`{"billing_address":{"city":"Town %d"}}`, n))
		},
		func(int) {
			s.do(http.MethodPut, method, `{"enabled":`+one([]string{"true", "false"})+`}`)
		},
		func(int) {
			s.do(http.MethodPut, v3+"/payment_gateways/cod", `{"enabled":`+one([]string{"true", "false"})+`}`)
		},
		func(n int) { s.do(http.MethodPut, v3+"/coupons/"+coupon, fmt.Sprintf(`{"amount":"%d"}`, n%9+1)) },
		func(int) {
			s.do(http.MethodPost, v3+"/orders", `{"status":"processing","line_items":[{"product_id":`+simple+`,"quantity":1}]}`)
		},
	}
	for n := range 60 {
		writes[chance.IntN(len(writes))](n)
		s.compare(store + "/cart")
		for _, list := range []string{"?per_page=5", "?category=" + categories[0] + "&orderby=title", "?on_sale=true&orderby=price"} {
			s.compareList(v3 + "/products" + list)
			s.compareList(store + "/products" + list)
		}
		for _, id := range products {
			s.compare(v3 + "/products/" + id)
			s.compare(store + "/products/" + id)
		}
		for _, id := range children {
			s.compare(v3 + "/products/" + parent + "/variations/" + id)
			s.compare(store + "/products/" + id)
		}
	}
}
