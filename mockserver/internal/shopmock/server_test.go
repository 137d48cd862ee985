package shopmock_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shopmock"
)

// TestMain fails the package when a server that was closed leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOneLineGivesARunningShop(t *testing.T) {
	shop := shopmock.Start(t, shopmock.Options{})
	c := newClient(t, shop.URL())
	defer c.http.CloseIdleConnections()
	status, header, body := c.send(call{method: "GET", path: "/shop/store/v1/products?per_page=3"})
	if status != http.StatusOK || len(gjson.ParseBytes(body).Array()) != 3 || header.Get("X-Shop-Total") == "" {
		t.Errorf("%d %v %s", status, header, body)
	}
	picture := gjson.GetBytes(body, "#.images.0.src").Array()[0].String()
	if !strings.HasPrefix(picture, shop.URL()+"/pictures/") {
		t.Fatalf("the picture is at %s, not at the mock", picture)
	}
	status, header, _ = c.send(call{method: "GET", path: strings.TrimPrefix(picture, shop.URL())})
	if status != http.StatusOK || header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("the picture: %d %s", status, header.Get("Content-Type"))
	}
}

func TestTheSeedsHoldWhatTheySay(t *testing.T) {
	for seed, want := range map[string]struct{ products, orders, customers int64 }{
		fixtures.EmptySeed: {0, 0, 1}, // the administrator
		fixtures.DemoSeed:  {38, 30, 12},
	} {
		shop, err := shopmock.New(shopmock.Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for path, least := range map[string]int64{"products": want.products, "orders": want.orders, "customers?role=all": want.customers} {
			total := gjson.Get(handle(shop, http.MethodGet, "/shop/v3/"+path).Header().Get("X-Shop-Total"), "@this").Int()
			if total < least || seed == fixtures.EmptySeed && total != least {
				t.Errorf("%s: %d %s, want %d", seed, total, path, least)
			}
		}
	}
	if _, err := shopmock.New(shopmock.Options{Seed: "nope"}); err == nil || !strings.Contains(err.Error(), "demo") {
		t.Errorf("an unknown seed: %v; the error should name the known ones", err)
	}
}

// handle sends a request to the handler, without a socket.
func handle(shop *shopmock.Server, method, target string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	request.RemoteAddr = "127.0.0.1:40000"
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	recorder := httptest.NewRecorder()
	shop.Handler().ServeHTTP(recorder, request)
	return recorder
}

func TestResetReturnsToASeed(t *testing.T) {
	shop, err := shopmock.New(shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	total := func() string {
		return handle(shop, http.MethodGet, "/shop/v3/products?per_page=1").Header().Get("X-Shop-Total")
	}
	before := total()
	if status := handle(shop, http.MethodPost, "/_mock/reset?seed=empty").Code; status != http.StatusOK || total() != "0" {
		t.Errorf("reset to empty: status %d, then %s products", status, total())
	}
	if handle(shop, http.MethodPost, "/_mock/reset"); total() != before {
		t.Errorf("reset: %s products, want %s", total(), before)
	}
	refused := handle(shop, http.MethodPost, "/_mock/reset?seed=nope")
	if refused.Code != http.StatusBadRequest || !gjson.Get(refused.Body.String(), "data.params.seed").Exists() || total() != before {
		t.Errorf("an unknown seed: %d %s", refused.Code, refused.Body)
	}
}

func TestEqualSeedsAndRequestsGiveEqualBytes(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	var transcripts [2]strings.Builder
	for i := range transcripts {
		shop, err := shopmock.New(shopmock.Options{Clock: func() time.Time { return now }, RandomSeed: 7})
		if err != nil {
			t.Fatal(err)
		}
		token := ""
		for _, c := range []call{
			{method: "GET", path: "/shop/store/v1/cart"},
			{method: "POST", path: "/shop/v3/products", body: `{"name":"Twin","regular_price":"4.00"}`},
			{method: "POST", path: "/shop/store/v1/cart/add-item", body: `{"id":1,"quantity":1}`},
			{method: "GET", path: "/shop/store/v1/checkout"},
			{method: "GET", path: "/shop/v3/orders?per_page=5"},
		} {
			request := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			request.RemoteAddr = "127.0.0.1:40000"
			request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
			request.Header.Set("Content-Type", "application/json")
			if token != "" {
				request.Header.Set("Cart-Token", token)
			}
			recorder := httptest.NewRecorder()
			shop.Handler().ServeHTTP(recorder, request)
			token = recorder.Header().Get("Cart-Token")
			recorder.Header().Write(&transcripts[i]) //nolint:errcheck // a builder does not fail
			transcripts[i].WriteString(recorder.Body.String())
		}
	}
	if transcripts[0].String() != transcripts[1].String() {
		t.Error("two servers of one seed answered the same requests differently")
	}
}

// TestNobodyGuessesTheTokensOfAnotherServer plays the same visit in two servers without a random seed: neither knows the other's
// nonces, tokens and orders, as one process does not know those of the one before it.
func TestNobodyGuessesTheTokensOfAnotherServer(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	visit := func(randomSeed uint64, header, token string) (http.Header, string) {
		shop, err := shopmock.New(shopmock.Options{Clock: func() time.Time { return now }, RandomSeed: randomSeed})
		if err != nil {
			t.Fatal(err)
		}
		order := gjson.Get(post(shop, "/shop/v3/orders", `{"status":"pending"}`).Body.String(), "order_key").String()
		recorder := httptest.NewRecorder()
		request := httptest.NewRequest("POST", "/shop/store/v1/cart/add-item", strings.NewReader(`{"id":1,"quantity":1}`))
		request.Header.Set(header, token)
		request.Header.Set("Content-Type", "application/json")
		shop.Handler().ServeHTTP(recorder, request)
		recorder.Header().Set("Status", strconv.Itoa(recorder.Code))
		return recorder.Header(), order
	}
	first, firstOrder := visit(0, "X-None", "")
	second, secondOrder := visit(0, "X-None", "")
	if first.Get("Cart-Token") == second.Get("Cart-Token") || first.Get("Nonce") == second.Get("Nonce") || firstOrder == secondOrder {
		t.Errorf("two servers give equal tokens, nonces or order keys: %v, %v", first, second)
	}
	for _, header := range []string{"Cart-Token", "Nonce"} {
		if other, _ := visit(0, header, first.Get(header)); !strings.HasPrefix(other.Get("Status"), "40") {
			t.Errorf("the %s of another server: %s", header, other.Get("Status"))
		}
		seeded, _ := visit(3, "X-None", "")
		if same, _ := visit(3, header, seeded.Get(header)); same.Get("Status") != "201" {
			t.Errorf("the %s of a server with the same random seed: %s", header, same.Get("Status"))
		}
	}
}

// post sends JSON to the handler, with the key that may write.
func post(shop *shopmock.Server, path, body string) *httptest.ResponseRecorder {
	return answerTo(shop.Handler(), "", http.MethodPost, path, body)
}

func TestAMethodThatAnAddressDoesNotTakeIsAnUnknownRoute(t *testing.T) {
	shop, err := shopmock.New(shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := shop.Shop().Version()
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
			answer := handle(shop, method, address)
			if body := answer.Body.String(); answer.Code != http.StatusNotFound || !isEnvelope(http.StatusNotFound, body) ||
				gjson.Get(body, "code").Str != "rest_no_route" {
				t.Errorf("%s %s: %d %q", method, address, answer.Code, body)
			}
		}
	}
	for _, address := range []string{"/_mock/deliveries", "/pictures/cup.svg", "/"} {
		if answer := handle(shop, http.MethodHead, address); answer.Code != http.StatusOK {
			t.Errorf("HEAD %s: %d", address, answer.Code)
		}
	}
	if shop.Shop().Version() != before {
		t.Error("something changed")
	}
}

func TestAlternativeFormsOfAnAddress(t *testing.T) {
	shop, err := shopmock.New(shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]int{
		"/shop/v3/products": 200, "/shop/v3/products/": 200, "/shop/v2/products": 200, "/shop/v1/products": 200, "/shop/v9/products": 404,
		"/?rest_route=/shop/v3/products": 200, "/index.php?rest_route=/shop/v3/products&per_page=1": 200, "/?rest_route=/shop/nope": 404,
		"/shop/store/cart": 200, "/shop/store/v1/cart": 200, "/?rest_route=/shop/store/cart": 200, "/shop/store/v2/cart": 404,
		"/": 200, "/nope": 404, "/shop/v3": 200, "//shop/v3/products": 200, "/pictures/../server.go": 404,
	} {
		if got := handle(shop, http.MethodGet, address); got.Code != want || !gjson.Valid(got.Body.String()) {
			t.Errorf("GET %s: %d %.80s, want %d", address, got.Code, got.Body, want)
		}
	}
}

// logged makes a shop without a socket, with the log that it writes.
func logged(t *testing.T) (*shopmock.Server, *strings.Builder) {
	t.Helper()
	var log strings.Builder
	shop, err := shopmock.New(shopmock.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return shop, &log
}

func TestTheLogTellsNoSecrets(t *testing.T) {
	shop, log := logged(t)
	handle(shop, http.MethodGet, "/shop/v3/products?consumer_key=ck_mock_rw&consumer_secret=cs_mock_rw")
	if text := log.String(); !strings.Contains(text, "/shop/v3/products") || strings.Contains(text, "cs_mock") ||
		strings.Contains(text, "ck_mock") {
		t.Errorf("log: %s", text)
	}
}

func TestTheLogTellsTheStatusOfEveryAnswer(t *testing.T) {
	shop, log := logged(t)
	handle(shop, http.MethodGet, "/pictures/placeholder.svg")
	handle(shop, http.MethodGet, "/pictures/none.svg")
	if text := log.String(); !strings.Contains(text, "placeholder.svg status=200") || !strings.Contains(text, "none.svg status=404") {
		t.Errorf("log: %s", text)
	}
}

// A value that nests too deep for an answer to be read is not taken in.
func TestDeepBodiesAreRefused(t *testing.T) {
	shop := shopmock.Start(t, shopmock.Options{})
	c := newClient(t, shop.URL())
	put := func(levels int) (int, string) {
		deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		status, _, body := c.send(call{method: "PUT", path: "/shop/v3/products/1", body: `{"meta_data":[{"key":"k","value":` + deep + `}]}`,
			header: keyed()})
		return status, string(body)
	}
	if status, body := put(9990); status != http.StatusBadRequest || !strings.Contains(body, "rest_invalid_json") {
		t.Errorf("9990 levels: %d %.300s", status, body)
	}
	if status, body := put(509); status != http.StatusOK {
		t.Errorf("509 levels in three: %d %.300s", status, body)
	}
	for _, one := range []call{
		{method: "GET", path: "/shop/v3/products?_envelope=1&include=1", header: keyed()},
		{method: "POST", path: "/shop/v3/products/batch", body: `{"update":[{"id":1,"name":"x"}]}`, header: keyed()},
	} {
		if status, _, body := c.send(one); status != http.StatusOK {
			t.Errorf("%s %s: %d %.300s", one.method, one.path, status, body)
		}
	}
}

// TestConcurrentCallers is for the race detector: readers, writers and resets at once.
func TestConcurrentCallers(t *testing.T) {
	shop := shopmock.Start(t, shopmock.Options{})
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			c := newClient(t, shop.URL())
			defer c.http.CloseIdleConnections()
			for round := range 30 {
				paths := []call{
					{method: "GET", path: "/shop/v3/products?on_sale=true", header: keyed()},
					{method: "POST", path: "/shop/v3/products", body: `{"name":"x"}`, header: keyed()},
					{method: "GET", path: "/shop/store/v1/cart"},
					{method: "GET", path: "/shop/store/v1/products"},
				}
				status, _, body := c.send(paths[(worker+round)%len(paths)])
				if status >= 500 {
					t.Errorf("%d: %s", status, body)
				}
				if worker == 0 && round%10 == 9 {
					if err := shop.Reset(""); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestABodyThatIsTooLargeIsRefused(t *testing.T) {
	shop := shopmock.Start(t, shopmock.Options{})
	request, err := http.NewRequest(http.MethodPost, shop.URL()+"/shop/store/v1/cart/add-item", io.LimitReader(zeros{}, 3<<20))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusRequestEntityTooLarge || gjson.GetBytes(body, "data.status").Int() != 413 {
		t.Errorf("%d %s", response.StatusCode, body)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}
