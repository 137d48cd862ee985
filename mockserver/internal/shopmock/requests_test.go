package shopmock_test

// The journal and the waiting under /_mock, as an app's tests use them.

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func TestTheJournalShowsWhatAnAppDid(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Get("/?rest_route=/shop/v3/products/1")
	shop.Post("/shop/v3/products?_method=PUT", `{"name":"x"}`)
	shop.Post("/shop/v3/orders", `{"status":"pending"}`)
	shop.Get("/_mock/deliveries")
	for query, want := range map[string]string{
		"": "GET /shop/v3/products/1 200 ,PUT /shop/v3/products 404 rest_no_route," +
			"POST /shop/v3/orders 201 ",
		"?method=POST":                          "POST /shop/v3/orders 201 ",
		"?path=/shop/v3/products/**":            "GET /shop/v3/products/1 200 ",
		"?status=4xx":                           "PUT /shop/v3/products 404 rest_no_route",
		"?status=201&body=status=pending":       "POST /shop/v3/orders 201 ",
		"?after=2":                              "POST /shop/v3/orders 201 ",
		"?limit=1":                              "POST /shop/v3/orders 201 ",
		"?fault=true":                           "",
		"?limit=0":                              "",
		"?body=status=pending&body=status=open": "",
	} {
		var got []string
		for _, e := range shop.Get("/_mock/requests" + query).Array() {
			got = append(got, e.Get("method").Str+" "+e.Get("path").Str+" "+e.Get("status").Raw+" "+e.Get("code").Str)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	whole := shop.Get("/_mock/requests/3")
	if whole.Get("request.body").Str != `{"status":"pending"}` || gjson.Get(whole.Get("response.body").Str, "id").Int() == 0 ||
		!strings.HasPrefix(whole.Get("request.headers.Authorization.0").Str, "Basic [redacted") {
		t.Errorf("the third request: %s", whole.Body)
	}
	if got := shop.Get("/_mock/requests/count?method=GET").Body; got != `{"count":1}` {
		t.Errorf("count: %s", got)
	}
	if got := shop.Get("/_mock/requests.har?method=GET").Get("log.entries.#").Int(); got != 1 {
		t.Errorf("%d entries in the archive", got)
	}
	if shop.Call("DELETE", "/_mock/requests", nil); shop.Get("/_mock/requests").Body != "[]" {
		t.Error("requests are left")
	}
}

func TestTheJournalKeepsWhatIsRefusedOutsideTheAPIs(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Get("/shop/v3/products", "X-Large", strings.Repeat("x", 70_000))
	shop.Call("OPTIONS", "/shop/v3/products", nil, "Origin", "http://localhost:1", "Access-Control-Request-Method", "POST")
	if got := shop.Get("/_mock/requests").Get("#.status").Raw; got != "[431,204]" {
		t.Errorf("kept: %s", got)
	}
}

func TestBadParametersOfTheJournalAreRefused(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Get("/shop/v3/products/1")
	for address, param := range map[string]string{
		"/_mock/requests?method=FETCH": "method, path, body", "/_mock/requests?path=shop": "method, path, body",
		"/_mock/requests?body==1": "method, path, body", "/_mock/requests?status=abc": "status", "/_mock/requests?status=9xx": "status",
		"/_mock/requests?after=-1": "after", "/_mock/requests?limit=x": "limit", "/_mock/requests?methode=GET": "methode",
		"/_mock/requests?limit=1&limit=2": "limit", "/_mock/requests?fault=yes": "fault", "/_mock/requests/count?limit=1": "limit",
		"/_mock/requests?a=%zz": "query", "/_mock/requests/wait?count=0": "count", "/_mock/requests/wait?timeout=2h": "timeout",
		"/_mock/requests/events?x=1": "x", "/_mock/requests.har?x=1": "x", "/_mock/deliveries/wait?state=lost": "state",
		"/_mock/deliveries/wait?webhook=0": "webhook", "/_mock/orders/1/wait": "status", "/_mock/orders/1/wait?status=paid": "status",
		"/_mock/orders/1/wait?status=pending&timeout=-1s": "timeout", "/_mock/deliveries/drain?timeout=soon": "timeout",
	} {
		method := "GET"
		if strings.Contains(address, "drain") {
			method = "POST"
		}
		answer := shop.Call(method, address, nil)
		body := answer.Body
		if answer.Status != 400 || !isEnvelope(400, body) || !gjson.Get(body, "data.params").Map()[param].Exists() {
			t.Errorf("%s: %d %s, want %s refused", address, answer.Status, body, param)
		}
	}
	if answer := shop.Call("DELETE", "/_mock/requests?method=GET", nil); answer.Status != 400 {
		t.Errorf("DELETE with a filter: %d", answer.Status)
	}
	if got := shop.Get("/_mock/requests/count").Body; got != `{"count":1}` {
		t.Errorf("after all that: %s", got)
	}
	if answer := shop.Get("/_mock/requests/99999999999999999999"); answer.Status != 404 || !isEnvelope(404, answer.Body) {
		t.Errorf("an unknown request: %d %s", answer.Status, answer.Body)
	}
}

func TestAShopWithoutAJournal(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{Journal: journal.Settings{Requests: -1}}})
	shop.Get("/shop/v3/products/1")
	for _, address := range []string{"/_mock/requests", "/_mock/requests/1", "/_mock/requests/wait", "/_mock/requests.har"} {
		if answer := shop.Get(address); answer.Status != 404 || answer.Get("code").Str != "mock_no_journal" {
			t.Errorf("%s: %d %s", address, answer.Status, answer.Body)
		}
	}
}

// TestWaiting asks for things that happen while the call waits, and for some that never do.
func TestWaiting(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{Socket: true})
	order := shop.Post("/shop/v3/orders", `{"status":"pending"}`).Get("id").Raw
	never := []string{"/_mock/requests/wait?path=/never&timeout=1ms", "/_mock/deliveries/wait?topic=product.created&timeout=1ms",
		"/_mock/orders/" + order + "/wait?status=completed&timeout=1ms", "/_mock/orders/999999/wait?status=completed&timeout=0s"}
	for _, address := range never {
		if answer := shop.Get(address); answer.Status != 200 || answer.Get("met").Raw != "false" {
			t.Errorf("%s: %d %s", address, answer.Status, answer.Body)
		}
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	var group sync.WaitGroup
	for address, want := range map[string]string{
		"/_mock/requests/wait?path=/shop/v3/webhooks&count=1&timeout=60s":                 `"count":1`,
		"/_mock/requests/wait?method=POST&path=/shop/v3/orders/*&body=status&timeout=60s": `"status":200`,
		"/_mock/deliveries/wait?topic=order.updated&state=delivered&count=1&timeout=60s":  `"topic":"order.updated"`,
		"/_mock/orders/" + order + "/wait?status=completed&timeout=60s":                   `"status":"completed"`,
	} {
		group.Go(func() {
			answer := shop.Get(address)
			if body := answer.Body; answer.Status != 200 || gjson.Get(body, "met").Raw != "true" || !strings.Contains(body, want) {
				t.Errorf("%s: %d %s, want %s", address, answer.Status, body, want)
			}
		})
	}
	shop.Post("/shop/v3/webhooks", `{"topic":"order.updated","delivery_url":"`+receiver.URL+`"}`)
	shop.Post("/shop/v3/orders/"+order, `{"status":"completed"}`)
	group.Wait()
}

// TestClosingEndsWhatWaits holds a stream of events open while the server closes: it is ended, not cut off.
func TestClosingEndsWhatWaits(t *testing.T) {
	shop, err := shopmock.Listen("127.0.0.1:0", shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	get := func(address string) *http.Response {
		response, err := client.Get(shop.URL() + address)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	events := get("/_mock/requests/events")
	defer events.Body.Close()
	get("/shop/store/v1/products?per_page=1").Body.Close()
	lines := bufio.NewReader(events.Body)
	var event [3]string
	for i := range event {
		event[i], _ = lines.ReadString('\n')
	}
	if event[0] != "id: 1\n" || event[1] != "event: request\n" ||
		gjson.Get(strings.TrimPrefix(event[2], "data: "), "path").Str != "/shop/store/v1/products" {
		t.Errorf("the first event: %q", event)
	}
	if err := shop.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Errorf("the stream was cut off: %v", err)
	}
}

func TestEventsGoOnAfterTheLastOneThatWasSeen(t *testing.T) {
	t.Parallel()
	shop := shopmock.Start(t, shopmock.Options{})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3 {
		response, err := client.Get(shop.URL() + "/shop/store/v1/products?per_page=1")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	request, err := http.NewRequest("GET", shop.URL()+"/_mock/requests/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Last-Event-ID", "2")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if first, err := bufio.NewReader(response.Body).ReadString('\n'); first != "id: 3\n" ||
		response.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%q %v %v", first, err, response.Header)
	}
}

// TestListsOfRequestsTakeNoBodies asks for all requests of a full journal: bodies that no list shows are neither copied nor redacted.
func TestListsOfRequestsTakeNoBodies(t *testing.T) {
	const large, most = 64 << 10, 1 << 20
	shop := withoutSocket(t, shopmock.Options{})
	for range 100 {
		direct(shop, "POST", "/shop/store/v1/cart/add-item", `{"id": "`+strings.Repeat("x", large)+`"}`)
	}
	for path, entries := range map[string]string{"requests": "#", "requests/wait": "requests.#", "requests/events": ""} {
		asked, leave := context.WithTimeout(t.Context(), time.Second)
		request := httptest.NewRequestWithContext(asked, http.MethodGet, "/_mock/"+path, nil)
		request.RemoteAddr = "127.0.0.1:1"
		answer := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		shop.Handler().ServeHTTP(answer, request)
		runtime.ReadMemStats(&after)
		leave()
		count := gjson.Get(answer.Body.String(), entries).Int()
		if entries == "" {
			count = int64(strings.Count(answer.Body.String(), "event: request"))
		}
		if took := after.TotalAlloc - before.TotalAlloc; count < 50 || took > most {
			t.Errorf("%s: %d entries take %d bytes", path, count, took)
		}
	}
}
