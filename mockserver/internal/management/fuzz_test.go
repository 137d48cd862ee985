package management_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/rest/resttest"
)

// FuzzManagement sends anything to the management API: it never fails itself, every refusal is an envelope, and a refused
// call changes nothing.
func FuzzManagement(f *testing.F) {
	for _, api := range management.APIs(nil) {
		for _, endpoint := range api.Endpoints {
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
	s.want(s.call("POST", "/shop/v3/orders", wholeOrder), 201)
	start := s.shop.Snapshot()
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		s.shop.Restore(start)
		before := s.shop.Version()
		request := httptest.NewRequest("POST", "/", strings.NewReader(body))
		request.Method, request.URL = method, &url.URL{Path: path, RawQuery: query}
		request.SetBasicAuth("ck_rw", "cs_rw")
		recorder := httptest.NewRecorder()
		host := rest.Host{Shop: s.shop, Site: rest.Site{Home: "http://shop.test", Root: "http://shop.test"}}
		rest.Serve(request.Context(), s.router, recorder, rest.Canonical(request, "shop/store/v1"), host)
		answer := recorder.Body.String()
		if recorder.Code >= http.StatusInternalServerError && recorder.Code != http.StatusNotImplemented {
			t.Fatalf("%s %s?%s %s: %d %s", method, path, query, body, recorder.Code, answer)
		}
		if answer != "" && !gjson.Valid(answer) {
			t.Fatalf("%s %s: not JSON: %s", method, path, answer)
		}
		if recorder.Code < http.StatusBadRequest {
			return
		}
		if envelope := gjson.Parse(answer); envelope.Get("code").String() == "" || envelope.Get("message").String() == "" ||
			envelope.Get("data.status").Int() != int64(recorder.Code) {
			t.Errorf("%s %s: no envelope: %s", method, path, answer)
		}
		if s.shop.Version() != before {
			t.Errorf("%s %s?%s %s: refused with %d, but the state changed", method, path, query, body, recorder.Code)
		}
	})
}
