package defects

// Variants of signing in and of webhooks, where the contract says little.

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

func signInVariants() []Variant {
	inHeader := match(func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "OAuth ") })
	bySHA1 := match(func(r *http.Request) bool { return oauthParameter(r, "oauth_signature_method") == "HMAC-SHA1" })
	signed := match(func(r *http.Request) bool { return oauthParameter(r, "oauth_consumer_key") != "" })
	byLogin := match(func(r *http.Request) bool {
		name, _, given := r.BasicAuth()
		return given && !strings.HasPrefix(name, "ck")
	})
	registers := match(func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/webhooks") })
	sparse, around, again := &subscriptions{}, &subscriptions{}, resent(50*time.Millisecond)
	return []Variant{
		{ID: "fair.signatures-in-query",
			What: "Signatures are looked for in the query only and made by HMAC-SHA256 only; a wrong password for a token is answered " +
				"with 401.",
			bend: all(refused(inHeader, http.StatusUnauthorized), refused(bySHA1, http.StatusUnauthorized),
				withStatus(at("POST "+client.TokenPath), is(http.StatusForbidden), http.StatusUnauthorized))},
		{ID: "fair.keys-only", What: "API keys are the only way to sign in, and there are no webhooks.",
			absent: []string{contract.FeatureOAuth1, contract.FeatureLoginBasic, contract.FeatureJWT, contract.FeatureWebhooks},
			bend: all(refused(signed, http.StatusUnauthorized), refused(byLogin, http.StatusUnauthorized),
				noRoute(below("/jwt-auth")), noRoute(registers))},
		{ID: "fair.no-basic-over-http",
			What:   "Over plain HTTP, keys are taken in the query or signed only, and nobody signs in with Basic.",
			absent: []string{contract.FeatureLoginBasic}, bend: refused(byBasic, http.StatusUnauthorized)},
		{ID: "fair.webhooks-sparse",
			What: "A webhook tells the record's id and nothing else, without a ping and without headers but the signature.",
			bend: sparse.heard, hooks: sparse.delivering(thinned)},
		{ID: "fair.webhooks-wrapped", What: "A webhook tells the record inside of another object.",
			bend: around.heard, hooks: around.delivering(enclosed)},
		{ID: "fair.webhooks-again", What: "Webhooks come late, and each comes twice.", hooks: again},
	}
}

// subscriptions remembers the secrets of webhooks as they are registered, so that other payloads can be signed.
type subscriptions struct {
	mu      sync.Mutex
	secrets map[string]string // path of the delivery URL → secret
}

func (s *subscriptions) heard(shop http.Handler) http.Handler {
	return asked(at("POST /shop/v3/webhooks"), func(r *http.Request) {
		body := fields(r)
		if address, err := url.Parse(textOf(body["delivery_url"])); err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.secrets == nil {
				s.secrets = map[string]string{}
			}
			s.secrets[address.Path] = textOf(body["secret"])
		}
	})(shop)
}

// delivering lets events be delivered with other bodies, signed as those that they replace, and with no other headers. The ping is as if
// it had not been sent.
func (s *subscriptions) delivering(made func(event map[string]any) any) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			event := fields(r)
			if event["id"] == nil {
				return
			}
			body, err := json.Marshal(made(event))
			if err != nil {
				panic(err) // what was read from JSON can be written as JSON
			}
			s.mu.Lock()
			secret := s.secrets[r.URL.Path]
			s.mu.Unlock()
			r.Header = http.Header{"Content-Type": {"application/json"}, receiver.SignatureHeader: {receiver.Signature(secret, body)}}
			r.Body = io.NopCloser(bytes.NewReader(body))
			inner.ServeHTTP(w, r)
		})
	}
}

// thinned leaves the id of an event, enclosed puts the event into an object of its own.
func thinned(event map[string]any) any  { return map[string]any{"id": event["id"]} }
func enclosed(event map[string]any) any { return map[string]any{"event": "told", "data": event} }

// resent delivers everything late, and once more.
func resent(after time.Duration) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			again := copyOf(r)
			time.Sleep(after)
			record(inner, again)
			inner.ServeHTTP(w, r)
		})
	}
}
