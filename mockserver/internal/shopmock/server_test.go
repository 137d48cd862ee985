package shopmock_test

import (
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// TestMain fails the package when a server that was closed leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOneLineGivesARunningShop(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	list := shop.Get("/shop/store/v1/products?per_page=3").Want(http.StatusOK)
	if len(list.Array()) != 3 || list.Header.Get("X-Shop-Total") == "" {
		t.Errorf("%v %s", list.Header, list.Body)
	}
	picture, ours := strings.CutPrefix(list.Get("0.images.0.src").Str, shop.Server.URL())
	if !ours || !strings.HasPrefix(picture, "/pictures/") {
		t.Fatalf("the picture is at %s, not at the mock", list.Get("0.images.0.src"))
	}
	if kind := shop.Get(picture).Want(http.StatusOK).Header.Get("Content-Type"); kind != "image/svg+xml" {
		t.Errorf("the picture is %s", kind)
	}
}

func TestTheSeedsHoldWhatTheySay(t *testing.T) {
	for seed, want := range map[string]struct{ products, orders, customers int }{
		fixtures.EmptySeed: {0, 0, 1}, // the administrator
		fixtures.DemoSeed:  {38, 30, 12},
	} {
		shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{Seed: seed}})
		for path, least := range map[string]int{"products": want.products, "orders": want.orders, "customers?role=all": want.customers} {
			total, err := strconv.Atoi(shop.Get("/shop/v3/" + path).Header.Get("X-Shop-Total"))
			if err != nil || total < least || seed == fixtures.EmptySeed && total != least {
				t.Errorf("%s: %d %s, want %d", seed, total, path, least)
			}
		}
	}
	if _, err := shopmock.New(shopmock.Options{Seed: "nope"}); err == nil || !strings.Contains(err.Error(), "demo") {
		t.Errorf("an unknown seed: %v; the error should name the known ones", err)
	}
}

func TestResetReturnsToASeed(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	total := func() string { return shop.Get("/shop/v3/products?per_page=1").Header.Get("X-Shop-Total") }
	before := total()
	shop.Post("/_mock/reset?seed=empty", nil).Want(http.StatusOK)
	if total() != "0" {
		t.Errorf("reset to empty: %s products", total())
	}
	shop.Post("/_mock/reset", nil).Want(http.StatusOK)
	if total() != before {
		t.Errorf("reset: %s products, want %s", total(), before)
	}
	refused := shop.Post("/_mock/reset?seed=nope", nil).Want(http.StatusBadRequest)
	if !refused.Get("data.params.seed").Exists() || total() != before {
		t.Errorf("an unknown seed: %s", refused.Body)
	}
}

func TestEqualSeedsAndRequestsGiveEqualBytes(t *testing.T) {
	var transcripts [2]strings.Builder
	for i := range transcripts {
		shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{RandomSeed: 7}})
		client := shop.Client
		for _, c := range []call{
			{method: "GET", path: "/shop/store/v1/cart"},
			{method: "POST", path: "/shop/v3/products", body: `{"name":"Twin","regular_price":"4.00"}`},
			{method: "POST", path: "/shop/store/v1/cart/add-item", body: `{"id":1,"quantity":1}`},
			{method: "GET", path: "/shop/store/v1/checkout"},
			{method: "GET", path: "/shop/v3/orders?per_page=5"},
		} {
			answer := client.Call(c.method, c.path, c.body)
			client = client.With("Cart-Token", answer.Header.Get("Cart-Token"))
			answer.Header.Write(&transcripts[i]) //nolint:errcheck // a builder does not fail
			transcripts[i].WriteString(answer.Body)
		}
	}
	if transcripts[0].String() != transcripts[1].String() {
		t.Error("two servers of one seed answered the same requests differently")
	}
}

// TestNobodyGuessesTheTokensOfAnotherServer plays the same visit in two servers without a random seed: neither knows the other's
// nonces, tokens and orders, as one process does not know those of the one before it.
func TestNobodyGuessesTheTokensOfAnotherServer(t *testing.T) {
	visit := func(randomSeed uint64, header ...string) (added *testkit.Answer, order string) {
		shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{RandomSeed: randomSeed}})
		order = shop.Post("/shop/v3/orders", `{"status":"pending"}`).Get("order_key").Str
		return shop.As("", "").Post("/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, header...), order
	}
	first, firstOrder := visit(0)
	second, secondOrder := visit(0)
	if first.Header.Get("Cart-Token") == second.Header.Get("Cart-Token") || first.Header.Get("Nonce") == second.Header.Get("Nonce") ||
		firstOrder == secondOrder {
		t.Errorf("two servers give equal tokens, nonces or order keys: %v, %v", first.Header, second.Header)
	}
	for _, header := range []string{"Cart-Token", "Nonce"} {
		if other, _ := visit(0, header, first.Header.Get(header)); other.Status/10 != 40 {
			t.Errorf("the %s of another server: %d", header, other.Status)
		}
		seeded, _ := visit(3)
		if same, _ := visit(3, header, seeded.Header.Get(header)); same.Status != http.StatusCreated {
			t.Errorf("the %s of a server with the same random seed: %d", header, same.Status)
		}
	}
}

func TestAMethodThatAnAddressDoesNotTakeIsAnUnknownRoute(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	before := shop.Version()
	for address, taken := range map[string]string{
		"/": "GET HEAD", "/_mock/reset": "POST", "/_mock/deliveries": "GET HEAD", "/_mock/deliveries/drain": "POST",
		"/_mock/requests": "GET HEAD DELETE", "/_mock/requests/count": "GET HEAD", "/_mock/requests/wait": "GET HEAD",
		"/_mock/requests.har": "GET HEAD", "/_mock/orders/1/wait": "GET HEAD",
		"/_mock/deliveries/1":           "GET HEAD",
		"/_mock/deliveries/1/redeliver": "POST", "/_mock/catcher/x": "GET HEAD POST PUT PATCH DELETE", "/pictures/cup.svg": "GET HEAD",
		"/oauth1/request": "GET HEAD POST", "/oauth1/authorize": "GET HEAD POST", "/oauth1/access": "GET HEAD POST",
		"/product/tee": "GET HEAD", "/checkout/order-pay/1": "GET HEAD POST", "/checkout/order-received/1": "GET HEAD",
		"/shop/v3": "GET HEAD OPTIONS", "/shop/v3/products/1": "GET HEAD POST PUT PATCH DELETE OPTIONS",
		"/shop/store/v1/cart": "GET HEAD OPTIONS", "/jwt-auth/v1/token": "POST OPTIONS",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"} {
			if strings.Contains(" "+taken+" ", " "+method+" ") {
				continue
			}
			answer := shop.Call(method, address, nil)
			if body := answer.Body; answer.Status != http.StatusNotFound || !isEnvelope(http.StatusNotFound, body) ||
				gjson.Get(body, "code").Str != "rest_no_route" {
				t.Errorf("%s %s: %d %q", method, address, answer.Status, body)
			}
		}
	}
	for _, address := range []string{"/_mock/deliveries", "/pictures/cup.svg", "/"} {
		if answer := shop.Call(http.MethodHead, address, nil); answer.Status != http.StatusOK {
			t.Errorf("HEAD %s: %d", address, answer.Status)
		}
	}
	if shop.Version() != before {
		t.Error("something changed")
	}
}

func TestAlternativeFormsOfAnAddress(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	for address, want := range map[string]int{
		"/shop/v3/products": 200, "/shop/v3/products/": 200, "/shop/v2/products": 200, "/shop/v1/products": 200, "/shop/v9/products": 404,
		"/?rest_route=/shop/v3/products": 200, "/index.php?rest_route=/shop/v3/products&per_page=1": 200, "/?rest_route=/shop/nope": 404,
		"/shop/store/cart": 200, "/shop/store/v1/cart": 200, "/?rest_route=/shop/store/cart": 200, "/shop/store/v2/cart": 404,
		"/": 200, "/nope": 404, "/shop/v3": 200, "//shop/v3/products": 200, "/pictures/../server.go": 404,
	} {
		if got := shop.Get(address); got.Status != want || !gjson.Valid(got.Body) {
			t.Errorf("GET %s: %d %.80s, want %d", address, got.Status, got.Body, want)
		}
	}
}

// logged opens a shop with the log that it writes.
func logged(t *testing.T) (*testkit.Shop, *strings.Builder) {
	t.Helper()
	var log strings.Builder
	return testkit.Open(t, testkit.Options{Server: shopmock.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}), &log
}

func TestTheLogTellsNoSecrets(t *testing.T) {
	shop, log := logged(t)
	shop.Get("/shop/v3/products?consumer_key=ck_mock_rw&consumer_secret=cs_mock_rw")
	if text := log.String(); !strings.Contains(text, "/shop/v3/products") || strings.Contains(text, "cs_mock") ||
		strings.Contains(text, "ck_mock") {
		t.Errorf("log: %s", text)
	}
}

func TestTheLogTellsTheStatusOfEveryAnswer(t *testing.T) {
	shop, log := logged(t)
	shop.Get("/pictures/placeholder.svg")
	shop.Get("/pictures/none.svg")
	if text := log.String(); !strings.Contains(text, "placeholder.svg status=200") || !strings.Contains(text, "none.svg status=404") {
		t.Errorf("log: %s", text)
	}
}

// A value that nests too deep for an answer to be read is not taken in.
func TestDeepBodiesAreRefused(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	put := func(levels int) *testkit.Answer {
		deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		return shop.Call("PUT", "/shop/v3/products/1", `{"meta_data":[{"key":"k","value":`+deep+`}]}`)
	}
	put(9990).Fails(http.StatusBadRequest, "rest_invalid_json")
	put(509).Want(http.StatusOK) // in three more
	shop.Get("/shop/v3/products?_envelope=1&include=1").Want(http.StatusOK)
	shop.Post("/shop/v3/products/batch", `{"update":[{"id":1,"name":"x"}]}`).Want(http.StatusOK)
}

// TestConcurrentCallers is for the race detector: readers, writers and resets at once.
func TestConcurrentCallers(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	calls := []call{
		{method: "GET", path: "/shop/v3/products?on_sale=true"},
		{method: "POST", path: "/shop/v3/products", body: `{"name":"x"}`},
		{method: "GET", path: "/shop/store/v1/cart"},
		{method: "GET", path: "/shop/store/v1/products"},
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for round := range 30 {
				c := calls[(worker+round)%len(calls)]
				if answer := shop.Call(c.method, c.path, c.body); answer.Status >= http.StatusInternalServerError {
					t.Errorf("%s: %d %s", answer.What, answer.Status, answer.Body)
				}
				if worker == 0 && round%10 == 9 {
					if err := shop.Server.Reset(""); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestABodyThatIsTooLargeIsRefused(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Socket: true})
	request := shop.Request(http.MethodPost, "/shop/store/v1/cart/add-item", nil)
	request.Body, request.ContentLength = io.NopCloser(io.LimitReader(zeros{}, 3<<20)), -1
	if answer := shop.Do(request); answer.Status != http.StatusRequestEntityTooLarge || answer.Get("data.status").Int() != 413 {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}
