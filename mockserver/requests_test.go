package mockserver

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// TestRequestsAreCountedWrittenAndForgotten asks the journal for everything that it offers importers besides the list.
func TestRequestsAreCountedWrittenAndForgotten(t *testing.T) {
	t.Parallel()
	shop := Start(t)
	for _, path := range []string{"/shop/store/v1/cart", "/shop/store/v1/products"} {
		if answer := sent(shop, http.MethodGet, path, ""); answer.Code != http.StatusOK {
			t.Fatalf("GET %s: %d", path, answer.Code)
		}
	}
	carts := RequestFilter{Path: "/shop/store/v1/cart"}
	if count, err := shop.CountRequests(carts); err != nil || count != 1 {
		t.Errorf("%d requests for the cart, %v; want 1", count, err)
	}
	var archive bytes.Buffer
	if err := shop.WriteHAR(&archive, carts); err != nil {
		t.Fatal(err)
	}
	addresses := gjson.GetBytes(archive.Bytes(), "log.entries.#.request.url").Array()
	version := gjson.GetBytes(archive.Bytes(), "log.version").Str
	if version != "1.2" || len(addresses) != 1 || !strings.HasSuffix(addresses[0].Str, carts.Path) {
		t.Errorf("the archive is %s", archive.Bytes())
	}
	shop.ForgetRequests()
	if count, err := shop.CountRequests(RequestFilter{}); err != nil || count != 0 {
		t.Errorf("%d requests after all were forgotten, %v", count, err)
	}
}

// TestAnOrderIsAwaited waits for a status that comes, and for one that does not.
func TestAnOrderIsAwaited(t *testing.T) {
	t.Parallel()
	shop := Start(t)
	made := sent(shop, http.MethodPost, "/shop/v3/orders", `{"status":"pending"}`)
	id := gjson.GetBytes(made.Body.Bytes(), "id").Int()
	if id == 0 {
		t.Fatalf("POST orders: %d %s", made.Code, made.Body)
	}
	changed := make(chan int, 1)
	go func() {
		changed <- sent(shop, http.MethodPut, "/shop/v3/orders/"+strconv.FormatInt(id, 10), `{"status":"processing"}`).Code
	}()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := shop.AwaitOrder(ctx, id, "processing"); err != nil {
		t.Error(err)
	}
	if code := <-changed; code != http.StatusOK {
		t.Errorf("PUT order: %d", code)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	err := shop.AwaitOrder(ended, id, "completed")
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `"processing"`) {
		t.Errorf("got %v, want the context's error, with the order's status", err)
	}
}

// TestASandboxIsKnownByItsKey reads a sandbox's own record at the server's address, by the sandbox's key alone.
func TestASandboxIsKnownByItsKey(t *testing.T) {
	t.Parallel()
	server := Start(t)
	if key, secret := server.Key(); key+secret != "" {
		t.Errorf("a server that is no sandbox has the key %q", key)
	}
	sandbox := server.Sandbox(t)
	key, secret := sandbox.Key()
	request := httptest.NewRequest(http.MethodPost, "/shop/v3/products", strings.NewReader(`{"name":"Only here","slug":"only-here"}`))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth(key, secret)
	answer := httptest.NewRecorder()
	server.Handler().ServeHTTP(answer, request)
	if answer.Code != http.StatusCreated {
		t.Fatalf("POST with the sandbox's key: %d %s", answer.Code, answer.Body)
	}
	const found = "/shop/v3/products?slug=only-here"
	if list := sent(server, http.MethodGet, found, "").Body.String(); list != "[]" {
		t.Errorf("the server has the sandbox's product: %s", list)
	}
}

// sent is the answer to a request with the demo shop's key, from this machine.
func sent(shop *Server, method, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	answer := httptest.NewRecorder()
	shop.Handler().ServeHTTP(answer, request)
	return answer
}
