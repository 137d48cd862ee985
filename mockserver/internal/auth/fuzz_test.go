package auth_test

// Credentials from nowhere: whatever comes, nothing breaks and nobody gets in.

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shopmock"
)

func FuzzCredentials(f *testing.F) {
	w := newWorld(f, shopmock.Options{})
	token := w.token("admin", "password")
	signed := w.signature("GET", "/shop/v3/coupons").done(f)
	for _, header := range []string{
		"", "Basic", "Basic Og==", "Basic Y2tfbW9ja19ydzo=", "Bearer", "Bearer " + token[:len(token)/2], "Bearer " + token + ".",
		"Bearer ..",
		"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwiZXhwIjo5OTk5OTk5OTk5fQ.", "OAuth", "OAuth ,,=,\"", signed.header()[:40],
		`OAuth oauth_consumer_key="ck_mock_rw", oauth_signature_method="HMAC-SHA1", oauth_signature="%zz", oauth_timestamp="1", ` +
			`oauth_nonce="1"`,
		strings.Repeat("OAuth a=b,", 1000),
	} {
		f.Add("GET", header, "per_page=1", "")
		f.Add("POST", header, signed.form()[:60], "oauth_signature=AAAA&oauth_consumer_key=ck_mock_rw&oauth_token=%00")
	}
	f.Add("PUT", "", "consumer_key=ck_mock_rw&consumer_secret=", "%zz")
	f.Fuzz(func(t *testing.T, method, header, query, form string) {
		w := &world{w.In(t)}
		for _, path := range []string{"/shop/v3/coupons", "/jwt-auth/v1/token", "/jwt-auth/v1/token/validate", "/oauth1/request",
			"/oauth1/access", "/oauth1/authorize"} {
			r, err := http.NewRequest(method, w.Site+path, strings.NewReader(form))
			if err != nil {
				t.Skip("no request of HTTP")
			}
			r.URL.RawQuery = query
			r.Header.Set("Authorization", header)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			a := w.Do(r)
			if a.Status >= 500 || a.Status == 0 {
				t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
			}
			if path == "/shop/v3/coupons" && a.Status < 400 && r.Method != http.MethodOptions && !knows(query, header, form) {
				t.Fatalf("%s %s lets in %q", method, path, header)
			}
		}
	})
}

// knows reports whether the input holds a secret of the shop: then it may get in.
func knows(parts ...string) bool {
	all := strings.Join(parts, " ")
	if query, err := url.QueryUnescape(all); err == nil {
		all += query
	}
	return strings.Contains(all, "cs_mock_") || strings.Contains(all, "Basic ") || strings.Contains(all, "_method=")
}

func TestOversizedHeadersDoNoHarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	for _, scheme := range []string{"Basic ", "Bearer ", "OAuth ", ""} {
		huge := authorized(w, scheme+strings.Repeat("a=\"b\",", 1<<15))
		if a := w.Do(huge); a.Status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%q and %d kB more: %d", scheme, 192, a.Status)
		}
		w.wantStatus(scheme+"and 40 kB more", w.Do(authorized(w, scheme+strings.Repeat("a=\"b\",", 7000))), 401)
	}
	w.wantStatus("afterwards", w.Do(w.basic("ck_mock_rw", "cs_mock_rw")), 200)
}
