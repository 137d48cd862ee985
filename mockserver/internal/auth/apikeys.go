package auth

// API keys: pairs of consumer key and secret, sent by HTTP Basic authentication or in the query.

import (
	"crypto/subtle"
	"net/url"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// keyWays are the ways that need nothing but the shop.
var keyWays = []way{keyByBasic, keyByQuery, func(r *rest.Request) (*Principal, error) {
	if _, _, sent := r.HTTP.BasicAuth(); sent {
		return nil, unknown(r, "This API key is unknown.")
	}
	return nil, nil
}}

// keyByBasic leaves names that are no key to whoever knows users.
func keyByBasic(r *rest.Request) (*Principal, error) {
	name, secret, sent := r.HTTP.BasicAuth()
	if !sent || !isKey(r.View, name) {
		return nil, nil
	}
	return byKey(r, name, secret)
}

func isKey(view shop.View, name string) bool {
	_, known := shop.Keys.Key.Find(&view.Keys, name)
	return known
}

func keyByQuery(r *rest.Request) (*Principal, error) {
	if !strings.Contains(r.HTTP.URL.RawQuery, "consumer_secret=") {
		return nil, nil
	}
	query, _ := url.ParseQuery(r.HTTP.URL.RawQuery)
	if !query.Has("consumer_key") {
		return nil, nil
	}
	return byKey(r, query.Get("consumer_key"), query.Get("consumer_secret"))
}

func byKey(r *rest.Request, name, secret string) (*Principal, error) {
	key, inForce := findKey(r.View, name)
	same := subtle.ConstantTimeCompare([]byte(key.Secret), []byte(secret)) == 1
	switch {
	case !inForce:
		return nil, unknown(r, unknownKey)
	case !same:
		return nil, unproven("The secret does not belong to this API key.")
	}
	return ofKey(r, key, key.UserID)
}

const unknownKey = "This API key is unknown or revoked."

// findKey returns a key, and whether it is in force. One that is unknown is given too, with a secret that nobody has, so that
// the checks that follow take as long as for any other.
func findKey(view shop.View, name string) (key *shop.APIKey, inForce bool) {
	key, exists := shop.Keys.Key.Find(&view.Keys, name)
	if !exists {
		return &shop.APIKey{}, false
	}
	return key, !key.Revoked
}

// ofKey makes the principal of a key that acts for a user: its owner, or one who signed in to let it.
func ofKey(r *rest.Request, key *shop.APIKey, userID int64) (*Principal, error) {
	principal, exists := actingFor(r.View, userID, key.Permission)
	if !exists {
		return nil, unknown(r, "The user of this API key is gone.")
	}
	return principal, nil
}
