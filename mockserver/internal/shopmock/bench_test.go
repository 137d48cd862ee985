package shopmock_test

// Each benchmark times the shop beside a floor: a bare net/http handler that answers the same bytes on a socket of its own, in
// the same run. The shop's figure means something only as a ratio to its floor.

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shopmock"
)

// call is one request that is timed.
type call struct {
	method, path, body string
	header             http.Header
}

// client is a caller on one kept-alive connection. It does as little as it can: what the test kit checks would be timed as well.
type client struct {
	tb   testing.TB
	http *http.Client
	base string
}

func newClient(tb testing.TB, base string) *client {
	return &client{tb: tb, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}, base: base}
}

// send returns status, header and body of the answer.
func (c *client) send(call call) (int, http.Header, []byte) {
	request, err := http.NewRequest(call.method, c.base+call.path, strings.NewReader(call.body))
	if err != nil {
		c.tb.Fatal(err)
	}
	for name, values := range call.header {
		request.Header[name] = values
	}
	response, err := c.http.Do(request)
	if err != nil {
		c.tb.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.tb.Fatal(err)
	}
	return response.StatusCode, response.Header, body
}

func keyed() http.Header {
	request, _ := http.NewRequest(http.MethodGet, "/", nil)
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.Header.Set("Content-Type", "application/json")
	return request.Header
}

// against times a call at the shop and at the floor. next gives the call of each round.
func against(b *testing.B, shop *shopmock.Server, next func(round int) call) {
	sample := newClient(b, shop.URL())
	status, header, body := sample.send(next(0))
	if status >= 400 {
		b.Fatalf("status %d: %s", status, body)
	}
	b.Run("floor", func(b *testing.B) {
		floor := httptest.NewServer(answering(status, header, body))
		defer floor.Close()
		run(b, newClient(b, floor.URL), next)
	})
	b.Run("shop", func(b *testing.B) { run(b, sample, next) })
}

// answering is the floor: it reads the request and answers what it was told.
func answering(status int, header http.Header, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		w.Write(body)
	})
}

func run(b *testing.B, c *client, next func(round int) call) {
	defer c.http.CloseIdleConnections()
	b.ReportAllocs()
	round := 0
	for b.Loop() {
		round++
		if status, _, body := c.send(next(round)); status >= 400 {
			b.Fatalf("status %d: %s", status, body)
		}
	}
}

func BenchmarkGetProduct(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	_, _, list := newClient(b, shop.URL()).send(call{method: "GET", path: "/shop/v3/products?per_page=1", header: keyed()})
	path := "/shop/v3/products/" + gjson.GetBytes(list, "0.id").String()
	against(b, shop, func(int) call { return call{method: "GET", path: path, header: keyed()} })
}

func BenchmarkListTenProducts(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	against(b, shop, func(int) call { return call{method: "GET", path: "/shop/v3/products", header: keyed()} })
}

func BenchmarkCreateProduct(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	unique := 0
	against(b, shop, func(int) call {
		unique++
		body := fmt.Sprintf(`{"name":"Bench %d","sku":"BENCH-%d","regular_price":"12.50","manage_stock":true,"stock_quantity":5}`,
			unique, unique)
		return call{method: "POST", path: "/shop/v3/products", body: body, header: keyed()}
	})
}

// session returns the header of a Store API session with one product in its cart, and the product's id.
func session(tb testing.TB, shop *shopmock.Server) (http.Header, string) {
	c := newClient(tb, shop.URL())
	defer c.http.CloseIdleConnections()
	_, header, _ := c.send(call{method: "GET", path: "/shop/store/v1/cart"})
	_, _, made := c.send(call{method: "POST", path: "/shop/v3/products", body: `{"name":"Bench","regular_price":"12.50"}`, header: keyed()})
	id := gjson.GetBytes(made, "id").String()
	own := http.Header{"Cart-Token": {header.Get("Cart-Token")}, "Content-Type": {"application/json"}}
	if status, _, body := c.send(addItem(own, id)); status >= 400 {
		tb.Fatalf("add-item: %d %s", status, body)
	}
	return own, id
}

func addItem(header http.Header, id string) call {
	return call{method: "POST", path: "/shop/store/v1/cart/add-item", body: `{"id":` + id + `,"quantity":1}`, header: header}
}

func BenchmarkCartRead(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	own, _ := session(b, shop)
	against(b, shop, func(int) call { return call{method: "GET", path: "/shop/store/v1/cart", header: own} })
}

func BenchmarkAddItem(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	own, id := session(b, shop)
	c := newClient(b, shop.URL())
	defer c.http.CloseIdleConnections()
	against(b, shop, func(round int) call {
		if round%5000 == 4999 { // a cart line holds 9999 pieces at the most
			own, id = session(b, shop)
		}
		return addItem(own, id)
	})
}

const checkoutBody = `{"billing_address":{"first_name":"Ann","last_name":"Lee","address_1":"1 Main Street","city":"San Francisco",
"state":"CA","postcode":"94103","country":"US","email":"ann@example.test","phone":"555-0100"},
"shipping_address":{"first_name":"Ann","last_name":"Lee","address_1":"1 Main Street","city":"San Francisco","state":"CA",
"postcode":"94103","country":"US"},"payment_method":"bacs","payment_data":[]}`

// BenchmarkCheckout times a whole purchase: a fresh cart, add-item, checkout.
func BenchmarkCheckout(b *testing.B) {
	shop := shopmock.Start(b, shopmock.Options{})
	_, id := session(b, shop)
	c := newClient(b, shop.URL())
	defer c.http.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
		_, header, _ := c.send(call{method: "GET", path: "/shop/store/v1/cart"})
		own := http.Header{"Cart-Token": {header.Get("Cart-Token")}, "Content-Type": {"application/json"}}
		c.send(addItem(own, id))
		status, _, body := c.send(call{method: "POST", path: "/shop/store/v1/checkout", body: checkoutBody, header: own})
		if status != http.StatusOK {
			b.Fatalf("checkout: %d %s", status, body)
		}
	}
}

// BenchmarkStart times a server from nothing to its first answer, when the process has started one before, and bare net/http that
// answers as much: most of it is the socket's and the client's. The median of all starts is ns/start; closing, which waits for a
// connection that is still busy in steps of a millisecond, is in ns/op alone. After thousands of starts the kernel looks long for a port
// that is free.
func BenchmarkStart(b *testing.B) {
	const path = "/shop/store/v1/products?per_page=1"
	_, _, answer := newClient(b, shopmock.Start(b, shopmock.Options{}).URL()).send(call{method: "GET", path: path})
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer) //nolint:errcheck // the client says enough
	})
	b.Run("floor", func(b *testing.B) {
		starts(b, path, func() (string, func() error) {
			server := httptest.NewServer(bare)
			return server.URL, func() error { server.Close(); return nil }
		})
	})
	b.Run("shop", func(b *testing.B) {
		starts(b, path, func() (string, func() error) {
			shop, err := shopmock.Listen("127.0.0.1:0", shopmock.Options{})
			if err != nil {
				b.Fatal(err)
			}
			return shop.URL(), shop.Close
		})
	})
}

// starts times servers to their first answers. The timer is not stopped for what comes between: that stops the process, and starts with
// cold caches.
func starts(b *testing.B, path string, start func() (url string, stop func() error)) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		url, stop := start()
		response, err := http.Get(url + path)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, response.Body) //nolint:errcheck // the status says enough
		response.Body.Close()
		took = append(took, time.Since(began))
		if response.StatusCode != http.StatusOK {
			b.Fatalf("status %d", response.StatusCode)
		}
		if err := stop(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "ns/start")
}

// BenchmarkJournal times calls with the journal and without it. The callers share a machine with the shop: what counts is the
// difference, and the allocations.
func BenchmarkJournal(b *testing.B) {
	for _, c := range []struct {
		name     string
		settings journal.Settings
	}{{"off", journal.Settings{Requests: -1}}, {"on", journal.Settings{}}} {
		shop := shopmock.Start(b, shopmock.Options{Journal: c.settings})
		client := newClient(b, shop.URL())
		own, _ := session(b, shop)
		for name, path := range map[string]string{"list": "/shop/v3/products", "product": "/shop/v3/products/1"} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				run(b, client, func(int) call { return call{method: "GET", path: path, header: keyed()} })
			})
		}
		b.Run("cart/"+c.name, func(b *testing.B) {
			run(b, client, func(int) call { return call{method: "GET", path: "/shop/store/v1/cart", header: own} })
		})
		b.Run("write/"+c.name, func(b *testing.B) {
			run(b, client, func(int) call {
				return call{method: "PUT", path: "/shop/v3/products/1", body: `{"weight":"2"}`, header: keyed()}
			})
		})
	}
}
