package auth_test

// A shop on a socket, and what its tests say to it.

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// world is the empty shop, called by nobody in particular.
type world struct{ *testkit.Shop }

func newWorld(t testing.TB, options shopmock.Options) *world {
	t.Helper()
	options.Seed = fixtures.EmptySeed
	w := &world{testkit.Open(t, testkit.Options{Server: options})}
	w.Client = w.As("", "")
	w.Clock.Set(time.Now()) // the independent signer goes by this machine's clock
	return w
}

// user adds a user whose name is the role and whose password is "pass word", and returns the id.
func (w *world) user(role string) int64 {
	w.T.Helper()
	user := &shop.Customer{Email: role + "@example.test", Username: role, Role: role, FirstName: "The", LastName: role}
	w.Write(func(tx *shop.Tx) error {
		user.PasswordHash = tx.HashPassword("pass word")
		return user.Create(tx)
	})
	return user.ID
}

// key adds an API key of a user: "ck_name" with the secret "cs_name".
func (w *world) key(name string, user int64, permission shop.Permission) {
	w.T.Helper()
	w.Write(func(tx *shop.Tx) error {
		return (&shop.APIKey{Key: "ck_" + name, Secret: "cs_" + name, UserID: user, Permission: permission}).Add(tx)
	})
}

// request makes a request of the shop. A body that begins with { is JSON, others are forms.
func (w *world) request(method, path, body string) *http.Request {
	w.T.Helper()
	if strings.HasPrefix(body, "{") || body == "" {
		return w.Request(method, path, body)
	}
	return w.Request(method, path, testkit.Form(body))
}

func (w *world) wantStatus(what string, a *testkit.Answer, status int) {
	w.T.Helper()
	if a.Status != status {
		w.T.Errorf("%s: %d, want %d: %s", what, a.Status, status, a.Body)
	}
	if status >= 400 && (a.Get("code").String() == "" || a.Get("message").String() == "" || a.Get("data.status").Int() != int64(status)) {
		w.T.Errorf("%s: no error envelope: %s", what, a.Body)
	}
}

func (w *world) basic(name, password string) *http.Request {
	r := w.request("GET", "/shop/v3/coupons", "")
	r.SetBasicAuth(name, password)
	return r
}

func (w *world) bearer(token string) *http.Request {
	r := w.request("GET", "/shop/v3/coupons", "")
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

func (w *world) query(pairs ...string) *http.Request {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return w.request("GET", "/shop/v3/coupons?"+values.Encode(), "")
}

func authorized(w *world, header string) *http.Request {
	r := w.request("GET", "/shop/v3/coupons", "")
	r.Header.Set("Authorization", header)
	return r
}

func cut(pair string) (name, secret string) {
	name, secret, _ = strings.Cut(pair, ":")
	return name, secret
}

func hashOf(w *world, username string) string {
	view := w.Read()
	user, _ := shop.Customers.Username.Find(&view.Customers, username)
	return user.PasswordHash
}
