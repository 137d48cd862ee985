package auth_test

// A shop on a socket, and what its tests say to it.

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
)

// world is a shop on a socket whose clock runs from now on, moved by the test.
type world struct {
	t      testing.TB
	clock  *clock
	server *shopmock.Server
}

func newWorld(t testing.TB, options shopmock.Options) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{now: time.Now()}}
	options.Seed, options.Clock = fixtures.EmptySeed, w.clock.Now
	server, err := shopmock.Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	w.server = server
	return w
}

// user adds a user whose name is the role and whose password is "pass word", and returns the id.
func (w *world) user(role string) int64 {
	w.t.Helper()
	user := &shop.Customer{Email: role + "@example.test", Username: role, Role: role, FirstName: "The", LastName: role}
	w.write(func(tx *shop.Tx) error {
		user.PasswordHash = tx.HashPassword("pass word")
		return user.Create(tx)
	})
	return user.ID
}

// key adds an API key of a user: "ck_name" with the secret "cs_name".
func (w *world) key(name string, user int64, permission shop.Permission) {
	w.t.Helper()
	w.write(func(tx *shop.Tx) error {
		return (&shop.APIKey{Key: "ck_" + name, Secret: "cs_" + name, UserID: user, Permission: permission}).Add(tx)
	})
}

func (w *world) write(change func(*shop.Tx) error) {
	w.t.Helper()
	if _, err := w.server.Shop().Write(change); err != nil {
		w.t.Fatal(err)
	}
}

// request makes a request of the shop. A body that begins with { is JSON, others are forms.
func (w *world) request(method, path, body string) *http.Request {
	w.t.Helper()
	r, err := http.NewRequest(method, w.server.URL()+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	switch {
	case strings.HasPrefix(body, "{"):
		r.Header.Set("Content-Type", "application/json")
	case body != "":
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

type answer struct {
	gjson.Result
	status int
	header http.Header
	body   string
}

// send sends a request on the socket, and follows no redirect.
func (w *world) send(r *http.Request) answer {
	w.t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer{gjson.ParseBytes(body), response.StatusCode, response.Header, string(body)}
}

// hand gives a request to the handler as if it came from an address.
func (w *world) hand(r *http.Request, from string) answer {
	w.t.Helper()
	r.RemoteAddr = from
	r = r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, &http.Server{}))
	recorder := httptest.NewRecorder()
	w.server.Handler().ServeHTTP(recorder, r)
	return answer{gjson.ParseBytes(recorder.Body.Bytes()), recorder.Code, recorder.Header(), recorder.Body.String()}
}

func (w *world) wantStatus(what string, a answer, status int) {
	w.t.Helper()
	if a.status != status {
		w.t.Errorf("%s: %d, want %d: %s", what, a.status, status, a.body)
	}
	if status >= 400 && (a.Get("code").String() == "" || a.Get("message").String() == "" || a.Get("data.status").Int() != int64(status)) {
		w.t.Errorf("%s: no error envelope: %s", what, a.body)
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
	view := w.server.Shop().Read()
	user, _ := shop.Customers.Username.Find(&view.Customers, username)
	return user.PasswordHash
}
