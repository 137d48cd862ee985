package shopmock_test

// A request has one moment: whatever it does, it reads the clock once.

import (
	"fmt"
	"net/http"
	"testing"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func TestARequestReadsTheClockOnce(t *testing.T) {
	t.Parallel()
	const store = "/shop/store/v1"
	off := journal.Settings{Requests: -1} // the journal notes how long an answer took, and so does the advice
	shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{Journal: off, Advice: advice.Off}})
	visitor := shop.As("", "")
	arrival := visitor.Get(store + "/cart")
	cart := visitor.With("Cart-Token", arrival.Header.Get("Cart-Token"))
	cookie := visitor.With("Cookie", (&http.Response{Header: arrival.Header}).Cookies()[0].String())
	bearer := visitor.With("Authorization",
		"Bearer "+visitor.Post("/jwt-auth/v1/token", `{"username":"admin","password":"password"}`).Get("token").Str)
	path := shop.Create("/shop/v3/products", `{"name":"Mug","regular_price":"5"}`)
	add := fmt.Sprintf(`{"id":%s,"quantity":1}`, shop.Get(path).Get("id"))
	inner := `{"path":"/shop/store/v1/cart/add-item","body":` + add + `}`
	batch := `{"requests":[` + inner + `,` + inner + `]}`
	for _, c := range []struct {
		name         string
		caller       *testkit.Client
		method, path string
		body         string
		status       int
	}{
		{"a read by key", shop.Client, "GET", path, "", 200},
		{"a write by key", shop.Client, "PUT", path, `{"name":"Cup"}`, 200},
		{"a batch of writes", shop.Client, "POST", "/shop/v3/products/batch", `{"create":[{"name":"A"},{"name":"B"}]}`, 200},
		{"a read by bearer token", bearer, "GET", path, "", 200},
		{"a token for a password", visitor, "POST", "/jwt-auth/v1/token", `{"username":"admin","password":"password"}`, 200},
		{"a visitor's first read", visitor, "GET", store + "/cart", "", 200},
		{"a read by cookie", cookie, "GET", store + "/cart", "", 200},
		{"a cart write by token", cart, "POST", store + "/cart/add-item", add, 201},
		{"a batch of cart writes", cart, "POST", store + "/batch", batch, 207},
		{"a draft order", cart, "GET", store + "/checkout", "", 200},
		{"a checkout", cart, "POST", store + "/checkout", checkoutBody, 200},
		{"a page", visitor, "GET", "/product/mug/", "", 200},
	} {
		before := shop.Clock.Readings()
		c.caller.Call(c.method, c.path, c.body).Want(c.status)
		if read := shop.Clock.Readings() - before; read != 1 {
			t.Errorf("%s reads the clock %d times", c.name, read)
		}
	}
}
