package shopmock_test

// What the console's page stands on: its files, and the part of /_mock that is there for it.

import (
	"net/http"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/testkit"
)

func TestTheConsolesFilesRunNothingButThemselves(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	for path, want := range map[string]string{
		"/_mock/": "text/html; charset=utf-8", "/_mock/console/app.js": "text/javascript; charset=utf-8",
		"/_mock/console/style.css": "text/css; charset=utf-8",
	} {
		answer := shop.Get(path)
		policy := answer.Header.Get("Content-Security-Policy")
		if answer.Status != 200 || answer.Header.Get("Content-Type") != want || answer.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d, %v", path, answer.Status, answer.Header)
		}
	}
	for path, want := range map[string]int{"/_mock": 307, "/_mock/console/no.js": 404, "/_mock/console/..%2fconsole.go": 404,
		"/_mock/console/%2e%2e": 404} {
		if answer := shop.Call("GET", path, nil); answer.Status != want {
			t.Errorf("%s: %d, want %d", path, answer.Status, want)
		}
	}
	if got := shop.Call("GET", "/_mock?x=1", nil).Header.Get("Location"); got != "_mock/" {
		t.Errorf("the page without its slash leads to %q", got)
	}
}

func TestWhatOpensTheShopIsShownToItsOwner(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shown := shop.Get("/_mock/credentials")
	for path, want := range map[string]string{
		"url": testkit.Site, "keys.#": "4", "keys.0.consumer_key": "ck_mock_rw", "keys.0.consumer_secret": "cs_mock_rw",
		"keys.0.permission": "read_write", "keys.3.revoked": "true",
		"users.#": "1", "users.0.login": "admin", "users.0.password": "password",
	} {
		if got := shown.Get(path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	shop.Post("/shop/v3/customers/"+adminID(shop)+"?_method=PUT", `{"password":"another one"}`)
	if got := shop.Get("/_mock/credentials").Get("users.0"); got.Get("password").Exists() || got.Get("login").Str != "admin" {
		t.Errorf("a password that nobody knows: %s", got)
	}
	box := shop.Post("/_mock/sandboxes", `{"name":"own"}`)
	if got := shop.Get("/s/own/_mock/credentials"); got.Get("url").Str != box.Get("url").Str ||
		!strings.Contains(got.Body, box.Get("consumer_secret").Str) {
		t.Errorf("a sandbox shows %s", got.Body)
	}
	if answer := shop.Call("GET", "/_mock/credentials?x=1", nil); answer.Status != 400 {
		t.Errorf("an unknown parameter: %d", answer.Status)
	}
}

func adminID(shop *testkit.Shop) string {
	return shop.Get("/shop/v3/customers?role=administrator").Get("0.id").String()
}

// TestTheOwnerManagesTheShopWithoutAKey calls the management API below /_mock: with no key, under faults, and with no trace in the journal.
func TestTheOwnerManagesTheShopWithoutAKey(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Post("/_mock/faults", `{"path":"/**","effect":"status","status":503}`)
	shop.Header = http.Header{}
	id := shop.Post("/_mock/shop/v3/products", `{"name":"Made by hand","regular_price":"3.00"}`).Get("id").String()
	shop.Post("/_mock/shop/v3/products/"+id+"?_method=PUT", `{"regular_price":"4.00"}`)
	shown := shop.Get("/_mock/shop/v3/products/" + id)
	if shown.Get("regular_price").Str != "4.00" || strings.Contains(shown.Body+shown.Header.Get("Link"), "cs_mock") {
		t.Errorf("the product is %s", shown.Body)
	}
	if list := shop.Get("/_mock/shop/v3/products?per_page=1"); list.Header.Get("X-Shop-Total") == "" ||
		strings.Contains(list.Header.Get("Link"), "consumer_secret") {
		t.Errorf("a list: %v", list.Header)
	}
	for path, want := range map[string]int{
		"/_mock/shop/v3/products/999999": 404, "/_mock/shop/store/v1/cart": 404, "/_mock/shop/v3/no": 404,
		"/_mock/shop/v3/products?per_page=x": 400, "/shop/v3/products": 503,
	} {
		if answer := shop.Call("GET", path, nil); answer.Status != want {
			t.Errorf("%s: %d, want %d", path, answer.Status, want)
		}
	}
	if kept := shop.Get("/_mock/requests"); kept.Get("#").Int() != 1 || kept.Get("0.path").Str != "/shop/v3/products" {
		t.Errorf("the journal holds %s", kept.Body)
	}
	shop.Header.Set("Origin", "https://evil.example")
	if answer := shop.Call("POST", "/_mock/shop/v3/products", strings.NewReader(`{"name":"x"}`)); answer.Status != 403 {
		t.Errorf("a stranger's page: %d", answer.Status)
	}
}

func TestTheOwnerSeesTheCarts(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	if got := shop.Get("/_mock/carts").Body; got != "[]" {
		t.Fatalf("before anybody came: %s", got)
	}
	shop.Header.Set("Cart-Token", shop.Get("/shop/store/v1/cart").Header.Get("Cart-Token"))
	shop.Post("/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`)
	shop.Post("/shop/store/v1/cart/apply-coupon", `{"code":"SAVE10"}`)
	shown := shop.Get("/_mock/carts")
	cart := shop.Get("/shop/store/v1/cart")
	total := strings.Replace(shown.Get("0.total").Str, ".", "", 1)
	if shown.Get("#").Int() != 1 || shown.Get("0.items.0.quantity").Int() != 2 || shown.Get("0.items.0.product_id").Int() != 1 ||
		shown.Get("0.coupons.0").Str != "save10" || total != cart.Get("totals.total_price").Str {
		t.Errorf("the carts are %s, the visitor's own is %s", shown.Body, cart.Body)
	}
	if strings.Contains(shown.Body, shop.Header.Get("Cart-Token")) {
		t.Error("the list shows what opens a cart")
	}
	for _, query := range []string{"?limit=0", "?limit=x", "?per_page=2"} {
		if answer := shop.Call("GET", "/_mock/carts"+query, nil); answer.Status != 400 {
			t.Errorf("%s: %d", query, answer.Status)
		}
	}
}

// TestCredentialsReachNoJournal asks for the credentials by an address that the journal keeps.
func TestCredentialsReachNoJournal(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Get("/?rest_route=/_mock/credentials")
	for _, e := range shop.Get("/_mock/requests").Array() {
		if whole := shop.Get("/_mock/requests/" + e.Get("id").Raw).Body; strings.Contains(whole, "cs_mock") {
			t.Errorf("the journal holds %s", whole)
		}
	}
}
