//go:build unix

package durable_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
	"shopcheck/mockserver/internal/testkit"
)

// BenchmarkKeeping times changes without a socket, in memory and kept in intervals: the figures of the second divided by those of the first
// are what keeping costs. It tells the processor time, too, which other programs disturb less.
func BenchmarkKeeping(b *testing.B) {
	for name, storage := range map[string]func() mockserver.Storage{
		"memory": func() mockserver.Storage { return nil },
		"interval": func() mockserver.Storage {
			store, err := durable.OpenInterval(b.TempDir(), time.Second)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { store.Close() })
			return store
		},
	} {
		b.Run("create/"+name, func(b *testing.B) {
			handler, number := handlerOf(b, storage()), 0
			cpu(b, func() {
				number++
				const product = `{"name":"Bench %d","sku":"BENCH-%[1]d","regular_price":"12.50","manage_stock":true,"stock_quantity":5}`
				send(b, handler, "/shop/v3/products", fmt.Sprintf(product, number), "")
			})
		})
		b.Run("add-item/"+name, func(b *testing.B) {
			handler, token, number := handlerOf(b, storage()), "", 0
			made := send(b, handler, "/shop/v3/products", `{"name":"Bench","regular_price":"12.50"}`, "")
			item := fmt.Sprintf(`{"id":%d,"quantity":1}`, gjson.Get(made, "id").Int())
			cpu(b, func() {
				if number%5000 == 0 { // a line holds 9999 pieces at most
					read := httptest.NewRecorder()
					handler.ServeHTTP(read, httptest.NewRequest("GET", "/shop/store/v1/cart", nil))
					token = read.Header().Get("Cart-Token")
				}
				number++
				send(b, handler, "/shop/store/v1/cart/add-item", item, token)
			})
		})
	}
}

func handlerOf(b *testing.B, storage mockserver.Storage) http.Handler {
	b.Helper()
	server, err := mockserver.New(mockserver.Options{Storage: storage})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { server.Close() }) //nolint:errcheck // there is no socket
	return server.Handler()
}

func send(b *testing.B, handler http.Handler, path, body, token string) string {
	b.Helper()
	request := httptest.NewRequest("POST", path, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	if token == "" {
		request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	} else {
		request.Header.Set("Cart-Token", token)
	}
	answer := httptest.NewRecorder()
	if handler.ServeHTTP(answer, request); answer.Code != http.StatusCreated {
		b.Fatalf("status %d: %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// cpu times what is done in each round, and tells the processor time of one.
func cpu(b *testing.B, do func()) {
	b.Helper()
	b.ReportAllocs()
	before := testkit.ProcessorTime(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64((testkit.ProcessorTime(b)-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
