package durable_test

// Sandboxes in a folder: what the next process finds of them, and what they cost.

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
)

// restarted opens a folder as it is on the disk now, as after SIGKILL.
func restarted(t *testing.T, folder string) *mockserver.Server {
	t.Helper()
	killed := t.TempDir()
	if err := os.WriteFile(filepath.Join(killed, durable.FileName), image(t, filepath.Join(folder, durable.FileName)), 0o600); err != nil {
		t.Fatal(err)
	}
	return serve(t, open(t, killed))
}

func TestSandboxesLast(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := serve(t, open(t, folder))
	const products = "/shop/v3/products"
	ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"before"}`)
	ask(t, first, http.StatusCreated, "POST", products, `{"name":"The server's own"}`)
	for name, from := range map[string]string{
		"seeded": `"seed":"demo"`, "own": `"seed":{"settings":{"currency":"EUR"}}`, "cloned": `"clone":"."`, "old": `"snapshot":"before"`,
	} {
		made := ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"`+name+`",`+from+`}`)
		ask(t, first, http.StatusCreated, "POST", "/s/"+name+products, `{"name":"In `+name+`","sku":"IN"}`)
		if key := gjson.Get(made, "consumer_key").Str; key == "" {
			t.Fatal(made)
		}
	}
	ask(t, first, http.StatusOK, "DELETE", "/s/seeded/shop/v3/products/1?force=true", "")
	ask(t, first, http.StatusOK, "POST", "/s/old/_mock/reset", "")
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"deep","clone":"seeded"}`)
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"gone"}`)
	ask(t, first, http.StatusNoContent, "DELETE", "/_mock/sandboxes/gone", "")
	all := ask(t, first, http.StatusOK, "GET", "/_mock/sandboxes", "")
	want := map[string]string{}
	for _, name := range gjson.Get(all, "#.name").Array() {
		want[name.Str] = ask(t, first, http.StatusOK, "GET", "/s/"+name.Str+"/_mock/export", "")
	}
	second := restarted(t, folder)
	if got := ask(t, second, http.StatusOK, "GET", "/_mock/sandboxes", ""); got != all {
		t.Errorf("there are %s, and there were %s", got, all)
	}
	for name, document := range want {
		if got := ask(t, second, http.StatusOK, "GET", "/s/"+name+"/_mock/export", ""); got != document {
			t.Errorf("%s is another shop", name)
		}
		key := gjson.Get(all, `#(name="`+name+`").consumer_key`).Str + "&consumer_secret=" +
			gjson.Get(all, `#(name="`+name+`").consumer_secret`).Str
		ask(t, second, http.StatusOK, "GET", products+"?consumer_key="+key, "")
		ask(t, second, http.StatusOK, "POST", "/s/"+name+"/_mock/reset", "")
	}
	for name, want := range map[string]int64{"seeded": 48, "own": 0, "cloned": 49, "old": 48, "deep": 48} {
		at := "/s/" + name + "/_mock/export"
		if got := gjson.Get(ask(t, second, http.StatusOK, "GET", at, ""), "Products.@keys.#").Int(); got != want {
			t.Errorf("%s goes back to %d products, want %d", name, got, want)
		}
	}
}

// A shop goes on with its clock, and with what goes wrong in it, and no other one does.
func TestShopsGoOn(t *testing.T) {
	t.Parallel()
	for shop, other := range map[string]string{"": "/s/a", "/s/a": ""} {
		folder := t.TempDir()
		first := serve(t, open(t, folder))
		ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"a"}`)
		ask(t, first, http.StatusOK, "POST", shop+"/_mock/clock", `{"set":"2031-03-01T12:00:00Z","freeze":true}`)
		ask(t, first, http.StatusOK, "PUT", shop+"/_mock/faults", `{"seed":5,"rules":[{"effect":"status","status":418,"path":"/shop/v3"}]}`)
		ask(t, first, http.StatusCreated, "POST", shop+"/_mock/faults", `{"effect":"status","status":503,"nth":2,"path":"/shop/v3/orders"}`)
		faults := ask(t, first, http.StatusOK, "GET", shop+"/_mock/faults", "")
		second := restarted(t, folder)
		if got := gjson.Get(ask(t, second, http.StatusOK, "GET", shop+"/_mock/clock", ""), "now").Str; got != "2031-03-01T12:00:00Z" {
			t.Errorf("the clock of %q shows %s", shop, got)
		}
		if got := ask(t, second, http.StatusOK, "GET", shop+"/_mock/faults", ""); got != faults {
			t.Errorf("%q has the faults %s, and had %s", shop, got, faults)
		}
		ask(t, second, http.StatusTeapot, "GET", shop+"/shop/v3", "")
		ask(t, second, http.StatusOK, "GET", other+"/shop/v3", "")
		ask(t, second, http.StatusOK, "DELETE", shop+"/_mock/clock", "")
		ask(t, second, http.StatusNoContent, "DELETE", shop+"/_mock/faults", "")
		if err := second.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The process after the next one finds the settings, too: a start keeps them.
func TestSettingsOutliveStarts(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	first := serve(t, store)
	ask(t, first, http.StatusOK, "POST", "/_mock/clock", `{"set":"2031-03-01T12:00:00Z","freeze":true}`)
	serve(t, store)
	third := serve(t, store)
	if got := gjson.Get(ask(t, third, http.StatusOK, "GET", "/_mock/clock", ""), "now").Str; got != "2031-03-01T12:00:00Z" {
		t.Errorf("the clock shows %s", got)
	}
	ask(t, third, http.StatusOK, "DELETE", "/_mock/clock", "")
	if got := gjson.Get(ask(t, serve(t, store), http.StatusOK, "GET", "/_mock/clock", ""), "frozen").Bool(); got {
		t.Error("the clock stands again")
	}
}

func TestSnapshotsOfSandboxesLast(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := open(t, folder)
	first := serve(t, store)
	want := map[string]string{}
	ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"same"}`)
	for _, name := range []string{"a", "b"} {
		ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"`+name+`"}`)
		ask(t, first, http.StatusCreated, "POST", "/s/"+name+"/shop/v3/products", `{"name":"Before, in `+name+`"}`)
		want[name] = ask(t, first, http.StatusOK, "GET", "/s/"+name+"/_mock/export", "")
		ask(t, first, http.StatusCreated, "POST", "/s/"+name+"/_mock/snapshots", `{"name":"same"}`)
		ask(t, first, http.StatusCreated, "POST", "/s/"+name+"/_mock/snapshots", `{"name":"deleted"}`)
		ask(t, first, http.StatusNoContent, "DELETE", "/s/"+name+"/_mock/snapshots/deleted", "")
		ask(t, first, http.StatusOK, "POST", "/s/"+name+"/_mock/reset", "")
	}
	list := ask(t, first, http.StatusOK, "GET", "/s/b/_mock/snapshots", "")
	second := restarted(t, folder)
	for name, document := range want {
		ask(t, second, http.StatusOK, "POST", "/s/"+name+"/_mock/snapshots/same/restore", "")
		if ask(t, second, http.StatusOK, "GET", "/s/"+name+"/_mock/export", "") != document {
			t.Errorf("%s goes back to another shop", name)
		}
	}
	if got := ask(t, second, http.StatusOK, "GET", "/s/b/_mock/snapshots", ""); got != list {
		t.Errorf("there are %s, and there were %s", got, list)
	}
	ask(t, first, http.StatusNoContent, "DELETE", "/_mock/sandboxes/a", "")
	ask(t, first, http.StatusNoContent, "DELETE", "/_mock/sandboxes/b", "")
	if parts, err := store.Parts(""); err != nil || len(parts) != 2 { // the base, and the snapshot of the server's own shop
		t.Errorf("without sandboxes %q are kept, %v", parts, err)
	}
}

func TestSandboxesDeliverWhatTheyOwe(t *testing.T) {
	t.Parallel()
	came, release := make(chan string, 10), make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Shop-Webhook-Topic") == "product.created" {
			came <- r.Header.Get("X-Shop-Webhook-Delivery-ID")
			<-release
		}
	}))
	t.Cleanup(receiver.Close)
	t.Cleanup(func() { close(release) })
	folder := t.TempDir()
	first := serve(t, open(t, folder))
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"a"}`)
	ask(t, first, http.StatusCreated, "POST", "/s/a/shop/v3/webhooks", `{"topic":"product.created","delivery_url":"`+receiver.URL+`"}`)
	ask(t, first, http.StatusCreated, "POST", "/s/a/shop/v3/products", `{"name":"New"}`)
	id := <-came
	restarted(t, folder)
	if again := <-came; again != id || id == "" {
		t.Errorf("the next process delivers %q, want %q", again, id)
	}
}

// A call that is under way when its sandbox ends changes nothing that is kept.
func TestWhatHasEndedIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	for _, keyed := range []string{"a=1", "b=2"} {
		if err := errors.Join(store.SavePart("x", keyed == "a=1", putting(nil, keyed)), store.RemoveParts("x", "y")); err != nil {
			t.Error(err)
		}
	}
	if parts, err := store.Parts(""); err != nil || len(parts) != 0 {
		t.Errorf("%q are left, %v", parts, err)
	}
}

func TestIdleSandboxesExpireAcrossStarts(t *testing.T) {
	t.Parallel()
	now := standing()
	store := open(t, t.TempDir())
	start := func() *mockserver.Server {
		server, err := mockserver.New(mockserver.Options{Storage: store, Clock: func() time.Time { return now }, Seed: "empty"})
		if err != nil {
			t.Fatal(err)
		}
		return server
	}
	first := start()
	for _, name := range []string{"idle", "read"} {
		ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"`+name+`"}`)
	}
	ask(t, first, http.StatusCreated, "POST", "/s/idle/_mock/snapshots", `{}`)
	now = now.Add(3 * time.Hour)
	ask(t, first, http.StatusOK, "GET", "/s/read/shop/v3", "")
	now = now.Add(2 * time.Hour)
	second := start()
	if got := gjson.Get(ask(t, second, http.StatusOK, "GET", "/_mock/sandboxes", ""), "#.name").Raw; got != `["read"]` {
		t.Errorf("after two and five hours there are %s", got)
	}
	if parts, err := store.Parts(""); err != nil || len(parts) != 2 {
		t.Errorf("kept are %q, %v; want one sandbox and its base", parts, err)
	}
	now = now.Add(5 * time.Hour)
	start()
	if parts, err := store.Parts(""); err != nil || len(parts) != 0 {
		t.Errorf("at last %q are kept, %v", parts, err)
	}
}

// What sandboxes have in common is kept once.
func TestSandboxesShareWhatIsKept(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	const count = 20
	for start := range 2 { // the next process finds the base of the one before
		server := serve(t, store)
		for number := range count {
			name := fmt.Sprint("s", start, "-", number)
			from := []string{`"seed":"demo"`, `"clone":"s0-0"`}[number%2]
			ask(t, server, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"`+name+`",`+from+`}`)
			ask(t, server, http.StatusCreated, "POST", "/s/"+name+"/shop/v3/products", `{"name":"New"}`)
			ask(t, server, http.StatusCreated, "POST", "/s/"+name+"/_mock/snapshots", `{}`)
		}
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
	}
	parts, err := store.Parts("")
	if err != nil {
		t.Fatal(err)
	}
	whole, size := 0, 0
	for _, part := range parts {
		bytes := 0
		if err := store.LoadPart(part, func(key, value []byte) error { bytes += len(key) + len(value); return nil }); err != nil {
			t.Fatal(err)
		}
		size += bytes
		if bytes > 100<<10 {
			whole++
		}
	}
	if whole != 1 || size > 300<<10 {
		t.Errorf("%d sandboxes take %d bytes, and %d shops are kept whole", 2*count, size, whole)
	}
}

func TestADamagedSandboxIsRefused(t *testing.T) {
	t.Parallel()
	for name, number := range map[string]int{"its head": 0, "its key": 1} {
		store := open(t, t.TempDir())
		first := serve(t, store)
		ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"hurt"}`)
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		parts, err := store.Parts("")
		if err != nil || len(parts) != 2 {
			t.Fatalf("%q, %v", parts, err)
		}
		harm(t, store, parts[1], number)
		_, err = mockserver.New(mockserver.Options{Storage: store})
		if err == nil || !strings.Contains(err.Error(), "sandbox") || !strings.Contains(err.Error(), "left as it is") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestASandboxThatCannotBeKeptIsNotMade(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	first := serve(t, store)
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"before"}`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := serve(t, refusing{store})
	ask(t, second, http.StatusServiceUnavailable, "POST", "/_mock/sandboxes", `{"name":"after"}`)
	ask(t, second, http.StatusServiceUnavailable, "DELETE", "/_mock/sandboxes/before", "")
	ask(t, second, http.StatusServiceUnavailable, "POST", "/s/before/shop/v3/products", `{"name":"New"}`)
	ask(t, second, http.StatusOK, "GET", "/s/before/shop/v3/products", "")
	if got := gjson.Get(ask(t, second, http.StatusOK, "GET", "/_mock/sandboxes", ""), "#.name").Raw; got != `["before"]` {
		t.Errorf("there are %s", got)
	}
}

// waiting is a body that is sent once something has happened.
type waiting struct {
	io.Reader
	begun, until chan struct{}
	once         sync.Once
}

func (w *waiting) Read(into []byte) (int, error) {
	w.once.Do(func() { close(w.begun); <-w.until })
	return w.Reader.Read(into)
}

// A sandbox that has ended does not come back with what was on its way.
func TestAnImportDoesNotBringASandboxBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := serve(t, open(t, folder))
	ask(t, server, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"gone","seed":{"settings":{"currency":"EUR"}}}`)
	document := ask(t, server, http.StatusOK, "GET", "/s/gone/_mock/export", "")
	body := &waiting{Reader: strings.NewReader(document), begun: make(chan struct{}), until: make(chan struct{})}
	var late sync.WaitGroup
	late.Go(func() {
		request := httptest.NewRequest("POST", "/s/gone/_mock/import", body)
		request.RemoteAddr = "127.0.0.1:40000"
		request.Header.Set("Content-Type", "application/json")
		server.Handler().ServeHTTP(httptest.NewRecorder(), request)
	})
	<-body.begun
	ask(t, server, http.StatusNoContent, "DELETE", "/_mock/sandboxes/gone", "")
	ask(t, server, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"other"}`) // so that the base of the first one goes
	close(body.until)
	late.Wait()
	if got := ask(t, restarted(t, folder), http.StatusOK, "GET", "/_mock/sandboxes", ""); strings.Contains(got, "gone") {
		t.Errorf("there are %s", got)
	}
}
