package rest_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
)

func TestWhatAnUnknownAddressIsMostLike(t *testing.T) {
	t.Parallel()
	api := func(namespace string, paths ...string) *rest.API {
		var endpoints []rest.Endpoint
		for _, path := range paths {
			endpoints = append(endpoints, rest.Endpoint{Methods: []string{"GET"}, Path: path})
		}
		return &rest.API{Namespace: namespace, Endpoints: func() []rest.Endpoint { return endpoints }}
	}
	newest := api("shop/v3", "/products", "/products/{id:[0-9]+}", "/products/{id:[0-9]+}/variations", "/orders")
	unknown := rest.NotFound(func() []string {
		return append(newest.Addresses(), api("shop/v2", "/orders").Addresses()...)
	})
	for path, want := range map[string]string{
		"/shop/v3/prodcts":                     `["/shop/v3/products"]`,
		"/shop/v3/product":                     `["/shop/v3/products"]`,
		"/shop/v3/products/abc":                `["/shop/v3/products/{id}"]`,
		"/shop/v3/products/7/variation":        `["/shop/v3/products/{id}/variations"]`,
		"/shop/v1/orders":                      `["/shop/v3/orders","/shop/v2/orders"]`,
		"/v3/products":                         "",
		"/":                                    "",
		"/favicon.ico":                         "",
		"/shop/v3/" + strings.Repeat("x", 200): "",
	} {
		recorder := httptest.NewRecorder()
		unknown.ServeHTTP(recorder, httptest.NewRequest("GET", path, nil))
		body := recorder.Body.String()
		if got := gjson.Get(body, "data.nearest").Raw; got != want || recorder.Code != 404 ||
			gjson.Get(body, "code").Str != "rest_no_route" {
			t.Errorf("%s: %d %s, want %s", path, recorder.Code, body, want)
		}
	}
}
