package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/reports/validation"
	"shopcheck/suites"
	"shopcheck/suites/spec"
)

// TestMain lets this program be a worker of a run, and shopcheck itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workName || os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command runs a command line and returns its exit code and what it printed.
func command(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = execute(context.Background(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestTheReferenceShopConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole run, which shopcheck run is by itself")
	}
	dir := t.TempDir()
	code, out, errors := command(t, "run", "--out", dir)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	file, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	report, err := reports.Read(file, validation.Misfits)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range report.Specs {
		if spec.Outcome != reports.Passed && spec.Outcome != reports.NotApplicable {
			t.Errorf("%s is %s %s", spec.ID, spec.Outcome, spec.Reason)
		}
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("left behind: %v", report.Leftovers)
	}
}

func TestWrongCommandLinesExitWith2(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(profile, []byte("targte: http://x"), 0o600); err != nil {
		t.Fatal(err)
	}
	noTarget := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(noTarget, []byte("allow_writes: true"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"unknown flag":                                   {"run", "--bogus"},
		"unknown command":                                {"fly"},
		"shopcheck compare OLD NEW":                      {"compare", "out"},
		"shopcheck list shows":                           {"run", "--focus", "no spec has this text"},
		"write key=value":                                {"run", "--set", "limits.retries"},
		"did you mean":                                   {"run", "--set", "limits.retry=1"},
		"not an http or https":                           {"run", "--target", "shop.example.test"},
		"did you mean target?":                           {"run", "--profile", profile},
		"the target is empty":                            {"run", "--target", ""},
		"target is empty: name":                          {"run", "--profile", noTarget},
		"is empty: name it by":                           {"run", "--profile", "../../fixtures/profiles/example.yaml", "--target", ""},
		"target is empty":                                {"run", "--set", "target="},
		`label filter "&&" does not parse; write labels`: {"run", "--label", "&&"},
		"cannot be reached":                              {"run", "--target", "http://127.0.0.1:1", "--set", "limits.retries=0"},
	} {
		code, _, errors := command(t, append(args, outIfRun(t, args)...)...)
		if code != 2 || !strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d, %q, want %q", args, code, errors, want)
		}
	}
}

// A job whose variable is empty must not pass on the reference shop.
func TestAnEmptyTargetInTheEnvironmentIsRefused(t *testing.T) {
	t.Setenv("SHOPCHECK_TARGET", "")
	if code, _, errors := command(t, "run", "--out", t.TempDir()); code != 2 || !strings.Contains(errors, "the target is empty") {
		t.Errorf("exit code %d %s", code, errors)
	}
}

func TestTheFolderIsTriedBeforeTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errors := command(t, "run", "--out", file, "--label", "batch")
	if code != 2 || out != "" || !strings.Contains(errors, "the report folder cannot be made") {
		t.Errorf("exit code %d, %q %q", code, out, errors)
	}
}

// Else a CI job would publish the report of the run before.
func TestARunThatCannotBeginIsReported(t *testing.T) {
	dir := t.TempDir()
	code, _, errors := command(t, "run", "--out", dir, "--target", "http://127.0.0.1:1", "--set", "limits.retries=0")
	junit, err := os.ReadFile(filepath.Join(dir, "junit.xml"))
	if err != nil || code != 2 {
		t.Fatalf("exit code %d %s %v", code, errors, err)
	}
	if !strings.Contains(string(junit), `errors="1"`) || !strings.Contains(string(junit), "cannot be reached") {
		t.Error(string(junit))
	}
	if code, _, errors := command(t, "matrix", dir); code != 0 {
		t.Errorf("its report cannot be read: %s", errors)
	}
}

// The address of a request holds the credentials where they travel in the query.
func TestAnUnreachableTargetTellsNoSecret(t *testing.T) {
	for _, args := range [][]string{{"run", "--out", t.TempDir()}, {"cleanup", "--allow-writes"}} {
		code, out, errors := command(t, append(args, "--target", "http://no-such-host.invalid", "--set", "limits.retries=0",
			"--set", "credentials.read_write.key=ck_1", "--set", "credentials.read_write.secret=cs_hidden")...)
		if code != 2 || !strings.Contains(errors, "no-such-host.invalid") || strings.Contains(out+errors, "cs_hidden") {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errors)
		}
	}
}

func outIfRun(t *testing.T, args []string) []string {
	if args[0] != "run" {
		return nil
	}
	return []string{"--out", t.TempDir()}
}

func TestWhatATargetSendsCannotDriveTheTerminal(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte(`{"code":"\u001b[2Jowned","message":"m","data":{"status":418}}`))
	}))
	defer server.Close()
	code, out, errors := command(t, "run", "--target", server.URL, "--out", t.TempDir(), "--focus", "needs a name",
		"--set", "features.management=on", "--set", "credentials.read_write.key=ck_1", "--set", "credentials.read_write.secret=cs_secret")
	if code != 1 || !strings.Contains(out, "products.create.name-required") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
	if strings.Contains(out+errors, "\x1b") || strings.Contains(out+errors, "cs_secret") {
		t.Errorf("%q", out+errors)
	}
}

func TestList(t *testing.T) {
	code, out, _ := command(t, "list")
	if code != 0 || !strings.Contains(out, "products.create.needs-a-name\n    products.create.name-required") {
		t.Errorf("exit code %d\n%.400s", code, out)
	}
	code, out, _ = command(t, "list", "--requirements")
	if code != 0 || !strings.Contains(out, "products.create.name-required") || !strings.Contains(out, "not testable: ") {
		t.Errorf("exit code %d\n%.400s", code, out)
	}
}

func TestCleanup(t *testing.T) {
	shop := mockserver.Start(t)
	url := shop.URL()
	flags := []string{"--target", url, "--set", "credentials.read_write.key=ck_mock_rw",
		"--set", "credentials.read_write.secret=cs_mock_rw"}
	leave(t, url)
	if err := shop.AdvanceClock(time.Hour); err != nil {
		t.Fatal(err)
	}
	const listed = "run 0a1b2c: 1 record\n  /shop/v3/products/"
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"only list", []string{"--dry-run"}, 0, []string{listed, "1 record of runs that have ended"}},
		{"nobody to ask", nil, 2, []string{listed, "--yes deletes what is listed"}},
		{"another run", []string{"--run", "999999", "--yes"}, 0, []string{"0 records of runs that have ended"}},
		{"agreed", []string{"--yes"}, 0, []string{listed, "1 record deleted"}},
		{"again", []string{"--yes"}, 0, []string{"0 records of runs that have ended"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errors := command(t, append(append([]string{"cleanup"}, c.args...), flags...)...)
			for _, words := range c.says {
				if code != c.code || !strings.Contains(out+errors, words) {
					t.Errorf("exit code %d, without %q\n%s%s", code, words, out, errors)
				}
			}
		})
	}
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	wrong := append([]string{"cleanup"}, flags...)
	wrong[2] = elsewhere.URL
	for want, args := range map[string][]string{"name the target": {"cleanup"}, "credentials.read_write": {"cleanup", "--target", url},
		"not as a shop":  wrong,
		"is not allowed": append([]string{"cleanup"}, append(flags, "--target", "http://shop.example.test")...)} {
		if code, _, errors := command(t, args...); code != 2 || !strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d %s", args, code, errors)
		}
	}
}

func TestCleanupAsksOnATerminal(t *testing.T) {
	found := []suites.LeftBehind{{RunID: "0a1b2c", Records: make([]spec.Found, 3)},
		{RunID: "999999", Records: make([]spec.Found, 4), InProgress: "it may be"}}
	for answer, want := range map[string]bool{"y": true, "YES": true, "": false, "n": false, "yesterday": false} {
		var out strings.Builder
		c := cleaning{ask: asking(strings.NewReader(answer+"\n"), &out), out: &out}
		if got := c.agree(found); got != want || !strings.Contains(out.String(), "delete 3 records? [y/N]") {
			t.Errorf("%q: %v, asked %q", answer, got, out.String())
		}
	}
}

func TestCleanupLeavesRunsInPeaceThatMayBeInProgress(t *testing.T) {
	url := mockserver.Start(t).URL()
	leave(t, url)
	args := []string{"cleanup", "--yes", "--profile", "../../fixtures/profiles/example.yaml", "--target", url}
	code, out, _ := command(t, args...)
	if code != 0 || !strings.Contains(out, "left in peace: it may be in progress") || !strings.Contains(out, "--run 0a1b2c deletes") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	code, out, _ = command(t, append(args, "--run", "0a1b2c")...)
	if code != 0 || !strings.Contains(out, "1 record deleted") {
		t.Errorf("by its name: exit code %d\n%s", code, out)
	}
}

// leave makes a product as a killed run leaves it.
func leave(t *testing.T, url string) {
	t.Helper()
	body := strings.NewReader(`{"name":"left","sku":"shopcheck-0a1b2c3d-1"}`)
	request, err := http.NewRequest(http.MethodPost, url+"/shop/v3/products", body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		t.Fatal(answer.Status)
	}
}

// Without --procs a run takes as many processes as the shop's answers are worth, and no more than limits.concurrency.
func TestProcsFollowTheLatency(t *testing.T) {
	shop := mockserver.Start(t)
	for name, c := range map[string]struct {
		delay       time.Duration // of the answers that come before the first spec
		limit       string
		least, most int
		told        string
	}{
		"a shop that is near":  {0, "8", 1, 1, ""},
		"one that is far away": {200 * time.Millisecond, "8", 3, 8, "workers share the specs"},
		"and takes two only":   {200 * time.Millisecond, "2", 2, 2, "ms: 2 workers share the specs"},
	} {
		t.Run(name, func(t *testing.T) {
			var specs atomic.Bool // have begun: a worker's first request
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					specs.Store(true)
				}
				if !specs.Load() {
					time.Sleep(c.delay)
				}
				shop.Handler().ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			folder := t.TempDir()
			code, out, errors := command(t, "run", "--profile", "../../fixtures/profiles/example.yaml", "--target", server.URL,
				"--label", "versioning", "--out", folder, "--set", "limits.concurrency="+c.limit)
			report, err := readReport(folder)
			if err != nil || code != 0 || !strings.Contains(out, c.told) {
				t.Fatalf("exit code %d, %v\n%s%s", code, err, out, errors)
			}
			if got := report.Environment.Processes; got < c.least || got > c.most {
				t.Errorf("%d processes share the specs, want %d to %d\n%s", got, c.least, c.most, out)
			}
		})
	}
}

func TestAShopInThisProcessGetsNoProcessesUnasked(t *testing.T) {
	auto, two := &suites.Workers{}, &suites.Workers{Count: 2}
	here, elsewhere := subject{isHere: true}, subject{}
	if here.sharing(auto) != nil || here.sharing(two) != two || here.sharing(nil) != nil || elsewhere.sharing(auto) != auto {
		t.Error("who asks for no number shares a shop elsewhere, and nobody else")
	}
}

func TestProcs(t *testing.T) {
	code, out, errors := command(t, "run", "--procs", "2", "--label", "versioning", "--out", t.TempDir())
	_, ids, _ := command(t, "list", "--ids", "--label", "versioning")
	n := strings.Count(ids, "\n")
	if code != 0 || n == 0 || !strings.Contains(out, fmt.Sprintf("versioning      %d/%d", n, n)) || !strings.Contains(out, "CONFORMANT") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
	if code, _, errors := command(t, "run", "--procs", "0", "--out", t.TempDir()); code != 2 || !strings.Contains(errors, "take 1 to") {
		t.Errorf("exit code %d %s", code, errors)
	}
}

func TestVersionIsAFlagToo(t *testing.T) {
	code, flag, errors := command(t, "--version")
	_, told, _ := command(t, "version")
	if first, _, _ := strings.Cut(told, "\n"); code != 0 || flag != first+"\n" {
		t.Errorf("exit code %d, %q %q, want the first line of %q", code, flag, errors, told)
	}
}
