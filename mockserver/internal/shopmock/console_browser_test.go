//go:build !race

package shopmock_test

// The console in a real browser.

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"shopcheck/fixtures/browser"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// openConsole shows a page of the console in a window of the given width.
func openConsole(t *testing.T, shop *testkit.Shop, page string, width int64) *tab {
	t.Helper()
	tab := openTab(t, browser.Start(t, "the console is not looked at in a browser"))
	tab.do("size the window", chromedp.EmulateViewport(width, 900))
	tab.visit(shop.Server.URL() + "/_mock/#" + page)
	return tab
}

// until waits until a condition of the page holds. $ and $$ find elements, b is the button of a label.
func (b *tab) until(condition string) {
	b.t.Helper()
	if got := b.result(fmt.Sprintf(`(async () => { %s
		for (let i = 0; i < 800; i++) { if (%s) return "yes"; await new Promise(done => setTimeout(done, 50)); }
		return document.body.innerText; })()`, finders, condition)); got != "yes" {
		b.mustBeSound()
		b.t.Fatalf("%s never holds. The page says:\n%s", condition, got)
	}
}

// run does something in the page.
func (b *tab) run(script string) {
	b.t.Helper()
	b.result("(async () => { " + finders + script + "; return ''; })()")
}

const finders = `const $ = s => document.querySelector(s), $$ = s => [...document.querySelectorAll(s)],
	b = label => $$('main button').find(each => each.textContent === label),
	set = (s, value) => { $(s).value = value; $(s).dispatchEvent(new Event('change')); };`

func TestTheConsoleShowsRequestsAsTheyCome(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{Contract: "https://docs.example.test/api.md"}, Socket: true})
	shop.Get("/shop/v3/products/1")
	tab := openConsole(t, shop, "requests", 1400)
	tab.until(`$$('tr.pick').length === 1 && $('#live').textContent.includes('live')`)
	refused := shop.With("Authorization", "").Post("/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`)
	if refused.Status != 401 {
		t.Fatalf("a cart write without a nonce: %d", refused.Status)
	}
	tab.until(`$$('tr.pick').length === 2`)
	tab.click("tr.pick")
	tab.until(`$('.why')?.textContent.includes('shop_rest_missing_nonce') && $('.why').textContent.includes('Authentication / Store API') &&
		$('.why a').href === 'https://docs.example.test/api.md#store-api'`)
	tab.until(`$('.card').textContent.includes('"quantity": 1')`)
	tab.run(`navigator.clipboard.writeText = text => { window.copied = text; }; b('Copy as curl').click()`)
	tab.until(`window.copied?.startsWith("curl -i -X POST '` + shop.Server.URL() + `/shop/store/v1/cart/add-item' ") &&
		window.copied.endsWith(` + "`--data-raw '{\"id\":1,\"quantity\":1}'`" + `)`)
	tab.run(`b('Send again').click()`)
	tab.until(`$('#notice').textContent.includes('201') && $$('tr.pick').length === 4`) // it first asks for a cart
	tab.run(`$('#notice').textContent = ''; b('Send again').click()`)
	tab.until(`$('#notice').textContent.includes('201') && $$('tr.pick').length === 6`)
	if carts := shop.Get("/_mock/carts"); carts.Get("#").Int() != 1 || carts.Get("0.items.0.quantity").Int() != 2 {
		t.Errorf("what was sent twice again is in %s", carts.Body)
	}
	shop.Call("GET", "/shop/v3/prodcts", nil)
	shop.Call("DELETE", "/shop/v3/products", nil)
	tab.until(`$$('tr.pick').length === 8`)
	tab.run(`$$('tr.pick')[1].click()`)
	tab.until(`$('.why')?.textContent.includes('Did you mean /shop/v3/products?')`)
	tab.run(`$$('tr.pick')[0].click()`)
	tab.until(`$('.why')?.textContent.includes('This address takes GET, POST.')`)
	tab.run(`$('input[type=search]').value = 'products/1'; $('input[type=search]').dispatchEvent(new Event('input'))`)
	tab.until(`$$('tr.pick').length === 1`)
	tab.click("tr.pick")
	tab.until(`$('.card h2').textContent === 'GET /shop/v3/products/1' &&
		![...$('.card').childNodes].some(node => node.nodeType === Node.TEXT_NODE)`)
	tab.mustBeSound()
}

func TestTheConsoleChangesPricesStockAndStatuses(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	order := shop.Post("/shop/v3/orders", `{"line_items":[{"product_id":1,"quantity":1}]}`).Get("id").String()
	tab := openConsole(t, shop, "shop/products", 1400)
	tab.until(`$('input[aria-label="Regular price of Stoneware Mug"]')`)
	tab.run(`set('input[aria-label="Regular price of Stoneware Mug"]', '77.00')`)
	tab.until(`$('#notice').textContent === 'Changed.' && $('input[aria-label="Regular price of Stoneware Mug"]').value === '77.00'`)
	tab.run(`set('input[aria-label="Stock of Stoneware Mug"]', '5')`)
	tab.until(`$('input[aria-label="Stock of Stoneware Mug"]').value === '5'`)
	tab.run(`set('input[aria-label="Regular price of Stoneware Mug"]', 'dear')`)
	tab.until(`$('#notice').textContent.includes('rest_invalid_param') &&
		$('input[aria-label="Regular price of Stoneware Mug"]').value === '77.00'`)
	tab.run(`$('a[href^="#shop/variations/"]').click()`)
	tab.until(`location.hash.startsWith('#shop/variations/') && $('input[aria-label^="Regular price of "]')`)
	tab.run(`set('input[aria-label^="Regular price of "]', '66.00')`)
	tab.until(`$('#notice').textContent === 'Changed.' && $$('input[aria-label^="Regular price of "]')[0].value === '66.00'`)
	tab.run(`location.hash = 'shop/orders'`)
	tab.until(`$('select[aria-label="Status of order ` + order + `"]')`)
	tab.run(`$('#notice').textContent = ''`)
	tab.run(`set('select[aria-label="Status of order ` + order + `"]', 'completed')`)
	tab.until(`$('#notice').textContent === 'Changed.' && $('select[aria-label="Status of order ` + order + `"]').value === 'completed'`)
	mug := shop.Get("/shop/v3/products/1")
	if mug.Get("regular_price").Str != "77.00" || mug.Get("stock_quantity").Int() != 4 || // the completed order took one

		shop.Get("/shop/v3/orders/"+order).Get("status").Str != "completed" {
		t.Errorf("the shop has %s", mug.Body)
	}
	shop.Header.Set("Cart-Token", shop.Get("/shop/store/v1/cart").Header.Get("Cart-Token"))
	tab.run(`location.hash = 'shop/carts'`)
	tab.until(`$('main h1') && document.body.textContent.includes('There are no carts')`)
	shop.Post("/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`)
	tab.until(`$('main').textContent.includes('2 × Stoneware Mug')`) // by itself
}

func TestTheConsoleSteersWhatIsBesideTheShop(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	tab := openConsole(t, shop, "start", 1400)
	tab.until(`$('main').textContent.includes('ck_mock_rw:cs_mock_rw') && $('main').textContent.includes('admin / password')`)
	tab.run(`location.hash = 'webhooks'`)
	tab.until(`b('Register')`)
	tab.run(`b('Register').click()`)
	tab.until(`$('main').textContent.includes('active')`)
	tab.run(`b('Trigger').click()`)
	tab.until(`$$('tr.pick').some(row => row.textContent.includes('order.created') && row.textContent.includes('delivered 200'))`)
	tab.until(`$$('details').some(caught => caught.textContent.includes('"line_items"'))`)
	tab.run(`$('tr.pick').click()`)
	tab.until(`$('.card').textContent.includes('X-Shop-Webhook-Signature')`)
	tab.run(`$('select[aria-label="Topic to trigger"]').value = 'customer.updated'`)
	tab.run(`$('textarea').value = 'first_name=Zoe=\n'; b('Trigger').click()`)
	tab.until(`$('#notice').textContent.startsWith('Made customer ')`)
	if got := shop.Get("/shop/v3/customers?orderby=id&order=desc").Get("0.first_name").Str; got != "Zoe=" {
		t.Errorf("the customer that the console made is called %q", got)
	}
	shop.Post("/_mock/faults", `{"effect":"webhook-lost"}`)
	tab.run(`$('select[aria-label="Topic to trigger"]').value = 'order.created'; $('textarea').value = ''; b('Trigger').click()`)
	tab.until(`$('#notice').textContent.includes('order.created: skipped: a fault of yours: webhook-lost; it was lost on purpose.')`)
	shop.Call("DELETE", "/_mock/faults", nil)
	tab.run(`$('textarea').value = 'role=chief'; b('Trigger').click()`)
	tab.until(`$('#notice').textContent.includes('role cannot be set')`)
	tab.run(`location.hash = 'faults'`)
	tab.until(`b('Add')`)
	tab.run(`$('textarea').value = '{"effect": "flood"}'; b('Add').click()`)
	tab.until(`!$('.why').hidden && $('.why').textContent.includes('flood')`)
	tab.run(`$('textarea').value = '{"effect": "status", "status": 503, "path": "/shop/**"}'; b('Add').click()`)
	tab.until(`$('main').textContent.includes('never yet')`)
	if answer := shop.Call("GET", "/shop/v3/products", nil); answer.Status != 503 {
		t.Errorf("with the fault the shop answers %d", answer.Status)
	}
	tab.until(`$('main').textContent.includes('1 times')`)
	tab.run(`location.hash = 'clock'`)
	tab.until(`b('+24h')`)
	tab.run(`b('+24h').click()`)
	tab.until(`$('main').textContent.includes('2026-03-02T12:00:00Z')`)
	tab.run(`location.hash = 'sandboxes'`)
	tab.until(`b('Make one')`)
	tab.run(`$('main input').value = 'one'; b('Make one').click()`)
	tab.until(`$('a[href="/s/one/_mock/"]')`)
	tab.visit(shop.Server.URL() + "/s/one/_mock/")
	tab.until(`$('main').textContent.includes('` + shop.Server.URL() + `/s/one/shop/v3') && !$('main').textContent.includes('REDACTED')`)
	tab.run(`location.hash = 'settings'`)
	tab.until(`$$('main table tbody tr').length > 3`)
}

func TestTheConsoleTellsWhatClientsDoWrong(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	tab := openConsole(t, shop, "clients", 1400)
	tab.until(`$('main').textContent.includes('Nobody has called yet')`)
	shop.Get("/shop/v1/products/1", "User-Agent", "app/1.0")
	tab.until(`$('.card')?.textContent.includes('namespace.deprecated')`) // by itself
	tab.click(".card a")
	tab.until(`location.hash === '#requests/1' && $('.card h2')?.textContent === 'GET /shop/v1/products/1'`)
	tab.run(`location.hash = 'clients'`)
	tab.until(`$('main table td')?.textContent === '1' && $('main table').textContent.includes('app/1.0')`)
	tab.run(`set('select[aria-label="Whether clients are watched"]', 'header')`)
	tab.until(`(await (await fetch('/_mock/advice')).json()).mode === 'header'`)
	if got := shop.Get("/shop/v1/products/1").Header.Get("X-Shop-Mock-Advice"); got != "namespace.deprecated" {
		t.Errorf("the header says %q", got)
	}
	tab.run(`b('Begin anew').click()`)
	tab.until(`$('main').textContent.includes('Nobody has called yet')`)
	tab.mustBeSound()
}

// TestTheConsoleShowsHostileTextAsText has an app send, and a shop hold, what would come alive if anything of it were parsed.
func TestTheConsoleShowsHostileTextAsText(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	const hostile = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`
	name := `{"name":"` + strings.ReplaceAll(hostile, `"`, `\"`) + `","regular_price":"1.00"}`
	shop.Post("/shop/v3/products", name)
	shop.Post("/shop/v3/webhooks", `{"topic":"order.created","delivery_url":"`+shop.Server.URL()+`/_mock/catcher/a"}`)
	shop.Get("/shop/v3/products?search=%3Cimg+src%3Dx+onerror%3Dwindow.pwned%3D1%3E&%3Cimg+src%3Dx%3E=1", "User-Agent", hostile)
	tab := openConsole(t, shop, "requests", 380)
	for page := range strings.FieldsSeq("requests shop/products shop/orders webhooks faults clock sandboxes clients settings start") {
		tab.run(`location.hash = '` + page + `'`)
		tab.until(`$('main h1') && $('nav a[aria-current]').hash === '#` + strings.Split(page, "/")[0] + `'`)
		tab.run(`await new Promise(done => setTimeout(done, 200)); for (const row of $$('tr.pick').slice(0, 2)) row.click();
			await new Promise(done => setTimeout(done, 200))`)
		if got := tab.result(`"" + [window.pwned, document.querySelectorAll('main img, main script').length]`); got != ",0" {
			t.Errorf("%s: hostile text came alive: %s", page, got)
		}
		if got := tab.result(`"" + (document.documentElement.scrollWidth - innerWidth)`); got != "0" {
			t.Errorf("%s is %s px wider than the window", page, got)
		}
		if got := tab.result(`"" + [...document.querySelectorAll('nav [aria-current], td select, td input')].filter(each => {
			const { left, right } = each.getBoundingClientRect(); return left < -1 || right > innerWidth + 1; })
			.map(each => each.outerHTML.slice(0, 60))`); got != "" {
			t.Errorf("%s: the window cuts off %s", page, got)
		}
		if got := tab.result(`"" + [...document.querySelectorAll('td[data-title=""]')].filter(
			cell => getComputedStyle(cell, '::before').content !== 'none').length`); got != "0" {
			t.Errorf("%s names %s cells that have no name", page, got)
		}
	}
	tab.run(`location.hash = 'shop/products'`)
	tab.until(`$('main').textContent.includes('window.pwned=1')`)
	tab.mustBeSound()
}

func TestTheConsoleIsUsedByKeys(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	shop.Get("/shop/v3/products/1")
	shop.Get("/shop/v3/products/2")
	tab := openConsole(t, shop, "start", 1400)
	press := func(key string) {
		t.Helper()
		tab.run(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '` + key + `', bubbles: true}))`)
	}
	press("2")
	tab.until(`$$('tr.pick').length === 2`)
	press("j")
	press("j")
	tab.until(`document.activeElement === $$('tr.pick')[1]`)
	press("k")
	press("Enter")
	tab.until(`$('.card h2')?.textContent.includes('products/2')`)
	press("/")
	tab.until(`document.activeElement.type === 'search'`)
	press("3") // it is text now
	tab.until(`location.hash.startsWith('#requests')`)
	tab.run(`document.activeElement.blur()`)
	press("?")
	tab.until(`$('#keys').open && $('#keys').textContent.includes('Requests')`)
	tab.mustBeSound()
}

// TestManyWindowsOfTheConsoleAreOpen opens more than a browser has connections to a host, and looks at all of them.
func TestManyWindowsOfTheConsoleAreOpen(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	chromium := browser.Start(t, "the console is not looked at in a browser")
	var windows []*tab
	for range 8 {
		window := openTab(t, chromium)
		window.visit(shop.Server.URL() + "/_mock/#requests")
		window.until(`$('#live').textContent.includes('live')`)
		windows = append(windows, window)
	}
	shop.Get("/shop/v3/products/1")
	for _, window := range windows {
		window.until(`$$('tr.pick').length === 1`)
		window.run(`$('tr.pick').click()`)
		window.until(`$('.card h2')?.textContent === 'GET /shop/v3/products/1'`)
		window.mustBeSound()
	}
}

// TestTheConsoleFollowsAShopThatIsStartedAnew has another shop, whose journal begins anew, take the place of the one that a window shows.
func TestTheConsoleFollowsAShopThatIsStartedAnew(t *testing.T) {
	first, second := testkit.Open(t, testkit.Options{}), testkit.Open(t, testkit.Options{})
	var now atomic.Value
	now.Store(first.Server.Handler())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now.Load().(http.Handler).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	first.Get("/shop/v3/products/1")
	first.Get("/shop/v3/products/2")
	tab := openTab(t, browser.Start(t, "the console is not looked at in a browser"))
	tab.visit(server.URL + "/_mock/#requests")
	tab.until(`$('#live').textContent.includes('live') && $$('tr.pick').length === 2`)
	now.Store(second.Server.Handler())
	server.CloseClientConnections()
	tab.until(`$$('tr.pick').length === 0 && $('#live').textContent.includes('live')`)
	second.Get("/shop/v3/products/3")
	tab.until(`$$('tr.pick').length === 1 && $('tr.pick').textContent.includes('/shop/v3/products/3')`)
}

// TestTheConsoleMissesNoRequestWhileItIsDrawn sends one before the console knows the newest, and one while its list is on the way.
func TestTheConsoleMissesNoRequestWhileItIsDrawn(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isList := r.URL.Path == "/_mock/requests" && r.Method == http.MethodGet
		if isList && r.URL.RawQuery == "limit=1" {
			time.Sleep(300 * time.Millisecond)
			shop.Get("/shop/v3/products/1")
		}
		shop.Server.Handler().ServeHTTP(w, r)
		if isList && r.URL.RawQuery == "" {
			shop.Get("/shop/v3/products/2")
			time.Sleep(300 * time.Millisecond) // the answer ends after the stream told of it
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	tab := openTab(t, browser.Start(t, "the console is not looked at in a browser"))
	tab.visit(server.URL + "/_mock/#requests")
	tab.until(`$$('tr.pick').length === 2`)
	tab.mustBeSound()
}

// TestAWindowThatNobodySeesDoesNotListen hides a window, and has it told afterwards what it missed, without what was typed being lost.
func TestAWindowThatNobodySeesDoesNotListen(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	left := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			defer func() { left <- struct{}{} }()
		}
		shop.Server.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	shop.Get("/shop/v3/products/1")
	tab := openTab(t, browser.Start(t, "the console is not looked at in a browser"))
	tab.visit(server.URL + "/_mock/#requests")
	tab.until(`$('#live').textContent.includes('live') && $$('tr.pick').length === 1`)
	see := func(hidden string) {
		tab.run(`Object.defineProperty(document, 'hidden', {configurable: true, value: ` + hidden + `});
			document.dispatchEvent(new Event('visibilitychange'))`)
	}
	tab.run(`$('input[type=search]').value = 'products'`)
	see("true")
	<-left
	shop.Get("/shop/v3/products/2")
	see("false")
	tab.until(`$$('tr.pick').length === 2 && $('input[type=search]').value === 'products'`)
	tab.mustBeSound()
}

// TestTheConsoleDrawsLastWhatItReadLast advances the clock while the answer to the page's first look at it is still on its way.
func TestTheConsoleDrawsLastWhatItReadLast(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	looked, drawn := make(chan struct{}), make(chan struct{})
	var looks atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/_mock/clock" || looks.Add(1) > 1 {
			shop.Server.Handler().ServeHTTP(w, r)
			return
		}
		early := httptest.NewRecorder()
		shop.Server.Handler().ServeHTTP(early, r)
		close(looked)
		time.Sleep(500 * time.Millisecond)
		_, _ = w.Write(early.Body.Bytes())
		close(drawn)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	tab := openTab(t, browser.Start(t, "the console is not looked at in a browser"))
	tab.visit(server.URL + "/_mock/#clock")
	<-looked
	tab.run(`b('+24h').click()`)
	<-drawn
	tab.run(`await new Promise(done => setTimeout(done, 300))`)
	tab.until(`$('main').textContent.includes('2026-03-02T12:00:00Z')`)
	tab.mustBeSound()
}
