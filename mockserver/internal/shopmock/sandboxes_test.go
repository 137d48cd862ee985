package shopmock_test

// Sandboxes: who is in which, and what they share.

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// asking sends a request without credentials but those named.
func asking(shop *shopmock.Server, method, target, body string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	shop.Handler().ServeHTTP(recorder, request)
	return recorder
}

func TestARequestFindsItsSandbox(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	made := gjson.Parse(direct(shop, "POST", "/_mock/sandboxes", `{"name":"mine","seed":"empty"}`).Body.String())
	if made.Get("url").Str != "http://example.com/s/mine" {
		t.Fatalf("made: %s", made)
	}
	key := made.Get("consumer_key").Str + ":" + made.Get("consumer_secret").Str
	basic, _ := http.NewRequest("GET", "/", nil)
	basic.SetBasicAuth(made.Get("consumer_key").Str, made.Get("consumer_secret").Str)
	asQuery := "consumer_key=" + strings.Replace(key, ":", "&consumer_secret=", 1)
	for name, c := range map[string]struct {
		target string
		header []string
		want   string // how many products there are
	}{
		"nothing":               {"/shop/store/v1/products", nil, "43"},
		"path":                  {"/s/mine/shop/store/v1/products", nil, "0"},
		"path and rest_route":   {"/s/mine/?rest_route=/shop/store/v1/products", nil, "0"},
		"path and dialect":      {"/s/mine/wp-json/wc/store/v1/products", nil, "0"},
		"header":                {"/shop/store/v1/products", []string{shopmock.SandboxHeader, "mine"}, "0"},
		"host":                  {"http://mine.localhost:8080/shop/store/v1/products", nil, "0"},
		"another host":          {"http://app.localhost:8080/shop/store/v1/products", nil, "43"},
		"key in the query":      {"/shop/v3/products?" + asQuery, nil, "0"},
		"key by Basic":          {"/shop/v3/products", []string{"Authorization", basic.Header.Get("Authorization")}, "0"},
		"the path has the word": {"/s/mine/shop/v3/products?" + asQuery, []string{shopmock.SandboxHeader, "other"}, "0"},
	} {
		answer := asking(shop, "GET", c.target, "", c.header...)
		total := answer.Header().Get("X-Shop-Total") + answer.Header().Get("X-WP-Total")
		if answer.Code != 200 || total != c.want {
			t.Errorf("%s: %d, %s products, want %s: %.200s", name, answer.Code, total, c.want, answer.Body)
		}
	}
	for _, target := range []string{"/s/other/shop/store/v1/products", "/s/", "/s/../_mock/requests"} {
		if answer := asking(shop, "GET", target, ""); answer.Code != 404 || !isEnvelope(404, answer.Body.String()) {
			t.Errorf("%s: %d %s", target, answer.Code, answer.Body)
		}
	}
	if answer := asking(shop, "GET", "/s/mine/shop/v3/products?consumer_key=ck_mock_rw&consumer_secret=wrong", ""); answer.Code != 401 {
		t.Errorf("a wrong secret: %d", answer.Code)
	}
}

// TestAKeyIsTheShopsOwnWhileItHasIt sends one key again and again, while the server's own shop comes to have it, and loses it.
func TestAKeyIsTheShopsOwnWhileItHasIt(t *testing.T) {
	t.Parallel()
	server := withoutSocket(t, shopmock.Options{})
	mine := server.SandboxFrom(t, "mine", shopmock.Origin{Seed: "empty"})
	basic, _ := http.NewRequest("GET", "/", nil)
	basic.SetBasicAuth(mine.Key())
	total := func() string {
		answer := asking(server, "GET", "/shop/v3/products", "", "Authorization", basic.Header.Get("Authorization"))
		return answer.Header().Get("X-Shop-Total")
	}
	without, with := server.Shop().Snapshot(), server.Shop().Snapshot()
	with.Keys = mine.Shop().Snapshot().Keys
	totals := []string{total()}
	for _, state := range []shop.State{with, without, with, with} {
		if err := server.Shop().Restore(state); err != nil {
			t.Fatal(err)
		}
		totals = append(totals, total(), total())
	}
	if got, want := strings.Join(totals, " "), "0 48 48 0 0 48 48 48 48"; got != want {
		t.Errorf("%s products, want %s", got, want)
	}
}

// TestKeysInTheQueryAreToldApart sends keys of two shops beside one Authorization that has none.
func TestKeysInTheQueryAreToldApart(t *testing.T) {
	t.Parallel()
	server := withoutSocket(t, shopmock.Options{})
	key, secret := server.SandboxFrom(t, "mine", shopmock.Origin{Seed: "empty"}).Key()
	for _, authorization := range []string{"", "Bearer x", "Basic x"} {
		var totals []string
		for _, query := range []string{rwKey, "consumer_key=" + key + "&consumer_secret=" + secret} {
			answer := asking(server, "GET", "/shop/v3/products?"+query, "", "Authorization", authorization)
			totals = append(totals, answer.Header().Get("X-Shop-Total"))
		}
		if got := strings.Join(totals, " "); got != "48 0" {
			t.Errorf("%q: %s products, want 48 and 0", authorization, got)
		}
	}
}

func TestSandboxesShareNothingThatChanges(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	one, other := shop.Sandbox(t), shop.Sandbox(t)
	direct(one, "POST", "/shop/v3/products", `{"name":"only here"}`)
	for name, c := range map[string]struct {
		where *shopmock.Server
		want  string
	}{"the sandbox": {one, "1"}, "the server": {shop, "0"}, "another sandbox": {other, "0"}} {
		if got := direct(c.where, "GET", "/shop/v3/products?search=only+here", "").Header().Get("X-Shop-Total"); got != c.want {
			t.Errorf("%s has %s products, want %s", name, got, c.want)
		}
	}
	if len(one.Journal().List(journal.Filter{})) == 0 || len(shop.Journal().List(journal.Filter{})) == 0 {
		t.Error("a journal is empty")
	}
	for _, e := range shop.Journal().List(journal.Filter{}) {
		if e.Method == "POST" {
			t.Errorf("the server's journal tells of the sandbox: %+v", e)
		}
	}
	withFaults(t, one, faults.Rule{Effect: faults.Status, Status: 503})
	if a, b := direct(one, "GET", "/shop/v3", ""), direct(other, "GET", "/shop/v3", ""); a.Code != 503 || b.Code != 200 {
		t.Errorf("with a fault: %d, without: %d", a.Code, b.Code)
	}
}

// TestWhatNamesASandbox sends a token, a cookie and a key of one sandbox to the server, which finds it, and to another one.
func TestWhatNamesASandbox(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	one, other := shop.Sandbox(t), shop.Sandbox(t)
	seen := asking(one, "GET", "/shop/store/v1/cart", "")
	token, cookie := seen.Header().Get("Cart-Token"), seen.Result().Cookies()[0]
	if !strings.HasPrefix(cookie.Path, "/s/sb-") {
		t.Errorf("the cookie goes to %s", cookie.Path)
	}
	key, secret := one.Key()
	byKey := "/shop/v3/products/1?consumer_key=" + key + "&consumer_secret=" + secret
	for name, c := range map[string]struct {
		where              *shopmock.Server
		method, path, body string
		want               int
	}{
		"the token":            {shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`, 201},
		"the token, elsewhere": {other, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`, 401},
		"the key":              {shop, "GET", byKey, "", 200},
		"the key, elsewhere":   {other, "GET", byKey, "", 401},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := asking(c.where, c.method, c.path, c.body, "Cart-Token", token); answer.Code != c.want {
				t.Errorf("%d %s", answer.Code, answer.Body)
			}
		})
	}
	cart := asking(shop, "GET", "/shop/store/v1/cart", "", "Cookie", cookie.String())
	if got := gjson.Get(cart.Body.String(), "items_count").Int(); got != 2 {
		t.Errorf("by the cookie alone: %d pieces", got)
	}
	if err := one.Reset("empty"); err != nil {
		t.Fatal(err)
	}
	if answer := asking(shop, "GET", byKey, ""); answer.Code != 404 {
		t.Errorf("by the key after a reset: %d %.100s", answer.Code, answer.Body)
	}
}

func TestSandboxesUnderTheMocksOwnAPI(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	for body, want := range map[string]int{
		``: 201, `{"name":"a"}`: 201, `{"seed":"empty"}`: 201, `{"name":"A"}`: 400, `{"name":"-a"}`: 400, `{"name":"a b"}`: 400,
		`{"seed":"nope"}`: 400, `{"nme":"x"}`: 400, `[`: 400, `{} {}`: 400, `{"name":"` + strings.Repeat("x", 64) + `"}`: 400,
	} {
		answer := direct(shop, "POST", "/_mock/sandboxes", body)
		if answer.Code != want || want == 400 && !isEnvelope(400, answer.Body.String()) {
			t.Errorf("%s: %d %s", body, answer.Code, answer.Body)
		}
	}
	if answer := direct(shop, "POST", "/_mock/sandboxes", `{"name":"a"}`); answer.Code != 409 || !isEnvelope(409, answer.Body.String()) {
		t.Errorf("a name again: %d %s", answer.Code, answer.Body)
	}
	if got := gjson.Get(direct(shop, "GET", "/_mock/sandboxes", "").Body.String(), "#").Int(); got != 3 {
		t.Errorf("%d sandboxes", got)
	}
	for _, want := range []int{204, 404} {
		if answer := direct(shop, "DELETE", "/_mock/sandboxes/a", ""); answer.Code != want {
			t.Errorf("DELETE: %d, want %d", answer.Code, want)
		}
	}
	if answer := direct(shop, "GET", "/s/a/shop/v3", ""); answer.Code != 404 {
		t.Errorf("what is gone: %d", answer.Code)
	}
	direct(shop, "POST", "/_mock/sandboxes", `{"name":"b"}`)
	if answer := direct(shop, "POST", "/s/b/_mock/sandboxes", ""); answer.Code != 404 {
		t.Errorf("a sandbox in a sandbox: %d", answer.Code)
	}
	stranger := asking(shop, "GET", "/s/b/_mock/requests", "", "Origin", "https://evil.example")
	if stranger.Code != 403 {
		t.Errorf("a stranger's page: %d", stranger.Code)
	}
}

func TestIdleSandboxesMakeRoom(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	shop.Post("/_mock/sandboxes", `{"name":"idle"}`).Want(201)
	shop.Post("/_mock/sandboxes", `{"name":"used"}`).Want(201)
	shop.Clock.Move(3 * 60 * 60 * 1e9)
	shop.Get("/s/used/shop/store/v1/products?per_page=1").Want(200)
	shop.Clock.Move(2 * 60 * 60 * 1e9)
	shop.Post("/_mock/sandboxes", `{"name":"new"}`).Want(201)
	if got := shop.Get("/_mock/sandboxes").Get("#.name").Raw; got != `["new","used"]` {
		t.Errorf("left: %s", got)
	}
}

// TestManySandboxes is for the race detector, and for what they take.
func TestManySandboxes(t *testing.T) {
	shop := withoutSocket(t, shopmock.Options{})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const count = 500
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range count / 4 {
				one := shop.Sandbox(t)
				if answer := direct(one, "GET", "/shop/v3/products/1", ""); answer.Code != 200 {
					t.Errorf("%d %s", answer.Code, answer.Body)
				}
			}
		})
	}
	group.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / count; each > 64<<10 {
		t.Errorf("a sandbox that was called once takes %d bytes", each)
	} else {
		t.Logf("a sandbox that was called once takes %d bytes", each)
	}
}

func BenchmarkCreateSandbox(b *testing.B) {
	shop, err := shopmock.New(shopmock.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer shop.Close()
	shop.Sandbox(b)
	b.ReportAllocs()
	for b.Loop() {
		if answer := direct(shop, "POST", "/_mock/sandboxes", ""); answer.Code == http.StatusCreated {
			name := gjson.Get(answer.Body.String(), "name").Str
			direct(shop, "DELETE", "/_mock/sandboxes/"+name, "")
		}
	}
}
