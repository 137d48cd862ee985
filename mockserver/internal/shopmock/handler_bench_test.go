//go:build unix

package shopmock_test

// What the shop itself does for a request: no socket, no client, no floor.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// sink is a ResponseWriter that keeps the header and the status only.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

// handled is a call that is handed to the handler again and again.
func handled(b *testing.B, handler http.Handler, next func(round int) call) {
	b.Helper()
	b.ReportAllocs()
	round, before := 0, testkit.ProcessorTime(b)
	for b.Loop() {
		round++
		serve(b, handler, next(round))
	}
	b.ReportMetric(float64(testkit.ProcessorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// serve hands a call to the handler, and returns the header of its answer.
func serve(b *testing.B, handler http.Handler, call call) http.Header {
	request, err := http.NewRequest(call.method, call.path, strings.NewReader(call.body))
	if err != nil {
		b.Fatal(err)
	}
	request.RequestURI, request.Host = call.path, "127.0.0.1"
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header = call.header
	answer := &sink{header: http.Header{}}
	handler.ServeHTTP(answer, request)
	if answer.status >= http.StatusBadRequest {
		b.Fatalf("%s %s: status %d", call.method, call.path, answer.status)
	}
	return answer.header
}

// BenchmarkHandler times the cases of the bench script.
func BenchmarkHandler(b *testing.B) {
	server := shopmock.Start(b, shopmock.Options{})
	_, other := session(b, server)
	own, id := session(b, server)
	_, _, cart := newClient(b, server.URL()).send(call{method: "GET", path: "/shop/store/v1/cart", header: own})
	key := gjson.GetBytes(cart, "items.0.key").String()
	update := fmt.Sprintf(`{"key":%q,"quantity":2}`, key)
	create := `{"name":"Premium Quality","type":"simple","regular_price":"21.99","description":"A long text.","manage_stock":true,` +
		`"stock_quantity":12,"images":[{"src":"https://shop.example.com/a.jpg"},{"src":"https://shop.example.com/b.jpg"}]}`
	batch := fmt.Sprintf(`{"create":[%s]}`, strings.Join(slices.Repeat([]string{create}, 100), ","))
	cases := []struct {
		name string
		call call
	}{
		{"get", call{"GET", "/shop/v3/products/" + id, "", keyed()}},
		{"list", call{"GET", "/shop/v3/products?per_page=10", "", keyed()}},
		{"store-get", call{"GET", "/shop/store/v1/products/" + id, "", http.Header{}}},
		{"store-list", call{"GET", "/shop/store/v1/products?per_page=10", "", http.Header{}}},
		{"cart", call{"GET", "/shop/store/v1/cart", "", own}},
		{"cart-write", call{"POST", "/shop/store/v1/cart/update-item", update, own}},
		{"create", call{"POST", "/shop/v3/products", create, keyed()}},
		{"create-100", call{"POST", "/shop/v3/products/batch", batch, keyed()}},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) { handled(b, server.Handler(), func(int) call { return c.call }) })
	}
	b.Run("add-item", func(b *testing.B) {
		handled(b, server.Handler(), func(round int) call {
			if round%maxPieces == 1 {
				own, id = session(b, server)
			}
			return addItem(own, id)
		})
	})
	b.Run("purchase", func(b *testing.B) { // four calls: a new cart, two lines, the checkout
		handled(b, server.Handler(), func(int) call {
			cart := serve(b, server.Handler(), call{"GET", "/shop/store/v1/cart", "", http.Header{}})
			own := http.Header{"Cart-Token": cart["Cart-Token"], "Content-Type": {"application/json"}}
			serve(b, server.Handler(), addItem(own, id))
			serve(b, server.Handler(), addItem(own, other))
			return call{"POST", "/shop/store/v1/checkout", checkoutBody, own}
		})
	})
}

// maxPieces is how many pieces a line of a cart takes beside the first.
const maxPieces = 9998

// BenchmarkWatching says what it costs to watch clients.
func BenchmarkWatching(b *testing.B) {
	for _, mode := range []advice.Mode{advice.Off, advice.On} {
		server := shopmock.Start(b, shopmock.Options{Advice: mode})
		own, id := session(b, server)
		_, _, cart := newClient(b, server.URL()).send(call{method: "GET", path: "/shop/store/v1/cart", header: own})
		update := fmt.Sprintf(`{"key":%q,"quantity":2}`, gjson.GetBytes(cart, "items.0.key").String())
		for name, sent := range map[string]call{
			"get":        {"GET", "/shop/v3/products/" + id, "", keyed()},
			"store-list": {"GET", "/shop/store/v1/products?per_page=10", "", http.Header{}},
			"cart-write": {"POST", "/shop/store/v1/cart/update-item", update, own},
		} {
			b.Run(name+"/"+string(mode), func(b *testing.B) { handled(b, server.Handler(), func(int) call { return sent }) })
		}
	}
}
