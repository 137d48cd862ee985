package storeapi_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/rest/resttest"
	"shopcheck/mockserver/internal/storeapi"
)

// FuzzStore sends anything to the store: no answer is a 5xx, every failure is an error envelope, every body is JSON, and what is
// refused changes nothing but what the shop remembers of a refusal.
func FuzzStore(f *testing.F) {
	for _, endpoint := range storeapi.API(nil, nil).Endpoints() {
		path, samples := resttest.Path(endpoint.Path, "1"), resttest.Samples(endpoint.Params)
		query := url.Values{}
		for name, value := range samples {
			maps.Copy(query, resttest.Query(name, value))
		}
		for _, method := range endpoint.Methods {
			f.Add(method, path+"?"+query.Encode(), "")
			f.Add(method, path, resttest.JSON(samples))
		}
	}
	for method, paths := range guarded() {
		for _, path := range paths {
			f.Add(method, path, "")
		}
	}
	for _, path := range []string{
		"/cart", "/products?search=a&category=1&attributes[0][attribute]=pa_size&attributes[0][slug][]=large&min_price=1", "/products/1",
		"/products/x",
		"/products?per_page=2&page=99999999999&offset=9007199254740992", "/products?include=1,2&orderby=include&page=3&per_page=1",
		"/products/categories?orderby=count&order=desc",
		"/products/collection-data?calculate_price_range=1&calculate_attribute_counts[0][taxonomy]=pa_size", "/cart/items",
		"/products/attributes/1/terms", "",
	} {
		f.Add(http.MethodGet, path, "")
	}
	f.Add(http.MethodPost, "/cart/add-item", `{"id":1,"quantity":9223372036854775807}`)
	f.Add(http.MethodPost, "/cart/add-item",
		`{"id":7,"quantity":1,"variation":[{"attribute":"pa_size","value":"medium"},{"attribute":"Logo","value":"Yes"}]}`)
	f.Add(http.MethodPost, "/cart/select-shipping-rate", `{"package_id":0,"rate_id":"flat_rate:1"}`)
	f.Add(http.MethodPost, "/cart/update-customer", `{"billing_address":{"country":"DE","state":"by","postcode":"80331"}}`)
	f.Add(http.MethodPost, "/batch",
		`{"requests":[{"path":"/shop/store/cart/add-item?id=1&quantity=2","headers":{"Nonce":"x"}}],"validation":"require-all-validate"}`)
	for _, method := range []string{"cheque", "mockpay"} {
		body, err := json.Marshal(with(order(method), "payment_data", []fields{{"key": "result", "value": "redirect"}}))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(http.MethodPost, "/checkout", string(body))
	}
	s := open(f)
	visitor := s.visit()
	visitor.adds(s.goods.plain, 1)
	start := s.Snapshot()
	f.Fuzz(func(t *testing.T, method, target, body string) {
		address, err := url.Parse(visitor.Site + target)
		if err != nil || !validMethod(method) {
			t.Skip("no request of HTTP")
		}
		s := visitor.in(t)
		s.Restore(start)
		before := s.Version()
		request := s.Request(http.MethodPost, "", body)
		request.Method, request.URL = method, address
		switch answer := s.Do(request); {
		case answer.Status >= http.StatusInternalServerError:
			t.Fatalf("%s %s with %q answered %d: %s", method, target, body, answer.Status, answer.Body)
		case answer.Status >= http.StatusBadRequest &&
			(answer.Get("code").Str == "" || answer.Get("data.status").Int() != int64(answer.Status)):
			t.Fatalf("%s %s with %q: not an error envelope: %s", method, target, body, answer.Body)
		case answer.Status >= http.StatusBadRequest && s.Version() != before && !isRemembered(answer.Get("code").Str):
			t.Fatalf("%s %s with %q: refused with %s, but something changed", method, target, body, answer.Body)
		}
	})
}

// isRemembered says of a refusal that it changes something: an order whose payment failed is kept as failed, and what can no
// longer be bought leaves the cart.
func isRemembered(code string) bool {
	return code == "shop_rest_checkout_payment_error" || code == "shop_rest_checkout_invalid_cart"
}

func validMethod(method string) bool {
	return method != "" && !strings.ContainsFunc(method, func(r rune) bool { return r < 'A' || r > 'Z' })
}
