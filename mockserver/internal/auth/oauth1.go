package auth

// OAuth 1.0a: requests that are signed instead of carrying a secret (RFC 5849).

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// signedCall is a request with the parameters of OAuth, wherever they were sent.
type signedCall struct {
	method  string
	address string
	all     parameters
}

// readSigned reads a signed request; false if it is none.
func readSigned(r *http.Request, dial rest.Dial) (signedCall, bool) {
	target, err := url.ParseRequestURI(dial.Target)
	if err != nil {
		target = r.URL
	}
	all := collect(r, target)
	if all.last("oauth_consumer_key") == "" && all.last("oauth_signature") == "" {
		return signedCall{}, false
	}
	return signedCall{dial.Method, baseAddress(dial, target), all}, true
}

// bySignature lets in a request that is signed with an API key alone, or with one and an access token.
func (s *SignIn) bySignature(r *rest.Request) (*Principal, error) {
	call, sent := readSigned(r.HTTP, r.Dial)
	if !sent {
		return nil, nil
	}
	token, isAccess := s.grants().access(r.View.Now, call.all.last("oauth_token"))
	key, err := s.verify(r.View, call, token.secret)
	switch {
	case err != nil:
		return nil, err
	case call.all.last("oauth_token") == "":
		return ofKey(r, key, key.UserID)
	case !isAccess || token.key != key.ID:
		return nil, unproven("The oauth_token is unknown, has expired or belongs to another key.")
	}
	return ofKey(r, key, token.user)
}

// verify gives the API key that a call is signed with (RFC 5849, section 3.2). Errors: 401 for parameters that are missing or
// not supported, a key that is unknown or revoked, a wrong signature, an untimely request, a nonce that was used before.
func (s *SignIn) verify(view shop.View, call signedCall, tokenSecret string) (*shop.APIKey, error) {
	method, err := call.check()
	if err != nil {
		return nil, err
	}
	key, inForce := findKey(view, call.all.last("oauth_consumer_key"))
	proven := call.provenBy(method, percentEncode(key.Secret)+"&"+percentEncode(tokenSecret))
	switch {
	case !inForce:
		return nil, unproven(unknownKey)
	case !proven:
		return nil, unproven("The oauth_signature does not match: check the secrets, and that the method, the address %s and all its "+
			"parameters were signed.", call.address)
	}
	return key, s.timely(view.Now, key, call)
}

// timely refuses a call that is too old or too new, or that was made before.
func (s *SignIn) timely(now time.Time, key *shop.APIKey, call signedCall) error {
	timestamp, _ := strconv.ParseInt(call.all.last("oauth_timestamp"), 10, 64)
	away := now.Sub(time.Unix(timestamp, 0))
	if away.Abs() > oauthWindow {
		return unproven("The oauth_timestamp is more than %d minutes away from the shop's clock.", int(oauthWindow.Minutes()))
	}
	first, err := s.firstUse(now, key.ID, timestamp, call.all.last("oauth_nonce"))
	if err == nil && !first {
		err = unproven("The oauth_nonce was used before.")
	}
	return err
}

// firstUse reports whether neither this server nor one that shares its memory has seen a nonce of a key.
func (s *SignIn) firstUse(now time.Time, key, timestamp int64, nonce string) (bool, error) {
	first, err := s.replays.use(now, key, timestamp, nonce)
	if first && s.uses != nil {
		return s.uses.first(key, nonce)
	}
	return first, err
}

var required = []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method", "oauth_timestamp"}

// check looks whether all parameters are there, and gives the hash of the signature's method.
func (c signedCall) check() (func() hash.Hash, error) {
	var missing []string
	for _, name := range required {
		if c.all.last(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, unproven("A signed request needs %s too.", strings.Join(missing, ", "))
	}
	if version := c.all.last("oauth_version"); version != "" && version != "1.0" {
		return nil, unproven("The oauth_version must be 1.0.")
	}
	switch c.all.last("oauth_signature_method") {
	case "HMAC-SHA256":
		return sha256.New, nil
	case "HMAC-SHA1":
		return sha1.New, nil
	}
	return nil, unproven("The oauth_signature_method must be HMAC-SHA256 or HMAC-SHA1.")
}

// provenBy compares the signature with what the key makes of each text that the client may have signed.
func (c signedCall) provenBy(method func() hash.Hash, key string) bool {
	sent, err := base64.StdEncoding.DecodeString(c.all.last("oauth_signature"))
	if err != nil {
		return false
	}
	proven := false
	for _, text := range c.all.signable() {
		proven = hmac.Equal(sent, c.sign(method, key, text)) || proven
	}
	return proven
}

func (c signedCall) sign(method func() hash.Hash, key, normalized string) []byte {
	mac := hmac.New(method, []byte(key))
	mac.Write([]byte(baseString(c.method, c.address, normalized)))
	return mac.Sum(nil)
}
