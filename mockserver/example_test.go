package mockserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

// In a test, t is the test's own: the shop ends with it.
func ExampleStart() {
	t := &exampleTest{}
	defer t.end()

	shop := mockserver.Start(t)
	response, err := http.Get(shop.URL() + "/shop/store/v1/products?per_page=3")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Status, "with", response.Header.Get("X-Shop-Total"), "products")
	// Output: 200 OK with 43 products
}

// A shop whose time stands still until the test moves it.
func ExampleOptions_clock() {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	shop, err := mockserver.New(mockserver.Options{Seed: "empty", Clock: func() time.Time { return now }})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	fmt.Println(gjson.Get(post(shop.Handler(), "/shop/v3/products", `{"name": "Mug"}`), "date_created"))
	now = now.Add(36 * time.Hour)
	fmt.Println(gjson.Get(post(shop.Handler(), "/shop/v3/products", `{"name": "Jug"}`), "date_created"))
	// Output:
	// 2026-03-01T12:00:00
	// 2026-03-03T00:00:00
}

// Two shops with one random seed and one clock give equal answers, down to the tokens.
func ExampleOptions_randomSeed() {
	cartToken := func(seed uint64) string {
		noon := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
		shop, err := mockserver.New(mockserver.Options{RandomSeed: seed, Clock: noon})
		if err != nil {
			log.Fatal(err)
		}
		defer shop.Close()
		return get(shop.Handler(), "/shop/store/v1/cart").Header.Get("Cart-Token")
	}
	one, same, other := cartToken(7), cartToken(7), cartToken(8)
	fmt.Println(one == same, one == other)
	// Output: true false
}

// The mock catches webhooks itself, under any name below /_mock/catcher.
func ExampleServer_DrainWebhooks() {
	shop, err := mockserver.Listen("127.0.0.1:0", mockserver.Options{Seed: "empty"})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	receiver := shop.URL() + "/_mock/catcher/mine"
	post(shop.Handler(), "/shop/v3/webhooks", `{"topic": "product.created", "secret": "s3cret", "delivery_url": "`+receiver+`"}`)
	post(shop.Handler(), "/shop/v3/products", `{"name": "Mug"}`)

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := shop.DrainWebhooks(ctx); err != nil {
		log.Fatal(err)
	}
	var caught []struct {
		Headers http.Header
		Body    string
	}
	if err := json.NewDecoder(get(shop.Handler(), "/_mock/catcher/mine").Body).Decode(&caught); err != nil {
		log.Fatal(err)
	}
	for _, delivery := range caught[1:] { // the first is the ping that registering the webhook sends
		signature := delivery.Headers.Get("X-Shop-Webhook-Signature")
		fmt.Println(delivery.Headers.Get("X-Shop-Webhook-Topic"), signature == mockserver.SignWebhook("s3cret", []byte(delivery.Body)))
	}
	// Output: product.created true
}

// A shop that refuses every other good nonce: a client that does not try again with the newest one fails here.
func ExampleOptions_nonceReject() {
	shop, err := mockserver.New(mockserver.Options{NonceReject: mockserver.MaxNonceReject})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	nonce := get(shop.Handler(), "/shop/store/v1/cart").Header.Get("Nonce")
	for range 4 {
		request := httptest.NewRequest(http.MethodDelete, "/shop/store/v1/cart/items", nil)
		request.Header.Set("Nonce", nonce)
		response := answer(shop.Handler(), request)
		fmt.Println(response.Status)
		nonce = response.Header.Get("Nonce")
	}
	// Output:
	// 403 Forbidden
	// 200 OK
	// 403 Forbidden
	// 200 OK
}

// What an app did, and what it was told: the journal keeps the newest requests, without their secrets.
func ExampleServer_Requests() {
	shop, err := mockserver.New(mockserver.Options{Seed: "empty"})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	post(shop.Handler(), "/shop/v3/products", `{"name": "Mug", "regular_price": "12.50"}`)
	get(shop.Handler(), "/shop/v3/prodcts")

	created, err := shop.Requests(mockserver.RequestFilter{Method: "POST", Path: "/shop/v3/**", Body: []string{"name=Mug"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, request := range created {
		fmt.Println(request.Method, request.Path, request.Status, strings.Fields(request.Header.Get("Authorization"))[0])
	}
	failed, err := shop.Requests(mockserver.RequestFilter{Status: 4})
	if err != nil {
		log.Fatal(err)
	}
	for _, request := range failed {
		fmt.Println(request.Path, "is no address; did the app mean", gjson.Get(request.AnswerBody, "data.nearest"))
	}
	// Output:
	// POST /shop/v3/products 201 Basic
	// /shop/v3/prodcts is no address; did the app mean ["/shop/v3/products"]
}

// A shop whose second checkout fails, and which tells afterwards whether anybody met the fault.
func ExampleServer_SetFaults() {
	shop, err := mockserver.New(mockserver.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	err = shop.SetFaults(0,
		mockserver.FaultRule{Path: "/shop/store/v1/products", Nth: 2, Effect: "status", Status: 503, RetryAfter: 5},
		mockserver.FaultRule{Method: "POST", Path: "/shop/store/v1/checkout", Effect: "payment-declined"})
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		response := get(shop.Handler(), "/shop/store/v1/products")
		fmt.Println(response.StatusCode, response.Header["Retry-After"])
	}
	for _, fault := range shop.Faults() {
		fmt.Println(fault.Effect, "happened", fault.Fired, "times")
	}
	// Output:
	// 200 []
	// 503 [5]
	// 200 []
	// status happened 1 times
	// payment-declined happened 0 times
}

// Rules that are ready have names; rules of one's own can be kept in a file.
func ExampleServer_LoadFaults() {
	shop, err := mockserver.New(mockserver.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	if err := shop.UseScenario("rate-limited"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(shop.Faults()[0].Name, shop.Faults()[0].Status)
	if err := shop.LoadFaults([]byte("rules:\n- path: /shop/v3/**\n  effect: reset\n  share: 1.5\n")); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(mockserver.FaultScenarios()), "scenarios,", len(mockserver.FaultEffects()), "effects")
	// Output:
	// rate-limited 429
	// these rules cannot be: rules[0]: share: 1.5 is none; take 0 to 1
	// 7 scenarios, 18 effects
}

// Many tests, one server: each has a shop of its own.
func ExampleServer_Sandbox() {
	t := &exampleTest{}
	defer t.end()

	server := mockserver.Start(t)
	mine, yours := server.Sandbox(t), server.Sandbox(t)
	post(mine.Handler(), "/shop/v3/products", `{"name": "Mug"}`)
	for _, shop := range []*mockserver.Server{mine, yours} {
		response, err := http.Get(shop.URL() + "/shop/store/v1/products?per_page=1")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		fmt.Println(strings.HasPrefix(shop.URL(), server.URL()+"/s/"), response.Header.Get("X-Shop-Total"))
	}
	// Output:
	// true 44
	// true 43
}

// A test waits for what its app does in its own time.
func ExampleServer_AwaitRequest() {
	shop, err := mockserver.New(mockserver.Options{Seed: "empty"})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	app := make(chan struct{})
	go func() {
		defer close(app)
		post(shop.Handler(), "/shop/v3/orders", `{"status": "processing"}`)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	order, err := shop.AwaitRequest(ctx, mockserver.RequestFilter{Method: "POST", Path: "/shop/v3/orders"})
	if err != nil {
		log.Fatal(err)
	}
	<-app
	fmt.Println(order.Status, gjson.Get(order.AnswerBody, "status"))
	// Output: 201 processing
}

// An app is told what it does wrong without failing.
func ExampleServer_Advice() {
	shop, err := mockserver.New(mockserver.Options{RandomSeed: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer shop.Close()

	post(shop.Handler(), "/shop/v1/orders", `{"stauts": "processing"}`) // the app
	for _, advice := range shop.Advice() {
		for _, seen := range advice.Seen {
			fmt.Println(advice.Level, advice.ID, seen.Note, seen.Calls[0].Path)
		}
	}
	// Output:
	// should fields.unknown unknown: stauts /shop/v1/orders
	// should namespace.deprecated  /shop/v1/orders
}

func get(shop http.Handler, target string) *http.Response {
	return answer(shop, httptest.NewRequest(http.MethodGet, target, nil))
}

// post sends JSON with the demo shop's API key, and returns the body of the answer.
func post(shop http.Handler, target, body string) string {
	request := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.Header.Set("Content-Type", "application/json")
	text, err := io.ReadAll(answer(shop, request).Body)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}

// answer calls a shop that has no socket, from this machine.
func answer(shop http.Handler, request *http.Request) *http.Response {
	request.RemoteAddr = "127.0.0.1:40000"
	recorder := httptest.NewRecorder()
	shop.ServeHTTP(recorder, request)
	return recorder.Result()
}

// exampleTest is what an example has instead of a *testing.T.
type exampleTest struct {
	testing.TB
	cleanups []func()
}

func (t *exampleTest) Helper() {}

func (t *exampleTest) Fatal(args ...any) { log.Fatal(args...) }

func (t *exampleTest) Error(args ...any) { log.Fatal(args...) }

func (t *exampleTest) Cleanup(cleanup func()) { t.cleanups = append(t.cleanups, cleanup) }

func (t *exampleTest) end() {
	for _, cleanup := range slices.Backward(t.cleanups) {
		cleanup()
	}
}
