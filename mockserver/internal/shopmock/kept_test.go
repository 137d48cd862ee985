package shopmock_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/advice"
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

// caller is who calls an address.
func (s *keptShop) caller(path string) *testkit.Client {
	switch {
	case strings.HasPrefix(path, "/shop/store/v1/cart"):
		return s.cart
	case strings.HasPrefix(path, "/shop/store"):
		return s.visitor
	}
	return s.Client
}

func (s *keptShop) do(method, path string, body any) string {
	s.T.Helper()
	answer := s.caller(path).Call(method, path, body)
	if answer.Status >= http.StatusBadRequest {
		s.T.Fatalf("%s with %v: %d %s", answer.What, body, answer.Status, answer.Body)
	}
	return answer.Body
}

// again reads what was read before, until it is kept in all ways in which reads are. Each time it is the same, and so are the headers that
// say something of it.
func (s *keptShop) again(address, body string) {
	s.T.Helper()
	var before http.Header
	for range 3 {
		header := s.told(address)
		if before != nil && !maps.EqualFunc(before, header, slices.Equal) {
			s.T.Fatalf("%s is answered with the headers\n%v\nand again with\n%v", address, before, header)
		}
		before = header
		if kept := s.do(http.MethodGet, address, ""); kept != body {
			s.T.Fatalf("%s is answered with\n%s\nand again with\n%s", address, body, kept)
		}
	}
}

// told returns the headers of an answer that say something of what is read.
func (s *keptShop) told(address string) http.Header {
	s.T.Helper()
	header := s.caller(address).Get(address).Want(http.StatusOK).Header.Clone()
	for _, own := range []string{"Nonce", "Nonce-Timestamp", "Cart-Token", "Set-Cookie", "Date"} {
		header.Del(own)
	}
	return header
}

// compare reads a record as it is kept, and again with all its fields named, which makes it anew.
func (s *keptShop) compare(path string) {
	s.T.Helper()
	kept := s.do(http.MethodGet, path, "")
	s.again(path, kept)
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
	s.again(address, kept)
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

// TestKeptReadsAreForTheirSender reads until the answer is kept, and finds that whoever else asks, or asks in another way, gets what is
// meant for it.
func TestKeptReadsAreForTheirSender(t *testing.T) {
	t.Parallel()
	s := openKept(t)
	const list = "/shop/v3/products?per_page=3"
	record := "/shop/v3/products/" + s.ids(list)[0]
	for _, address := range []string{list, record} {
		s.again(address, s.do(http.MethodGet, address, ""))
	}
	s.Server.Advice().SetMode(advice.Header)
	for range 4 { // each time the client is told
		if earned := s.Get(list + "&colour=red").Want(http.StatusOK).Header.Get(advice.HeaderName); earned == "" {
			t.Error("a parameter that nobody declares earns no advice")
		}
	}
	for _, address := range []string{list, record} {
		s.As("", "").Get(address).Want(http.StatusUnauthorized)
		s.As("ck_mock_rw", "wrong").Get(address).Want(http.StatusUnauthorized)
		s.As("ck_mock_w", "cs_mock_w").Get(address).Want(http.StatusForbidden)
		s.As("ck_mock_revoked", "cs_mock_revoked").Get(address).Want(http.StatusUnauthorized)
		s.With("Authorization", "Bearer "+strings.TrimPrefix(s.Header.Get("Authorization"), "Basic ")).Get(address).
			Want(http.StatusUnauthorized)
		elsewhere := s.Request(http.MethodGet, address, "")
		elsewhere.RemoteAddr = "192.0.2.1:40000"
		answer, err := s.Transport.RoundTrip(elsewhere)
		if err != nil || answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s from another machine, by a key over plain HTTP: %v, %v", address, answer, err)
		}
	}
	tag := s.Get(record).Want(http.StatusOK).Header.Get("Etag")
	if body := s.With("If-None-Match", tag).Get(record).Want(http.StatusNotModified).Body; body != "" {
		t.Errorf("who has a record already gets it again: %s", body)
	}
	host := s.Get(list).Want(http.StatusOK).Header.Get("Link")
	moved := s.Request(http.MethodGet, list, "")
	moved.Host = "other.test"
	answer, err := s.Transport.RoundTrip(moved)
	if err != nil || answer.Header.Get("Link") == host || !strings.Contains(answer.Header.Get("Link"), "http://other.test") {
		t.Errorf("a list at another host has the link %q, and %q at its own", answer.Header.Get("Link"), host)
	}
	s.Call(http.MethodDelete, record, "").Want(http.StatusOK)
	if status := s.Get(record + "?force=1").Want(http.StatusOK).Get("status").String(); status != "trash" {
		t.Errorf("a product in the trash is shown with status %s", status)
	}
}

// TestKeptReadsGreetEachVisitor reads what is kept of the catalogue: each visitor gets a nonce of its own, which is good, and one that has
// a session its next one.
func TestKeptReadsGreetEachVisitor(t *testing.T) {
	t.Parallel()
	s := openKept(t)
	address := "/shop/store/v1/products?per_page=3"
	s.again(address, s.do(http.MethodGet, address, ""))
	first, second := s.visitor.Get(address).Header.Get("Nonce"), s.visitor.Get(address).Header.Get("Nonce")
	if first == second || first == "" {
		t.Fatalf("two visitors have the nonces %q and %q", first, second)
	}
	next := s.visitor.With("Nonce", first).Get(address).Want(http.StatusOK).Header.Get("Nonce")
	id := s.ids(address)[0]
	add := `{"id":` + id + `,"quantity":1}`
	s.visitor.With("Nonce", first).Post("/shop/store/v1/cart/add-item", add).Want(http.StatusForbidden)
	s.visitor.With("Nonce", next).Post("/shop/store/v1/cart/add-item", add).Want(http.StatusCreated)
}
