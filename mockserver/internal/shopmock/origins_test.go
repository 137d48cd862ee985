package shopmock_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
)

const namedOrigin = "https://app.example.com"

// TestBrowsersOfAnyOriginMayUseIt asks as a page of each origin may: only the pages that are known may send cookies.
func TestBrowsersOfAnyOriginMayUseIt(t *testing.T) {
	shop, err := shopmock.New(shopmock.Options{AllowOrigins: []string{namedOrigin}, Site: "https://shop.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	const sent = "cart-token,content-type,idempotency-key,if-none-match,nonce,traceparent,x-requested-with,x-shop-nonce"
	for origin, known := range map[string]bool{
		"http://localhost:5173": true, "http://127.0.0.1:3000": true, "http://[::1]:8080": true, "https://shop.localhost": true,
		namedOrigin: true, "https://shop.example.com": true,
		"http://app.example.com": false, "https://app.example.com:444": false, "https://evil.example": false, "null": false,
		"https://localhost.evil.example": false, "https://127.0.0.1.evil.example": false, "http://192.168.1.7": false,
	} {
		wantOrigin, wantCredentials := "*", ""
		if known {
			wantOrigin, wantCredentials = origin, "true"
		}
		preflight := httptest.NewRequest(http.MethodOptions, "/shop/store/v1/cart/add-item", nil)
		preflight.Header.Set("Access-Control-Request-Method", "POST")
		preflight.Header.Set("Access-Control-Request-Headers", sent)
		refused := httptest.NewRequest(http.MethodGet, "/shop/store/v1/cart", nil)
		refused.Header.Set("Cookie", strings.Repeat("x", 70_000))
		for what, request := range map[string]*http.Request{
			"preflight": preflight, "call": httptest.NewRequest(http.MethodGet, "/shop/store/v1/cart", nil),
			"call that is refused": refused,
		} {
			request.Header.Set("Origin", origin)
			recorder := httptest.NewRecorder()
			shop.Handler().ServeHTTP(recorder, request)
			got := recorder.Header()
			if got.Get("Access-Control-Allow-Origin") != wantOrigin || got.Get("Access-Control-Allow-Credentials") != wantCredentials {
				t.Errorf("%s from %s: %v", what, origin, got)
			}
			if what == "preflight" && got.Get("Access-Control-Allow-Headers") != sent {
				t.Errorf("%s from %s lets through %q", what, origin, got.Get("Access-Control-Allow-Headers"))
			}
		}
	}
}

// TestPagesOfOtherSitesDoNotControlTheMock sends what browsers send for a page's call, in every form of the address.
func TestPagesOfOtherSitesDoNotControlTheMock(t *testing.T) {
	shop := shopmock.Start(t, shopmock.Options{AllowOrigins: []string{namedOrigin}})
	own := strings.TrimPrefix(shop.URL(), "http://")
	for _, c := range []struct {
		name, host string
		header     map[string]string
		want       int
	}{
		{"no page", own, nil, 200},
		{"no page, by name", "localhost:1", nil, 200},
		{"no page, by a name in a network of containers", "shopmock:8080", nil, 200},
		{"no page, by a name that nobody can register", "mock.test", nil, 200},
		{"a page of its own", own, map[string]string{"Origin": "http://" + own}, 200},
		{"an app on this machine", own, map[string]string{"Origin": "http://localhost:5173"}, 200},
		{"an app that was named", own, map[string]string{"Origin": namedOrigin}, 200},
		{"its own page, named", "app.example.com", map[string]string{"Origin": namedOrigin}, 200},
		{"a stranger's page", own, map[string]string{"Origin": "https://evil.example"}, 403},
		{"a stranger's frame", own, map[string]string{"Origin": "null"}, 403},
		{"a stranger's picture", own, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a stranger's name that leads here", "evil.example.com:8080", map[string]string{"Origin": "http://evil.example.com:8080"}, 403},
		{"a stranger's name that leads here, without an origin", "evil.example.com:8080", nil, 403},
		{"a name that stands for a stranger's", "evil.example", nil, 403},
		{"no host", "", nil, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, address := range []string{"/_mock/reset", "/_mock/reset/", "//_mock/reset", "/?rest_route=/_mock/reset",
				"/index.php?rest_route=_mock/reset"} {
				code, body := dialled(t, own, "POST", address, c.host, c.header)
				if code != c.want || code == http.StatusForbidden && gjson.Get(body, "code").Str != "rest_forbidden" {
					t.Errorf("POST %s: %d %s, want %d", address, code, body, c.want)
				}
			}
			if code, body := dialled(t, own, "GET", "/_mock/deliveries", c.host, c.header); code != c.want {
				t.Errorf("GET: %d %s, want %d", code, body, c.want)
			}
		})
	}
}

// dialled sends a request with a host of one's choice.
func dialled(t *testing.T, address, method, target, host string, header map[string]string) (int, string) {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprintf(connection, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 0\r\n", method, target, host)
	for name, value := range header {
		fmt.Fprintf(connection, "%s: %s\r\n", name, value)
	}
	fmt.Fprint(connection, "\r\n")
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body strings.Builder
	if _, err := bufio.NewReader(response.Body).WriteTo(&body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body.String()
}

func TestLinksAreNotBuiltFromAStrangersHost(t *testing.T) {
	for _, c := range []struct{ name, host, proxied, want string }{
		{"the address", "127.0.0.1:1234", "", "http://127.0.0.1:1234"},
		{"a name of this machine", "localhost:80", "", "http://localhost:80"},
		{"a container", "shopmock:8080", "", "http://shopmock:8080"},
		{"a stranger", "evil.example.com", "", ""},
		{"what a proxy says", "evil.example.com", "shop.example.com", "http://shop.example.com"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shop := shopmock.Start(t, shopmock.Options{TrustProxy: c.proxied != ""})
			header := map[string]string{}
			if c.proxied != "" {
				header["X-Forwarded-Host"] = c.proxied
			}
			want := c.want
			if want == "" {
				want = shop.URL()
			}
			_, body := dialled(t, strings.TrimPrefix(shop.URL(), "http://"), "GET", "/shop/store/v1/products?per_page=1", c.host, header)
			if got := gjson.Get(body, "0.permalink").Str; !strings.HasPrefix(got, want+"/") {
				t.Errorf("the link is %s, want one below %s", got, want)
			}
		})
	}
}
