package client

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

// recorded is a client against a handler, with what it recorded.
func recorded(t *testing.T, edit func(*profile.Profile), handler http.HandlerFunc) (*Client, *[]reports.Exchange) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	p := profile.New(server.URL)
	p.Credentials.ReadWrite = profile.Credentials{Key: "ck_1", Secret: "cs_secret&1"}
	p.Limits.RetryWait = time.Millisecond
	if edit != nil {
		edit(&p)
	}
	exchanges := &[]reports.Exchange{}
	c := New(p, NewRedactor(p), func(e reports.Exchange) int {
		*exchanges = append(*exchanges, e)
		return len(*exchanges) - 1
	}, nil)
	t.Cleanup(c.Close)
	return c, exchanges
}

func get(path string) Request { return Request{Method: http.MethodGet, Path: path} }

func TestIdempotentRequestsAreRetried(t *testing.T) {
	for _, status := range []int{429, 502, 503, 504} {
		var calls atomic.Int32
		c, exchanges := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			if calls.Add(1) < 3 {
				w.WriteHeader(status)
			}
		})
		a := c.Do(context.Background(), get("/x"))
		if a.Status != 200 || a.Retries != 2 || (*exchanges)[0].Retries != 2 {
			t.Errorf("after %d: status %d, %d retries", status, a.Status, a.Retries)
		}
	}
}

func TestWhatMustNotBeSentTwiceIsNot(t *testing.T) {
	for _, status := range []int{500, 502, 503, 504} {
		var calls atomic.Int32
		c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) { calls.Add(1); w.WriteHeader(status) })
		a := c.Do(context.Background(), Request{Method: http.MethodPost, Path: "/x"})
		if a.Status != status || calls.Load() != 1 {
			t.Errorf("status %d after %d calls, want one call that gets %d", a.Status, calls.Load(), status)
		}
	}
}

// Who turns a request away before looking at it, and asks for it again, may be sent any request again.
func TestWhatWasTurnedAwayIsSentAgain(t *testing.T) {
	for _, status := range []int{429, 503} {
		var calls atomic.Int32
		c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			if calls.Add(1) == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(status)
			}
		})
		a := c.Do(context.Background(), Request{Method: http.MethodPost, Path: "/x", Body: "{}"})
		if a.Status != 200 || a.Retries != 1 {
			t.Errorf("after %d: status %d, %d retries", status, a.Status, a.Retries)
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	var calls atomic.Int32
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		}
	})
	began := time.Now()
	if a := c.Do(context.Background(), get("/x")); a.Status != 200 {
		t.Fatalf("status %d", a.Status)
	}
	if waited := time.Since(began); waited < 900*time.Millisecond {
		t.Errorf("waited %s, the target asked for one second", waited)
	}
}

func TestBrokenConnectionsAreRetried(t *testing.T) {
	var calls atomic.Int32
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}
	})
	if a := c.Do(context.Background(), get("/x")); a.Err != nil || a.Status != 200 {
		t.Errorf("status %d, error %v", a.Status, a.Err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var elsewhere atomic.Int64
	for _, status := range []int{301, 302, 303, 307, 308} {
		c, _ := recorded(t, nil, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				elsewhere.Add(1)
			}
			http.Redirect(w, r, "/elsewhere", status)
		})
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			if a := c.Do(context.Background(), Request{Method: method, Path: "/x"}); a.Status != status || a.Err != nil {
				t.Errorf("%s: status %d, want %d, error %v", method, a.Status, status, a.Err)
			}
		}
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("%d requests were led elsewhere", n)
	}
}

func TestCookiesAreNotKeptByTheClient(t *testing.T) {
	c, _ := recorded(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if len(r.Cookies()) > 0 {
			w.WriteHeader(400)
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "abcdef"})
	})
	c.Do(context.Background(), get("/x"))
	if a := c.Do(context.Background(), get("/x")); a.Status != 200 {
		t.Error("the second request carried the cookie of the first")
	}
}

func TestBodiesAreBoundedInTheReport(t *testing.T) {
	c, exchanges := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) })
	a := c.Do(context.Background(), get("/x"))
	m := (*exchanges)[0].Response
	if len(a.Body) != 1<<20 || len(m.Body) > recordedBody || m.Truncated == 0 {
		t.Errorf("%d bytes read, %d recorded, %d cut", len(a.Body), len(m.Body), m.Truncated)
	}
}

func TestEndlessAnswersAreAnError(t *testing.T) {
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		for range 40 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	if a := c.Do(context.Background(), get("/x")); a.Err == nil {
		t.Error("40 MiB were taken in")
	}
}

func TestCredentialsTravelAsAsked(t *testing.T) {
	seen := make(chan *http.Request, 1)
	c, exchanges := recorded(t, nil, func(_ http.ResponseWriter, r *http.Request) { seen <- r })
	pair := c.profile.Credentials.ReadWrite

	c.Do(context.Background(), Request{Method: "GET", Path: "/x", Auth: Auth{Credentials: pair, Way: AnyWay}})
	if key, secret, ok := (<-seen).BasicAuth(); !ok || key != pair.Key || secret != pair.Secret {
		t.Errorf("Basic %q %q %v", key, secret, ok)
	}
	c.Do(context.Background(), Request{Method: "GET", Path: "/x", Query: url.Values{"a": {"1"}},
		Auth: Auth{Credentials: pair, Way: QueryWay}})
	if q := (<-seen).URL.Query(); q.Get("consumer_secret") != pair.Secret || q.Get("a") != "1" {
		t.Errorf("query %v", q)
	}
	c.Do(context.Background(), get("/x"))
	if r := <-seen; r.Header.Get("Authorization") != "" || r.URL.RawQuery != "" {
		t.Error("a request without credentials carries some")
	}
	for _, e := range *exchanges {
		if text := e.URL + e.Curl; strings.Contains(text, "cs_secret") {
			t.Errorf("the secret shows: %s", text)
		}
	}
}

func TestKeysGoByQueryOverPlainHTTP(t *testing.T) {
	c := &Client{profile: profile.New("http://shop.example.test")}
	if c.safeAuth(Auth{}).Way != QueryWay {
		t.Error("Basic over plain HTTP to a distant host")
	}
	c.profile.Target = "https://shop.example.test"
	if c.safeAuth(Auth{}).Way != BasicWay {
		t.Error("query although there is TLS")
	}
}

func TestWritesNeedPermission(t *testing.T) {
	c := New(profile.New("http://shop.example.test"), NewRedactor(profile.Profile{}), func(reports.Exchange) int { return 0 }, refuse{t})
	for _, r := range []Request{{Method: "POST", Path: "/shop/v3/products"}, {Method: "DELETE", Path: "/shop/v3/products/1"},
		get("/shop/store/v1/checkout")} {
		if a := c.Do(context.Background(), r); a.Err != ErrReadOnly {
			t.Errorf("%s %s: %v", r.Method, r.Path, a.Err)
		}
	}
}

func TestAskingForTheOptionsOfCheckoutIsNoWrite(t *testing.T) {
	if (Request{Method: http.MethodOptions, Path: Store + "/checkout"}).Writes() {
		t.Error("OPTIONS checkout is taken for a write: a run that only reads would not find the checkout")
	}
}

// refuse is a network that must not be used.
type refuse struct{ t *testing.T }

func (r refuse) RoundTrip(req *http.Request) (*http.Response, error) {
	r.t.Errorf("%s %s was sent", req.Method, req.URL)
	return nil, http.ErrHandlerTimeout
}

func TestRateLimit(t *testing.T) {
	c, _ := recorded(t, func(p *profile.Profile) { p.Limits.RequestsPerSecond = 20 }, func(http.ResponseWriter, *http.Request) {})
	began := time.Now()
	for range 4 {
		c.Do(context.Background(), get("/x"))
	}
	if took := time.Since(began); took < 130*time.Millisecond {
		t.Errorf("four requests at 20 a second took %s", took)
	}
}

func TestEndpointNamesTheRoute(t *testing.T) {
	for path, want := range map[string]string{
		"/shop/v3/products/17/variations/4":                             "GET /shop/v3/products/{id}/variations/{id}",
		"/shop/store/v1/cart/items/0123456789abcdef0123456789abcdef":    "GET /shop/store/v1/cart/items/{key}",
		"/?" + url.Values{"rest_route": {"/shop/v3/orders/3"}}.Encode(): "GET /shop/v3/orders/{id}",
		"/shop/v3/products?per_page=3":                                  "GET /shop/v3/products",
	} {
		if got := Endpoint("GET", path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
