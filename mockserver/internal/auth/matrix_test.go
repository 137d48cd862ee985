package auth_test

// Who may do what: roles × permissions × ways to sign in × methods.

import (
	"net/http"
	"strconv"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

var roles = map[string]bool{ // → has the capability edit_posts
	"administrator": true, "shop_manager": true, "editor": true, "author": true, "contributor": true,
	"customer": false, "subscriber": false, "nonsense": false,
}

var permissions = map[shop.Permission][2]bool{ // → reads, writes
	shop.ReadOnly: {true, false}, shop.WriteOnly: {false, true}, shop.ReadWrite: {true, true},
}

// matrix is a shop with a user of each role, each with a key of each permission.
type matrix struct {
	*world
	coupons int
	tokens  map[string]string // role → bearer token
}

func newMatrix(t *testing.T) *matrix {
	m := &matrix{world: newWorld(t, shopmock.Options{}), tokens: map[string]string{}}
	for role := range roles {
		user := m.user(role)
		for permission := range permissions {
			m.key(role+"_"+string(permission), user, permission)
		}
		m.tokens[role] = m.token(role, "pass word")
	}
	return m
}

// coupon makes a coupon to change or delete.
func (m *matrix) coupon() string {
	m.T.Helper()
	m.coupons++
	coupon := &shop.Coupon{Code: "matrix-" + strconv.Itoa(m.coupons), Status: shop.StatusPublish, Type: "fixed_cart"}
	m.Write(func(tx *shop.Tx) error { return coupon.Add(tx) })
	return "/shop/v3/coupons/" + strconv.FormatInt(coupon.ID, 10)
}

// calls are one of each method, valid in all but who makes it.
func (m *matrix) calls() []*http.Request {
	m.coupons++
	create := `{"code":"made-` + strconv.Itoa(m.coupons) + `"}`
	return []*http.Request{
		m.request("GET", "/shop/v3/coupons", ""), m.request("HEAD", "/shop/v3/coupons", ""), m.request("GET", m.coupon(), ""),
		m.request("POST", "/shop/v3/coupons", create), m.request("PUT", m.coupon(), `{"amount":"1"}`),
		m.request("PATCH", m.coupon(), `{"amount":"1"}`), m.request("POST", "/shop/v3/coupons/batch", `{"create":[]}`),
		m.request("DELETE", m.coupon()+"?force=true", ""),
	}
}

func (m *matrix) check(what string, r *http.Request, send func(*http.Request) *testkit.Answer, allowed bool) {
	m.T.Helper()
	before := m.Version()
	a := send(r)
	switch {
	case allowed && a.Status/100 != 2:
		m.T.Errorf("%s: %s %s: %d, want it allowed: %s", what, r.Method, r.URL.Path, a.Status, a.Body)
	case !allowed && a.Status != http.StatusForbidden:
		m.T.Errorf("%s: %s %s: %d, want 403: %s", what, r.Method, r.URL.Path, a.Status, a.Body)
	case !allowed && m.Version() != before:
		m.T.Errorf("%s: %s %s: refused, but the shop changed", what, r.Method, r.URL.Path)
	}
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

func TestRolesAndPermissions(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for role, edits := range roles {
		for permission, may := range permissions {
			key := "ck_" + role + "_" + string(permission)
			secret := "cs" + key[2:]
			for way, send := range map[string]func(*http.Request) *testkit.Answer{
				"Basic": func(r *http.Request) *testkit.Answer {
					r.SetBasicAuth(key, secret)
					return m.Do(r)
				},
				"query": func(r *http.Request) *testkit.Answer {
					query := r.URL.Query()
					query.Set("consumer_key", key)
					query.Set("consumer_secret", secret)
					r.URL.RawQuery = query.Encode()
					return m.Do(r)
				},
				"OAuth": func(r *http.Request) *testkit.Answer { return m.sign(application(key, "HMAC-SHA256"), nil, r) },
			} {
				for _, r := range m.calls() {
					allowed := edits && may[0]
					if !reads(r) {
						allowed = edits && may[1]
					}
					m.check(role+" with a "+string(permission)+" key by "+way, r, send, allowed)
				}
			}
		}
	}
}

func TestRolesOfUsers(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for role, edits := range roles {
		for way, send := range map[string]func(*http.Request) *testkit.Answer{
			"password": func(r *http.Request) *testkit.Answer {
				r.SetBasicAuth(role, "pass word")
				return m.Do(r)
			},
			"bearer token": func(r *http.Request) *testkit.Answer {
				r.Header.Set("Authorization", "Bearer "+m.tokens[role])
				return m.Do(r)
			},
		} {
			for _, r := range m.calls() {
				m.check(role+" by "+way, r, send, edits)
			}
		}
	}
}
