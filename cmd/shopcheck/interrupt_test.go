package main

// Runs that are ended early, as processes of their own.

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"shopcheck/mockserver"
)

// asProgram makes the test program run as shopcheck.
const asProgram = "RUN_AS_PROGRAM"

// program is shopcheck as a process.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), asProgram+"=yes")
	return command
}

// slowShop is the reference shop, far away, and where it is near.
func slowShop(t *testing.T) (far, near string) {
	t.Helper()
	shop := mockserver.Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		shop.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, shop.URL()
}

func runAt(url, folder string) []string {
	return []string{"run", "--profile", "../../fixtures/profiles/example.yaml", "--target", url, "--procs", "2", "--out", folder}
}

// leftAt lists the records of runs that are at a shop.
func leftAt(t *testing.T, url string) string {
	t.Helper()
	_, out, errors := command(t, "cleanup", "--profile", "../../fixtures/profiles/example.yaml", "--target", url, "--dry-run")
	return out + errors
}

// nothingLeft is what leftAt says of a clean shop.
const nothingLeft = "0 records of runs that have ended\n"

func TestAnOutputThatNobodyTakesEndsTheRunCleanly(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	t.Cleanup(func() { _ = full.Close() }) // after those that run beside it
	for name, output := range map[string]func(*exec.Cmd){
		"a closed pipe": func(c *exec.Cmd) {
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_, _ = bufio.NewReader(io.LimitReader(out, 400)).ReadString(0)
				_ = out.Close()
			}()
		},
		"a full disk": func(c *exec.Cmd) { c.Stdout = full },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			far, near := slowShop(t)
			run := program(t, runAt(far, t.TempDir())...)
			output(run)
			_ = run.Run() // its exit code is looked at
			if code := run.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d", code)
			}
			if left := leftAt(t, near); left != nothingLeft {
				t.Error(left)
			}
		})
	}
}

func TestTheSecondInterruptSaysHowToCleanUp(t *testing.T) {
	t.Parallel()
	far, near := slowShop(t)
	run := program(t, runAt(far, t.TempDir())...)
	var said strings.Builder
	run.Stderr = &said
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	const topicDone, stops = `^[a-z]+ +\d+/\d+ `, `^stopping, deleting \d+ (more )?records?; again: leave them`
	for _, begin := range []string{topicDone, stops} {
		line := regexp.MustCompile(begin)
		for lines.Scan() && !line.MatchString(lines.Text()) {
		}
		_ = run.Process.Signal(syscall.SIGINT)
	}
	for lines.Scan() {
	}
	_ = run.Wait()
	if code := run.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	line := regexp.MustCompile(`(?m)^  shopcheck (cleanup .* --run [0-9a-f]{6})$`).FindStringSubmatch(said.String())
	if line == nil {
		t.Fatalf("it says %q", said.String())
	}
	if left := leftAt(t, near); left == nothingLeft {
		t.Fatal("nothing is left, so that nothing is shown")
	}
	if code, out, errors := command(t, append(strings.Fields(line[1]), "--yes")...); code != 0 || leftAt(t, near) != nothingLeft {
		t.Errorf("exit code %d, then %s\n%s%s", code, leftAt(t, near), out, errors)
	}
}
