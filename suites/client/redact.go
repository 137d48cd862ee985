package client

// Keeping secrets out of everything that leaves the harness.

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"shopcheck/reports/nesting"
	"shopcheck/suites/profile"
)

// minSecret is the length below which a value is no secret worth looking for: replacing every "a" of a page
// would hide the page, not the secret.
const minSecret = 4

// worthHiding reports whether a secret can be looked for in any text. One that is the very word for it would hide the names of
// fields: it is taken out of members, forms and headers only.
func worthHiding(secret string) bool { return len(secret) >= minSecret && !profile.IsSecret(secret) }

// Redactor takes secrets out of texts. It knows the profile's, and learns the tokens that pass by.
type Redactor struct {
	curl      *strings.Replacer
	keys      map[string]string // secret → its dotted key in the profile
	fixed     []string          // what the profile's secrets look like
	prefilter *prefilter        // catches every text that may show a secret, but for what is learned

	mu      sync.Mutex
	learned []string // until Forget
	text    *strings.Replacer
}

// NewRedactor knows every secret of the profile, in each form in which it travels.
func NewRedactor(p profile.Profile) *Redactor {
	r := &Redactor{keys: map[string]string{}}
	var variables []string
	for _, pair := range basicPairs(p.Credentials) {
		r.fixed = append(r.fixed, base64.StdEncoding.EncodeToString([]byte(pair.Key+":"+pair.Secret)))
	}
	for _, secret := range p.Secrets() {
		r.keys[secret.Value] = secret.Key
		if !worthHiding(secret.Value) {
			continue
		}
		variable := `'"$` + profile.EnvironmentName(secret.Key) + `"'`
		for _, form := range formsOf(secret.Value) {
			r.fixed = append(r.fixed, form)
			variables = append(variables, form, variable)
		}
	}
	r.text = redacting(r.fixed)
	r.curl = strings.NewReplacer(variables...)
	r.prefilter = newPrefilter(slices.Concat(r.fixed, secretParameters(), secretMembers())...)
	return r
}

// formsOf lists how a secret is written in texts, queries, paths and JSON, which may escape more or less, and each of these in a
// shell line.
func formsOf(secret string) []string {
	cautious, _ := json.Marshal(secret) // of a text: no error
	escaped := string(cautious[1 : len(cautious)-1])
	bare := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(escaped)
	var forms []string
	for _, form := range []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), escaped, bare, strings.ReplaceAll(bare, "/", `\/`),
	} {
		forms = append(forms, form, inQuotes(form))
	}
	return unique(forms...)
}

func redacting(secrets []string) *strings.Replacer {
	pairs := make([]string, 0, 2*len(secrets))
	for _, secret := range secrets {
		pairs = append(pairs, secret, profile.Redacted)
	}
	return strings.NewReplacer(pairs...)
}

// basicPairs are all credentials that may travel by Basic authentication.
func basicPairs(s profile.CredentialSet) []profile.Credentials {
	all := []profile.Credentials{s.ReadWrite, s.Read, s.Write, s.Revoked, ByPassword(s.Login).Credentials, ByPassword(s.JWT).Credentials}
	return slices.DeleteFunc(all, func(pair profile.Credentials) bool { return !pair.Given() })
}

// Text replaces every known secret and every member of a JSON text or query that is named like one.
func (r *Redactor) Text(s string) string {
	r.mu.Lock()
	replacer, learned := r.text, r.learned
	r.mu.Unlock()
	if !r.prefilter.matches(s) && !holdsAny(s, learned) {
		return s
	}
	s = replacer.Replace(s)
	if holdsAny(s, secretParameters()) {
		s = secretQuery().ReplaceAllString(s, "${1}"+profile.Redacted)
	}
	if holdsAny(s, secretMembers()) {
		s = secretMember().ReplaceAllString(s, `${1}"`+profile.Redacted+`"`)
	}
	return s
}

func holdsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

var (
	secretQuery = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`((?:consumer_secret|password|oauth_token|oauth_signature)=)[^&\s"']+`)
	})
	secretMember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`("(?:consumer_secret|password|customer_password|secret|token)"\s*:\s*)"(?:[^"\\]|\\.)*"`)
	})
)

// secretParameters are in every text that secretQuery matches, secretMembers in every one that secretMember does.
func secretParameters() []string { return []string{"consumer_secret=", "password=", "oauth_"} }
func secretMembers() []string {
	return []string{`secret"`, `"password"`, `customer_password"`, `"token"`}
}

// Learn adds a value that the target issued as a secret, such as a cart token, until Forget.
func (r *Redactor) Learn(secret string) {
	if len(secret) < minSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.learned, secret) {
		return
	}
	r.learned = append(r.learned, formsOf(secret)...)
	r.text = redacting(slices.Concat(r.learned, r.fixed))
}

// Forget drops what was learned: tokens of one spec do not show in another.
func (r *Redactor) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.learned = nil
	r.text = redacting(r.fixed)
}

// secretHeaders are the headers whose whole value is a secret. A Nonce may be shown: it is bound to its session.
func secretHeaders() []string {
	return []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Cart-Token"}
}

func isSecretHeader(name string) bool {
	return slices.Contains(secretHeaders(), http.CanonicalHeaderKey(name))
}

// learnFrom remembers the tokens in a message's headers.
func (r *Redactor) learnFrom(h http.Header) {
	for _, token := range h.Values("Cart-Token") {
		r.Learn(token)
	}
	if token, isBearer := strings.CutPrefix(h.Get("Authorization"), "Bearer "); isBearer {
		r.Learn(token)
	}
	for _, line := range h.Values("Set-Cookie") {
		if cookie, err := http.ParseSetCookie(line); err == nil {
			r.Learn(cookie.Value)
		}
	}
}

// learnPasswords remembers what a JSON body sets as a password or as the secret of a webhook: it is not to be seen where it is
// sent next.
func (r *Redactor) learnPasswords(body []byte) {
	if !nesting.ValidJSON(body) {
		return
	}
	for _, member := range []string{"password", "customer_password", "secret"} {
		if secret := gjson.GetBytes(body, member); secret.Type == gjson.String && worthHiding(secret.Str) {
			r.Learn(secret.Str)
		}
	}
}

// learnToken remembers the bearer token that an answer gives out.
func (r *Redactor) learnToken(a *Answer) {
	if a.Path == TokenPath {
		r.Learn(a.Get("token").String())
	}
}

func unique(values ...string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
