package main

// What the doctor says of shops, and of what is none: golden files, with what differs from run to run masked.

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/reports/validation"
	"shopcheck/suites"
)

// masked takes out what differs from run to run and from machine to machine.
func masked(text string) string {
	for pattern, mask := range map[string]string{
		`127\.0\.0\.1:\d+`:                                              "ADDRESS",
		`an answer takes [0-9.]+[mµ]?s`:                                 "an answer takes TIME",
		`with \d+ workers? take about [0-9hms]+`:                        "with WORKERS take about TIME",
		`valid until \d{4}-\d\d-\d\d`:                                   "valid until DATE",
		`\d+ specs with`:                                                "SPECS with",
		`\d+ specs could not run, about \d+ requirements?( \([^)]*\))?`: "SPECS could not run, about REQUIREMENTS",
		`: lookup [^\n]*`:                                               ": lookup ERROR",
		`1h0m\d+s`:                                                      "1h",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, mask)
	}
	return text
}

// certificateOf writes the certificate of a TLS server to a file.
func certificateOf(t *testing.T, server *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mockArgs name the credentials of the reference shop at an address.
func mockArgs(url string, more ...string) []string {
	return append([]string{"doctor", "--profile", "../../fixtures/profiles/example.yaml", "--target", url}, more...)
}

func TestTheDoctorsWords(t *testing.T) {
	shop := mockserver.Start(t)
	secure := httptest.NewTLSServer(shop.Handler())
	t.Cleanup(secure.Close)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<h1>Welcome</h1>"))
	}))
	t.Cleanup(site.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		w.Header().Set("X-RateLimit-Limit", "60")
		shop.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(late.Close)
	key := func(role, from string) []string {
		return []string{"--set", "credentials." + role + ".key=ck_mock_" + from, "--set", "credentials." + role + ".secret=cs_mock_" + from}
	}
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"reference":         {mockArgs(shop.URL()), 0},
		"wrong-address":     {mockArgs(gone.URL), 1},
		"unknown-name":      {mockArgs("https://no-such-shop.invalid"), 1},
		"web-site":          {mockArgs(site.URL), 1},
		"revoked-key":       {mockArgs(shop.URL(), key("read_write", "revoked")...), 1},
		"read-key":          {mockArgs(shop.URL(), key("read_write", "r")...), 1},
		"too-strong-key":    {mockArgs(shop.URL(), key("read", "rw")...), 1},
		"bare":              {[]string{"doctor", "--target", shop.URL()}, 0},
		"wrong-coupon":      {mockArgs(shop.URL(), "--set", "coupon.amount=11", "--set", "payment_methods=cheque, gold"), 1},
		"self-signed":       {mockArgs(secure.URL), 1},
		"known-certificate": {mockArgs(secure.URL, "--set", "ca_file="+certificateOf(t, secure)), 0},
		"late-clock":        {mockArgs(late.URL), 1},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "unknown-name" && os.Getenv("HTTPS_PROXY")+os.Getenv("https_proxy") != "" {
				t.Skip("a proxy looks names up here")
			}
			code, out, errors := command(t, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errors)
			}
			golden(t, filepath.Join("testdata", "doctor", name+".txt"), masked(out+errors))
		})
	}
}

// golden compares a text with a file, or writes it where UPDATE_GOLDEN is set.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s says otherwise (UPDATE_GOLDEN=1 writes it):\n%s", path, got)
	}
}

func TestTheDoctorChangesNothing(t *testing.T) {
	shop := mockserver.Start(t)
	before, after := export(t, shop), ""
	if code, out, errors := command(t, mockArgs(shop.URL())...); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	if after = export(t, shop); before != after {
		t.Error("the shop is not what it was")
	}
}

// export is all that a shop knows but its carts, which are visits, and what counts.
func export(t *testing.T, shop *mockserver.Server) string {
	t.Helper()
	var text strings.Builder
	if err := shop.Export(&text); err != nil {
		t.Fatal(err)
	}
	var document map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text.String()), &document); err != nil {
		t.Fatal(err)
	}
	for _, moving := range []string{"Carts", "CartBytes", "LastID", "Now"} {
		delete(document, moving)
	}
	rest, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(rest)
}

func TestTheDoctorsWordsAsJSON(t *testing.T) {
	code, out, _ := command(t, "doctor", "--json")
	var d suites.Diagnosis
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v in %s", code, err, out)
	}
	if len(d.Checks) < 15 || d.Worst() != suites.Well {
		t.Errorf("%+v", d.Checks)
	}
}

// What the doctor says could not run is what cannot.
func TestTheDoctorCountsWhatCouldNotRun(t *testing.T) {
	said := regexp.MustCompile(`coverage\.\S+ +(\d+) specs could not run`)
	for _, role := range []string{"read", "write", "revoked"} {
		folder := t.TempDir()
		args := []string{"run", "--label", "auth", "--out", folder, "--procs", "1", "--set", "credentials." + role + ".key=",
			"--set", "credentials." + role + ".secret="}
		if _, out, errors := command(t, args...); errors != "" {
			t.Fatalf("%s%s", out, errors)
		}
		file, err := os.Open(filepath.Join(folder, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		report, err := reports.Read(file, validation.Misfits)
		_ = file.Close()
		if err != nil {
			t.Fatal(err)
		}
		blocked := 0
		for _, spec := range report.Specs {
			if spec.Outcome == reports.CouldNotRun {
				blocked++
			}
		}
		_, out, _ := command(t, append(args, "--dry-run")...)
		if found := said.FindStringSubmatch(out); found == nil || found[1] != strconv.Itoa(blocked) {
			t.Errorf("without the %s key %d specs could not run; the doctor says\n%s", role, blocked, out)
		}
	}
}
