package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/durable"
)

// A file that may not grow is the disk that is full for everybody: the system refuses the write that would make it longer.
func TestAFullDiskIsToldAndOutlived(t *testing.T) {
	for _, sync := range []string{"commit", "interval"} {
		t.Run(sync, func(t *testing.T) { outliveAFullDisk(t, sync) })
	}
}

func outliveAFullDisk(t *testing.T, sync string) {
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("no prlimit (util-linux) in PATH: no limit can be set")
	}
	folder := t.TempDir()
	said := &bytes.Buffer{}
	p := startProgramSaying(t, said, "--data", folder, "--sync", sync)
	limit := func(bytes string) {
		t.Helper()
		set := exec.Command("prlimit", "--pid", fmt.Sprint(p.command.Process.Pid), "--fsize="+bytes+":unlimited")
		if out, err := set.CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	full := func() {
		t.Helper()
		file, err := os.Stat(filepath.Join(folder, durable.FileName))
		if err != nil {
			t.Fatal(err)
		}
		limit(fmt.Sprint(file.Size()))
	}
	create := func(n int) (int, string) {
		product := fmt.Sprintf(`{"name":"Full","sku":"full-%d","description":%q}`, n, strings.Repeat("x", 4000))
		status, answer, _ := p.call("POST", "/shop/v3/products", product, "")
		return status, answer.Get("code").Str
	}
	createAgain := func(n int) (status int, code string) {
		status, code = create(n)
		for until := time.Now().Add(10 * time.Second); sync == "interval" && status != http.StatusCreated && time.Now().Before(until); {
			time.Sleep(50 * time.Millisecond) // the disk is tried once a second
			status, code = create(n)
		}
		return status, code
	}
	full()
	const enough = 100_000 // within a second none is refused where changes wait for each other
	made := 0
	for ; made < enough; made++ {
		status, code := create(made)
		if made == 0 && status != http.StatusCreated && sync == "interval" { // what the start had still to write is what did not fit
			limit("unlimited")
			status, code = createAgain(made)
			full()
		}
		if status == http.StatusServiceUnavailable {
			if code != "mock_storage_unavailable" {
				t.Errorf("the code is %q", code)
			}
			break
		}
		if status != http.StatusCreated {
			t.Fatalf("product %d: status %d %s", made, status, code)
		}
	}
	if made == 0 || made == enough {
		t.Fatalf("%d products fit", made)
	}
	find := func(n int) int64 {
		t.Helper()
		return p.must("GET", fmt.Sprintf("/shop/v3/products?sku=full-%d", n), "").Get("#").Int()
	}
	if find(made) != 0 || find(made-1) != 1 {
		t.Errorf("the refused product is there: %d, the one before it: %d", find(made), find(made-1))
	}
	if status, _, _ := p.call("POST", "/_mock/reset", "", ""); status != http.StatusServiceUnavailable {
		t.Errorf("the shop was put back: status %d", status)
	}
	limit("unlimited")
	status, code := createAgain(made)
	if status != http.StatusCreated || find(made) != 1 {
		t.Errorf("with room again: status %d %s", status, code)
	}
	p.stop(sync == "interval")
	for _, told := range []string{"cannot be kept, and are answered with 503", "kept again"} {
		if !strings.Contains(said.String(), told) {
			t.Errorf("%q is not told in %s", told, said)
		}
	}
	again := startProgram(t, "--data", folder)
	if got := again.must("GET", fmt.Sprintf("/shop/v3/products?sku=full-%d", made), "").Get("#").Int(); got != 1 {
		t.Errorf("after a restart: %d", got)
	}
}
