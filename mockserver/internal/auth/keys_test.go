package auth_test

// API keys, users' passwords, and where either may be sent by Basic authentication.

import (
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("shop_manager")
	gone := w.user("editor")
	w.key("gone", gone, shop.ReadWrite)
	w.Write(func(tx *shop.Tx) error {
		user, _ := tx.Customers.Get(gone)
		return user.Delete(tx, 0)
	})

	w.wantStatus("Basic", w.Do(w.basic("ck_mock_rw", "cs_mock_rw")), 200)
	w.wantStatus("query", w.Do(w.query("consumer_key", "ck_mock_rw", "consumer_secret", "cs_mock_rw")), 200)
	for what, r := range map[string]*testkit.Answer{
		"nothing":                   w.Get("/shop/v3/coupons"),
		"a wrong secret":            w.Do(w.basic("ck_mock_rw", "cs_mock_r")),
		"no secret":                 w.Do(w.basic("ck_mock_rw", "")),
		"a revoked key":             w.Do(w.basic("ck_mock_revoked", "cs_mock_revoked")),
		"an unknown key":            w.Do(w.basic("ck_nobody", "cs_nobody")),
		"a key whose user is gone":  w.Do(w.basic("ck_gone", "cs_gone")),
		"a wrong secret in a query": w.Do(w.query("consumer_key", "ck_mock_rw", "consumer_secret", "cs_mock_r")),
		"a revoked key in a query":  w.Do(w.query("consumer_key", "ck_mock_revoked", "consumer_secret", "cs_mock_revoked")),
		"a key alone in a query":    w.Do(w.query("consumer_key", "ck_mock_rw")),
		"a secret alone in a query": w.Do(w.query("consumer_secret", "cs_mock_rw")),
		"another scheme":            w.Do(authorized(w, "Digest username=admin")),
		"half a header":             w.Do(authorized(w, "Basic")),
		"no base64":                 w.Do(authorized(w, "Basic ck_mock_rw:cs_mock_rw")),
	} {
		w.wantStatus(what, r, 401)
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("shop_manager")
	w.user("customer")

	w.wantStatus("name and password", w.Do(w.basic("shop_manager", "pass word")), 200)
	w.wantStatus("a name in capitals", w.Do(w.basic("Shop_Manager", "pass word")), 200)
	w.wantStatus("e-mail and password", w.Do(w.basic("shop_manager@example.test", "pass word")), 200)
	w.wantStatus("a customer", w.Do(w.basic("customer", "pass word")), 403)

	wrong, unknown := w.Do(w.basic("shop_manager", "password")), w.Do(w.basic("nobody", "password"))
	w.wantStatus("a wrong password", wrong, 401)
	if wrong.Body != unknown.Body {
		t.Errorf("an unknown name is told apart from a wrong password:\n%s\n%s", wrong.Body, unknown.Body)
	}
	w.wantStatus("no password", w.Do(w.basic("shop_manager", "")), 401)
	w.wantStatus("a hash for a password", w.Do(w.basic("shop_manager", hashOf(w, "shop_manager"))), 401)
}

func TestAUserWithoutAPasswordCannotSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.Write(func(tx *shop.Tx) error {
		return (&shop.Customer{Email: "bare@example.test", Username: "bare", Role: "administrator"}).Create(tx)
	})
	w.wantStatus("no password", w.Do(w.basic("bare", "")), 401)
	w.wantStatus("any password", w.Do(w.basic("bare", "password")), 401)
}

// TestBasicNeedsASafeWay: Basic authentication works over TLS and from this machine, with Strict over TLS only; the query works
// everywhere.
func TestBasicNeedsASafeWay(t *testing.T) {
	t.Parallel()
	const here, there = "127.0.0.1:40000", "203.0.113.7:40000"
	for _, c := range []struct {
		name    string
		options shopmock.Options
		from    string
		header  []string
		status  int
	}{
		{"from here", shopmock.Options{}, here, nil, 200},
		{"from here, by IPv6", shopmock.Options{}, "[::1]:40000", nil, 200},
		{"from elsewhere", shopmock.Options{}, there, nil, 401},
		{"from here, strictly", shopmock.Options{Strict: true}, here, nil, 401},
		{"from elsewhere, as the client says through TLS", shopmock.Options{}, there, []string{"X-Forwarded-Proto", "https"}, 401},
		{"from elsewhere, as a proxy says through TLS", shopmock.Options{TrustProxy: true}, there,
			[]string{"X-Forwarded-Proto", "https"}, 200},
		{"through TLS, strictly", shopmock.Options{Strict: true, TrustProxy: true}, there, []string{"X-Forwarded-Proto", "https"}, 200},
		{"from elsewhere, through a proxy here", shopmock.Options{TrustProxy: true}, here,
			[]string{"X-Forwarded-For", "127.0.0.1, 203.0.113.7"}, 401},
		{"from here, through a proxy here", shopmock.Options{TrustProxy: true}, here, []string{"X-Forwarded-For", "127.0.0.1"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.options)
			for _, name := range []string{"ck_mock_rw:cs_mock_rw", "admin:password"} {
				r := w.basic(cut(name))
				for i := 0; i < len(c.header); i += 2 {
					r.Header.Set(c.header[i], c.header[i+1])
				}
				r.RemoteAddr = c.from
				w.wantStatus(name, w.Do(r), c.status)
			}
			r := w.query("consumer_key", "ck_mock_rw", "consumer_secret", "cs_mock_rw")
			r.RemoteAddr = c.from
			w.wantStatus("query", w.Do(r), 200)
		})
	}
}
