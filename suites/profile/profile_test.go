package profile

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func environment(pairs map[string]string) Lookup {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

const fullProfile = `
target: ${SHOP_URL}
allow_writes: ${WRITES}
credentials:
  read_write: {key: ck_1, secret: "${SECRET}"}
coupon: {code: SAVE10, type: percent, amount: "10"}
address: {city: Berlin, country: DE}
payment_methods: [bacs, cod]
features: {coupons: on, legacy-namespaces: off}
limits: {requests_per_second: 2.5, timeout: 5s, retries: 1}
waivers:
  - {id: cart.get, reason: known, link: https://example.test/1, expires: 2027-01-31}
`

func TestProfileIsReadOverTheDefaults(t *testing.T) {
	p, err := Parse([]byte(fullProfile), New(""), environment(map[string]string{
		"SHOP_URL": "https://shop.example.test", "SECRET": "12345", "WRITES": "true"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	if p.Target != "https://shop.example.test" || p.Credentials.ReadWrite.Secret != "12345" || !p.AllowWrites {
		t.Errorf("expanded: %+v", p)
	}
	if p.Address.City != "Berlin" || p.Address.LastName == "" || p.Limits.Concurrency == 0 {
		t.Errorf("what the file leaves out is lost: %+v %+v", p.Address, p.Limits)
	}
	if p.Limits.Timeout != 5*time.Second || p.Limits.RequestsPerSecond != 2.5 || p.Features["coupons"] != "on" {
		t.Errorf("limits %+v, features %v", p.Limits, p.Features)
	}
	if len(p.Waivers) != 1 || p.Waivers[0].Expires != "2027-01-31" {
		t.Errorf("waivers %+v", p.Waivers)
	}
}

// Who forgets the quotes around a postcode or a secret of digits must not be sent elsewhere.
func TestNumbersStayAsTheyAreWritten(t *testing.T) {
	const text = "{address: {postcode: 02134}, coupon: {amount: 10.00}, limits: {retries: 0, requests_per_second: 2.5}," +
		" credentials: {login: {username: 0x12, password: 1_000}, read: {key: 1e5, secret: 1.50}}}"
	p, err := Parse([]byte(text), New(""), environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{p.Address.Postcode, p.Coupon.Amount, p.Credentials.Login.Username, p.Credentials.Login.Password,
		p.Credentials.Read.Key, p.Credentials.Read.Secret}
	if want := []string{"02134", "10.00", "0x12", "1_000", "1e5", "1.50"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if p.Limits.Retries != 0 || p.Limits.RequestsPerSecond != 2.5 {
		t.Errorf("%+v", p.Limits)
	}
}

func TestAnEmptyProfileLeavesTheDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing yet", "limits:"} {
		if p, err := Parse([]byte(text), New(""), environment(nil)); err != nil || p.Limits.Timeout != New("").Limits.Timeout {
			t.Errorf("%q: %+v, %v", text, p.Limits, err)
		}
	}
}

func TestWrongProfilesSayWhatToDo(t *testing.T) {
	for text, want := range map[string]string{
		"targt: x":                           "did you mean target?",
		"credentials: {readwrite: {key: a}}": "did you mean read_write?",
		"credentials: {read: {sceret: a}}":   "did you mean secret?",
		"waivers: [{id: x, because: y}]":     "unknown key waivers[0].because",
		"target: ${NOT_SET}":                 "NOT_SET, which is not set",
		"limits: {retries: many}":            `limits.retries: "many" is not a whole number`,
		"limits: {timeout: 30}":              `limits.timeout: "30" is not a duration`,
		"allow_writes: yes":                  `allow_writes: "yes" is neither true nor false`,
		"payment_methods: [{a: b}]":          "payment_methods[0] takes one value",
		"payment_methods: bacs":              "payment_methods is a list; write [bacs]",
		"credentials: secret":                "credentials holds keys of its own",
		"features: all":                      "features holds keys of its own",
		"target: [a]":                        "target takes one value",
		"target: [":                          "",
	} {
		_, err := Parse([]byte(text), New(""), environment(nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWrongProfilesTellNoSecret(t *testing.T) {
	for _, text := range []string{"credentials:\n  read_write: cs_1\n", "credentials:\n  read_write: ${SECRET}\n", "webhooks: ${SECRET}\n",
		"credentials: [cs_1]\n", "credentials:\n  read: {key: ck_1, secret: cs_1}\n  read: {key: ck_2, secret: cs_1}\n",
		"credentials:\n  read: {key: ck_1, secret: cs_1\nstrict: true\n", "credentials:\n  read: {key: ck_1, secret: \"cs_1\\q\"}\n"} {
		_, err := Parse([]byte(text), New(""), func(string) (string, bool) { return "cs_1", true })
		if err == nil || strings.Contains(err.Error(), "cs_1") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestValidateSaysWhatIsWrong(t *testing.T) {
	for want, edit := range map[string]func(*Profile){
		"not an http":              func(p *Profile) { p.Target = "shop.example.test" },
		"not into the URL":         func(p *Profile) { p.Target = "https://a:b@shop.example.test" },
		"dialect":                  func(p *Profile) { p.Dialect = "klingon" },
		"did you mean store-cart?": func(p *Profile) { p.Features = map[string]string{"store-card": "on"} },
		"use on, off or auto":      func(p *Profile) { p.Features = map[string]string{"coupons": "yes"} },
		"without ? and #":          func(p *Profile) { p.Target += "/?a=b" },
		"both key and secret":      func(p *Profile) { p.Credentials.Read.Key = "ck_1" },
		"both username and":        func(p *Profile) { p.Credentials.Login.Password = "x" },
		"timeout is above zero":    func(p *Profile) { p.Limits.Timeout = 0 },
		"rates and waits":          func(p *Profile) { p.Limits.RetryWait = -1 },
		"are numbers":              func(p *Profile) { p.Limits.RequestsPerSecond = math.NaN() },
		"not negative":             func(p *Profile) { p.Limits.RequestsPerSecond = math.Inf(1) },
		"needs id, reason":         func(p *Profile) { p.Waivers = []Waiver{{ID: "x"}} },
		"run --baseline instead":   func(p *Profile) { p.Baseline = "last/report.json" },
		"write a date":             func(p *Profile) { p.Waivers = []Waiver{{ID: "x", Reason: "y", Expires: "soon"}} },
	} {
		p := New("https://shop.example.test")
		edit(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWebhooksMustBeReceivable(t *testing.T) {
	for want, edit := range map[string]func(*Webhooks){
		"webhooks.listen":     func(w *Webhooks) { w.Listen = "9000" },
		"webhooks.public_url": func(w *Webhooks) { w.PublicURL = "hooks.example.test" },
		"webhooks.patience":   func(w *Webhooks) { w.Patience = 0 },
	} {
		p := New("https://shop.example.test")
		edit(&p.Webhooks)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestEveryKeyCanBeSetFromTheEnvironment(t *testing.T) {
	p := New("https://shop.example.test")
	values := map[string]string{"limits.concurrency": "3", "limits.requests_per_second": "1.5", "limits.timeout": "9s",
		"allow_writes": "true", "read_only": "false",
		"payment_methods": "a,b", "limits.retries": "1", "limits.retry_wait": "1s", "webhooks.patience": "1s",
		"limits.longest_wait": "1s", "limits.lost_time": "1s", "limits.spec_time": "1s", "limits.run_time": "1s",
		"limits.reconnect_wait": "1s", "limits.failures_in_a_row": "3"}
	env := map[string]string{}
	for _, key := range p.Keys() {
		value, ok := values[key]
		switch {
		case ok:
		case strings.HasPrefix(key, "features."):
			value = "off"
		default:
			value = "text of " + key
		}
		env[EnvironmentName(key)] = value
	}
	if err := p.OverrideFromEnvironment(environment(env)); err != nil {
		t.Fatal(err)
	}
	if p.Credentials.Read.Secret != "text of credentials.read.secret" || p.Limits.Concurrency != 3 || !p.AllowWrites ||
		len(p.PaymentMethods) != 2 || p.Features["coupons"] != "off" || p.Limits.Timeout != 9*time.Second {
		t.Errorf("%+v", p)
	}
	for _, wrong := range []string{"limits.concurrency", "allow_writes", "limits.timeout", "limits.requests_per_second"} {
		if err := p.Set(wrong, "?"); err == nil {
			t.Errorf("%s takes a question mark", wrong)
		}
	}
}

func TestListsAreSetAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string][]string{"bacs,cod": {"bacs", "cod"}, "bacs, cod ": {"bacs", "cod"}, "": nil, ",": nil} {
		p := New("https://shop.example.test")
		if err := p.Set("payment_methods", text); err != nil || !slices.Equal(p.PaymentMethods, want) {
			t.Errorf("%q: %q, %v", text, p.PaymentMethods, err)
		}
	}
}

func TestVariablesThatSetNothingAreRefused(t *testing.T) {
	for _, fine := range []string{"HOME=/root", "SHOPCHECK_TARGET=x", "SHOPCHECK_CART_TOKEN=x", "SHOPCHECK_FEATURES_REST_ROUTE=on"} {
		if err := RefuseUnknownVariables([]string{fine}, []string{"SHOPCHECK_CART_TOKEN"}); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	err := RefuseUnknownVariables([]string{"SHOPCHECK_TARGT=https://secret.example.test"}, nil)
	if err == nil || !strings.Contains(err.Error(), "SHOPCHECK_TARGT sets no key") ||
		!strings.Contains(err.Error(), "did you mean SHOPCHECK_TARGET?") {
		t.Error(err)
	}
}

func TestEchoHidesSecrets(t *testing.T) {
	p := New("https://shop.example.test")
	p.Credentials.Read = Credentials{Key: "ck_1", Secret: "cs_hidden"}
	p.Credentials.Login = Login{Username: "admin", Password: "hidden"}
	p.Credentials.OAuth = OAuthCredentials{Key: "ck_2", Secret: "hidden", Token: "hidden", TokenSecret: "hidden"}
	p.Gate = Gate{Header: "X-Preview", Secret: "hidden"}
	p.Webhooks.PublicURL = "https://tunnel:hidden@hooks.example.test/x"
	echo := p.Echo()
	if echo["credentials.read.secret"] != Redacted || echo["credentials.read.key"] != "ck_1" ||
		!strings.HasSuffix(echo["webhooks.public_url"], "@hooks.example.test/x") ||
		echo["credentials.login.username"] != "admin" {
		t.Errorf("%v", echo)
	}
	p.Webhooks.Listen, p.PaymentMethods = "[::1]:0", []string{"bacs", "cod"}
	if echo := p.Echo(); echo["webhooks.listen"] != "[::1]:0" || echo["payment_methods"] != "bacs, cod" {
		t.Errorf("%v", echo)
	}
	for key, value := range echo {
		if strings.Contains(value, "hidden") {
			t.Errorf("%s is %s", key, value)
		}
	}
}

func TestAGateTakesAHeaderOfItsOwn(t *testing.T) {
	for gate, want := range map[Gate]string{
		{}:                           "",
		{"X-Preview", "s3cret"}:      "",
		{"X-Preview", ""}:            "one half is empty",
		{"", "s3cret"}:               "one half is empty",
		{"X Preview", "s3cret"}:      "the name of one",
		{"X-Preview", "a\nB: c"}:     "in one line",
		{"authorization", "Basic x"}: "the shop reads Authorization itself",
	} {
		p := New("https://shop.example.test")
		p.Gate = gate
		if err := p.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", gate, err, want)
		}
	}
}

func TestLoadProfileNamesTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(file, []byte("targt: x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file, New(""), environment(nil)); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
	if _, err := Load(file+".none", New(""), environment(nil)); err == nil {
		t.Error("a missing file is read")
	}
}

func TestProfilesThatOnlyNestAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 1<<20), "sequences": strings.Repeat("- ", 1<<19), "tags": "a: " + strings.Repeat("!a ", 1<<18),
		"aliases": "a: &a [x,x]\nb: &b [*a,*a]\n",
	} {
		_, err := Parse([]byte(text), New("http://localhost"), func(string) (string, bool) { return "", false })
		if err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
