//go:build !race

package shopmock_test

// A purchase in a real browser: a storefront app on an origin of its own fills a cart through the Store API, and the
// customer pays on the shop's page. What the race detector could find in the shop it finds without a browser, which takes
// minutes to build with it.

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"shopcheck/fixtures/browser"
	"shopcheck/mockserver/internal/testkit"
)

func TestAPurchaseInABrowser(t *testing.T) {
	chromium := browser.Start(t, "nothing is bought in a browser")
	shop := testkit.Open(t, testkit.Options{Socket: true})
	app := httptest.NewServer(http.FileServer(http.Dir("testdata/storefront")))
	t.Cleanup(app.Close)
	for _, keep := range []string{"token", "cookie"} {
		t.Run("session kept by "+keep, func(t *testing.T) {
			tab := openTab(t, chromium)
			tab.visit(app.URL + "/?" + url.Values{"api": {shop.Server.URL() + "/shop/store/v1"}, "keep": {keep}}.Encode())
			tab.click(`button[data-sku="FH-MUG"]`)
			tab.reads("#count", "1")
			tab.click(`button[data-sku="FH-MUG"]`)
			tab.reads("#count", "2")
			tab.reads("#price", "3503")
			tab.fill(`input[name="code"]`, "SAVE10")
			tab.click("#coupon button")
			tab.reads("#price", "3203")
			tab.click("#order")

			tab.reads(`#order[data-status="pending"] #total`, "$32.45")
			tab.comesTo(shop.Server.URL() + "/checkout/order-pay/")
			tab.click("#pay")
			tab.reads(`#order[data-status="processing"] #total`, "$32.45")
			order := tab.comesTo(shop.Server.URL() + "/checkout/order-received/")
			tab.mustBeSound()
			tab.mustHaveKept(keep)
			wantPaid(t, shop, order)
		})
	}
}

func TestTheDocsPageInABrowser(t *testing.T) {
	chromium := browser.Start(t, "the page that describes the calls is not looked at")
	shop := testkit.Open(t, testkit.Options{Socket: true})
	tab := openTab(t, chromium)
	tab.visit(shop.Server.URL() + "/_mock/docs")
	tab.reads("#calls h2", "shop/v3 products")
	tab.fill("#filter", "post cart/add-item")
	tab.reads("#count", "1 call")
	tab.click("details summary")
	tab.reads(".inside pre", `curl -X POST -H "Cart-Token: $TOKEN" --json '{}' '`+shop.Server.URL()+`/shop/store/v1/cart/add-item'`)
	tab.reads(".inside h3:last-of-type", "Answer default, What is wrong: object")
	tab.mustBeSound()
}

// TestAStrangersPageInABrowser opens a page that is not of this machine, and one whose name leads to the shop itself: neither gets to
// the mock's own API, or to the cart that the visitor's cookie keeps.
func TestAStrangersPageInABrowser(t *testing.T) {
	chromium := browser.Start(t, "no stranger's page is tried in a browser", browser.Resolve("*.stranger.com", "127.0.0.1"))
	shop := testkit.Open(t, testkit.Options{Socket: true})
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>A page</title>")
	}))
	t.Cleanup(pages.Close)
	at := func(server, name string) string {
		return "http://" + name + server[strings.LastIndex(server, ":"):] + "/"
	}
	visitor := openTab(t, chromium)
	visitor.visit(at(pages.URL, "127.0.0.1"))
	const count = `fetch(%q, {credentials: "include"}).then(a => a.json()).then(c => "" + c.items_count, e => "kept away")`
	const add = `fetch(%q, {credentials: "include"}).then(a => fetch(%q, {method: "POST", credentials: "include",
		headers: {Nonce: a.headers.get("Nonce"), "Content-Type": "application/json"},
		body: '{"id":1,"quantity":1}'})).then(a => a.json()).then(c => "" + c.items_count)`
	cart := shop.Server.URL() + "/shop/store/v1/cart"
	if got := visitor.result(fmt.Sprintf(add, cart, cart+"/add-item")); got != "1" {
		t.Fatalf("an app on this machine fills its cart by cookie: %s pieces", got)
	}
	if got := visitor.result(fmt.Sprintf(count, cart)); got != "1" {
		t.Errorf("an app on this machine reads its cart by cookie: %s pieces", got)
	}
	version := shop.Version()
	for _, page := range []string{at(pages.URL, "page.stranger.com"), at(shop.Server.URL(), "rebound.stranger.com")} {
		stranger := openTab(t, chromium)
		stranger.visit(page)
		root := shop.Server.URL()
		if strings.Contains(page, "rebound") {
			root = strings.TrimSuffix(page, "/")
		}
		if got := stranger.result(fmt.Sprintf(count, root+"/shop/store/v1/cart")); got == "1" {
			t.Errorf("%s reads the visitor's cart", page)
		}
		for _, mode := range []string{"cors", "no-cors"} {
			stranger.result(fmt.Sprintf(`fetch(%q, {method: "POST", mode: %q}).then(a => "" + a.status, e => "kept away")`,
				root+"/_mock/reset?seed=empty", mode))
		}
		if got := stranger.result(fmt.Sprintf(`fetch(%q).then(a => "" + a.status, e => "kept away")`,
			root+"/_mock/deliveries")); got != "403" && got != "kept away" {
			t.Errorf("%s reads the delivery log: %s", page, got)
		}
	}
	if shop.Version() != version {
		t.Error("a stranger's page changed the shop")
	}
}

// result waits for what a script comes to.
func (b *tab) result(script string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return got
}

// wantPaid looks at the order of a received page through the management API.
func wantPaid(t *testing.T, shop *testkit.Shop, received string) {
	t.Helper()
	id, key, _ := strings.Cut(received, "/?key=")
	order := shop.Get("/shop/v3/orders/" + id)
	for field, want := range map[string]string{
		"order_key": key, "status": "processing", "payment_method": "mockpay", "total": "32.45", "discount_total": "2.80",
		"line_items.#": "1", "line_items.0.quantity": "2", "coupon_lines.0.code": "save10", "billing.email": "ann@example.test",
	} {
		if got := order.Get(field).String(); got != want {
			t.Errorf("the order's %s is %q, want %q", field, got, want)
		}
	}
	if order.Get("date_paid").String() == "" {
		t.Error("the order has no date_paid")
	}
}

// tab is a page in the browser, with what it sent and what went wrong in it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	faults  []string
	cookies map[bool]int // the app's writing calls, by whether a cookie went with them
}

func openTab(t *testing.T, chromium context.Context) *tab {
	t.Helper()
	opened := &tab{t: t, cookies: map[bool]int{}}
	opened.ctx = browser.OpenTab(t, chromium, opened.listen)
	return opened
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, event.ExceptionDetails.Text+" "+string(event.ExceptionDetails.Exception.Description))
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError && !strings.HasSuffix(event.Entry.URL, "/favicon.ico") {
			b.faults = append(b.faults, event.Entry.Text+" "+event.Entry.URL)
		}
	case *network.EventRequestWillBeSentExtraInfo:
		if event.Headers["Content-Type"] == "application/json" {
			_, cookie := event.Headers["Cookie"]
			b.cookies[cookie]++
		}
	}
}

func (b *tab) do(what string, step chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, step); err != nil {
		b.mustBeSound()
		b.t.Fatalf("%s: %v", what, err)
	}
}

func (b *tab) visit(address string) {
	b.t.Helper()
	b.do("visit "+address, chromedp.Navigate(address))
}

func (b *tab) click(selector chromedp.CSS) {
	b.t.Helper()
	b.do("click "+string(selector), chromedp.Click(selector))
}

func (b *tab) fill(selector chromedp.CSS, text string) {
	b.t.Helper()
	b.do("fill "+string(selector), chromedp.SendKeys(selector, text))
}

// seen is what a page says.
type seen struct{ Text, Fault string }

// reads waits until an element says a text. What the app calls a fault ends the waiting.
func (b *tab) reads(selector, text string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	look := chromedp.Evaluate[seen](fmt.Sprintf(`(() => {
		const text = selector => document.querySelector(selector)?.textContent ?? "";
		return {Text: text(%q), Fault: text("#fault")};
	})()`, selector))
	for {
		now, err := chromedp.Run(ctx, look) // fails between two pages
		if err == nil && now.Text == text {
			return
		}
		if ctx.Err() != nil || now.Fault != "" {
			b.mustBeSound()
			b.t.Fatalf("%s says %q, want %q; the app says %q", selector, now.Text, text, now.Fault)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// comesTo checks where the tab is, and returns what follows the expected part of the address.
func (b *tab) comesTo(prefix string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	address, err := chromedp.Run(ctx, chromedp.Location())
	rest, found := strings.CutPrefix(address, prefix)
	if err != nil || !found {
		b.t.Fatalf("the tab is at %q (%v), want %s…", address, err, prefix)
	}
	return rest
}

// mustBeSound fails the test if a script broke, a policy blocked something, or something could not be loaded.
func (b *tab) mustBeSound() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.t.Errorf("in the browser: %s", fault)
	}
}

// mustHaveKept checks that the session's cookie went with each of the app's writing calls, or with none.
func (b *tab) mustHaveKept(keep string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	const writes = 4 // two pieces, a coupon, an order
	byCookie := keep == "cookie"
	if b.cookies[byCookie] != writes || b.cookies[!byCookie] != 0 {
		b.t.Errorf("calls with a cookie: %d, without: %d", b.cookies[true], b.cookies[false])
	}
}
