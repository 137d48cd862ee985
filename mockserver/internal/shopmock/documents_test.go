package shopmock_test

// The documents of what is served.

import (
	"archive/zip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/testkit"
)

func TestTheDocumentIsServedWithTheAddressOfTheShop(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	for place, want := range map[string]string{
		"/_mock/openapi.json": testkit.Site, "/s/box/_mock/openapi.json": testkit.Site + "/s/box",
	} {
		shop.Post("/_mock/sandboxes", `{"name":"box"}`)
		if got := shop.Get(place); got.Get("openapi").Str != "3.1.0" || got.Get("servers.0.url").Str != want {
			t.Errorf("%s: %.300s", place, got.Body)
		}
	}
}

func TestTheDocumentIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	first := shop.Get("/_mock/openapi.json").Body
	for range 16 {
		if again := shop.Get("/_mock/openapi.json").Body; again != first {
			t.Fatal("two documents of one shop differ")
		}
	}
}

func TestAMistypedAddressOfTheMocksOwnIsHelpedWith(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	for path, want := range map[string]string{
		"/_mock/request": `["/_mock/requests"]`, "/_mock/sandbox": `["/_mock/sandboxes"]`,
		"/_mock/requests/7/x": `["/_mock/requests/{id}"]`,
	} {
		if answer := shop.Get(path); answer.Status != http.StatusNotFound || answer.Get("data.nearest").Raw != want {
			t.Errorf("%s: %d %s, want %s", path, answer.Status, answer.Body, want)
		}
	}
	if answer := shop.Call(http.MethodPatch, "/_mock/faults", nil); answer.Get("data.methods").Raw != `["GET","POST","PUT","DELETE"]` {
		t.Errorf("PATCH /_mock/faults: %s", answer.Body)
	}
}

func TestTheMocksOwnCallsTakeTheParametersThatTheyDeclare(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	paths := shop.Get("/_mock/openapi.json").Get("paths")
	tried := 0
	paths.ForEach(func(path, methods gjson.Result) bool {
		if !strings.HasPrefix(path.Str, "/_mock/") {
			return true
		}
		methods.ForEach(func(method, operation gjson.Result) bool {
			for _, name := range operation.Get(`parameters.#(in=="query")#.name`).Array() {
				tried++
				address := strings.NewReplacer("{id}", "1", "{name}", "x").Replace(path.Str)
				answer := shop.Call(strings.ToUpper(method.Str), address+"?unheard-of=1&"+url.QueryEscape(name.Str)+"=%3F", nil)
				reason := answer.Get("data.params." + name.Str).Str
				if answer.Status != http.StatusBadRequest || strings.Contains(reason, "no parameter") {
					t.Errorf("%s %s: %s is declared, but %d %s", method.Str, path.Str, name.Str, answer.Status, answer.Body)
				}
			}
			return true
		})
		return true
	})
	if tried < 30 {
		t.Errorf("only %d parameters were tried", tried)
	}
}

// TestThePostmanCollectionsCallsAreAnswered sends the calls of the collection that only read, as Postman would.
func TestThePostmanCollectionsCallsAreAnswered(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Server.ServeMetrics(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	collection := shop.Get("/_mock/collection/postman")
	shop.Client = shop.With("Cart-Token", shop.Get("/shop/store/v1/cart").Header.Get("Cart-Token"))
	sent := 0
	for _, folder := range collection.Get("item").Array() {
		for _, item := range folder.Get("item").Array() {
			request := item.Get("request")
			raw := request.Get("url.raw").Str
			address, whole := strings.CutPrefix(raw, "{{base_url}}")
			if !whole || "/"+strings.Join(texts(request.Get("url.path")), "/") != address {
				t.Errorf("%s is otherwise than its parts: %s", raw, request.Get("url.path").Raw)
			}
			if request.Get("method").Str != http.MethodGet || strings.Contains(address, ":") || strings.HasSuffix(address, "/events") ||
				strings.HasSuffix(address, "/wait") || strings.HasSuffix(address, "/checkout") {
				continue
			}
			sent++
			if answer := shop.Get(address); answer.Status != http.StatusOK {
				t.Errorf("%s: %d %.200s", address, answer.Status, answer.Body)
			}
		}
	}
	if sent < 50 {
		t.Errorf("only %d calls were sent", sent)
	}
	for path, want := range map[string]string{
		`item.#(name=="shop/v3 orders").item.#(name=="Create a record of orders").request.auth.type`:       "basic",
		`item.#(name=="shop/store/v1 cart").item.#(name=="Add item").request.header.0.value`:               "{{cart_token}}",
		`item.#(name=="shop/store/v1 cart").item.#(name=="Add item").request.body.raw`:                     `{"id":1,"quantity":1}`,
		`item.#(name=="shop/v3 products").item.#(name=="Read one of products by id").request.url.variable`: `[{"key":"id","value":"1"}]`,
		`variable.#(key=="base_url").value`: testkit.Site,
	} {
		found := collection.Get(path)
		if got := found.String(); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func texts(list gjson.Result) []string {
	var all []string
	for _, item := range list.Array() {
		all = append(all, item.Str)
	}
	return all
}

func TestTheBrunoCollectionHoldsAllCalls(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	text := shop.Get("/_mock/collection/bruno").Body
	archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		file, err := archive.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	calls := 0
	for _, file := range archive.File {
		if strings.Count(file.Name, "/") == 1 && strings.HasSuffix(file.Name, ".bru") && !strings.HasPrefix(file.Name, "environments") {
			calls++
		}
	}
	described := 0
	shop.Get("/_mock/openapi.json").Get("paths").ForEach(func(_, methods gjson.Result) bool {
		methods.ForEach(func(_, call gjson.Result) bool {
			if !call.Get("deprecated").Bool() {
				described++
			}
			return true
		})
		return true
	})
	if calls != described || calls < 200 {
		t.Errorf("%d calls, %d are described", calls, described)
	}
	for name, want := range map[string]string{
		"bruno.json":                                              `"type": "collection"`,
		"environments/shopmock.bru":                               "  base_url: " + testkit.Site + "\n",
		"shop-v3 orders/get-shop-v3-orders-id.bru":                "get {\n  url: {{base_url}}/shop/v3/orders/:id\n  body: none\n",
		"shop-store-v1 cart/post-shop-store-v1-cart-add-item.bru": "body:json {\n  {\n    \"id\": 1,\n    \"quantity\": 1\n  }\n}",
	} {
		if got := read(name); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}
