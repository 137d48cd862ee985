package receiver_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"shopcheck/suites/receiver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func listen(t *testing.T, o receiver.Options) *receiver.Receiver {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	r, err := receiver.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	for _, path := range []string{"/a", "/b"} {
		r.Register(path)
	}
	return r
}

func deliver(t *testing.T, url, body string) int {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func containing(text string) func(receiver.Delivery) bool {
	return func(d receiver.Delivery) bool { return bytes.Contains(d.Body, []byte(text)) }
}

func TestWhoWaitsIsWokenByTheDelivery(t *testing.T) {
	r := listen(t, receiver.Options{})
	got := make(chan receiver.Delivery, 1)
	go func() {
		d, err := r.Await(context.Background(), "/a", 10*time.Second, containing("two"))
		if err != nil {
			t.Error(err)
		}
		got <- d
	}()
	deliver(t, r.URL("/b"), "two")
	deliver(t, r.URL("/a"), "one")
	if status := deliver(t, r.URL("/a"), "two"); status != 200 {
		t.Errorf("answered with %d", status)
	}
	if d := <-got; string(d.Body) != "two" || d.Path != "/a" || d.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%+v", d)
	}
	if n := len(r.Deliveries("/a")); n != 2 {
		t.Errorf("%d deliveries to /a, want 2", n)
	}
	if d, err := r.Await(context.Background(), "/a", 0, containing("one")); err != nil || string(d.Body) != "one" {
		t.Errorf("what has come already is not found: %v", err)
	}
}

func TestSilenceIsToldFromAMissingDelivery(t *testing.T) {
	r := listen(t, receiver.Options{})
	if _, err := r.Await(context.Background(), "/a", time.Millisecond, containing("x")); !errors.Is(err, receiver.ErrSilence) {
		t.Errorf("%v", err)
	}
	began := time.Now()
	if _, err := r.Await(context.Background(), "/a", time.Minute, containing("x")); !errors.Is(err, receiver.ErrSilence) ||
		time.Since(began) > time.Second {
		t.Errorf("after a silence: %v after %s", err, time.Since(began))
	}
	deliver(t, r.URL("/b"), "y")
	if _, err := r.Await(context.Background(), "/a", time.Millisecond, containing("x")); !errors.Is(err, receiver.ErrMissing) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Await(ctx, "/a", time.Minute, containing("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestBodiesAndMemoryAreBounded(t *testing.T) {
	r := listen(t, receiver.Options{})
	if status := deliver(t, r.URL("/a"), strings.Repeat("x", receiver.MaxBody+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too large is answered with %d", status)
	}
	if n := len(r.Deliveries("/a")); n != 0 {
		t.Errorf("%d deliveries are kept", n)
	}
	client := http.Client{}
	defer client.CloseIdleConnections()
	for range receiver.MaxKept + 1 {
		response, err := client.Post(r.URL("/a/"), "text/plain", nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	if n := len(r.Deliveries("/a")); n != receiver.MaxKept {
		t.Errorf("%d deliveries are kept, want %d", n, receiver.MaxKept)
	}
}

func TestAFloodOfDeliveriesIsBoundedInBytes(t *testing.T) {
	r := listen(t, receiver.Options{})
	body := strings.Repeat("x", receiver.MaxBody)
	for range 3 * receiver.MaxBytes / receiver.MaxBody {
		if status := deliver(t, r.URL("/a"), body); status != http.StatusOK {
			t.Fatalf("answered with %d", status)
		}
	}
	deliver(t, r.URL("/b"), "the newest")
	kept := len(r.Deliveries("/b")[0].Body)
	for _, d := range r.Deliveries("/a") {
		kept += len(d.Body)
	}
	if kept > receiver.MaxBytes || kept < receiver.MaxBytes-2*receiver.MaxBody {
		t.Errorf("%d bytes are kept, want up to %d", kept, receiver.MaxBytes)
	}
}

func TestOnlyRegisteredPathsAreKept(t *testing.T) {
	r := listen(t, receiver.Options{})
	if status := deliver(t, r.URL("/stray"), "x"); status != http.StatusNotFound || len(r.Deliveries("/stray")) != 0 {
		t.Errorf("a stray delivery is answered with %d, and %d are kept", status, len(r.Deliveries("/stray")))
	}
	open := listen(t, receiver.Options{AnyPath: true})
	if status := deliver(t, open.URL("/stray"), "x"); status != http.StatusOK || len(open.Deliveries("/stray")) != 1 {
		t.Errorf("where every path is taken: %d", status)
	}
}

func TestAPublicAddressMayHaveAPath(t *testing.T) {
	r := listen(t, receiver.Options{PublicURL: "https://tunnel.example.test/shop/"})
	if got := r.URL("/a"); got != "https://tunnel.example.test/shop/a" {
		t.Errorf("URL %s", got)
	}
}

func TestDeliveriesPassThroughWhatIsInFront(t *testing.T) {
	r := listen(t, receiver.Options{Through: func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			q.Header.Set("Passed", "yes")
			inner.ServeHTTP(w, q)
		})
	}})
	deliver(t, r.URL("/a"), "x")
	if d := r.Deliveries("/a"); len(d) != 1 || d[0].Header.Get("Passed") != "yes" {
		t.Errorf("%+v", d)
	}
}

func TestAnAddressInUseIsAnError(t *testing.T) {
	r := listen(t, receiver.Options{})
	_, address, _ := strings.Cut(r.URL(""), "://")
	if _, err := receiver.Listen(receiver.Options{Listen: address}); err == nil {
		t.Error("two receivers listen at one address")
	}
}

// The value was computed with openssl: printf '{"id":5}' | openssl dgst -sha256 -hmac secret -binary | base64
func TestSignature(t *testing.T) {
	if got := receiver.Signature("secret", []byte(`{"id":5}`)); got != "PJzC5vlsY6ueNf4yF6BcP9vF+TRytfMgAbLJEQYstYY=" {
		t.Errorf("signature %s", got)
	}
}
