package main

// The scripts of findings, run by the shell with curl and jq against a shop that has just been set up.

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shopcheck/mockserver"
)

// threeForTwo is the reference shop, which puts three pieces into the cart for two and updates orders with another status.
func threeForTwo(t *testing.T) string {
	t.Helper()
	shop := mockserver.Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/cart/add-item") && !(r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/orders/")) {
			shop.Handler().ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		shop.Handler().ServeHTTP(answer, r)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		if status := answer.Code; r.Method == http.MethodPut && status == http.StatusOK {
			w.WriteHeader(http.StatusAccepted)
		} else {
			w.WriteHeader(status)
		}
		_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"quantity":2,`), []byte(`"quantity":3,`)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestScriptsOfFindingsShowThemAgain(t *testing.T) {
	for _, program := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s on this machine (Debian: apt-get install curl jq): no script was run", program)
		}
	}
	out := t.TempDir()
	code, said, errors := command(t, "run", "--target", threeForTwo(t), "--profile", "../../fixtures/profiles/example.yaml", "--out", out,
		"--procs", "1", "--spec", "cart.add-item.puts-the-product-into-the-cart",
		"--spec", "orders.update.changes-the-given-fields-and-answers-the-record")
	if code != 1 || !strings.Contains(said, filepath.Join("scripts", "cart.add-item-")) {
		t.Fatalf("exit code %d\n%s%s", code, said, errors)
	}
	broken, sound := threeForTwo(t), mockserver.Start(t).URL()
	for script, c := range map[string]struct{ broken, sound string }{
		"cart.add-item-*.sh": {"items.0.quantity: 3", "items.0.quantity: 2"},
		"orders.update-*.sh": {"it is:  status 202", "it is:  status 200"},
	} {
		places, err := filepath.Glob(filepath.Join(out, "scripts", script))
		if err != nil || len(places) != 1 {
			t.Errorf("%s: %q, %v", script, places, err)
			continue
		}
		for shop, want := range map[string]string{broken: c.broken, sound: c.sound} {
			for range 2 { // words that a shop takes once are new each time
				run := exec.Command("sh", places[0])
				run.Env = append(os.Environ(), "SHOP="+shop, "SHOPCHECK_CREDENTIALS_READ_WRITE_SECRET=cs_mock_rw")
				if shown, err := run.CombinedOutput(); err != nil || !strings.Contains(string(shown), want) {
					t.Errorf("%s, wanting %q: %v\n%s", script, want, err, shown)
				}
			}
		}
		blind := exec.Command("sh", places[0])
		blind.Env = append(os.Environ(), "SHOP="+sound)
		if shown, err := blind.CombinedOutput(); err == nil || !strings.Contains(string(shown), "SECRET: is not set") {
			t.Errorf("%s without the secret: %v\n%s", script, err, shown)
		}
	}
	if code, _, errors := command(t, "run", "--out", out, "--procs", "1", "--label", "versioning"); code != 0 {
		t.Fatalf("exit code %d %s", code, errors)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "scripts", "*")); len(left) > 0 {
		t.Errorf("scripts of the older run are left: %q", left)
	}
}
