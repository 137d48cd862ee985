package durable_test

// What a start keeps before it serves.

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
)

// killed serves what a folder has on the disk now, in a folder of its own whose changes wait for an end that does not come.
func killed(t *testing.T, folder string) (*mockserver.Server, string) {
	t.Helper()
	next := t.TempDir()
	if folder != "" {
		content := image(t, filepath.Join(folder, durable.FileName))
		if err := os.WriteFile(filepath.Join(next, durable.FileName), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	store, err := durable.OpenInterval(next, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return serve(t, store), next
}

// Two processes that are killed right after they began draw other numbers: sandboxes would share a part otherwise.
func TestAStartDoesNotWaitForTheInterval(t *testing.T) {
	t.Parallel()
	first, folder := killed(t, "")
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"demo"}`)
	second, folder := killed(t, folder)
	ask(t, second, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"empty","seed":{"settings":{"currency":"EUR"}}}`)
	third, _ := killed(t, folder)
	for name, want := range map[string]int64{"demo": 48, "empty": 0} {
		document := ask(t, third, http.StatusOK, "GET", "/s/"+name+"/_mock/export", "")
		if got := gjson.Get(document, "Products.@keys.#").Int(); got != want {
			t.Errorf("%s has %d products, want %d", name, got, want)
		}
	}
}

// What a process has shown of changes that were lost with it is no secret of others.
func TestLostOrdersHaveOtherKeys(t *testing.T) {
	t.Parallel()
	first, folder := killed(t, "")
	ask(t, first, http.StatusCreated, "POST", "/_mock/sandboxes", `{"name":"a"}`)
	second, _ := killed(t, folder)
	for _, shop := range []string{"", "/s/a"} {
		order := func(server *mockserver.Server) (id int64, key string) {
			made := ask(t, server, http.StatusCreated, "POST", shop+"/shop/v3/orders", `{}`)
			return gjson.Get(made, "id").Int(), gjson.Get(made, "order_key").Str
		}
		lost, lostKey := order(first)
		made, key := order(second)
		if lost != made || lostKey == key || key == "" {
			t.Errorf("in %q order %d has the key %s, and the lost one, %d, had %s", shop, made, key, lost, lostKey)
		}
	}
}
