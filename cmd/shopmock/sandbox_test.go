package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatAShopKnowsIsKeptAndPutBack goes through the commands as their user would.
func TestWhatAShopKnowsIsKeptAndPutBack(t *testing.T) {
	greeting, stop := serving(t)
	defer stop()
	t.Setenv("SHOPMOCK_URL", readyAddress(greeting))
	file := filepath.Join(t.TempDir(), "shop.json")
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("{\n\"shopmock\": 1,\n\"Config\": 7}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ args, want string }{
		{"snapshot take first", "first  20"},
		{"snapshot list", "first  20"},
		{"sandbox create one --seed demo", "one  " + readyAddress(greeting) + "/s/one  ck_"},
		{"sandbox create two --clone one", "two  "},
		{"sandbox create three --snapshot first", "three  "},
		{"sandbox create one", `error: 409 Conflict: There is a sandbox "one" already.`},
		{"sandbox list", "one  "},
		{"export --sandbox two -o " + file, ""},
		{"import --sandbox three " + file, ""},
		{"import " + broken, "error: 400 Bad Request: line 3: "},
		{"import nowhere.json", "error: there is no file nowhere.json"},
		{"reset --sandbox three --seed empty", ""},
		{"reset --seed nothing", "error: 400 Bad Request: seed must be one of"},
		{"snapshot restore first", ""},
		{"snapshot restore second", `error: 404 Not Found: There is no snapshot "second"`},
		{"snapshot delete first", ""},
		{"sandbox delete ../clock", "error: 404"},
		{"sandbox delete three", ""},
	} {
		got := ran(t, strings.Fields(step.args)...)
		if step.want == "" && got != "" || !strings.HasPrefix(got, step.want) {
			t.Errorf("%s: %.300q, want %q", step.args, got, step.want)
		}
	}
	if got := ran(t, "export", "--sandbox", "two"); !strings.Contains(got, `"shopmock":1`) || strings.Count(got, "ck_mock_rw") == 0 {
		t.Errorf("export: %.200s", got)
	}
	if got := ran(t, "sandbox", "list"); strings.Count(got, "\n") != 1 {
		t.Errorf("left: %s", got)
	}
}
