package shopmock_test

// How much of anything the shop takes: bodies, headers, cart and order lines, quantities, amounts.

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/rest/resttest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func TestEveryEndpointRefusesBodiesThatItCannotRead(t *testing.T) {
	if testing.Short() {
		t.Skip("every body to every endpoint, one after the other")
	}
	test := newBadInput(t)
	bodies := map[string]struct {
		status int
		text   string
	}{
		"no JSON":                  {400, "x"},
		"cut off":                  {400, `{"name":"x"`},
		"two values":               {400, `{}{}`},
		"a truth value":            {400, "true"},
		"a text":                   {400, `"x"`},
		"a list":                   {400, `[{"name":"x"}]`},
		"a number beyond a double": {400, `{"quantity":1e999}`},
		"nesting without end":      {400, strings.Repeat("[", 200_000)},
		"nesting beyond reason":    {400, strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
		"too large":                {413, `{"name":"` + strings.Repeat("x", rest.MaxBody) + `"}`},
	}
	for _, api := range allAPIs() {
		for i := range api.Endpoints() {
			endpoint := &api.Endpoints()[i]
			takesList := slices.ContainsFunc(endpoint.Params, func(p rest.Param) bool { return p.Name == rest.WholeBody })
			for what, body := range bodies {
				if takesList && what == "a list" {
					continue
				}
				before := test.Version()
				answer := test.Call(endpoint.Methods[0], "/"+api.Namespace+resttest.Path(endpoint.Path, "1"), body.text)
				if answer.Status != body.status || !isEnvelope(body.status, answer.Body) || test.Version() != before {
					t.Errorf("%s %s, %s: %d %.200s", endpoint.Methods[0], endpoint.Path, what, answer.Status, answer.Body)
				}
			}
		}
	}
}

// TestOversizedHeadersAreRefusedAndTheShopLivesOn goes as far as the HTTP library reads headers: beyond that the answer is its own.
func TestOversizedHeadersAreRefusedAndTheShopLivesOn(t *testing.T) {
	plain, secure := shopmock.Start(t, shopmock.Options{}), listenTLS(t)
	for what, server := range map[string]*shopmock.Server{"HTTP/1.1": plain, "HTTP/2": secure} {
		t.Run(what, func(t *testing.T) {
			c, before := newClient(t, server.URL()), server.Shop().Version()
			c.http.Transport = &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: secure.CertPool()}}
			defer c.http.CloseIdleConnections()
			sendOversizedHeaders(t, c)
			if after := server.Shop().Version(); after != before {
				t.Errorf("the shop changed")
			}
		})
	}
}

func sendOversizedHeaders(t *testing.T, c *client) {
	add := call{method: "POST", path: "/shop/store/v1/cart/add-item", body: `{"id":1,"quantity":1}`}
	for _, name := range []string{"Cart-Token", "Nonce", "Authorization", "Cookie", "X-Anything", "a query"} {
		for size, refused := range map[int]bool{32 << 10: false, 65 << 10: true, 128 << 10: true, 1000 << 10: true} {
			large, text := add, strings.Repeat("A", size)
			large.header = http.Header{"Content-Type": {"application/json"}}
			if name == "a query" {
				large.path += "?x=" + text
			} else {
				large.header[name] = []string{text}
			}
			status, _, body := c.send(large)
			if isRefusal := status == http.StatusRequestHeaderFieldsTooLarge && isEnvelope(status, string(body)); isRefusal != refused ||
				status >= 500 {
				t.Errorf("%d bytes of %s: %d %.200s", size, name, status, body)
			}
		}
	}
	if status, _, body := c.send(call{method: "GET", path: "/shop/store/v1/cart"}); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// tenThousand makes as many products and returns the first one's id.
func tenThousand(t *testing.T, test *badInput) (first int64) {
	test.Write(func(tx *shop.Tx) error {
		for i := range 10_000 {
			product := tx.NewProduct()
			product.Name, product.RegularPrice = fmt.Sprint("Thing ", i), "1"
			if err := product.Create(tx); err != nil {
				return err
			}
			if i == 0 {
				first = product.ID
			}
		}
		return nil
	})
	return first
}

func TestACartOfTenThousandLines(t *testing.T) {
	if testing.Short() {
		t.Skip("ten thousand requests of one client")
	}
	test := newBadInput(t)
	first := tenThousand(t, test)
	test.fillCart()
	taken, refused := 0, 0
	for i := int64(0); i < 10_000 && refused < 20; i++ {
		switch answer := test.Post("/shop/store/v1/cart/items", fmt.Sprintf(`{"id":%d,"quantity":1}`, first+i)); {
		case answer.Status == http.StatusCreated && refused == 0:
			taken++
		case answer.Status == http.StatusBadRequest && isEnvelope(400, answer.Body):
			refused++
		default:
			t.Fatalf("line %d: %d %.300s", i, answer.Status, answer.Body)
		}
	}
	if taken < 100 || refused == 0 {
		t.Errorf("%d lines were taken, %d refused: a cart has room, but not without end", taken, refused)
	}
	if count := test.Get("/shop/store/v1/cart").Get("items.#").Int(); count != int64(taken)+1 {
		t.Errorf("the cart holds %d lines, %d were taken", count, taken+1)
	}
}

func TestAnOrderHasRoomForAThousandLines(t *testing.T) {
	test := newBadInput(t)
	first := tenThousand(t, test)
	ordered := func(count int64) *testkit.Answer {
		var lines []any
		for i := range count {
			lines = append(lines, resttest.Object{"product_id": first + i, "quantity": 2})
		}
		return test.Post("/shop/v3/orders?_fields=id,total,line_items",
			resttest.JSON(resttest.Object{"line_items": lines}))

	}
	answer := ordered(1000)
	order := answer.Result
	if answer.Status != http.StatusCreated || order.Get("line_items.#").Int() != 1000 || order.Get("total").Str != "2180.00" {
		t.Errorf("%d %.300s", answer.Status, answer.Body)
	}
	if answer := ordered(1001); answer.Status != http.StatusBadRequest || !isEnvelope(400, answer.Body) {
		t.Errorf("%d %.300s", answer.Status, answer.Body)
	}
}

func TestQuantitiesAndAmountsWithoutSense(t *testing.T) {
	test := newBadInput(t)
	test.fillCart()
	key := test.Get("/shop/store/v1/cart").Get("items.0.key").Str
	order := test.Get("/shop/v3/orders?status=completed&per_page=1").Get("0.id").Raw
	const most = "9007199254740992" // what a double counts exactly
	for _, c := range []struct{ path, body string }{
		{"store/v1/cart/add-item", `{"id":1,"quantity":-1}`},
		{"store/v1/cart/add-item", `{"id":1,"quantity":` + most + `}`},
		{"store/v1/cart/add-item", `{"id":1,"quantity":9223372036854775807}`},
		{"store/v1/cart/add-item", `{"id":1,"quantity":1e19}`},
		{"store/v1/cart/add-item", `{"id":-` + most + `,"quantity":1}`},
		{"store/v1/cart/update-item", `{"key":"` + key + `","quantity":-1}`},
		{"store/v1/cart/update-item", `{"key":"` + key + `","quantity":10000}`},
		{"store/v1/cart/update-item", `{"key":"` + key + `","quantity":` + most + `}`},
		{"store/v1/cart/select-shipping-rate", `{"package_id":` + most + `,"rate_id":"flat_rate:1"}`},
		{"v3/orders", `{"line_items":[{"product_id":1,"quantity":-1}]}`},
		{"v3/orders", `{"line_items":[{"product_id":1,"quantity":0}]}`},
		{"v3/orders", `{"line_items":[{"product_id":1,"quantity":1e19}]}`},
		{"v3/orders", `{"line_items":[{"product_id":1,"quantity":1,"total":"1e99"}]}`},
		{"v3/orders", `{"fee_lines":[{"name":"x","total":"` + strings.Repeat("9", 40) + `"}]}`},
		{"v3/orders", `{"shipping_lines":[{"method_id":"flat_rate","total":"much"}]}`},
		{"v3/orders/" + order + "/refunds", `{"amount":"-1"}`},
		{"v3/orders/" + order + "/refunds", `{"amount":"1e9"}`},
		{"v3/products", `{"name":"x","regular_price":"` + strings.Repeat("9", 40) + `"}`},
		{"v3/products", `{"name":"x","regular_price":"1e3"}`},
		{"v3/products", `{"name":"x","regular_price":"twelve"}`},
		{"v3/products", `{"name":"x","regular_price":"-5"}`},
		{"v3/products", `{"name":"x","sale_price":"NaN"}`},
		{"v3/coupons", `{"code":"x","amount":"-1"}`},
		{"v3/coupons", `{"code":"x","amount":"1e5"}`},
	} {
		before := test.Version()
		answer := test.Post("/shop/"+c.path, c.body)
		if answer.Status != http.StatusBadRequest || !isEnvelope(400, answer.Body) || test.Version() != before {
			t.Errorf("%s %s: %d %.300s", c.path, c.body, answer.Status, answer.Body)
		}
	}
}

func TestTheLargestTotalsAreExact(t *testing.T) {
	test := newBadInput(t)
	const price = "999999999999.99"
	made := test.Post("/shop/v3/products",
		`{"name":"Moon","regular_price":"`+price+`","tax_status":"none","virtual":true}`).Result

	line := fmt.Sprintf(`{"id":%d,"quantity":9999}`, made.Get("id").Int())
	test.Client = test.With("Cart-Token", test.Get("/shop/store/v1/cart").Header.Get("Cart-Token"))
	cart := test.Post("/shop/store/v1/cart/add-item", line).Result
	if got, want := cart.Get("totals.total_price").Str, "999899999999990001"; got != want {
		t.Errorf("the cart comes to %s, want %s", got, want)
	}
	const many = 1_000_000_000
	order := test.Post("/shop/v3/orders",
		`{"line_items":[{"product_id":`+made.Get("id").String()+`,"quantity":`+strconv.Itoa(many)+`}]}`)

	if got, want := gjson.Get(order.Body, "total").Str, "999999999999990000000.00"; got != want {
		t.Errorf("the order comes to %q, want %s: %.300s", got, want, order.Body)
	}
}
