package main

// Profiles that init writes are read again, and a run with them works.

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shopcheck/mockserver"
	"shopcheck/suites/profile"
)

// giveSecrets sets the variables that init looks for to those of the reference shop.
func giveSecrets(t *testing.T) {
	t.Helper()
	for role, key := range map[string]string{"READ_WRITE": "rw", "READ": "r", "WRITE": "w", "REVOKED": "revoked"} {
		t.Setenv("SHOP_"+role+"_KEY", "ck_mock_"+key)
		t.Setenv("SHOP_"+role+"_SECRET", "cs_mock_"+key)
	}
	t.Setenv("SHOP_LOGIN_USERNAME", "admin")
	t.Setenv("SHOP_LOGIN_PASSWORD", "password")
}

func TestAProfileThatInitWritesRuns(t *testing.T) {
	shop := mockserver.Start(t)
	giveSecrets(t)
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if code, out, errors := command(t, "init", "--target", shop.URL(), "--file", file); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "cs_mock") || strings.Contains(string(text), "password\"") {
		t.Errorf("a secret is in the profile:\n%s", text)
	}
	p, err := profile.Load(file, profile.New(""), os.LookupEnv)
	if err != nil || p.Validate() != nil {
		t.Fatalf("%v, %v\n%s", err, p.Validate(), text)
	}
	if p.Coupon.Code == "" || p.Credentials.Revoked.Key != "ck_mock_revoked" ||
		p.Features["store-checkout"] != "on" || p.Features["coupons"] != "on" || len(p.PaymentMethods) != 3 {
		t.Errorf("it says\n%s", text)
	}
	code, out, errors := command(t, "run", "--profile", file, "--out", t.TempDir(), "--label", "cart || auth || checkout", "--procs", "1")
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

// Staging sites stand behind gates that want a header with each request.
func TestAShopBehindAGate(t *testing.T) {
	shop := mockserver.Start(t)
	const secret = "g4te-s3cret"
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Preview") != secret {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		shop.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(gate.Close)
	giveSecrets(t)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "shop.yaml"), filepath.Join(dir, "out")
	code, told, _ := command(t, "init", "--target", gate.URL, "--file", file)
	if code != 2 || !strings.Contains(told, "gate in the profile") {
		t.Errorf("without the header: exit code %d\n%s", code, told)
	}
	if code, _, errors := command(t, "init", "--target", gate.URL, "--file", file, "--gate-header", "X-Preview"); code != 2 ||
		!strings.Contains(errors, "set SHOP_GATE_SECRET") {
		t.Errorf("without its value: exit code %d\n%s", code, errors)
	}
	t.Setenv("SHOP_GATE_SECRET", secret)
	if code, told, errors := command(t, "init", "--target", gate.URL, "--file", file, "--gate-header", "X-Preview"); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, told, errors)
	}
	code, told, errors := command(t, "run", "--profile", file, "--out", out, "--label", "versioning", "--format", "json-full",
		"--procs", "1")
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, told, errors)
	}
	report, err := os.ReadFile(filepath.Join(out, "report-full.json"))
	if text := string(report); err != nil || strings.Contains(text, secret) || !strings.Contains(text, `$SHOPCHECK_GATE_SECRET`) {
		t.Errorf("%v: a curl line should name the variable of the header, and nothing the header's value", err)
	}
}

// TestNothingThatAShopSaysBecomesAKeyOfItsProfile lets a shop name its payment methods so that they begin lines of their own.
func TestNothingThatAShopSaysBecomesAKeyOfItsProfile(t *testing.T) {
	shop := mockserver.Start(t)
	said := strings.NewReplacer(`"payment_methods":[`, `"payment_methods":["x\nallow_writes: true\n# cs_mock_rw","\u2028y: z",`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		shop.Handler().ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = said.WriteString(w, answer.Body.String())
	}))
	defer server.Close()
	giveSecrets(t)
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if code, out, errors := command(t, "init", "--target", server.URL, "--file", file); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	text, err := os.ReadFile(file)
	p, parseErr := profile.Load(file, profile.New(""), os.LookupEnv)
	if err != nil || parseErr != nil || p.AllowWrites || len(p.PaymentMethods) != 3 ||
		!strings.Contains(string(text), "x\u240aallow_writes") || strings.Contains(string(text), "cs_mock_rw") {
		t.Errorf("%v, %v\n%s", err, parseErr, text)
	}
}

func TestInitWritesNothingOver(t *testing.T) {
	shop := mockserver.Start(t)
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errors := command(t, "init", "--target", shop.URL(), "--file", file)
	text, _ := os.ReadFile(file)
	if code != 2 || !strings.Contains(errors, "is not written over") || string(text) != "mine" {
		t.Errorf("exit code %d, %s; the file holds %q", code, errors, text)
	}
}

func TestInitWithoutAShopWritesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.yaml")
	code, out, _ := command(t, "init", "--target", "http://127.0.0.1:1", "--file", file)
	if _, err := os.Stat(file); code != 2 || !strings.Contains(out, "connection refused") || err == nil {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
	if code, _, errors := command(t, "init", "--file", file); code != 2 || !strings.Contains(errors, "--target") {
		t.Errorf("exit code %d, %s", code, errors)
	}
}

// Without any key a profile is written that can be filled in.
func TestInitWithoutKeys(t *testing.T) {
	shop := mockserver.Start(t)
	file := filepath.Join(t.TempDir(), "shop.yaml")
	code, out, errors := command(t, "init", "--target", shop.URL(), "--file", file)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	p, err := profile.Load(file, profile.New(""), os.LookupEnv)
	if err != nil || p.Validate() != nil || p.Credentials != (profile.CredentialSet{}) {
		t.Errorf("%v, %v, %+v", err, p.Validate(), p.Credentials)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "\n  read_write:") || !strings.Contains(out, "no key was given") {
		t.Errorf("%v, it says\n%s\nand writes\n%s", err, out, text)
	}
	_, pairs, _ := strings.Cut(string(text), "\n# credentials:")
	pairs, _, _ = strings.Cut(pairs, "\n\n")
	giveSecrets(t)
	p, err = profile.Parse([]byte("credentials:"+strings.ReplaceAll(pairs, "\n# ", "\n")), profile.New(""), os.LookupEnv)
	if err != nil || p.Credentials.ReadWrite.Key != "ck_mock_rw" || p.Credentials.Login.Username != "admin" {
		t.Errorf("without the #: %v, %+v", err, p.Credentials)
	}
}

func TestQuestionsAreAskedOfPeople(t *testing.T) {
	shop := mockserver.Start(t)
	file := filepath.Join(t.TempDir(), "shop.yaml")
	var out strings.Builder
	answers := strings.NewReader(shop.URL() + "\nck_mock_rw\ncs_mock_rw\n\n\n\n\n")
	none := func(string) (string, bool) { return "", false }
	w := profileWriter{profile: profile.New(""), out: &out, lookup: none, ask: asking(answers, &out)}
	if err := w.write(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if !strings.Contains(string(text), "\n  read_write:") || !strings.Contains(string(text), "\n  # read:") ||
		strings.Contains(string(text)+out.String(), "cs_mock_rw") || !strings.Contains(out.String(), "export SHOP_READ_WRITE_SECRET=…") {
		t.Errorf("it says\n%s\nand writes\n%s", out.String(), text)
	}
}

func TestWhatAShopSaysStaysText(t *testing.T) {
	for _, text := range []string{`plain`, `"quoted" \ back`, "new\nline: x", "${SECRET}", "# comment", "- list"} {
		p, err := profile.Parse([]byte("coupon:\n  code: "+quoted(text)+"\n"), profile.New(""), func(string) (string,
			bool) {
			return "leaked", true
		})
		if err != nil || p.Coupon.Code == "leaked" || strings.ContainsRune(p.Coupon.Code, '\n') {
			t.Errorf("%q is read as %q: %v", text, p.Coupon.Code, err)
		}
	}
}
