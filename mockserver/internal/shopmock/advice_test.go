package shopmock_test

// What clients do wrong without failing: for each advice an app that earns it, and one that does not, over real HTTP.

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
	"shopcheck/mockserver/internal/webhooks"
)

// app is a client that is watched. shop is the same shop for what a test does besides.
type app struct {
	*testkit.Client
	shop *testkit.Shop
}

func newApp(t *testing.T, options shopmock.Options) *app {
	shop := testkit.Open(t, testkit.Options{Socket: true, Server: options})
	return &app{shop.Client.With("User-Agent", "app/1.0"), shop}
}

// visitor is the same app without a key.
func (a *app) visitor() *testkit.Client { return a.As("", "") }

// fault lets something go wrong on purpose.
func (a *app) fault(rule string) { a.shop.Post("/_mock/faults", rule).Want(http.StatusCreated) }

// wait lets time pass for clients.
func (a *app) wait(by time.Duration) { a.shop.Clock.Move(by) }

// breaks sends a request whose answer does not come whole.
func (a *app) breaks(c *testkit.Client, method, path, body string) {
	a.T.Helper()
	response, err := c.Transport.RoundTrip(c.Request(method, path, body))
	if err != nil {
		return
	}
	defer response.Body.Close()
	if _, err := response.Body.Read(make([]byte, 1)); err != nil && response.ContentLength > 0 {
		return
	}
}

const (
	addMug   = `{"id":1,"quantity":1}`
	storeAPI = "/shop/store/v1"
	oneLine  = `{"line_items":[{"product_id":1,"quantity":2}]}`
)

// cart is a visitor that sends the cart token, with something in its cart.
func (a *app) cart() *testkit.Client {
	a.T.Helper()
	cart := a.visitor()
	token := cart.Get(storeAPI + "/cart").Header.Get("Cart-Token")
	cart = cart.With("Cart-Token", token)
	cart.Post(storeAPI+"/cart/add-item", addMug).Want(http.StatusCreated)
	return cart
}

// hook registers a receiver of webhooks that answers so.
func (a *app) hook(status int) (close func()) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	a.shop.Post("/shop/v3/webhooks", testkit.Object{"topic": "product.updated", "delivery_url": receiver.URL + "/hook", "secret": "s"}).
		Want(http.StatusCreated)
	return receiver.Close
}

// drain waits for the deliveries.
func (a *app) drain() {
	a.T.Helper()
	if err := a.shop.Server.Webhooks().Drain(a.T.Context()); err != nil {
		a.T.Fatal(err)
	}
}

type adviceCase struct {
	id              string
	options         shopmock.Options
	earns, earnsNot func(*app)
	isDelivery      bool
}

var adviceCases = []adviceCase{
	{id: "nonce.reused", options: shopmock.Options{Nonce: auth.RotateNonce}, earns: func(a *app) {
		cookie := a.visitor()
		first := cookie.Get(storeAPI + "/cart")
		cookie = cookie.With("Cookie", strings.Split(first.Header.Get("Set-Cookie"), ";")[0], "Nonce", first.Header.Get("Nonce"))
		cookie.Post(storeAPI+"/cart/add-item", addMug).Want(http.StatusCreated)
		a.wait(time.Second)
		cookie.Post(storeAPI+"/cart/add-item", `{"id":2,"quantity":1}`).Want(http.StatusForbidden)
	}, earnsNot: func(a *app) {
		cookie := a.visitor()
		answer := cookie.Get(storeAPI + "/cart")
		cookie = cookie.With("Cookie", strings.Split(answer.Header.Get("Set-Cookie"), ";")[0])
		for id := 1; id < 4; id++ {
			a.wait(time.Second)
			answer = cookie.Post(storeAPI+"/cart/add-item", fmt.Sprintf(`{"id":%d,"quantity":1}`, id), "Nonce", answer.Header.Get("Nonce"))
		}
		var both sync.WaitGroup // nobody can send a nonce that is under way
		for range 2 {
			both.Go(func() { cookie.Get(storeAPI+"/cart", "Nonce", answer.Header.Get("Nonce")) })
		}
		both.Wait()
	}},
	{id: "nonce.not-retried", earns: func(a *app) {
		a.fault(`{"path":"/shop/store/v1/**","effect":"stale-nonce","times":2}`)
		cookie := a.visitor()
		cookie.Header.Set("Cookie", strings.Split(cookie.Get(storeAPI+"/cart").Header.Get("Set-Cookie"), ";")[0])
		for id := range 2 {
			nonce := cookie.Get(storeAPI + "/cart").Header.Get("Nonce")
			cookie.Post(storeAPI+"/cart/add-item", fmt.Sprintf(`{"id":%d,"quantity":1}`, id+1), "Nonce", nonce).Want(http.StatusForbidden)
		}
	}, earnsNot: func(a *app) {
		a.fault(`{"path":"/shop/store/v1/**","effect":"stale-nonce","times":1}`)
		cookie := a.visitor()
		first := cookie.Get(storeAPI + "/cart")
		cookie.Header.Set("Cookie", strings.Split(first.Header.Get("Set-Cookie"), ";")[0])
		cookie.Post(storeAPI+"/cart/add-item", addMug, "Nonce", first.Header.Get("Nonce")).Want(http.StatusForbidden)
		nonce := cookie.Get(storeAPI + "/cart").Header.Get("Nonce")
		cookie.Post(storeAPI+"/cart/add-item", addMug, "Nonce", nonce).Want(http.StatusCreated)
	}},
	{id: "cart-token.dropped", earns: func(a *app) {
		nonce := a.visitor().Get(storeAPI + "/cart").Header.Get("Nonce")
		a.visitor().Post(storeAPI+"/cart/add-item", addMug, "Nonce", nonce).Want(http.StatusCreated)
	}, earnsNot: func(a *app) { a.cart().Get(storeAPI + "/cart") }},
	{id: "conflict.cart-ignored", earns: func(a *app) {
		cart := a.cart()
		for range 2 {
			cart.Post(storeAPI+"/cart/remove-item", `{"key":"0123456789abcdef0123456789abcdef"}`).Want(http.StatusConflict)
			a.wait(time.Second)
		}
	}, earnsNot: func(a *app) {
		cart := a.cart()
		conflict := cart.Post(storeAPI+"/cart/remove-item", `{"key":"0123456789abcdef0123456789abcdef"}`).Want(http.StatusConflict)
		a.wait(time.Second)
		cart.Post(storeAPI+"/cart/remove-item", testkit.Object{"key": conflict.Get("data.cart.items.0.key").Str}).Want(http.StatusOK)
	}},
	{id: "payment.redirect-not-followed", earns: func(a *app) { a.redirected() }, earnsNot: func(a *app) {
		page := a.redirected()
		a.shop.Get(page, "User-Agent", "Browser/1.0").Want(http.StatusOK)
	}},
	{id: "amounts.unit", earns: func(a *app) {
		price := a.shop.Get(storeAPI + "/products/1").Get("prices.price").Str // "1800"
		a.Post("/shop/v3/orders", `{"line_items":[{"product_id":1,"quantity":1,"total":"`+price+`","subtotal":"`+price+`"}]}`).
			Want(http.StatusCreated)
	}, earnsNot: func(a *app) {
		price := a.shop.Get("/shop/v3/products/1").Get("price").Str
		a.Post("/shop/v3/orders", `{"line_items":[{"product_id":1,"quantity":1,"total":"`+price+`","subtotal":"`+price+`"}]}`).
			Want(http.StatusCreated)
		a.Call("PUT", "/shop/v3/products/1", `{"regular_price":"`+price+`"}`).Want(http.StatusOK)
	}},
	{id: "webhook.signature-unverified", isDelivery: true, earns: func(a *app) {
		defer a.hook(http.StatusOK)()
		a.fault(`{"effect":"webhook-wrong-signature"}`)
		a.shop.Call("PUT", "/shop/v3/products/1", `{"name":"New"}`)
		a.drain()
	}, earnsNot: func(a *app) {
		defer a.hook(http.StatusUnauthorized)()
		a.fault(`{"effect":"webhook-wrong-signature"}`)
		a.shop.Call("PUT", "/shop/v3/products/1", `{"name":"New"}`)
		a.drain()
	}},
	{id: "retry.unsafe", earns: func(a *app) {
		a.fault(`{"method":"POST","times":1,"effect":"cut"}`)
		a.breaks(a.Client, "POST", "/shop/v3/orders", oneLine)
		a.Post("/shop/v3/orders", oneLine).Want(http.StatusCreated)
	}, earnsNot: func(a *app) {
		a.fault(`{"method":"POST","times":1,"effect":"cut"}`)
		a.breaks(a.Client, "POST", "/shop/v3/orders", oneLine)
		a.Get("/shop/v3/orders?per_page=1").Want(http.StatusOK) // it looks first
		a.Post("/shop/v3/orders", oneLine).Want(http.StatusCreated)
	}},
	{id: "retry.too-soon", earns: func(a *app) {
		a.fault(`{"times":1,"effect":"status","status":429,"retry_after":5}`)
		a.Get("/shop/v3/products/1").Want(http.StatusTooManyRequests)
		a.wait(time.Second)
		a.Get("/shop/v3/products/1").Want(http.StatusOK)
	}, earnsNot: func(a *app) {
		a.fault(`{"times":1,"effect":"status","status":429,"retry_after":5}`)
		a.Get("/shop/v3/products/1").Want(http.StatusTooManyRequests)
		a.wait(5 * time.Second)
		a.Get("/shop/v3/products/1").Want(http.StatusOK)
	}},
	{id: "retry.none", earns: func(a *app) {
		a.fault(`{"times":3,"effect":"status","status":503}`)
		for _, path := range []string{"/products/1", "/products/2", "/orders/1"} {
			a.Get("/shop/v3" + path).Want(http.StatusServiceUnavailable)
		}
	}, earnsNot: func(a *app) {
		a.fault(`{"times":3,"effect":"status","status":503}`)
		for _, path := range []string{"/products/1", "/products/2", "/orders/1"} {
			a.Get("/shop/v3" + path).Want(http.StatusServiceUnavailable)
		}
		a.wait(time.Minute)
		a.Get("/shop/v3/products/1").Want(http.StatusOK)
	}},
	{id: "retry.refused", earns: func(a *app) {
		for range 3 {
			a.Call("PUT", "/shop/v3/products/1", `{"regular_price":"dear"}`).Want(http.StatusBadRequest)
		}
	}, earnsNot: func(a *app) {
		for range 2 { // a user who presses a button again
			a.Call("PUT", "/shop/v3/products/1", `{"regular_price":"dear"}`).Want(http.StatusBadRequest)
		}
		a.Call("PUT", "/shop/v3/products/1", `{"regular_price":"18.00"}`).Want(http.StatusOK)
	}},
	{id: "timeout.none", earns: func(a *app) {
		a.fault(`{"times":1,"effect":"latency","delay":"1s"}`)
		time.AfterFunc(100*time.Millisecond, func() { a.wait(2 * time.Minute) })
		a.Get("/shop/v3/products/1").Want(http.StatusOK)
	}, earnsNot: func(a *app) {
		a.fault(`{"times":1,"effect":"latency","delay":"5s"}`)
		time.AfterFunc(100*time.Millisecond, func() { a.wait(2 * time.Second) })
		client := http.Client{Transport: a.Transport, Timeout: time.Second}
		request := a.Request("POST", "/shop/v3/orders", oneLine)
		if _, err := client.Do(request); err == nil { //nolint:bodyclose // there is none
			a.T.Error("the client did not give up")
		}
		for range 100 { // until the shop has missed it
			if a.shop.Server.Advice().Report(false).Advice[slices.IndexFunc(advice.Kinds(), isKind("timeout.none"))].Chances > 0 {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}},
	{id: "write.repeated", earns: func(a *app) {
		for range 3 {
			a.cartPut()
		}
	}, earnsNot: func(a *app) {
		for i := range 4 { // what it is in between is changed by somebody else
			a.cartPut()
			a.shop.Call("PUT", "/shop/v3/products/1", fmt.Sprintf(`{"name":"Name %d"}`, i)).Want(http.StatusOK)
		}
	}},
	{id: "pages.not-followed", earns: func(a *app) {
		a.Get("/shop/v3/products").Want(http.StatusOK)
		a.Get("/shop/v3/orders/1")
	}, earnsNot: func(a *app) {
		a.Get("/shop/v3/orders?per_page=5").Want(http.StatusOK) // it shows five, and knows that there are more
		a.Get("/shop/v3/products").Want(http.StatusOK)
		a.Get("/shop/v3/products?page=2").Want(http.StatusOK)
	}},
	{id: "list.for-one", earns: func(a *app) {
		for id := range 3 {
			a.Get("/shop/v3/products?per_page=100").Want(http.StatusOK)
			a.Get(fmt.Sprintf("/shop/v3/products/%d", id+1)).Want(http.StatusOK)
		}
	}, earnsNot: func(a *app) {
		for id := range 6 {
			a.Get("/shop/v3/products?per_page=100").Want(http.StatusOK)
			if id%2 == 0 {
				a.wait(time.Second) // somebody chooses
			} else {
				a.Get("/shop/v3/products/1").Want(http.StatusOK) // it uses more than one
			}
			a.Get("/shop/v3/products/2").Want(http.StatusOK)
		}
	}},
	{id: "parameters.unknown", earns: func(a *app) {
		a.Get("/shop/v3/products/1?lang=en").Want(http.StatusOK)
	}, earnsNot: func(a *app) {
		a.Get("/shop/v3/products?per_page=2&include[]=1&include[]=2&_fields=id&context=view&_=17").Want(http.StatusOK)
		a.Get(storeAPI + "/products?per_page=2&_locale=user&attributes[0][attribute]=pa_size").Want(http.StatusOK)
	}},
	{id: "fields.unknown", earns: func(a *app) {
		a.Call("PUT", "/shop/v3/products/1", `{"titel":"New"}`).Want(http.StatusOK)
	}, earnsNot: func(a *app) {
		for _, collection := range []string{"products", "orders", "customers", "coupons", "taxes", "products/categories", "products/tags",
			"products/attributes", "products/reviews", "products/shipping_classes"} {
			record := a.Get("/shop/v3/" + collection + "?per_page=1").Get("0")
			path := "/shop/v3/" + collection + "/" + record.Get("id").String()
			a.Call("PUT", path, record.Raw).Want(http.StatusOK) // what it read it sends back
		}
	}},
	{id: "secrets.in-query", earns: func(a *app) {
		a.visitor().Get("/shop/v3/products/1?consumer_key=ck_mock_rw&consumer_secret=cs_mock_rw").Want(http.StatusOK)
	}, earnsNot: func(a *app) {
		a.Get("/shop/v3/products/1").Want(http.StatusOK)
		a.visitor().Call("POST", "/jwt-auth/v1/token", testkit.Form("username=admin&password=password")).Want(http.StatusOK)
	}},
	{id: "namespace.deprecated", earns: func(a *app) { a.Get("/shop/v1/products/1") },
		earnsNot: func(a *app) { a.Get("/shop/v3/products/1") }},
	{id: "namespace.legacy", earns: func(a *app) { a.Get("/shop/v2/products/1") },
		earnsNot: func(a *app) { a.Get("/shop/v3/products/1") }},
}

// cartPut sets what is there.
func (a *app) cartPut() {
	a.Call("PUT", "/shop/v3/products/2", `{"name":"The same"}`).Want(http.StatusOK)
}

// redirected pays in a way that is completed on a page of its own, and returns the page.
func (a *app) redirected() string {
	a.T.Helper()
	body := testkit.Object{"payment_method": "mockpay", "payment_data": []any{testkit.Object{"key": "result", "value": "redirect"}}}
	address := testkit.Object{"first_name": "A", "last_name": "B", "address_1": "1 Test Street", "city": "San Francisco", "state": "CA",
		"postcode": "94103", "country": "US"}
	body["shipping_address"] = address
	body["billing_address"] = testkit.Object{"first_name": "A", "last_name": "B", "address_1": "1 Test Street", "city": "San Francisco",
		"state": "CA", "postcode": "94103", "country": "US", "email": "a@example.com"}
	paid := a.cart().Post(storeAPI+"/checkout", body).Want(http.StatusOK)
	return paid.Get("payment_result.redirect_url").Str
}

func isKind(id string) func(advice.Kind) bool { return func(k advice.Kind) bool { return k.ID == id } }

func TestEachAdviceIsEarnedByWhoDeservesItAlone(t *testing.T) {
	t.Parallel()
	for _, test := range adviceCases {
		t.Run(test.id, func(t *testing.T) {
			t.Parallel()
			t.Run("earned", func(t *testing.T) {
				t.Parallel()
				app := newApp(t, test.options)
				test.earns(app)
				for _, a := range app.report() {
					if expected := a.ID == test.id; expected != (a.Count > 0) {
						t.Errorf("%s is %s: %+v", a.ID, a.State(), a.Seen)
					} else if expected {
						app.provesItself(a, test.isDelivery)
					}
				}
			})
			t.Run("not earned", func(t *testing.T) {
				t.Parallel()
				app := newApp(t, test.options)
				test.earnsNot(app)
				for _, a := range app.shop.Server.Advice().Report(true).Advice {
					if a.Count > 0 || a.ID == test.id && a.Chances == 0 {
						t.Errorf("%s is %s: %+v", a.ID, a.State(), a.Seen)
					}
				}
			})
		})
	}
	for _, kind := range advice.Kinds() {
		if !slices.ContainsFunc(adviceCases, func(c adviceCase) bool { return c.id == kind.ID }) {
			t.Errorf("no app earns %s", kind.ID)
		}
	}
}

// report is what the shop says when its journal has all that came: the last answer goes out before it is kept.
func (a *app) report() []advice.Advice {
	numbered := func(c advice.Call) bool { return c.Request+c.Delivery > 0 }
	for range 200 {
		found := a.shop.Server.Advice().Report(true).Advice
		open := slices.ContainsFunc(found, func(a advice.Advice) bool {
			return slices.ContainsFunc(a.Seen, func(s advice.Sighting) bool {
				return slices.ContainsFunc(s.Calls, func(c advice.Call) bool { return !numbered(c) })
			})
		})
		if !open {
			return found
		}
		time.Sleep(5 * time.Millisecond)
	}
	a.T.Error("the journal never has a call that is proof")
	return nil
}

// provesItself looks up the calls that prove an advice.
func (a *app) provesItself(found advice.Advice, isDelivery bool) {
	a.T.Helper()
	for _, seen := range found.Seen {
		if len(seen.Calls) == 0 {
			a.T.Errorf("%s has no proof", found.ID)
		}
		for _, call := range seen.Calls {
			entry, kept := a.shop.Server.Journal().Get(call.Request)
			same := kept && entry.Path == call.Path && entry.Method == call.Method && entry.Status == call.Status
			delivered := slices.ContainsFunc(a.shop.Server.Webhooks().Deliveries(0),
				func(d webhooks.Delivery) bool { return d.ID == call.Delivery })
			if isDelivery != delivered || isDelivery == same {
				a.T.Errorf("%s: the proof %+v is not what the journal has: %+v", found.ID, call, entry)
			}
		}
	}
}

// TestAdviceIsToldAndSetPerSandbox goes through the mock's own API.
func TestAdviceIsToldAndSetPerSandbox(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Post("/_mock/sandboxes", `{"name":"own"}`).Want(http.StatusCreated)
	own := shop.Under("/s/own")
	old := func(c *testkit.Client) string { return c.Get("/shop/v2/products/1").Header.Get(advice.HeaderName) }
	if got := old(shop.Client); got != "" {
		t.Errorf("without being asked for, the header says %q", got)
	}
	own.Call("PUT", "/_mock/advice", `{"mode":"header"}`).Want(http.StatusOK).Has("mode", "header")
	key := shop.Get("/_mock/sandboxes").Get("0")
	inside := own.As(key.Get("consumer_key").Str, key.Get("consumer_secret").Str)
	if got := inside.Get("/shop/v1/products/1?lang=en").Header.Get(advice.HeaderName); got != "namespace.deprecated, parameters.unknown" {
		t.Errorf("the header says %q", got)
	}
	if got := inside.Get("/shop/v3/products/1").Header[advice.HeaderName]; got != nil {
		t.Errorf("a sound call is told %q", got)
	}
	if got := old(shop.Client); got != "" {
		t.Errorf("another shop's header says %q", got)
	}
	const legacy, deprecated = `advice.#(id=="namespace.legacy")`, `advice.#(id=="namespace.deprecated")`
	shop.Get("/_mock/advice").Has("mode", "on", legacy+".count", 2, legacy+".state", "earned", deprecated+".state", "sound",
		legacy+".seen.0.calls.0.path", "/shop/v2/products/1", legacy+".seen.0.calls.0.request_id", 1,
		"clients.#", 1, "clients.0.requests", 2)
	own.Get("/_mock/advice?done=true").Has(legacy+".count", 0, deprecated+".count", 1, "clients.0.advice.0", "parameters.unknown")
	shop.Call("DELETE", "/_mock/advice", nil).Want(http.StatusNoContent)
	shop.Get("/_mock/advice").Has("clients.#", 0, legacy+".state", "not_judged")
	shop.Call("PUT", "/_mock/advice", `{"mode":"off"}`).Want(http.StatusOK)
	old(shop.Client)
	shop.Get("/_mock/advice").Has("mode", "off", "clients.#", 0)
	for _, bad := range []struct{ method, path, body, param string }{
		{"PUT", "/_mock/advice", `{"mode":"loud"}`, "mode"}, {"PUT", "/_mock/advice", "", "mode"}, {"PUT", "/_mock/advice", `[]`, "body"},
		{"PUT", "/_mock/advice", `{"mode":"on","x":1}`, "body"}, {"PUT", "/_mock/advice?x=1", `{"mode":"on"}`, "x"},
		{"GET", "/_mock/advice?done=perhaps", "", "done"}, {"GET", "/_mock/advice?x=1", "", "x"}, {"DELETE", "/_mock/advice?x=1", "", "x"},
	} {
		answer := shop.Call(bad.method, bad.path, bad.body).Fails(http.StatusBadRequest, "rest_invalid_param")
		if !answer.Get("data.params." + bad.param).Exists() {
			t.Errorf("%s %s %s: %s", bad.method, bad.path, bad.body, answer.Body)
		}
	}
	shop.Get("/_mock/advice").Has("mode", "off")
}

// TestClientsThatAreManyCostLittle lets more clients come than are kept, each with names of its own.
func TestClientsThatAreManyCostLittle(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	for i := range 100 {
		shop.Get("/shop/v3/products/1?"+strings.Repeat("x", i+1)+"=\xff", "User-Agent", strconv.Itoa(i)+strings.Repeat("é", 300))
	}
	seen := shop.Get("/_mock/advice").Has("clients.#", 64, "forgotten", 36)
	if agent := seen.Get("clients.0.user_agent").Str; len(agent) > 210 || len(seen.Body) > 200_000 {
		t.Errorf("%d bytes, of which %d are a name", len(seen.Body), len(agent))
	}
}

// TestWhoOnlyLooksWhetherTheShopIsThereIsLeftAlone asks for the same list again and again, as monitors do.
func TestWhoOnlyLooksWhetherTheShopIsThereIsLeftAlone(t *testing.T) {
	t.Parallel()
	app := newApp(t, shopmock.Options{})
	for range 30 {
		app.Get("/shop/v3/products").Want(http.StatusOK)
		app.Get("/livez")
	}
	for _, a := range app.report() {
		if a.Count > 0 {
			t.Errorf("%s: %+v", a.ID, a.Seen)
		}
	}
}

// Of calls that prove something only that stays in memory which is shown of them: a method is a part of the whole first line.
func TestProofsKeepNoLines(t *testing.T) {
	const count, line = 300, 60 << 10
	shop := withoutSocket(t, shopmock.Options{Journal: journal.Settings{Requests: -1}})
	before := testkit.LiveHeap()
	for number := range count {
		asking(shop, "GET", storeAPI+"/products?unknown="+strings.Repeat("x", line), "", "User-Agent", fmt.Sprint("app/", number%60))
	}
	if grown := testkit.LiveHeap() - before; grown > count*line/8 {
		t.Errorf("%d calls leave %d bytes", count, grown)
	}
	report := direct(shop, "GET", "/_mock/advice", "").Body.String()
	if earned := gjson.Get(report, `advice.#(id=="parameters.unknown").count`).Int(); earned != count {
		t.Errorf("%d of %d calls have earned an advice", earned, count)
	}
}
