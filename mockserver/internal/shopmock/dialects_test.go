package shopmock_test

// The shop in other dialects than the contract's: what goes over the wire, name by name.

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

const awkwardDialect = "../../../fixtures/dialects/testdata/awkward.yaml"

// spoken sends a request with a key of the demo shop; a body goes as JSON.
func spoken(t *testing.T, shop *shopmock.Server, method, target, body string, header ...string) (*httptest.ResponseRecorder,
	gjson.Result) {
	t.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	shop.Handler().ServeHTTP(recorder, request)
	return recorder, gjson.Parse(recorder.Body.String())
}

func shopSpeaking(t *testing.T, dialect string) *shopmock.Server {
	t.Helper()
	shop, err := shopmock.New(shopmock.Options{Dialect: dialect})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	})
	return shop
}

func TestListsInTheDialectThatTheirPathNames(t *testing.T) {
	t.Parallel()
	shop := shopSpeaking(t, awkwardDialect)
	for path, want := range map[string]struct{ total, pages, link, self string }{
		"/shop/v3/products":              {"X-Shop-Total", "X-Shop-TotalPages", "/shop/v3/products?", "/shop/v3/products/"},
		"/?rest_route=/shop/v3/products": {"X-Shop-Total", "X-Shop-TotalPages", "/shop/v3/products?", "/shop/v3/products/"},
		"/wp-json/wc/v3/products": {"X-WP-Total", "X-WP-TotalPages", "/wp-json/wc/v3/products?",
			"/wp-json/wc/v3/products/"},
		"/index.php/wp-json/wc/v3/products": {"X-WP-Total", "X-WP-TotalPages", "/wp-json/wc/v3/products?",
			"/wp-json/wc/v3/products/"},
		"/?rest_route=/wc/v3/products": {"X-WP-Total", "X-WP-TotalPages", "/wp-json/wc/v3/products?",
			"/wp-json/wc/v3/products/"},
		"/index.php?rest_route=%2Fwc/v3/products": {"X-WP-Total", "X-WP-TotalPages", "/wp-json/wc/v3/products?",
			"/wp-json/wc/v3/products/"},
		"/shop/shop/v2/products": {"X-Shop-TotalPages", "X-Shop-Total", "/shop/shop/v2/products?",
			"/shop/shop/v2/products/"},
		"/?route=shop/v2/products": {"X-Shop-TotalPages", "X-Shop-Total", "/shop/shop/v2/products?",
			"/shop/shop/v2/products/"},
	} {
		joint := "?"
		if strings.Contains(path, "?") {
			joint = "&"
		}
		answer, list := spoken(t, shop, http.MethodGet, path+joint+"per_page=10", "")
		h := answer.Header()
		if answer.Code != http.StatusOK || h.Get(want.total) != "48" || h.Get(want.pages) != "5" {
			t.Errorf("%s: %d, %s %q, %s %q", path, answer.Code, want.total, h.Get(want.total), want.pages, h.Get(want.pages))
		}
		if link := h.Get("Link"); !strings.HasPrefix(link, "<http://example.com"+want.link) || !strings.HasSuffix(link, `>; rel="next"`) {
			t.Errorf("%s: Link is %s", path, link)
		}
		if self := list.Get("0._links.self.0.href").String(); !strings.HasPrefix(self, "http://example.com"+want.self) {
			t.Errorf("%s: a record is at %s", path, self)
		}
		if want.total != "X-Shop-Total" && strings.Contains(want.total, "WP") && h.Get("X-Shop-Total") != "" {
			t.Errorf("%s: the contract's header is there as well", path)
		}
	}
}

func TestErrorsLocationsAndSettingsInADialect(t *testing.T) {
	t.Parallel()
	shop := shopSpeaking(t, "")
	if answer, body := spoken(t, shop, "GET", "/wp-json/wc/v3/products/999999", ""); answer.Code != 404 ||
		body.Get("code").Str != "woocommerce_rest_product_invalid_id" {
		t.Errorf("a missing product: %d %s", answer.Code, body)
	}
	for _, path := range []string{"/wp-json/shop/v3/products", "/wc/v3/products", "/wp-json/product/x",
		"/wp-json/_mock/reset", "/wp-json/wc/v30/a",
		"/wp-jsonx/wc/v3/products", "/?rest_route=/wc/v30/products&x=1"} {
		answer, body := spoken(t, shop, "POST", path, "")
		if answer.Code != 404 && answer.Code != 200 || answer.Code == 404 && body.Get("code").Str != "rest_no_route" ||
			answer.Code == 200 && !strings.HasPrefix(path, "/?") {
			t.Errorf("%s: %d %s", path, answer.Code, body)
		}
	}
	answer, made := spoken(t, shop, "POST", "/wp-json/wc/v3/products", `{"name":"shop_rest_shirt","sku":"shop_1",`+
		`"meta_data":[{"key":"woocommerce_a","value":"shop_b"}]}`)
	want := "http://example.com/wp-json/wc/v3/products/" + made.Get("id").String()
	if answer.Code != 201 || answer.Header().Get("Location") != want {
		t.Errorf("a product was made at %s, want %s", answer.Header().Get("Location"), want)
	}
	if made.Get("name").Str != "shop_rest_shirt" || made.Get("sku").Str != "shop_1" || made.Get("meta_data.0.key").Str != "woocommerce_a" {
		t.Errorf("what a user wrote was changed: %s", made)
	}
	if _, option := spoken(t, shop, "PUT", "/wp-json/wc/v3/settings/general/woocommerce_currency",
		`{"value":"EUR"}`); option.Get("id").Str !=
		"woocommerce_currency" || option.Get("value").Str != "EUR" {
		t.Errorf("the currency: %s", option)
	}
	_, batch := spoken(t, shop, "POST", "/wp-json/wc/v3/settings/general/batch", `{"update":[{"id":"woocommerce_currency",`+
		`"value":"USD"},{"id":"shop_currency","value":"EUR"}]}`)
	if batch.Get("update.0.value").Str != "USD" || batch.Get("update.1.error.code").Str != "rest_setting_setting_invalid" &&
		!batch.Get("update.1.error.code").Exists() {
		t.Errorf("two options: %s", batch)
	}
	if _, neutral := spoken(t, shop, "GET", "/shop/v3/settings/general/shop_currency", ""); neutral.Get("value").Str != "USD" {
		t.Errorf("the other dialect shows another shop: %s", neutral)
	}
	if _, index := spoken(t, shop, "GET", "/wp-json/", ""); index.Get("namespaces.0").Str != "wc/v3" {
		t.Errorf("the index: %s", index)
	}
	if _, enveloped := spoken(t, shop, "GET", "/wp-json/wc/v3/products?_envelope=1&per_page=1",
		""); !enveloped.Get("headers.X-WP-Total").Exists() ||
		!strings.Contains(enveloped.Get("headers.Link").Str, "/wp-json/wc/v3/products") {
		t.Errorf("an envelope: %s", enveloped.Get("headers"))
	}
	if head, _ := spoken(t, shop, "HEAD", "/wp-json/wc/v3/products", ""); head.Header().Get("X-WP-Total") == "" {
		t.Errorf("HEAD: %v", head.Header())
	}
}

func TestAVisitInADialect(t *testing.T) {
	t.Parallel()
	shop := shopSpeaking(t, "")
	seen, _ := spoken(t, shop, "GET", "/wp-json/wc/store/cart", "")
	nonce, cookie := seen.Header().Get("Nonce"), seen.Header().Get("Set-Cookie")
	if nonce == "" || !strings.HasPrefix(cookie, "woocommerce_session=") {
		t.Fatalf("a cart: %d %v", seen.Code, seen.Header())
	}
	cookie, _, _ = strings.Cut(cookie, ";")
	_, catalogue := spoken(t, shop, "GET", "/wp-json/wc/store/v1/products?type=simple&stock_status=instock&per_page=1", "")
	id := catalogue.Get("0.id").String()
	added, cart := spoken(t, shop, "POST", "/wp-json/wc/store/v1/cart/add-item", `{"id":`+id+`,"quantity":1}`, "Cookie", cookie,
		"X-WC-Store-API-Nonce", nonce)
	if added.Code != 201 || cart.Get("items_count").Int() != 1 {
		t.Fatalf("add-item with the older name of the nonce: %d %s", added.Code, cart)
	}
	_, cart = spoken(t, shop, "GET", "/wp-json/wc/store/v1/cart", "", "Cookie", cookie)
	if cart.Get("items_count").Int() != 1 {
		t.Errorf("the session's cookie is not known again: %s", cart)
	}
	refused, code := spoken(t, shop, "POST", "/wp-json/wc/store/v1/cart/add-item", `{"id":`+id+`,"quantity":1}`)
	if code.Get("code").Str != "woocommerce_rest_missing_nonce" {
		t.Errorf("without a nonce: %d %s", refused.Code, code)
	}
	_, answers := spoken(t, shop, "POST", "/wp-json/wc/store/v1/batch", `{"requests":[`+
		`{"path":"/wc/store/v1/cart/add-item","body":{"id":`+id+`,"quantity":1},`+
		`"headers":{"X-WC-Store-API-Nonce":"`+refused.Header().Get("Nonce")+`"}},`+
		`{"path":"/wc/store/v1/cart/remove-item","body":{"key":"none"}}]}`, "Cart-Token", added.Header().Get("Cart-Token"))
	if answers.Get("responses.#").Int() != 2 || answers.Get("responses.1.body.code").Str != "woocommerce_rest_cart_invalid_key" {
		t.Errorf("a batch: %s", answers)
	}
	if _, wrong := spoken(t, shop, "POST", "/wp-json/wc/store/v1/batch",
		`{"requests":[{"path":"/shop/store/v1/cart/add-item"}]}`); wrong.Get("code").Str !=
		"woocommerce_rest_invalid_path" {
		t.Errorf("the contract's path in a batch: %s", wrong)
	}
}

// received is one delivery of a webhook.
type received struct {
	header http.Header
	body   []byte
}

func TestWebhooksSpeakAsTheyWereRegistered(t *testing.T) {
	t.Parallel()
	shop := shopSpeaking(t, awkwardDialect)
	var mu sync.Mutex
	came := map[string][]received{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		came[r.URL.Path] = append(came[r.URL.Path], received{r.Header, body})
	}))
	defer receiver.Close()
	register := func(root, path, topic string) {
		answer, made := spoken(t, shop, "POST", root+"/webhooks", `{"topic":"`+topic+`","secret":"s",`+
			`"delivery_url":"`+receiver.URL+path+`"}`)
		if answer.Code != 201 || made.Get("topic").Str != topic {
			t.Fatalf("%s: %d %s", topic, answer.Code, made)
		}
	}
	register("/shop/v3", "/neutral", "product.created")
	register("/wp-json/wc/v3", "/preset", "product.created")
	register("/wp-json/wc/v3", "/hook", "action.woocommerce_new_product")
	register("/shop/shop/v2", "/own", "product.created")
	spoken(t, shop, "POST", "/shop/v3/products", `{"name":"shop_rest_shirt"}`)
	if err := shop.Webhooks().Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct{ signature, topic, said, link string }{
		"/neutral": {"X-Shop-Webhook-Signature", "X-Shop-Webhook-Topic", "product.created", "/shop/v3/products/"},
		"/preset":  {"X-WC-Webhook-Signature", "X-WC-Webhook-Topic", "product.created", "/wp-json/wc/v3/products/"},
		"/hook":    {"X-WC-Webhook-Signature", "X-WC-Webhook-Topic", "action.woocommerce_new_product", ""},
		"/own":     {"X-Shop-Webhook-Source", "X-Shop-Webhook-T", "product.created", "/shop/shop/v2/products/"},
	} {
		if len(came[path]) != 2 { // the ping comes first
			t.Fatalf("%s got %d deliveries", path, len(came[path]))
		}
		event := came[path][1]
		if got := event.header.Get(want.topic); got != want.said {
			t.Errorf("%s: %s is %q", path, want.topic, got)
		}
		if got := event.header.Get(want.signature); got != webhooks.Sign("s", event.body) {
			t.Errorf("%s: %s is %q", path, want.signature, got)
		}
		if self := gjson.GetBytes(event.body, "_links.self.0.href").String(); !strings.Contains(self, want.link) {
			t.Errorf("%s: the record is at %q", path, self)
		}
		isPreset := strings.HasPrefix(event.header.Get("User-Agent"), "WooCommerce/")
		if isPreset != (path == "/preset" || path == "/hook") {
			t.Errorf("%s comes from %s", path, event.header.Get("User-Agent"))
		}
	}
	if action := gjson.GetBytes(came["/hook"][1].body, "action").Str; action != "woocommerce_new_product" {
		t.Errorf("the hook is called %q", action)
	}
}

func TestLongAndBrokenBodiesInADialect(t *testing.T) {
	t.Parallel()
	shop := shopSpeaking(t, "")
	long, err := json.Marshal(map[string]any{"update": []any{map[string]string{"id": "woocommerce_currency",
		"value": strings.Repeat("x", 2<<20)}}})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]int{string(long): 413, `{"update":[{"id":"woocommerce_`: 400, strings.Repeat(`[`, 100_000): 400} {
		if answer, _ := spoken(t, shop, "POST", "/wp-json/wc/v3/settings/general/batch", body); answer.Code != want {
			t.Errorf("%.40s…: %d, want %d; %.200s", body, answer.Code, want, answer.Body)
		}
	}
}

func TestADialectThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"klingon", "./klingon.yaml", "dialects_test.go/"} {
		if _, err := shopmock.New(shopmock.Options{Dialect: dialect}); err == nil {
			t.Errorf("%s was taken", dialect)
		}
	}
}
