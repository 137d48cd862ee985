package mockserver

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestSandboxesBeginWithWhatWasKept(t *testing.T) {
	t.Parallel()
	shop := StartWith(t, Options{Seed: "empty"})
	if err := shop.Snapshot("before"); err != nil {
		t.Fatal(err)
	}
	count := func(s *Server) string {
		return sent(s, http.MethodGet, "/shop/v3/products", "").Header().Get("X-Shop-Total")
	}
	sent(shop, http.MethodPost, "/shop/v3/products", `{"name":"Mug"}`)
	clone := shop.SandboxFrom(t, "mine", SandboxOrigin{Clone: "."})
	early := shop.SandboxFrom(t, "", SandboxOrigin{Snapshot: "before"})
	if count(clone) != "1" || count(early) != "0" || !strings.HasSuffix(clone.URL(), "/s/mine") {
		t.Errorf("a clone has %s products, one from a snapshot %s; it is at %s", count(clone), count(early), clone.URL())
	}
	var document bytes.Buffer
	if err := clone.Export(&document); err != nil {
		t.Fatal(err)
	}
	if err := early.Import(document.Bytes()); err != nil || count(early) != "1" {
		t.Errorf("imported: %s products, %v", count(early), err)
	}
	if err := early.Import([]byte("{\n}")); err == nil || !strings.HasPrefix(err.Error(), "line ") {
		t.Errorf("no export: %v", err)
	}
	if err := shop.Restore("before"); err != nil || count(shop) != "0" || !slices.Equal(shop.Snapshots(), []string{"before"}) {
		t.Errorf("restored: %s products, %v, %v", count(shop), err, shop.Snapshots())
	}
	if err := shop.Restore("after"); err == nil {
		t.Error("an unknown snapshot is restored")
	}
	if !shop.DeleteSnapshot("before") || shop.DeleteSnapshot("before") {
		t.Error("a snapshot is deleted once")
	}
}
