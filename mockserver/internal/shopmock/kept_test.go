package shopmock_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
)

// keptShop is a shop whose encoded records are compared with ones that are made from scratch.
type keptShop struct {
	*testing.T
	shop *shopmock.Server
}

func (s *keptShop) do(method, target, body string) string {
	s.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(target, "/shop/v3") {
		request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	}
	answer := httptest.NewRecorder()
	s.shop.Handler().ServeHTTP(answer, request)
	if answer.Code >= http.StatusBadRequest {
		s.Fatalf("%s %s %s: %d %s", method, target, body, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// compare reads a record as it is kept, and again with all its fields named, which makes it anew.
func (s *keptShop) compare(path string) {
	s.Helper()
	kept := s.do(http.MethodGet, path, "")
	var names []string
	gjson.Parse(kept).ForEach(func(name, _ gjson.Result) bool { names = append(names, name.Str); return true })
	if made := s.do(http.MethodGet, path+"?_fields="+strings.Join(names, ","), ""); kept != made {
		s.Fatalf("%s is kept as\n%s\nbut is\n%s", path, kept, made)
	}
}

func (s *keptShop) ids(list string) []string {
	var ids []string
	for _, id := range gjson.Get(s.do(http.MethodGet, list, ""), "#.id").Array() {
		ids = append(ids, id.String())
	}
	return ids
}

// TestKeptRecordsAreThoseOfNow writes at random, and finds after each write that every record which is kept is the one that
// would be made now.
func TestKeptRecordsAreThoseOfNow(t *testing.T) {
	t.Parallel()
	server, err := shopmock.New(shopmock.Options{RandomSeed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	s := &keptShop{t, server}
	chance := rand.New(rand.NewPCG(1, 2))
	one := func(ids []string) string { return ids[chance.IntN(len(ids))] }
	const v3, store = "/shop/v3", "/shop/store/v1"
	parent := one(s.ids(v3 + "/products?type=variable&status=publish"))
	children := s.ids(v3 + "/products/" + parent + "/variations")
	products := append(s.ids(store+"/products?per_page=5"), parent)
	categories, rates := s.ids(v3+"/products/categories"), s.ids(v3+"/taxes")
	product := func() string { return v3 + "/products/" + one(products) }
	child := func() string { return v3 + "/products/" + parent + "/variations/" + one(children) }
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
		func(n int) { s.do(http.MethodPut, v3+"/taxes/"+one(rates), fmt.Sprintf(`{"rate":"%d"}`, n%30+1)) },
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
	}
	for n := range 40 {
		writes[chance.IntN(len(writes))](n)
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
