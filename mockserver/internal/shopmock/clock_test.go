package shopmock_test

// The shop's clock: what follows it, and whose it is.

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/shopmock"
)

// clocked changes the clock of a shop by the mock's own API.
func clocked(t *testing.T, shop *shopmock.Server, change string) {
	t.Helper()
	if answer := direct(shop, "POST", "/_mock/clock", change); answer.Code != 200 {
		t.Fatalf("%s: %d %s", change, answer.Code, answer.Body)
	}
}

// noon freezes the clock of a shop, and starts the shop anew on that day.
func noon(t *testing.T, shop *shopmock.Server) {
	t.Helper()
	clocked(t, shop, `{"set": "2026-03-01T12:00:00Z", "freeze": true}`)
	if err := shop.Reset(""); err != nil {
		t.Fatal(err)
	}
}

func TestWhatFollowsTheClock(t *testing.T) {
	t.Parallel()
	made := func(t *testing.T, shop *shopmock.Server, collection, body string) string {
		answer := direct(shop, "POST", collection, body)
		if answer.Code != 201 {
			t.Fatalf("%s: %d %s", body, answer.Code, answer.Body)
		}
		return collection + "/" + gjson.Get(answer.Body.String(), "id").Raw
	}
	// Each case prepares something at noon and says how to look at it: it stays as it is almost to the end, and is another a minute later.
	for name, c := range map[string]struct {
		almost, before, after string
		prepare               func(*testing.T, *shopmock.Server) (look func() string)
	}{
		"a sale begins": {"1439m", "10.00", "5.00", func(t *testing.T, shop *shopmock.Server) func() string {
			path := made(t, shop, "/shop/v3/products",
				`{"name":"Mug","regular_price":"10.00","sale_price":"5.00","date_on_sale_from_gmt":"2026-03-02T12:00:00"}`)
			return func() string { return gjson.Get(direct(shop, "GET", path, "").Body.String(), "price").Str }
		}},
		"a coupon expires": {"2879m", "200", "400", func(t *testing.T, shop *shopmock.Server) func() string {
			made(t, shop, "/shop/v3/coupons", `{"code":"soon","amount":"1","date_expires_gmt":"2026-03-03T12:00:00"}`)
			return func() string { return applied(shop, "soon") }
		}},
		"a nonce expires": {"23h59m", "201", "403", func(t *testing.T, shop *shopmock.Server) func() string {
			nonce := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Nonce")
			return func() string {
				return fmt.Sprint(asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce).Code)
			}
		}},
		"a cart token expires": {"2879m", "201", "401", func(t *testing.T, shop *shopmock.Server) func() string {
			token := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
			return func() string {
				return fmt.Sprint(asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token", token).Code)
			}
		}},
		"an unpaid order is cancelled": {"59m", "pending", "cancelled", func(t *testing.T, shop *shopmock.Server) func() string {
			path := ordered(t, shop, "pending")
			return func() string { return gjson.Get(direct(shop, "GET", path, "").Body.String(), "status").Str }
		}},
		"the Date of answers": {"11h59m", "Sun, 01 Mar 2026", "Mon, 02 Mar 2026", func(_ *testing.T, shop *shopmock.Server) func() string {
			return func() string {
				return direct(shop, "GET", "/shop/v3", "").Header().Get("Date")[:len("Sun, 01 Mar 2026")]
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := withoutSocket(t, shopmock.Options{Nonce: auth.StableNonce})
			noon(t, shop)
			look := c.prepare(t, shop)
			if got := look(); got != c.before {
				t.Fatalf("at noon: %s, want %s", got, c.before)
			}
			clocked(t, shop, `{"advance": "`+c.almost+`"}`)
			if got := look(); got != c.before {
				t.Fatalf("a minute before: %s, want %s", got, c.before)
			}
			clocked(t, shop, `{"advance": "61s"}`)
			if got := look(); got != c.after {
				t.Errorf("afterwards: %s, want %s", got, c.after)
			}
		})
	}
}

// applied is the status of a coupon that a new visitor puts into a cart.
func applied(shop *shopmock.Server, code string) string {
	token := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token", token)
	return fmt.Sprint(asking(shop, "POST", "/shop/store/v1/cart/apply-coupon", `{"code":"`+code+`"}`, "Cart-Token", token).Code)
}

// ordered places an order at the checkout whose payment has an outcome, and returns its path.
func ordered(t *testing.T, shop *shopmock.Server, outcome string) string {
	t.Helper()
	token := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token", token)
	body := strings.Replace(checkoutBody, `"payment_method":"bacs","payment_data":[]`,
		`"payment_method":"mockpay","payment_data":[{"key":"result","value":"`+outcome+`"}]`, 1)
	answer := asking(shop, "POST", "/shop/store/v1/checkout", body, "Cart-Token", token)
	if answer.Code != 200 {
		t.Fatalf("checkout: %d %s", answer.Code, answer.Body)
	}
	return "/shop/v3/orders/" + gjson.Get(answer.Body.String(), "order_id").Raw
}

// TestTimeBringsThingsAboutAtOnce needs no request after the clock has moved: whoever waits for the order hears of it.
func TestTimeBringsThingsAboutAtOnce(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	noon(t, shop)
	ordered(t, shop, "pending")
	before := shop.Shop().Version()
	clocked(t, shop, `{"advance": "2h"}`)
	if shop.Shop().Version() == before {
		t.Error("an order that was not paid in time waits for the next request")
	}
}

func TestASaleThatIsOverIsOnAgainWhenTheClockGoesBack(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	noon(t, shop)
	made := direct(shop, "POST", "/shop/v3/products",
		`{"name":"Mug","regular_price":"10.00","sale_price":"5.00","date_on_sale_to_gmt":"2026-03-02T12:00:00"}`)
	path := "/shop/v3/products/" + gjson.Get(made.Body.String(), "id").Raw
	for _, step := range []struct{ change, want string }{
		{`{}`, "5.00"}, {`{"advance":"2d"}`, "10.00"}, {`{"advance":"-2d"}`, "5.00"}, {`{"set":"2027-01-01T00:00:00Z"}`, "10.00"},
		{`{"set":"2026-03-01T13:00:00+01:00"}`, "5.00"},
	} {
		clocked(t, shop, step.change)
		if got := gjson.Get(direct(shop, "GET", path, "").Body.String(), "price").Str; got != step.want {
			t.Errorf("%s: %s, want %s", step.change, got, step.want)
		}
	}
}

func TestEachSandboxHasAClockOfItsOwn(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	one := shop.Sandbox(t)
	clocked(t, one, `{"set": "2030-01-01T00:00:00Z", "freeze": true}`)
	other := shop.Sandbox(t)
	clocked(t, shop, `{"set": "2040-01-01T00:00:00Z", "freeze": true}`)
	later := shop.Sandbox(t)
	for name, c := range map[string]struct {
		shop *shopmock.Server
		want string
	}{
		"the one that was set": {one, "2030-01-01T00:00:00Z"}, "the server": {shop, "2040-01-01T00:00:00Z"},
		"one made with the server's clock": {later, "2040-01-01T00:00:00Z"},
	} {
		if got := gjson.Get(direct(c.shop, "GET", "/_mock/clock", "").Body.String(), "now").Str; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := direct(other, "GET", "/_mock/clock", "").Body.String(); gjson.Get(got, "moved").Bool() {
		t.Errorf("one that nobody set: %s", got)
	}
	direct(one, "DELETE", "/_mock/clock", "")
	if one.Clock().Moved() || !shop.Clock().Frozen() {
		t.Error("DELETE resets the clock of its sandbox alone")
	}
}

// TestASystemClockWritesNoDate leaves the Date to the HTTP library as long as it is the same.
func TestASystemClockWritesNoDate(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	if got := direct(shop, "GET", "/shop/v3", "").Header().Get("Date"); got != "" {
		t.Errorf("Date %q", got)
	}
}

// TestEqualRunsGiveEqualBytes buys something twice, in servers that were told nothing but a random seed and the time.
func TestEqualRunsGiveEqualBytes(t *testing.T) {
	t.Parallel()
	run := func() string {
		shop := withoutSocket(t, shopmock.Options{RandomSeed: 7})
		noon(t, shop)
		var transcript strings.Builder
		note := func(answer *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			fmt.Fprintln(&transcript, answer.Code)
			answer.Header().Write(&transcript) //nolint:errcheck // a builder does not fail
			transcript.WriteString(answer.Body.String())
			return answer
		}
		token := note(asking(shop, "GET", "/shop/store/v1/cart", "")).Header().Get("Cart-Token")
		for _, c := range []call{
			{method: "POST", path: "/shop/store/v1/cart/add-item", body: `{"id":1,"quantity":2}`},
			{method: "POST", path: "/shop/store/v1/checkout", body: checkoutBody},
		} {
			note(asking(shop, c.method, c.path, c.body, "Cart-Token", token))
		}
		clocked(t, shop, `{"advance": "3d"}`)
		for _, c := range []call{
			{method: "POST", path: "/_mock/sandboxes", body: `{"name":"one"}`},
			{method: "GET", path: "/shop/v3/orders?per_page=3"}, {method: "POST", path: "/shop/v3/products", body: `{"name":"Mug"}`},
			{method: "GET", path: "/s/one/shop/store/v1/cart"}, {method: "GET", path: "/_mock/requests/2"},
			{method: "GET", path: "/_mock/clock"},
		} {
			answer := direct(shop, c.method, c.path, c.body)
			if c.path != "/_mock/sandboxes" { // it says when it was made by the clock of the machine
				note(answer)
			}
		}
		return transcript.String()
	}
	if one, other := run(), run(); one != other {
		t.Errorf("two runs differ:\n%s\n\n%s", one, other)
	}
}

func TestAClockThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	for _, body := range []string{
		``, `[`, `[]`, `{} {}`, `{"freeze":true}}`, `{"freeze":true}]`, `{"now":"2026-03-01T12:00:00Z"}`,
		`{"set":"tomorrow"}`, `{"set":7}`, `{"set":"2026-03-01"}`, `{"set":"1999-01-01T00:00:00Z"}`,
		`{"set":"2200-01-01T00:00:00Z"}`, `{"advance":"2"}`, `{"advance":"5x"}`, `{"advance":"2000000h"}`, `{"freeze":"yes"}`,
		`{"freeze":true,"set":"never"}`, `{"set":"9999-12-31T23:59:59Z","advance":"1d"}`,
	} {
		answer := direct(shop, "POST", "/_mock/clock", body)
		if answer.Code != http.StatusBadRequest || !isEnvelope(http.StatusBadRequest, answer.Body.String()) || shop.Clock().Moved() {
			t.Errorf("%s: %d %s", body, answer.Code, answer.Body)
		}
	}
	if answer := direct(shop, "GET", "/_mock/clock?now=1", ""); answer.Code != http.StatusBadRequest {
		t.Errorf("an unknown parameter: %d", answer.Code)
	}
}
