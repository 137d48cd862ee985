package client

// Keeping secrets out of everything that leaves the harness.

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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

// Redactor takes secrets out of texts, whichever way they are written there: in any case, in hex, in base64 beside whatever else,
// and each of these with its characters escaped. It knows the profile's, and learns the tokens that pass by.
type Redactor struct {
	keys  map[string]string // secret → its dotted key in the profile
	fixed *patterns         // the profile's secrets, and what stands before other ones
	roots string            // the profile's ca_file, which lines of shell name

	mu      sync.RWMutex
	known   *patterns       // the fixed ones and, until Forget, those that were learned
	learned map[string]bool // what was: most tokens pass by again and again
}

// NewRedactor knows every secret of the profile.
func NewRedactor(p profile.Profile) *Redactor {
	r := &Redactor{keys: map[string]string{}, fixed: newPatterns(), roots: p.CAFile}
	for _, secret := range p.Secrets() {
		variable := "" // of one that is only a part of its key's value
		if profile.IsSecret(secret.Key) {
			variable = `'"$` + profile.EnvironmentName(secret.Key) + `"'`
			r.keys[secret.Value] = secret.Key
		}
		if worthHiding(secret.Value) {
			r.fixed.addSecret(secret.Value, variable)
		}
	}
	for _, pair := range basicPairs(p.Credentials) { // also where the secret is no text that can be looked for
		r.fixed.addBase64(pair.Key + ":" + pair.Secret)
	}
	for _, name := range slices.Concat(secretParameters(), secretMembers()) {
		r.fixed.add(pattern{text: name, hint: true})
	}
	r.known = r.fixed
	return r
}

// addSecret adds all that a text may hold of a secret once its escapes are read, and the secret as it is: it may look escaped itself.
func (p *patterns) addSecret(secret, variable string) {
	for _, form := range []string{secret, strings.ToUpper(secret), strings.ToLower(secret)} {
		plain, more := &decoded{text: form}, true
		for times := 0; more && times <= decodings; times++ {
			p.add(pattern{text: plain.text, variable: variable})
			plain, more = plain.next()
		}
	}
	p.add(pattern{text: hex.EncodeToString([]byte(secret))})
	p.addBase64(secret)
}

func (p *patterns) addBase64(text string) {
	for before := range 3 {
		p.add(pattern{text: inBase64(text, before), encoded: true})
	}
}

// inBase64 returns the characters of base64 that hold nothing but bytes of a text with so many bytes before it.
func inBase64(text string, before int) string {
	whole := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat(" ", before) + text))
	return whole[(before*8+5)/6 : (before+len(text))*8/6]
}

// basicPairs are all credentials that may travel by Basic authentication.
func basicPairs(s profile.CredentialSet) []profile.Credentials {
	all := []profile.Credentials{s.ReadWrite, s.Read, s.Write, s.Revoked, ByPassword(s.Login).Credentials, ByPassword(s.JWT).Credentials}
	return slices.DeleteFunc(all, func(pair profile.Credentials) bool { return !pair.Given() })
}

// Text replaces every known secret and every member of a JSON text or query that is named like one. Of a secret that was cut off
// (by a "…") the beginning is replaced.
func (r *Redactor) Text(s string) string { return r.redact(s, false, false) }

// Error is an error that says the same without its secrets, nil for nil.
func (r *Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	return &redacted{err, r.Text(err.Error())}
}

type redacted struct {
	error
	text string
}

func (e *redacted) Error() string { return e.text }
func (e *redacted) Unwrap() error { return e.error }

// Brief is a text of at most about limit bytes without its secrets, which says how much is missing. It is a copy: what it is a piece of,
// as of an answer, need not be kept.
func (r *Redactor) Brief(text string, limit int) string {
	kept, missing := r.excerpt(text, limit)
	if missing == 0 {
		return strings.Clone(kept)
	}
	return fmt.Sprintf("%s%s (%d more bytes)", kept, cutMark, missing)
}

// scanned is how much of a text is searched for secrets before it is cut, in lengths of what is kept. One that the search itself
// cuts in two is known by its beginning.
const scanned = 4

// excerpt returns the beginning of a text without its secrets, at most limit bytes, and how many are missing.
func (r *Redactor) excerpt(text string, limit int) (kept string, missing int) {
	window := text[:min(len(text), scanned*limit)]
	clean := r.redact(window, len(window) < len(text), false)
	if !utf8.ValidString(clean) {
		clean = strings.ToValidUTF8(clean, string(utf8.RuneError))
	}
	kept, cut := Cut(clean, limit)
	if cut == 0 && len(window) == len(text) {
		return kept, 0
	}
	return kept, max(1, len(text)-len(kept))
}

// redact replaces the secrets in a text, of which the end may have been cut off, in a line of shell those of the profile by the
// variables that hold them.
func (r *Redactor) redact(s string, isCut, inShell bool) string {
	found, hinted := r.find(s, isCut)
	if len(found) > 0 {
		s = replace(s, found, inShell)
	}
	if hinted && holdsAny(s, secretParameters()) {
		s = secretQuery().ReplaceAllString(s, "${1}"+profile.Redacted)
	}
	if hinted && holdsAny(s, secretMembers()) {
		s = secretMember().ReplaceAllString(s, `${1}"`+profile.Redacted+`"`)
	}
	return s
}

// span is where a secret stands.
type span struct {
	from, to int
	variable string
}

// find returns where secrets stand in a text, and whether it holds a word after which another one may follow.
func (r *Redactor) find(s string, isCut bool) (found []span, hinted bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	look := func(plain *decoded) {
		r.known.each(plain.text, isCut, func(from, to int, it pattern) {
			if it.hint {
				hinted = true
				return
			}
			if it.encoded {
				from, to = widened(plain.text, from, to)
			}
			found = append(found, span{plain.place(from), plain.place(to), it.variable})
		})
	}
	if !holdsEscape(s) {
		look(&decoded{text: s})
		return found, hinted
	}
	plain, more := &decoded{text: s}, true
	for times := 0; more && times <= decodings; times++ {
		look(plain)
		plain, more = plain.next()
	}
	return found, hinted
}

// widened adds the characters of base64 beside a part of a text: they may hold the rest of its first and last byte.
func widened(text string, from, to int) (int, int) {
	if from > 0 && isBase64(text[from-1]) {
		from--
	}
	if to < len(text) && isBase64(text[to]) {
		to++
	}
	return from, to
}

func isBase64(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// replace replaces the spans of a text. Spans that overlap are one.
func replace(s string, spans []span, inShell bool) string {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var out strings.Builder
	end := 0
	for _, next := range spans {
		if next.from >= end && next.to > next.from {
			out.WriteString(s[end:next.from])
			if inShell && next.variable != "" {
				out.WriteString(next.variable)
			} else {
				out.WriteString(profile.Redacted)
			}
		}
		end = max(end, next.to)
	}
	out.WriteString(s[end:])
	return out.String()
}

func holdsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

var (
	secretQuery = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`((?:consumer_secret|password|oauth_token|oauth_signature)=)[^&\s"']+`)
	})
	secretMember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`("(?:consumer_secret|password|customer_password|secret|token)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)`)
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
	if r.learned[secret] {
		return
	}
	if r.known == r.fixed {
		r.known, r.learned = r.fixed.clone(), map[string]bool{}
	}
	r.known.addSecret(secret, "")
	r.learned[secret] = true
}

// Forget drops what was learned: tokens of one spec do not show in another.
func (r *Redactor) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known, r.learned = r.fixed, nil
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
	if !maySetPassword(body) || !nesting.ValidJSON(body) {
		return
	}
	for _, member := range []string{"password", "customer_password", "secret"} {
		if secret := gjson.GetBytes(body, member); secret.Type == gjson.String && worthHiding(secret.Str) {
			r.Learn(secret.Str)
		}
	}
}

// maySetPassword reports whether a body holds a word that members with a secret have, or an escape, which may hide it: most hold neither.
func maySetPassword(body []byte) bool {
	return bytes.Contains(body, []byte("password")) || bytes.Contains(body, []byte("secret")) || bytes.IndexByte(body, '\\') >= 0
}

// learnToken remembers the bearer token that an answer gives out.
func (r *Redactor) learnToken(a *Answer) {
	if a.Path == TokenPath {
		r.Learn(a.Get("token").String())
	}
}
