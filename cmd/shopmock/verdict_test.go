package main

import (
	"cmp"
	"encoding/xml"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/reports/validation"
)

// TestAVerdictIsWhatCIGatesOn goes through the command as the pipeline of an app would.
func TestAVerdictIsWhatCIGatesOn(t *testing.T) {
	greeting, stop := serving(t)
	defer stop()
	home := readyAddress(greeting)
	t.Setenv("SHOPMOCK_URL", home)
	expect := func(code int, want string, args ...string) string {
		t.Helper()
		got, out := verdictOf(t, args...)
		if got != code || !strings.Contains(out, want) {
			t.Errorf("verdict %s: exit code %d, want %d with %q:\n%s", strings.Join(args, " "), got, code, want, out)
		}
		return out
	}
	expect(2, "no client came by")
	app := &testApp{t: t, home: home}
	app.send("/shop/v3/products?per_page=1", "")
	expect(0, "\nSOUND\n")
	app.send("/shop/v1/products?per_page=1", "")
	expect(0, "namespace.deprecated  1 time")
	expect(1, "NOT SOUND: it earned namespace.deprecated", "--strict")
	app.send("/shop/store/v1/cart", "")
	for range 3 { // a stale key is sent again and again
		app.send("/shop/store/v1/cart/remove-item", `{"key":"0123456789abcdef0123456789abcdef"}`)
	}
	text := expect(1, "NOT SOUND: it earned conflict.cart-ignored")
	for _, part := range []string{"client 1: app/1.0 from 127.0.0.1", "POST /shop/store/v1/cart/remove-item → 409", "not judged",
		"“Errors”"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	expect(1, "<testsuites", "--format", "junit")
	expect(1, `"version": "2.1.0"`, "--format", "sarif")
	expect(2, "several forms need a folder", "--format", "junit,sarif")
	expect(2, "there is no format \"pdf\"", "--format", "pdf")
	expect(2, "unknown flag", "--colour")
	expect(2, "unknown command", "now")
	expect(2, "404", "--sandbox", "none")
	expect(2, "no shop answers", "--url", "http://127.0.0.1:1")
	folder := filepath.Join(t.TempDir(), "out")
	expect(1, "report: "+folder+"/index.html", "--out", folder, "--format", "markdown")
	checkFolder(t, folder)
}

// checkFolder reads what a verdict has written.
func checkFolder(t *testing.T, folder string) {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	report, err := reports.Read(file, validation.Misfits)
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != reports.NotConformant || report.ExitCode != 1 || len(report.Causes) != 2 {
		t.Errorf("%s, exit code %d, %d findings", report.Verdict, report.ExitCode, len(report.Causes))
	}
	proven := 0
	for _, spec := range report.Specs {
		for _, exchange := range spec.Exchanges {
			if len(exchange.Response.Header) > 0 && exchange.Response.Body != "" {
				proven++
			}
		}
	}
	if proven < 2 {
		t.Errorf("%d calls are shown with their answers", proven)
	}
	junit, err := os.ReadFile(filepath.Join(folder, "junit.xml"))
	if err != nil || xml.Unmarshal(junit, new(struct{})) != nil || !strings.Contains(string(junit), "conflict.cart-ignored") {
		t.Errorf("junit.xml: %v", err)
	}
	for _, name := range []string{"index.html", "summary.md"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(text), "conflict.cart-ignored") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// verdictOf runs the command, and returns its exit code and all that it prints.
func verdictOf(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	var printed strings.Builder
	command := command()
	command.SetArgs(append([]string{"verdict"}, args...))
	command.SetOut(&printed)
	done, err := command.ExecuteContextC(t.Context())
	if err != nil {
		printed.WriteString(err.Error())
	}
	return exitCode(done, err), printed.String()
}

// testApp is an app, with the token of its cart.
type testApp struct {
	t           *testing.T
	home, token string
}

// send sends a call, and keeps the token that it is given.
func (a *testApp) send(path, body string) {
	a.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, a.home+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set("User-Agent", "app/1.0")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Cart-Token", a.token)
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	a.token = cmp.Or(response.Header.Get("Cart-Token"), a.token)
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		a.t.Fatal(err)
	}
}
