package client

// How requests leave and answers arrive where a target has names of its own.

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"

	"shopcheck/fixtures/dialects"
)

func dialectNamed(t *testing.T, name string) dialects.Dialect {
	t.Helper()
	d, err := dialects.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRequestsAreSentToTheTargetsOwnAddresses(t *testing.T) {
	byQuery := url.Values{"rest_route": {"/wc/v3/products/5"}, "per_page": {"2"}}
	for name, c := range map[string]struct {
		access string
		query  bool // ByQuery
		req    Request
		path   string
		values url.Values
	}{
		"the contract's names stay": {"neutral", false, Request{Path: "/shop/v3/products?per_page=2"}, "/shop/v3/products",
			url.Values{"per_page": {"2"}}},
		"below a root": {"woocommerce", false, Request{Path: "/shop/v3/products/5"}, "/wp-json/wc/v3/products/5", url.Values{}},
		"a query of the path": {"woocommerce", false, Request{Path: "/shop/store/v1/cart?a=b"}, "/wp-json/wc/store/v1/cart",
			url.Values{"a": {"b"}}},
		"a setting": {"woocommerce", false, Request{Path: "/shop/v3/settings/general/shop_currency"},
			"/wp-json/wc/v3/settings/general/woocommerce_currency", url.Values{}},
		"somebody else's path": {"woocommerce", false, Request{Path: "/elsewhere"}, "/wp-json/elsewhere", url.Values{}},
		"by route":             {"woocommerce", true, Request{Path: "/shop/v3/products/5?per_page=2"}, "/", byQuery},
		"by route, with a query": {"woocommerce", true, Request{Path: "/shop/v3/products/5", Query: url.Values{"per_page": {"2"}}}, "/",
			byQuery},
		"the spec's own route": {"woocommerce", false, Request{Path: "/?rest_route=/shop/v3/products/5&per_page=2"}, "/", byQuery},
	} {
		t.Run(name, func(t *testing.T) {
			var got *url.URL
			client, exchanges := recorded(t, nil, func(_ http.ResponseWriter, r *http.Request) { got = r.URL })
			client.Use(Access{Dialect: dialectNamed(t, c.access), ByQuery: c.query})
			c.req.Method = http.MethodGet
			before := c.req.Query.Encode()
			client.Do(context.Background(), c.req)
			if got.Path != c.path || got.Query().Encode() != c.values.Encode() {
				t.Errorf("sent to %s, want %s?%s", got, c.path, c.values.Encode())
			}
			if sent, err := url.Parse((*exchanges)[0].URL); err != nil || sent.RequestURI() != got.RequestURI() {
				t.Errorf("recorded as %s, and sent to %s", (*exchanges)[0].URL, got)
			}
			if c.req.Query.Encode() != before {
				t.Errorf("the query of the caller has become %s", c.req.Query.Encode())
			}
		})
	}
}

func TestNamesAreMappedBothWays(t *testing.T) {
	var header http.Header
	var body []byte
	client, exchanges := recorded(t, nil, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-WP-Total", "7")
		w.Header().Set("Link", `<http://x.test/wp-json/wc/v3/products?page=2>; rel="next"`)
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"code":"woocommerce_rest_product_invalid_id","message":"woocommerce_rest_mug"}`)
	})
	client.Use(Access{Dialect: dialectNamed(t, dialects.WooCommerce)})
	answer := client.Do(context.Background(), Request{Method: http.MethodPost, Path: "/shop/v3/webhooks",
		Header: http.Header{"X-Shop-Webhook-Topic": {"order.created"}},
		Body:   map[string]any{"topic": "action.shop_new_order", "name": "shop_x"}})
	if header.Get("X-WC-Webhook-Topic") != "order.created" || header.Get("X-Shop-Webhook-Topic") != "" ||
		string(body) != `{"name":"shop_x","topic":"action.woocommerce_new_order"}` {
		t.Errorf("sent %v %s", header, body)
	}
	if answer.Header.Get("X-Shop-Total") != "7" || answer.Get("code").String() != "shop_rest_product_invalid_id" ||
		answer.Get("message").String() != "woocommerce_rest_mug" ||
		answer.Header.Get("Link") != `<http://x.test/shop/v3/products?page=2>; rel="next"` {
		t.Errorf("read as %v %s", answer.Header, answer.Body)
	}
	if e := (*exchanges)[0]; e.Endpoint != "POST /shop/v3/webhooks" || e.Response.Body != `{"code":"woocommerce_rest_product_invalid_id",`+
		`"message":"woocommerce_rest_mug"}` {
		t.Errorf("recorded as %s %s", e.Endpoint, e.Response.Body)
	}
}

func TestWhatIsUnusualOfATargetIsTold(t *testing.T) {
	for want, access := range map[string]Access{
		"":                                    {},
		"the shop speaks the dialect awkward": {Dialect: dialects.Dialect{Name: "awkward"}},
		"its API is reached by /?route=":      {ByQuery: true, Dialect: dialects.Dialect{Name: dialects.Neutral, RouteParameter: "route"}},
		"its keys sign requests (OAuth 1.0a), as it takes them in no other way over http": {Keys: SignedWay},
		"it takes keys in the query and not by Basic authentication":                      {Keys: QueryWay},
		"it takes keys by Basic authentication and not in the query":                      {Keys: BasicWay},
	} {
		if got := access.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
