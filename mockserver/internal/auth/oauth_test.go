package auth_test

// Signed requests, made by an independent signer: github.com/dghubble/oauth1.

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dghubble/oauth1"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// signer returns the two methods by name.
func signer(method, secret string) oauth1.Signer {
	if method == "HMAC-SHA1" {
		return &oauth1.HMACSigner{ConsumerSecret: secret}
	}
	return &oauth1.HMAC256Signer{ConsumerSecret: secret}
}

// application is a client of dghubble/oauth1, which signs in the Authorization header.
func application(key, method string) *oauth1.Config {
	secret := strings.Replace(key, "ck_", "cs_", 1)
	return &oauth1.Config{ConsumerKey: key, ConsumerSecret: secret, Signer: signer(method, secret)}
}

// sign sends a request through an application's client.
func (w *world) sign(config *oauth1.Config, token *oauth1.Token, r *http.Request) *testkit.Answer {
	w.T.Helper()
	if token == nil {
		token = &oauth1.Token{} // the key alone
	}
	capture := &capturing{}
	client := config.Client(context.WithValue(context.Background(), oauth1.HTTPClient, &http.Client{Transport: capture}), token)
	if _, err := client.Transport.RoundTrip(r); err != nil {
		w.T.Fatal(err)
	}
	return w.Do(capture.signed)
}

// capturing keeps the request that a client has signed.
type capturing struct{ signed *http.Request }

func (c *capturing) RoundTrip(r *http.Request) (*http.Response, error) {
	c.signed = r
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestAnIndependentSignerIsUnderstood(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	for _, method := range []string{"HMAC-SHA256", "HMAC-SHA1"} {
		app := application("ck_mock_rw", method)
		for _, path := range []string{
			"/shop/v3/coupons",
			"/shop/v3/coupons?per_page=5&search=%C3%A9t%C3%A9+50%25+off%21&order=asc",
			"/shop/v3/coupons?_fields[]=id&search=a%26b%3Dc%2Bd~*'()",
			"/shop/v3/coupons/?per_page=1",
			"/?rest_route=/shop/v3/coupons&per_page=1",
		} {
			w.wantStatus(method+" GET "+path, w.sign(app, nil, w.request("GET", path, "")), 200)
		}
		json := w.sign(app, nil, w.request("POST", "/shop/v3/coupons", `{"code":"json-`+strings.ToLower(method)+`","amount":"5"}`))
		w.wantStatus(method+" POST of JSON", json, 201)
		form := w.sign(app, nil, w.request("POST", "/shop/v3/coupons", "code=form+"+strings.ToLower(method)+"&amount=5&description=a%26b"))
		w.wantStatus(method+" POST of a form", form, 201)
		if got := form.Get("description").String(); got != "a&b" {
			t.Errorf("the form that was signed is read as %q", got)
		}
		item := "/shop/v3/coupons/" + json.Get("id").String()
		w.wantStatus(method+" PUT", w.sign(app, nil, w.request("PUT", item, `{"amount":"6"}`)), 200)
		w.wantStatus(method+" POST for PUT", w.sign(app, nil, w.request("POST", item+"?_method=PUT", `{"amount":"7"}`)), 200)
		w.wantStatus(method+" HEAD", w.sign(app, nil, w.request("HEAD", item, "")), 200)
		w.wantStatus(method+" DELETE", w.sign(app, nil, w.request("DELETE", item+"?force=true", "")), 200)
	}
}

func TestASignedRequestHasThePermissionOfItsKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.wantStatus("reading", w.sign(application("ck_mock_r", "HMAC-SHA256"), nil, w.request("GET", "/shop/v3/coupons", "")), 200)
	w.wantStatus("writing with a read key", w.sign(application("ck_mock_r", "HMAC-SHA256"), nil,
		w.request("POST", "/shop/v3/coupons", `{"code":"x"}`)), 403)
	w.wantStatus("reading with a write key",
		w.sign(application("ck_mock_w", "HMAC-SHA256"), nil, w.request("GET", "/shop/v3/coupons", "")), 403)
	w.wantStatus("a revoked key", w.sign(application("ck_mock_revoked", "HMAC-SHA256"), nil, w.request("GET", "/shop/v3/coupons", "")), 401)
	w.wantStatus("an unknown key", w.sign(application("ck_nobody", "HMAC-SHA256"), nil, w.request("GET", "/shop/v3/coupons", "")), 401)
}

// signature is a signed request that a test makes by hand, so that it can put the parts where it wants.
type signature struct {
	method, address string            // what is signed
	secret, token   string            // secrets
	says            map[string]string // all parameters that are signed
	sort            func([]string)    // pairs of names and values; nil: as the RFC has it
}

// signature begins with what a good request of the read-write key says.
func (w *world) signature(method, path string) *signature {
	return &signature{method: method, address: w.Site + path, secret: "cs_mock_rw", says: map[string]string{
		"oauth_consumer_key": "ck_mock_rw", "oauth_signature_method": "HMAC-SHA256", "oauth_version": "1.0",
		"oauth_timestamp": strconv.FormatInt(w.Clock.Now().Unix(), 10), "oauth_nonce": nextNonce(),
	}}
}

var nonces atomic.Int64

func nextNonce() string { return "nonce-" + strconv.FormatInt(nonces.Add(1), 10) }

func (s *signature) say(name, value string) *signature {
	s.says[name] = value
	return s
}

// done adds the signature. The encoding and the HMAC are the independent signer's.
func (s *signature) done(t testing.TB) *signature {
	t.Helper()
	var pairs []string
	for name, value := range s.says {
		pairs = append(pairs, oauth1.PercentEncode(name)+"="+oauth1.PercentEncode(value))
	}
	slices.Sort(pairs)
	if s.sort != nil {
		s.sort(pairs)
	}
	base := s.method + "&" + oauth1.PercentEncode(s.address) + "&" + oauth1.PercentEncode(strings.Join(pairs, "&"))
	made, err := signer(s.says["oauth_signature_method"], s.secret).Sign(s.token, base)
	if err != nil {
		t.Fatal(err)
	}
	return s.say("oauth_signature", made)
}

// form returns all that is said as a query or form.
func (s *signature) form() string {
	values := url.Values{}
	for name, value := range s.says {
		values.Set(name, value)
	}
	return values.Encode()
}

func (s *signature) header() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.says)) {
		parts = append(parts, oauth1.PercentEncode(name)+`="`+oauth1.PercentEncode(s.says[name])+`"`)
	}
	return `oauth realm="The shop", ` + strings.Join(parts, ",")
}

func TestSignaturesComeInQueryHeaderAndBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	w.wantStatus("query", w.Get(path+"?"+w.signature("GET", path).say("per_page", "2").done(t).form()), 200)

	r := w.request("GET", path, "")
	r.Header.Set("Authorization", w.signature("GET", path).done(t).header())
	w.wantStatus("header", w.Do(r), 200)

	body := w.Do(w.request("POST", path, w.signature("POST", path).say("code", "by form").say("amount", "5").done(t).form()))
	w.wantStatus("body", body, 201)
	if got := body.Get("code").String(); got != "by form" {
		t.Errorf("the coupon of the form is %q", got)
	}
}

// TestAParameterSentTwiceIsSignedOnce: widely used clients put each query parameter into the address twice, and sign it once.
func TestAParameterSentTwiceIsSignedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	twice := func(form string) *testkit.Answer { return w.Get(path + "?" + form + "&" + form) }
	signed := func() *signature { return w.signature("GET", path).say("per_page", "2").say("search", "a b") }

	w.wantStatus("everything twice", twice(signed().done(t).form()), 200)
	w.wantStatus("one parameter twice", w.Get(path+"?per_page=2&"+signed().done(t).form()), 200)
	w.wantStatus("a list twice", twice(signed().say("include[]", "7").done(t).form()), 200)
	w.wantStatus("the last value is signed", w.Get(path+"?per_page=9&"+signed().done(t).form()), 200)
	w.wantStatus("the first value is signed", w.Get(path+"?"+signed().done(t).form()+"&per_page=9"), 401)
	w.wantStatus("one more entry of a list",
		w.Get(path+"?include[]=8&"+signed().say("include[]", "7").done(t).form()), 401)
}

// TestALongListIsSignedInEitherOrder: the RFC has include[10] before include[2], shops of this family and clients made for them after it.
func TestALongListIsSignedInEitherOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	byLength := func(pairs []string) {
		slices.SortStableFunc(pairs, func(a, b string) int {
			if strings.HasPrefix(a, "include%5B") && strings.HasPrefix(b, "include%5B") {
				return len(strings.Split(a, "=")[0]) - len(strings.Split(b, "=")[0])
			}
			return 0
		})
	}
	for order, c := range map[string]struct {
		sort   func([]string)
		status int
	}{"by name": {nil, 200}, "by number": {byLength, 200}, "backwards": {slices.Reverse[[]string], 401}} {
		s := w.signature("GET", path).say("per_page", "20")
		for i := range 12 {
			s.say("include["+strconv.Itoa(i)+"]", strconv.Itoa(i+1))
		}
		s.sort = c.sort
		w.wantStatus(order, w.Get(path+"?"+s.done(t).form()), c.status)
	}
}

func TestSignaturesThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	at := func(away time.Duration) string { return strconv.FormatInt(w.Clock.Now().Add(away).Unix(), 10) }
	good := func() *signature { return w.signature("GET", path).say("per_page", "2") }
	without := func(name string) *signature {
		s := good()
		delete(s.says, name)
		return s.done(t)
	}
	other := func(change func(*signature)) *signature {
		s := good()
		change(s)
		return s.done(t)
	}

	for what, s := range map[string]*signature{
		"timely":              good().say("oauth_timestamp", at(0)).done(t),
		"a little early":      good().say("oauth_timestamp", at(14*time.Minute)).done(t),
		"a little late":       good().say("oauth_timestamp", at(-14*time.Minute)).done(t),
		"without a version":   without("oauth_version"),
		"with an empty token": good().say("oauth_token", "").done(t),
	} {
		w.wantStatus(what, w.Get(path+"?"+s.form()), 200)
	}
	for what, s := range map[string]*signature{
		"too early":             good().say("oauth_timestamp", at(16*time.Minute)).done(t),
		"too late":              good().say("oauth_timestamp", at(-16*time.Minute)).done(t),
		"at no time":            good().say("oauth_timestamp", "now").done(t),
		"at the end of time":    good().say("oauth_timestamp", "9223372036854775807").done(t),
		"after the end of time": good().say("oauth_timestamp", "99999999999999999999999").done(t),
		"before all time":       good().say("oauth_timestamp", "-9223372036854775808").done(t),
		"without a timestamp":   without("oauth_timestamp"),
		"without a nonce":       without("oauth_nonce"),
		"without a key":         without("oauth_consumer_key"),
		"without a method":      without("oauth_signature_method"),
		"another version":       good().say("oauth_version", "2.0").done(t),
		"an unknown token":      good().say("oauth_token", "nobody's").done(t),
		"another parameter":     good().done(t).say("per_page", "3"),
		"one parameter more":    good().done(t).say("page", "2"),
		"no signature":          good().say("oauth_signature", ""),
		"no base64":             good().say("oauth_signature", "%%%"),
		"an empty digest":       good().say("oauth_signature", "AAAA"),
		"another secret":        other(func(s *signature) { s.secret = "cs_mock_r" }),
		"another verb":          other(func(s *signature) { s.method = "POST" }),
		"another host":          other(func(s *signature) { s.address = "http://shop.example.test" + path }),
		"another path":          other(func(s *signature) { s.address += "s" }),
		"another scheme":        other(func(s *signature) { s.address = strings.Replace(s.address, "http:", "https:", 1) }),
		"plain text":            good().say("oauth_signature_method", "PLAINTEXT").say("oauth_signature", "cs_mock_rw&"),
		"RSA":                   good().say("oauth_signature_method", "RSA-SHA1").say("oauth_signature", "AAAA"),
		"SHA1 said to be 256":   good().say("oauth_signature_method", "HMAC-SHA1").done(t).say("oauth_signature_method", "HMAC-SHA256"),
	} {
		w.wantStatus(what, w.Get(path+"?"+s.form()), 401)
	}
}

func TestANonceIsUsedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	forged := w.signature("GET", path)
	forged.secret = "wrong"
	nonce := forged.says["oauth_nonce"]
	w.wantStatus("forged", w.Get(path+"?"+forged.done(t).form()), 401)

	once := w.signature("GET", path).say("oauth_nonce", nonce).done(t).form()
	w.wantStatus("the first time", w.Get(path+"?"+once), 200)
	w.wantStatus("the second time", w.Get(path+"?"+once), 401)
	w.Clock.Move(10 * time.Minute)
	w.wantStatus("signed anew", w.Get(path+"?"+w.signature("GET", path).say("oauth_nonce", nonce).done(t).form()),
		401)
}

func TestOneOfManyReplaysPasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	const path = "/shop/v3/coupons"
	once := w.signature("GET", path).done(t).form()
	var passed atomic.Int64
	var senders sync.WaitGroup
	for range 20 {
		senders.Go(func() {
			if w.Get(path+"?"+once).Status == http.StatusOK {
				passed.Add(1)
			}
		})
	}
	senders.Wait()
	if got := passed.Load(); got != 1 {
		t.Errorf("%d of 20 equal requests pass, want 1", got)
	}
}

func TestTheAddressBehindAProxyIsTheClients(t *testing.T) {
	t.Parallel()
	const path = "/shop/v3/coupons"
	for trust, status := range map[bool]int{true: 200, false: 401} {
		w := newWorld(t, shopmock.Options{TrustProxy: trust})
		s := w.signature("GET", path)
		s.address = "https://shop.example.test" + path
		r := w.request("GET", path+"?"+s.done(t).form(), "")
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-Host", "shop.example.test")
		w.wantStatus("trusting the proxy: "+strconv.FormatBool(trust), w.Do(r), status)
	}
}
