package shopmock_test

// Faults, as the client meets them.

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

// withoutSocket makes a shop that is called through its handler, without a server.
func withoutSocket(t *testing.T, options shopmock.Options) *shopmock.Server {
	t.Helper()
	shop, err := shopmock.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shop.Close() }) //nolint:errcheck // there is no socket
	return shop
}

// direct sends a request to a handler, with the key that may write; a body goes as JSON.
func direct(shop *shopmock.Server, method, target, body string) *httptest.ResponseRecorder {
	return asking(shop, method, target, body, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("ck_mock_rw:cs_mock_rw")))
}

// withFaults puts rules into a shop.
func withFaults(t *testing.T, shop *shopmock.Server, rules ...faults.Rule) {
	t.Helper()
	if err := shop.Faults().Replace(faults.Document{Rules: rules}); err != nil {
		t.Fatal(err)
	}
}

func TestFaultsThatAreAnswers(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	for status, want := range map[int]string{
		400: "rest_invalid_param", 401: "shop_rest_authentication_error", 403: "rest_forbidden", 404: "rest_no_route",
		409: "shop_rest_cart_invalid_key", 429: "rest_too_many_requests", 500: "internal_server_error", 502: "http_502",
		503: "http_503",
	} {
		withFaults(t, shop, faults.Rule{Path: "/shop/v3/**", Effect: faults.Status, Status: status})
		answer := direct(shop, "GET", "/shop/v3/products/1", "")
		body := answer.Body.String()
		if answer.Code != status || !isEnvelope(status, body) || gjson.Get(body, "code").Str != want ||
			(answer.Header().Get("Retry-After") == "1") != (status == 429 || status == 503) {
			t.Errorf("%d: %d %v %s", status, answer.Code, answer.Header(), body)
		}
		if answer := direct(shop, "GET", "/shop/store/v1/products", ""); answer.Code != 200 {
			t.Errorf("another path: %d", answer.Code)
		}
	}
	withFaults(t, shop, faults.Rule{Effect: faults.Status, Status: 503, Code: "down", Message: "Back soon.", RetryAfter: 9})
	answer := direct(shop, "GET", "/shop/v3/products/1", "")
	if got := answer.Body.String(); got != `{"code":"down","message":"Back soon.","data":{"status":503}}` ||
		answer.Header().Get("Retry-After") != "9" {
		t.Errorf("%v %s", answer.Header(), got)
	}
	if answer := direct(shop, "GET", "/_mock/faults", ""); answer.Code != 200 {
		t.Errorf("the mock's own API fails, too: %d", answer.Code)
	}
	if got := gjson.Get(direct(shop, "GET", "/_mock/requests?fault=true", "").Body.String(), "#").Int(); got == 0 {
		t.Error("the journal tells of no fault")
	}
}

func TestFaultsOfTheConnection(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		shop := shopmock.Start(t, shopmock.Options{TLS: secure})
		transport := &http.Transport{DisableKeepAlives: true}
		if secure {
			transport = trusting(shop)
			transport.DisableKeepAlives = true
		}
		client := &http.Client{Transport: transport}
		for effect, check := range map[string]func(*http.Response, error) bool{
			faults.Reset:   func(_ *http.Response, err error) bool { return errors.Is(err, syscall.ECONNRESET) },
			faults.Empty:   func(_ *http.Response, err error) bool { return errors.Is(err, io.EOF) },
			faults.Garbage: func(_ *http.Response, err error) bool { return err != nil && !errors.Is(err, io.EOF) },
			faults.Cut: func(response *http.Response, err error) bool {
				if err != nil {
					return false
				}
				body, err := io.ReadAll(response.Body)
				return response.StatusCode == 200 && errors.Is(err, io.ErrUnexpectedEOF) && len(body) > 0
			},
			faults.Dribble: func(response *http.Response, err error) bool {
				if err != nil {
					return false
				}
				body, err := io.ReadAll(response.Body)
				return err == nil && gjson.GetBytes(body, "#").Int() == 10
			},
		} {
			for _, path := range []string{"/shop/store/v1/products", "/wp-json/wc/store/v1/products"} {
				request, err := http.NewRequest("GET", shop.URL()+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set(faults.Header, "fault="+effect+"; delay=1ms")
				response, err := client.Do(request)
				if !check(response, err) {
					t.Errorf("%s at %s, TLS %t: %v", effect, path, secure, err)
				}
				if err == nil {
					response.Body.Close()
				}
			}
		}
	}
}

// trusting makes a transport that trusts a server's certificate.
func trusting(shop *shopmock.Server) *http.Transport {
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: shop.CertPool()}}
}

func TestFaultsWithoutASocket(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	withFaults(t, shop, faults.Rule{Effect: faults.Reset})
	if answer := direct(shop, "GET", "/shop/v3/products/1", ""); answer.Code != 501 || !isEnvelope(501, answer.Body.String()) {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

// A visit to the Store API by nonces and cookie, or by a cart token.
type visit struct {
	t       *testing.T
	shop    *shopmock.Server
	header  http.Header
	byToken bool
}

func newVisit(t *testing.T, shop *shopmock.Server, byToken bool) *visit {
	v := &visit{t, shop, http.Header{"Content-Type": {"application/json"}}, byToken}
	v.send("GET", "/cart", "")
	v.send("POST", "/cart/add-item", `{"id":1,"quantity":1}`)
	return v
}

func (v *visit) send(method, path, body string) (int, gjson.Result) {
	v.t.Helper()
	request := httptest.NewRequest(method, "/shop/store/v1"+path, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header = v.header.Clone()
	recorder := httptest.NewRecorder()
	v.shop.Handler().ServeHTTP(recorder, request)
	got := recorder.Result()
	if v.byToken {
		v.header.Set("Cart-Token", got.Header.Get("Cart-Token"))
	} else {
		v.header.Set("Nonce", got.Header.Get("Nonce"))
		for _, cookie := range got.Cookies() {
			v.header.Set("Cookie", cookie.Name+"="+cookie.Value)
		}
	}
	return recorder.Code, gjson.Parse(recorder.Body.String())
}

func TestFaultsOfSessions(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	byNonce, byToken := newVisit(t, shop, false), newVisit(t, shop, true)
	withFaults(t, shop, faults.Rule{Effect: faults.StaleNonce, Times: 1}, faults.Rule{Effect: faults.ExpiredToken, Nth: 3})
	const add = `{"id":1,"quantity":1}`
	if status, body := byToken.send("POST", "/cart/add-item", add); status != 201 || body.Get("items.0.quantity").Int() != 2 {
		t.Errorf("by token: %d %s", status, body)
	}
	if status, body := byNonce.send("POST", "/cart/add-item", add); status != 403 || body.Get("code").Str != "shop_rest_invalid_nonce" {
		t.Errorf("a stale nonce: %d %s", status, body)
	}
	if status, body := byToken.send("POST", "/cart/add-item", add); status != 401 || body.Get("code").Str != "shop_rest_missing_nonce" {
		t.Errorf("an expired token: %d %s", status, body)
	}
	if status, body := byNonce.send("POST", "/cart/add-item", add); status != 201 || body.Get("items.0.quantity").Int() != 2 {
		t.Errorf("with the new nonce: %d %s", status, body)
	}
	token := gjson.Get(direct(shop, "POST", "/jwt-auth/v1/token", `{"username":"admin","password":"password"}`).Body.String(), "token").Str
	withFaults(t, shop, faults.Rule{Effect: faults.ExpiredToken, Times: 1})
	for _, want := range []int{401, 200} {
		request := httptest.NewRequest("GET", "/shop/v3/products/1", nil)
		request.Header.Set("Authorization", "Bearer "+token)
		recorder := httptest.NewRecorder()
		if shop.Handler().ServeHTTP(recorder, request); recorder.Code != want {
			t.Errorf("a bearer token: %d, want %d", recorder.Code, want)
		}
	}
}

func TestFaultsOnTheWayToTheCheckout(t *testing.T) {
	t.Parallel()
	for effect, want := range map[string]struct {
		status int
		code   string
	}{
		faults.SoldOut: {409, ""}, faults.PaymentDeclined: {400, "shop_rest_checkout_payment_error"}, faults.CouponUsedUp: {409, ""},
		faults.PriceChanged: {200, ""},
	} {
		shop := withoutSocket(t, shopmock.Options{})
		v := newVisit(t, shop, true)
		_, before := v.send("POST", "/cart/apply-coupon", `{"code":"SAVE10"}`)
		withFaults(t, shop, faults.Rule{Method: "POST", Path: "/shop/store/v1/checkout", Effect: effect, Times: 1})
		status, body := v.send("POST", "/checkout", checkoutBody)
		if status != want.status || want.code != "" && body.Get("code").Str != want.code || !isEnvelope(status, body.Raw) && status >= 400 {
			t.Errorf("%s: %d %s", effect, status, body)
		}
		switch effect {
		case faults.SoldOut, faults.CouponUsedUp:
			if !body.Get("data.cart.errors.0").Exists() {
				t.Errorf("%s: the cart tells of no error: %s", effect, body)
			}
		case faults.PaymentDeclined:
			if status, body := v.send("POST", "/checkout", checkoutBody); status != 200 || body.Get("status").Str != "on-hold" {
				t.Errorf("the second try: %d %s", status, body)
			}
		case faults.PriceChanged:
			order := gjson.Parse(direct(shop, "GET", "/shop/v3/orders/"+body.Get("order_id").Raw, "").Body.String())
			if got, was := order.Get("line_items.0.subtotal").Float()*100, before.Get("totals.total_items").Float(); got < was*1.09 ||
				got > was*1.11 {
				t.Errorf("the price was %v, is %v", was, got)
			}
		}
	}
}

func TestFaultsOfDeliveries(t *testing.T) {
	t.Parallel()
	for effect, want := range map[string]string{
		faults.WebhookLost: "two", faults.WebhookTwice: "one one two", faults.WebhookReordered: "two one", faults.WebhookLate: "one two",
		faults.WebhookWrongSignature: "one! two",
	} {
		t.Run(effect, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var came []string
			receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				name := gjson.GetBytes(body, "name").Str
				if r.Header.Get(webhooks.HeaderSignature) != webhooks.Sign("s3cret", body) {
					name += "!"
				}
				mu.Lock()
				defer mu.Unlock()
				came = append(came, name)
			}))
			defer receiver.Close()
			shop := withoutSocket(t, shopmock.Options{})
			direct(shop, "POST", "/shop/v3/webhooks", `{"topic":"product.created","secret":"s3cret","delivery_url":"`+receiver.URL+`"}`)
			if err := shop.Webhooks().Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			delay := "1ms"
			if effect == faults.WebhookReordered {
				delay = "2s" // the next one is made meanwhile
			}
			withFaults(t, shop, faults.Rule{Topic: "product.created", Effect: effect, Delay: delay, Times: 1},
				faults.Rule{Topic: "order.created", Effect: faults.WebhookLost})
			direct(shop, "POST", "/shop/v3/products", `{"name":"one"}`)
			direct(shop, "POST", "/shop/v3/products", `{"name":"two"}`)
			if err := shop.Webhooks().Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if got := strings.TrimSpace(strings.Join(came[1:], " ")); got != want { // the first is the ping
				t.Errorf("%q came, want %q", got, want)
			}
			told := direct(shop, "GET", "/_mock/deliveries", "").Body.String()
			if !strings.Contains(told, `"fault":"`+effect+`"`) {
				t.Errorf("the log does not tell: %s", told)
			}
			states := shop.Faults().List()
			if states[0].Fired != 1 || states[1].Fired != 0 {
				t.Errorf("%+v", states)
			}
		})
	}
}

func TestFaultsUnderTheMocksOwnAPI(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	send := func(method, body string) (int, string) {
		answer := direct(shop, method, "/_mock/faults", body)
		return answer.Code, answer.Body.String()
	}
	if status, body := send("PUT", `{"scenario":"rate-limited","rules":[{"effect":"reset"}]}`); status != 200 ||
		gjson.Get(body, "rules.#.effect").Raw != `["status","reset"]` || gjson.Get(body, "never_fired").Int() != 2 {
		t.Errorf("PUT: %d %s", status, body)
	}
	if status, body := send("POST", `{"effect":"cut","nth":2}`); status != 201 || gjson.Get(body, "rules.2.effect").Str != "cut" {
		t.Errorf("POST: %d %s", status, body)
	}
	for _, bad := range []string{`{"effect":"bang"}`, `{`, ``, `[]`, `{"effect":"reset"} x`, `{"rules":{}}`, strings.Repeat(" ", 2<<20)} {
		for _, method := range []string{"PUT", "POST"} {
			if status, body := send(method, bad); status < 400 || status > 413 || !isEnvelope(status, body) {
				t.Errorf("%s %.40q: %d %s", method, bad, status, body)
			}
		}
	}
	if len(shop.Faults().List()) != 3 {
		t.Errorf("bad input changed the rules: %+v", shop.Faults().List())
	}
	if status, _ := send("DELETE", ""); status != 204 || shop.Faults().Any() {
		t.Errorf("DELETE: %d", status)
	}
	for _, bad := range []string{"fault=bang", "x", "fault=status; status=1000"} {
		request := httptest.NewRequest("GET", "/shop/v3/products", nil)
		request.Header.Set(faults.Header, bad)
		recorder := httptest.NewRecorder()
		if shop.Handler().ServeHTTP(recorder, request); recorder.Code != 400 || !isEnvelope(400, recorder.Body.String()) {
			t.Errorf("%s: %d %s", bad, recorder.Code, recorder.Body)
		}
	}
}

// A stranger's page may use the shop, but not make it fail.
func TestStrangersPagesAskForNoFaults(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	for origin, want := range map[string]int{"https://evil.example": 403, "http://localhost:3000": 503, "": 503} {
		request := httptest.NewRequest("GET", "/shop/store/v1/products", nil)
		request.Header.Set(faults.Header, "fault=status; status=503")
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		recorder := httptest.NewRecorder()
		if shop.Handler().ServeHTTP(recorder, request); recorder.Code != want {
			t.Errorf("%q: %d, want %d", origin, recorder.Code, want)
		}
	}
}

// What looks at the body leaves it to the shop, also where it is too large or breaks off.
func TestRulesThatLookAtBodiesLeaveThem(t *testing.T) {
	t.Parallel()
	shop := shopmock.Start(t, shopmock.Options{})
	withFaults(t, shop, faults.Rule{Body: []string{"name=never"}, Effect: faults.Reset})
	c := newClient(t, shop.URL())
	defer c.http.CloseIdleConnections()
	for body, want := range map[string]int{`{"name":"x"}`: 201, `{"name":"` + strings.Repeat("x", 2<<20) + `"}`: 413, `{`: 400} {
		if status, _, answer := c.send(call{method: "POST", path: "/shop/v3/products", body: body, header: keyed()}); status != want {
			t.Errorf("%.20s: %d %.200s, want %d", body, status, answer, want)
		}
	}
	connection, err := net.Dial("tcp", strings.TrimPrefix(shop.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	half := "POST /shop/store/v1/cart/add-item HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{\"id\":1"
	if _, err := io.WriteString(connection, half); err != nil {
		t.Fatal(err)
	}
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err != nil || response.StatusCode != 400 {
		t.Errorf("a body that breaks off: %v %v", response, err)
	}
}
