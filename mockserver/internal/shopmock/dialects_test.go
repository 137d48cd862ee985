package shopmock_test

// The shop in other dialects than the contract's: what goes over the wire, name by name.

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
	"shopcheck/mockserver/internal/webhooks"
)

const awkwardDialect = "../../../fixtures/dialects/testdata/awkward.yaml"

func speaking(t *testing.T, dialect string) *testkit.Shop {
	t.Helper()
	return testkit.Open(t, testkit.Options{Server: shopmock.Options{Dialect: dialect}})
}

func TestListsInTheDialectThatTheirPathNames(t *testing.T) {
	t.Parallel()
	s := speaking(t, awkwardDialect)
	type names struct{ total, pages, path string }
	contract := names{"X-Shop-Total", "X-Shop-TotalPages", "/shop/v3/products"}
	preset := names{"X-WP-Total", "X-WP-TotalPages", "/wp-json/wc/v3/products"}
	awkward := names{"X-Shop-TotalPages", "X-Shop-Total", "/shop/shop/v2/products"}
	for path, want := range map[string]names{
		"/shop/v3/products?": contract, "/?rest_route=/shop/v3/products&": contract,
		"/wp-json/wc/v3/products?": preset, "/index.php/wp-json/wc/v3/products?": preset, "/?rest_route=/wc/v3/products&": preset,
		"/index.php?rest_route=%2Fwc/v3/products&": preset, "//wp-json/wc/v3/products?": preset,
		"/shop/shop/v2/products?": awkward, "/?route=shop/v2/products&": awkward,
	} {
		t.Run(path, func(t *testing.T) {
			list := s.In(t).Get(path+"per_page=10").Want(200).HasHeader(want.total, "48", want.pages, "5")
			there := "http://shop.test" + want.path
			if link := list.Header.Get("Link"); !strings.HasPrefix(link, "<"+there+"?") || !strings.HasSuffix(link, `>; rel="next"`) {
				t.Errorf("Link is %s", link)
			}
			list.Has("0._links.self.0.href", there+"/"+list.Get("0.id").String())
			if want == preset {
				list.HasHeader("X-Shop-Total", "")
			}
		})
	}
}

func TestPathsOfNoDialect(t *testing.T) {
	t.Parallel()
	s := speaking(t, "")
	for _, path := range []string{"/wp-json/shop/v3/products", "/wc/v3/products", "/wp-json/product/x", "/wp-json/_mock/reset",
		"/wp-json/wc/v30/a", "/wp-jsonx/wc/v3/products", "/?rest_route=/wc/v30/products&x=1"} {
		t.Run(path, func(t *testing.T) { s.In(t).Post(path, "").Fails(404, "rest_no_route") })
	}
}

func TestRecordsInADialect(t *testing.T) {
	t.Parallel()
	s := speaking(t, "").Under("/wp-json/wc/v3")
	s.Get("/products/999999").Fails(404, "woocommerce_rest_product_invalid_id")
	made := s.Post("/products", `{"name":"shop_rest_shirt","sku":"shop_1","meta_data":[{"key":"woocommerce_a","value":"shop_b"}]}`).
		Want(201).Has("name", "shop_rest_shirt", "sku", "shop_1", "meta_data.0.key", "woocommerce_a") // what a user wrote stays
	made.HasHeader("Location", "http://shop.test/wp-json/wc/v3/products/"+made.Get("id").String())
}

func TestSettingsInADialect(t *testing.T) {
	t.Parallel()
	s := speaking(t, "")
	const general = "/wp-json/wc/v3/settings/general"
	s.Call("PUT", general+"/woocommerce_currency", `{"value":"EUR"}`).Want(200).Has("id", "woocommerce_currency", "value", "EUR")
	s.Post(general+"/batch", `{"update":[{"id":"woocommerce_currency","value":"USD"},{"id":"shop_currency","value":"EUR"}]}`).
		Has("update.0.value", "USD", "update.1.error.code", "rest_setting_setting_invalid")
	s.Get("/shop/v3/settings/general/shop_currency").Has("value", "USD") // it is the same shop
}

func TestIndexEnvelopeAndHeadInADialect(t *testing.T) {
	t.Parallel()
	s := speaking(t, "").Under("/wp-json")
	s.Get("/").Want(200).Has("namespaces.0", "wc/v3")
	enveloped := s.Get("/wc/v3/products?_envelope=1&per_page=1").Want(200).Get("headers")
	if !enveloped.Get("X-WP-Total").Exists() || !strings.Contains(enveloped.Get("Link").Str, "/wp-json/wc/v3/products") {
		t.Errorf("an envelope: %s", enveloped)
	}
	s.Call("HEAD", "/wc/v3/products", "").Want(200).HasHeader("X-WP-Total", "48")
}

// TestHeadersAreSpelledAsTheDialectDoes: published clients hand on the names as they came, and their users look for X-WP-TotalPages.
func TestHeadersAreSpelledAsTheDialectDoes(t *testing.T) {
	t.Parallel()
	s := testkit.Open(t, testkit.Options{Socket: true})
	wire, err := net.Dial("tcp", strings.TrimPrefix(s.Site, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { wire.Close() })
	_, err = io.WriteString(wire, "GET /wp-json/wc/store/v1/products?per_page=43 HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
	answer, failed := io.ReadAll(wire)
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	head, _, _ := strings.Cut(string(answer), "\r\n\r\n")
	for _, line := range []string{"X-WP-Total: 43", "X-WP-TotalPages: 1"} {
		if !strings.Contains(head, "\r\n"+line+"\r\n") {
			t.Errorf("there is no %q:\n%s", line, head)
		}
	}
	s.Get("/wp-json/wc/v3/products").Want(200).HasHeader("X-WP-TotalPages", "5") // a client to which they are one name
}

// TestPeopleFindTheConsole: who opens the shop's address in a browser does not look for JSON.
func TestPeopleFindTheConsole(t *testing.T) {
	t.Parallel()
	s := speaking(t, "")
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	s.Get("/", "Accept", browser).Want(302).HasHeader("Location", "http://shop.test/_mock/").
		HasHeader("Link", `<http://shop.test/wp-json/>; rel="https://api.w.org/"`)
	s.Post("/_mock/sandboxes", map[string]any{"name": "one"}).Want(201)
	s.Get("/s/one/", "Accept", browser).Want(302).HasHeader("Location", "http://shop.test/s/one/_mock/")
	s.Get("/", "Accept", "*/*").Want(200).Has("home", "http://shop.test")
	s.Get("/wp-json/", "Accept", browser).Want(200).Has("home", "http://shop.test")
}

// TestClientsFindTheAPIs: from any page to the root of the REST API, and from there to its routes.
func TestClientsFindTheAPIs(t *testing.T) {
	t.Parallel()
	s := speaking(t, awkwardDialect)
	product := strings.TrimPrefix(s.Get("/shop/v3/products?slug=stoneware-mug").Get("0.permalink").Str, "http://shop.test")
	for path, want := range map[string]string{
		"/": "<http://shop.test/wp-json/>; rel=\"https://api.w.org/\"", product: "<http://shop.test/wp-json/>; rel=\"https://api.w.org/\"",
		"/wp-json": "", "/?_fields=name": "", "/wp-json/wc/v3/products/1": "", "/shop/v3": "",
	} {
		s.Get(path).Want(200).HasHeader("Link", want)
	}
	routes := s.Get("/wp-json/").Want(200).Has("home", "http://shop.test").Get("routes").Map()
	for _, path := range []string{"/wc/v3", "/wc/v2/orders", `/wc/v3/products/(?P<id>[\d]+)`, "/wc/store/v1/cart", "/jwt-auth/v1/token"} {
		if !routes[path].Get("endpoints.0.methods.0").Exists() {
			t.Errorf("%s is no route of the index: %s", path, routes[path].Raw)
		}
	}
	if s.Get("/").Get("routes").Exists() || !s.Get("/?_fields=routes").Get("routes").Exists() {
		t.Error("the first page lists the routes only where it is asked for them")
	}
	if got := s.Get("/wp-json/?_fields=name,namespaces").Get("@keys").Raw; got != `["name","namespaces"]` {
		t.Errorf("of the index that was cut down there is %s", got)
	}
}

func TestAVisitInADialect(t *testing.T) {
	t.Parallel()
	s := speaking(t, "").Under("/wp-json/wc/store/v1").As("", "")
	seen := s.Get("/cart").Want(200)
	cookie, _, _ := strings.Cut(seen.Header.Get("Set-Cookie"), ";")
	if !strings.HasPrefix(cookie, "woocommerce_session=") {
		t.Fatalf("the session is kept by %q", cookie)
	}
	body := `{"id":` + s.Get("/products?type=simple&stock_status=instock&per_page=1").Get("0.id").String() + `,"quantity":1}`
	added := s.Post("/cart/add-item", body, "Cookie", cookie, "X-WC-Store-API-Nonce", seen.Header.Get("Nonce")).Want(201).
		Has("items_count", 1) // by the older name of the nonce
	s.Get("/cart", "Cookie", cookie).Has("items_count", 1)
	nonce := s.Post("/cart/add-item", body).Fails(401, "woocommerce_rest_missing_nonce").Header.Get("Nonce")
	s.Post("/batch", `{"requests":[{"path":"/wc/store/v1/cart/add-item","body":`+body+`,"headers":{"X-WC-Store-API-Nonce":"`+nonce+`"}},`+
		`{"path":"/wc/store/v1/cart/remove-item","body":{"key":"none"}}]}`, "Cart-Token", added.Header.Get("Cart-Token")).
		Has("responses.#", 2, "responses.1.body.code", "woocommerce_rest_cart_invalid_key")
	s.Post("/batch", `{"requests":[{"path":"/shop/store/v1/cart/add-item"}]}`).Fails(400, "woocommerce_rest_invalid_path")
}

// received is one delivery of a webhook.
type received struct {
	header http.Header
	body   []byte
}

func TestWebhooksSpeakAsTheyWereRegistered(t *testing.T) {
	t.Parallel()
	s := testkit.Open(t, testkit.Options{Server: shopmock.Options{Dialect: awkwardDialect}, Socket: true})
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
		s.Post(root+"/webhooks", `{"topic":"`+topic+`","secret":"s","delivery_url":"`+receiver.URL+path+`"}`).Want(201).
			Has("topic", topic)
	}
	register("/shop/v3", "/neutral", "product.created")
	register("/wp-json/wc/v3", "/preset", "product.created")
	register("/wp-json/wc/v3", "/hook", "action.woocommerce_new_product")
	register("/shop/shop/v2", "/own", "product.created")
	s.Post("/shop/v3/products", `{"name":"shop_rest_shirt"}`).Want(201)
	if err := s.Server.Webhooks().Drain(t.Context()); err != nil {
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
	s := speaking(t, "")
	long := `{"update":[{"id":"woocommerce_currency","value":"` + strings.Repeat("x", 2<<20) + `"}]}`
	for body, want := range map[string]int{long: 413, `{"update":[{"id":"woocommerce_`: 400, strings.Repeat(`[`, 100_000): 400} {
		s.Post("/wp-json/wc/v3/settings/general/batch", body).Want(want)
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
