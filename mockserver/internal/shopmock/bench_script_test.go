package shopmock_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// TestBenchScript runs one case of the script for a second: it must end in a line with a share.
func TestBenchScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and loads it for seconds")
	}
	if runtime.NumCPU() < 2 {
		t.Skip("the script needs two CPUs, one for the server and one for the client")
	}
	for _, tool := range []string{"wrk", "curl", "python3", "taskset", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the script needs %s: on Debian, apt-get install wrk curl python3 util-linux", tool)
		}
	}
	program := filepath.Join(t.TempDir(), "shopmock")
	if output, err := exec.Command("go", "build", "-o", program, "shopcheck/cmd/shopmock").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	script := exec.Command("bash", "testdata/bench/against-floor.sh", program, "get")
	script.Env = append(os.Environ(), "SECONDS_EACH=1", "ROUNDS=1")
	output, err := script.CombinedOutput()
	if line := regexp.MustCompile(`(?m)^get +\d\.\d\d \[.*µs a request, floor`); err != nil || !line.Match(output) {
		t.Errorf("the script ended with %v and printed\n%s", err, output)
	}
}
