package spec

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"shopcheck/suites/client"
)

func answered(status int, body string) *client.Answer {
	return &client.Answer{Status: status, Body: []byte(body), Header: http.Header{}}
}

func TestWhatPassesByAsMadeIsDeleted(t *testing.T) {
	m := NewMade()
	watch := func(method, path string, a *client.Answer) { m.Watch(client.Request{Method: method, Path: path}, a) }
	watch("POST", "/shop/v3/products", answered(201, `{"id":5}`))
	watch("POST", "/shop/v3/products", answered(201, `{"id":5}`)) // twice the same
	watch("POST", "/shop/v3/products/5/variations", answered(200, `{"id":6}`))
	watch("POST", "/shop/v2/orders/", answered(201, `{"id":7}`))
	watch("POST", "/shop/v3/products/batch", answered(200, `{"create":[{"id":8},{"id":0,"error":{}}],"update":[{"id":99}]}`))
	watch("GET", "/shop/store/v1/checkout", answered(200, `{"order_id":9}`))
	watch("POST", "/shop/store/v1/checkout", answered(200, `{"order_id":9}`))
	watch("POST", "/shop/v3/products", answered(400, `{"id":100}`))
	watch("PUT", "/shop/v3/products/101", answered(200, `{"id":101}`))
	watch("POST", "/shop/v3/products/102", answered(200, `{"id":102}`))
	watch("POST", "/shop/store/v1/cart/add-item", answered(201, `{"id":103}`))

	var mu sync.Mutex
	var deleted []string
	left := m.Delete(context.Background(), func(_ context.Context, path string) *client.Answer {
		mu.Lock()
		defer mu.Unlock()
		deleted = append(deleted, path)
		if path == "/shop/v3/products/8" {
			return answered(500, "")
		}
		return answered(200, "")
	})
	slices.Sort(deleted)
	want := []string{"/shop/v2/orders/7", "/shop/v3/orders/9", "/shop/v3/products/5", "/shop/v3/products/5/variations/6",
		"/shop/v3/products/8"}
	if !slices.Equal(deleted, want) {
		t.Errorf("deleted %v, want %v", deleted, want)
	}
	if !slices.Equal(left, []string{"DELETE /shop/v3/products/8?force=true"}) {
		t.Errorf("left %v", left)
	}
	if again := m.Delete(context.Background(), nil); again != nil {
		t.Errorf("the second time there is still %v", again)
	}
}

func TestWhatLeavesAWriteUnconfirmed(t *testing.T) {
	broken, refused := answered(500, ""), answered(400, `{}`)
	for _, c := range []struct {
		method, path string
		a            *client.Answer
		want         Unconfirmed
	}{
		{"POST", "/shop/v3/products", broken, Unconfirmed{Writes: true}},
		{"POST", "/shop/v3/products", refused, Unconfirmed{}},
		{"PUT", "/shop/v3/products/1", broken, Unconfirmed{}},
		{"POST", "/shop/store/v1/checkout", refused, Unconfirmed{Checkouts: true}},
		{"GET", "/shop/store/v1/checkout", broken, Unconfirmed{Checkouts: true, Writes: true}}, // it makes a draft order
		{"OPTIONS", "/shop/store/v1/checkout", broken, Unconfirmed{}},
		{"POST", "/shop/store/v1/batch", broken, Unconfirmed{Checkouts: true, Writes: true}},
	} {
		m := NewMade()
		m.Watch(client.Request{Method: c.method, Path: c.path}, c.a)
		if got := m.Unconfirmed(); got != c.want {
			t.Errorf("%s %s, %d: %+v, want %+v", c.method, c.path, c.a.Status, got, c.want)
		}
	}
}
