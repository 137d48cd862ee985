package management_test

import (
	"net/http"
	"testing"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest/resttest"
)

// FuzzManagement sends anything to the management API: it never fails itself, every refusal is an envelope, and a refused
// call changes nothing.
func FuzzManagement(f *testing.F) {
	for _, api := range management.APIs(nil) {
		for _, endpoint := range api.Endpoints() {
			path := "/" + api.Namespace + resttest.Path(endpoint.Path, "1")
			for _, method := range endpoint.Methods {
				f.Add(method, path, "per_page=5&page=1&_fields=id&context=edit", resttest.JSON(resttest.Samples(endpoint.Params)))
				f.Add(method, path, "force=1&include[]=1&orderby=id&status[0]=any&a[b][c]=x", `{}`)
			}
		}
	}
	f.Add("POST", "/shop/v3/orders", "", wholeOrder)
	f.Add("PUT", "/shop/v3/orders/5", "dp=9",
		`{"status":"completed","line_items":[{"id":1,"quantity":0},{"sku":"MUG","total":"1e5"}],"coupon_lines":[{"code":null}],`+
			`"fee_lines":[{"name":"x","total":"-999999999999999"}]}`)
	f.Add("POST", "/shop/v3/orders/5/refunds", "",
		`{"amount":"1","api_refund":false,"line_items":[{"id":1,"refund_total":1e11,"refund_tax":[{"id":1,"refund_total":"2"}]}]}`)
	f.Add("POST", "/shop/v3/products/batch", "",
		`{"create":[{"name":"x"},{}],"update":[{"id":"1","regular_price":"2"},{"id":null}],"delete":[1,"2"]}`)
	s := orderShop(f)
	s.Post("/shop/v3/orders", wholeOrder).Want(201)
	start := s.Snapshot()
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		s := s.in(t)
		s.Restore(start)
		before := s.Version()
		request := s.Request("POST", "/", body)
		request.Method, request.URL.Path, request.URL.RawQuery = method, path, query
		answer := s.Do(request)
		if answer.Status >= http.StatusInternalServerError && answer.Status != http.StatusNotImplemented {
			t.Fatalf("%s %s?%s %s: %d %s", method, path, query, body, answer.Status, answer.Body)
		}
		if answer.Status < http.StatusBadRequest {
			return
		}
		if answer.Get("code").String() == "" || answer.Get("message").String() == "" ||
			answer.Get("data.status").Int() != int64(answer.Status) {
			t.Errorf("%s %s: no envelope: %s", method, path, answer.Body)
		}
		if s.Version() != before {
			t.Errorf("%s %s?%s %s: refused with %d, but the state changed", method, path, query, body, answer.Status)
		}
	})
}
