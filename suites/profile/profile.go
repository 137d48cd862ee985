package profile

// The profile: what the harness needs to know about a target. One YAML file; env and flags override it.

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"shopcheck/fixtures"
	"shopcheck/fixtures/dialects"
	"shopcheck/suites/contract"
	"shopcheck/suites/suggest"
)

// Profile is what a user tells about a target.
type Profile struct {
	Target         string            `yaml:"target"`          // base URL of the API root
	Dialect        string            `yaml:"dialect"`         // what it calls things: a preset, a file, or auto
	CAFile         string            `yaml:"ca_file"`         // certificates of authorities to trust beside those of the machine
	Gate           Gate              `yaml:"gate"`            // what a gate before the target lets in
	AllowWrites    bool              `yaml:"allow_writes"`    // needed for any target but loopback
	ReadOnly       bool              `yaml:"read_only"`       // nothing is written anywhere: only specs that read what is there run
	Credentials    CredentialSet     `yaml:"credentials"`     // absent ones switch their specs to could-not-run
	Coupon         Coupon            `yaml:"coupon"`          // a coupon that exists and applies to any product
	Address        Address           `yaml:"address"`         // an address that the shop ships to
	PaymentMethods []string          `yaml:"payment_methods"` // ids that checkout accepts; cheque is the contract's example
	Webhooks       Webhooks          `yaml:"webhooks"`        // how the target's webhooks reach the harness
	FailingPayment FailingPayment    `yaml:"failing_payment"` // a payment that the shop declines; none where no method can fail
	Features       map[string]string `yaml:"features"`        // feature → on, off, auto; auto when absent
	Limits         Limits            `yaml:"limits"`
	Waivers        []Waiver          `yaml:"waivers"`
	Baseline       string            `yaml:"baseline"` // list of what shops of its family are known to do otherwise; empty: none
}

// Gate is a header that something before the target asks for, such as the login of a staging site. It goes with every request.
type Gate struct {
	Header string `yaml:"header"`
	Secret string `yaml:"secret"` // its value
}

// Given reports whether there is one.
func (g Gate) Given() bool { return g.Header != "" }

// validate refuses headers that the contract or HTTP has a use for, and what is no header at all.
func (g Gate) validate() error {
	if (g.Header == "") != (g.Secret == "") {
		return errors.New("gate: one half is empty; give both header and secret, or neither")
	}
	switch name := http.CanonicalHeaderKey(g.Header); {
	case !g.Given():
		return nil
	case !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(g.Secret):
		return errors.New("gate: header is the name of one, such as X-Preview-Token, and secret its value, in one line")
	case slices.Contains([]string{"Accept", "Accept-Encoding", "Authorization", "Cart-Token", "Connection", "Content-Length",
		"Content-Type", "Cookie", "Host", "Nonce", "Transfer-Encoding", "User-Agent"}, name):
		return fmt.Errorf("gate.header: the shop reads %s itself; let the gate take another header, or let this machine in by its address",
			name)
	}
	return nil
}

// CredentialSet holds one API key for each permission, one that was revoked, and what the other ways to sign in need.
type CredentialSet struct {
	ReadWrite Credentials      `yaml:"read_write"`
	Read      Credentials      `yaml:"read"`
	Write     Credentials      `yaml:"write"`
	Revoked   Credentials      `yaml:"revoked"`
	OAuth     OAuthCredentials `yaml:"oauth"` // the read_write key alone signs when absent
	Login     Login            `yaml:"login"` // a user who may read and change products
	JWT       Login            `yaml:"jwt"`   // the user who gets tokens; login when absent
}

// Credentials is one API key pair.
type Credentials struct {
	Key    string `yaml:"key"`
	Secret string `yaml:"secret"`
}

// Given reports whether the pair was filled in.
func (c Credentials) Given() bool { return c.Key != "" && c.Secret != "" }

// OAuthCredentials sign requests by OAuth 1.0a: an application's pair, and the access token that a user gave it.
type OAuthCredentials struct {
	Key         string `yaml:"key"`
	Secret      string `yaml:"secret"`
	Token       string `yaml:"token"` // empty where the target takes requests that the pair alone signs
	TokenSecret string `yaml:"token_secret"`
}

// Login is a user's name and password.
type Login struct {
	Username string `yaml:"username"`
	Password string `yaml:"password"`
}

// Given reports whether both were filled in.
func (l Login) Given() bool { return l.Username != "" && l.Password != "" }

// Form is what the login is sent as to get a token. What is empty is left out.
func (l Login) Form() url.Values {
	form := url.Values{}
	for name, value := range map[string]string{"username": l.Username, "password": l.Password} {
		if value != "" {
			form.Set(name, value)
		}
	}
	return form
}

// TokenLogin is the user who gets bearer tokens.
func (s CredentialSet) TokenLogin() Login {
	if s.JWT.Given() {
		return s.JWT
	}
	return s.Login
}

// Coupon is a coupon that the target is known to have.
type Coupon struct {
	Code   string `yaml:"code"`
	Type   string `yaml:"type"`   // percent, fixed_cart, fixed_product
	Amount string `yaml:"amount"` // decimal
}

// FailingPayment is a payment method that can be told to fail, and the entry of payment_data that tells it.
type FailingPayment struct {
	Method string `yaml:"method"`
	Key    string `yaml:"key"`
	Value  string `yaml:"value"`
}

// Webhooks says where the harness listens for the target's webhooks.
type Webhooks struct {
	Listen    string        `yaml:"listen"`     // host:port; port 0 takes a free one
	PublicURL string        `yaml:"public_url"` // how the target reaches the receiver, where that is another address
	Secret    string        `yaml:"secret"`     // of webhooks that exist and deliver there; empty: webhooks are registered by the API
	Patience  time.Duration `yaml:"patience"`   // how long a delivery may take
}

// Address is a person at a place.
type Address struct {
	FirstName string `yaml:"first_name"`
	LastName  string `yaml:"last_name"`
	Company   string `yaml:"company"`
	Address1  string `yaml:"address_1"`
	Address2  string `yaml:"address_2"`
	City      string `yaml:"city"`
	State     string `yaml:"state"`
	Postcode  string `yaml:"postcode"`
	Country   string `yaml:"country"`
	Email     string `yaml:"email"`
	Phone     string `yaml:"phone"`
}

// Limits keep the load on the target bearable.
type Limits struct {
	RequestsPerSecond float64       `yaml:"requests_per_second"` // 0: unlimited
	Concurrency       int           `yaml:"concurrency"`         // connections at once; 0: unlimited
	Timeout           time.Duration `yaml:"timeout"`             // of one request
	Retries           int           `yaml:"retries"`             // of idempotent requests, on 429, 502, 503, 504 and broken connections
	RetryWait         time.Duration `yaml:"retry_wait"`          // before the first retry; doubles after each
	LongestWait       time.Duration `yaml:"longest_wait"`        // before a retry; a Retry-After beyond it is not obeyed
	LostTime          time.Duration `yaml:"lost_time"`           // spent on requests in vain, after which endpoints that fail are hurried
	SpecTime          time.Duration `yaml:"spec_time"`           // after which a spec sends no more requests
	RunTime           time.Duration `yaml:"run_time"`            // after which no more specs run
	FailuresInARow    int           `yaml:"failures_in_a_row"`   // requests without an answer, after which the run looks for the target
	ReconnectWait     time.Duration `yaml:"reconnect_wait"`      // before it looks again, and then gives up
}

// Waiver excuses one known deviation until a date.
type Waiver struct {
	ID      string `yaml:"id"` // requirement or spec id
	Reason  string `yaml:"reason"`
	Link    string `yaml:"link"`
	Expires string `yaml:"expires"` // YYYY-MM-DD, the last day on which it holds
	Message string `yaml:"message"` // if given: the finding must contain it
}

// New returns a profile with every default filled in and no credentials.
func New(targetURL string) Profile {
	return Profile{
		Target:         targetURL,
		Dialect:        dialects.Auto,
		PaymentMethods: []string{"cheque"},
		Address: Address{FirstName: "Ada", LastName: "Tester", Address1: "1 Test Street", City: "San Francisco",
			State: "CA", Postcode: "94103", Country: "US", Phone: "555-0100"},
		Features: map[string]string{},
		Webhooks: Webhooks{Listen: "127.0.0.1:0", Patience: 10 * time.Second},
		Limits: Limits{Concurrency: 8, Timeout: 30 * time.Second, Retries: 3, RetryWait: 200 * time.Millisecond,
			LongestWait: 30 * time.Second, LostTime: time.Minute, SpecTime: 5 * time.Minute, RunTime: time.Hour,
			FailuresInARow: 5, ReconnectWait: 10 * time.Second},
	}
}

// Validate returns the first thing that is wrong with the profile, and what to do about it.
func (p Profile) Validate() error {
	if err := validateTarget(p.Target); err != nil {
		return err
	}
	if _, err := p.Authorities(); err != nil {
		return err
	}
	if err := p.Credentials.validate(); err != nil {
		return err
	}
	if err := p.Gate.validate(); err != nil {
		return err
	}
	if p.Dialect != dialects.Auto {
		if _, err := dialects.Load(p.Dialect); err != nil {
			return fmt.Errorf("%w%s", err, suggestDialect(p.Dialect))
		}
	}
	if err := p.validateFeatures(); err != nil {
		return err
	}
	if err := p.Limits.validate(); err != nil {
		return err
	}
	if err := p.Webhooks.validate(); err != nil {
		return err
	}
	if p.Baseline != "" {
		if _, err := fixtures.Baseline(p.Baseline); err != nil {
			return fmt.Errorf("baseline: %w%s (an earlier report goes with run --baseline instead)", err,
				suggest.Likely(p.Baseline, fixtures.Baselines()))
		}
	}
	return p.validateWaivers()
}

func validateTarget(target string) error {
	u, err := url.Parse(target)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("target %q is not an http or https URL; give one such as https://shop.example.test", target)
	case u.User != nil:
		return errors.New("target: put the credentials under credentials, not into the URL")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("target: give the address of the API's root, without ? and #")
	}
	return nil
}

// NamedDialect returns the name of the dialect that the profile asks for; empty where it is to be found by looking.
func (p Profile) NamedDialect() string {
	if p.Dialect == dialects.Auto {
		return ""
	}
	named, err := dialects.Load(p.Dialect)
	if err != nil {
		return "" // Validate says so
	}
	return named.Name
}

// suggestDialect says which dialect a mistyped name may have meant. A file's name says by itself what is wrong.
func suggestDialect(name string) string {
	if dialects.IsFile(name) {
		return ""
	}
	return suggest.Likely(name, append(dialects.PresetNames(), dialects.Auto))
}

// KnownDeviations returns what the baseline lists, as waivers without an end.
func (p Profile) KnownDeviations() []Waiver {
	if p.Baseline == "" {
		return nil
	}
	list, err := fixtures.Baseline(p.Baseline)
	if err != nil {
		return nil // Validate says so
	}
	var known []Waiver
	for _, d := range list {
		known = append(known, Waiver{ID: d.ID, Message: d.Message, Reason: d.Reason})
	}
	return known
}

// validate finds credentials of which a half is missing: they would be taken for none.
func (s CredentialSet) validate() error {
	for _, c := range []struct{ name, first, second, words string }{
		{"read_write", s.ReadWrite.Key, s.ReadWrite.Secret, "key and secret"},
		{"read", s.Read.Key, s.Read.Secret, "key and secret"},
		{"write", s.Write.Key, s.Write.Secret, "key and secret"},
		{"revoked", s.Revoked.Key, s.Revoked.Secret, "key and secret"},
		{"oauth", s.OAuth.Key, s.OAuth.Secret, "key and secret"},
		{"login", s.Login.Username, s.Login.Password, "username and password"},
		{"jwt", s.JWT.Username, s.JWT.Password, "username and password"},
	} {
		if (c.first == "") != (c.second == "") {
			return fmt.Errorf("credentials.%s: one half is empty; give both %s, or neither", c.name, c.words)
		}
	}
	return nil
}

// validate refuses what no client can keep to.
func (l Limits) validate() error {
	rate := l.RequestsPerSecond
	if !(rate >= 0 && rate <= math.MaxInt32) || l.Concurrency < 0 || l.Retries < 0 || l.RetryWait < 0 || l.Timeout <= 0 {
		return errors.New("limits: counts, rates and waits are numbers that are not negative, and timeout is above zero (such as 30s)")
	}
	if l.LongestWait < 0 || l.LostTime < 0 || l.ReconnectWait < 0 || l.SpecTime <= 0 || l.RunTime <= 0 || l.FailuresInARow <= 0 {
		return errors.New("limits: longest_wait, lost_time and reconnect_wait are not negative; spec_time, run_time (such as 5m) and " +
			"failures_in_a_row are above zero")
	}
	return nil
}

func (w Webhooks) validate() error {
	if _, _, err := net.SplitHostPort(w.Listen); err != nil {
		return fmt.Errorf("webhooks.listen is %q; write host:port, such as 127.0.0.1:0 for any free port", w.Listen)
	}
	if u, err := url.Parse(w.PublicURL); w.PublicURL != "" && (err != nil || u.Host == "") {
		return fmt.Errorf("webhooks.public_url %q is not a URL; give one such as https://hooks.example.test", w.PublicURL)
	}
	if w.Patience <= 0 {
		return fmt.Errorf("webhooks.patience must be above zero, such as 10s")
	}
	return nil
}

func (p Profile) validateFeatures() error {
	var known []string
	for _, f := range contract.Features() {
		known = append(known, f.Name)
	}
	for name, state := range p.Features {
		if !slices.Contains(known, name) {
			return fmt.Errorf("features: %q is not a feature%s", name, suggest.DidYouMean(name, known))
		}
		if state != "on" && state != "off" && state != "auto" {
			return fmt.Errorf("features.%s is %q; use on, off or auto", name, state)
		}
	}
	return nil
}

func (p Profile) validateWaivers() error {
	for i, w := range p.Waivers {
		if w.ID == "" || w.Reason == "" || w.Expires == "" {
			return fmt.Errorf("waivers[%d] needs id, reason and expires (YYYY-MM-DD)", i)
		}
		if _, err := time.Parse(time.DateOnly, w.Expires); err != nil {
			return fmt.Errorf("waivers[%d].expires is %q; write a date such as 2027-01-31", i, w.Expires)
		}
	}
	return nil
}

// AtSite returns the profile with the address of the site as its target, where that names the root of a REST API below it: users copy
// one as readily as the other.
func (p Profile) AtSite() Profile {
	known := dialects.Presets()
	if p.Dialect != dialects.Auto {
		own, err := dialects.Load(p.Dialect)
		if err != nil {
			return p // Validate says so
		}
		known = []dialects.Dialect{own}
	}
	for _, d := range known {
		if site, below := strings.CutSuffix(strings.TrimSuffix(p.Target, "/"), d.Root); below && d.Root != "" {
			p.Target = site
		}
	}
	return p
}

// Loopback reports whether the target is on this machine.
func (p Profile) Loopback() bool {
	u, err := url.Parse(p.Target)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// MayWrite reports whether the run may change the target's data.
func (p Profile) MayWrite() bool { return !p.ReadOnly && (p.AllowWrites || p.Loopback()) }

// Secure reports whether a password may travel to the target as it is: by TLS, or by a socket on this machine.
func (p Profile) Secure() bool { return p.HTTPS() || p.Loopback() }

// HTTPS reports whether the target is reached by TLS.
func (p Profile) HTTPS() bool { return strings.HasPrefix(strings.ToLower(p.Target), "https:") }
