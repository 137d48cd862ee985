package auth

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"shopcheck/mockserver/rest"
	"shopcheck/mockserver/shop"
)

// Principal is who calls the management API, and what the credentials allow.
type Principal struct {
	UserID     int64
	Permission shop.Permission
}

// May says whether the principal's permission covers an access.
func (p *Principal) May(access rest.Access) bool {
	switch access {
	case rest.Read:
		return p.Permission != shop.WriteOnly
	case rest.Write:
		return p.Permission != shop.ReadOnly
	}
	return true
}

// ByKey finds out who calls from an API key, sent by HTTP Basic authentication or in the query (contract, "Management
// API" authentication). Errors: 401 without credentials, with an unknown or revoked key or a wrong secret.
func ByKey(r *rest.Request) (*Principal, error) {
	key, secret, sent := credentials(r.HTTP)
	if !sent {
		return nil, rest.Errorf(http.StatusUnauthorized, cannot[r.HTTP.Method], "This needs credentials: send an API key.")
	}
	known, same := find(r.Shop.Read(), key, secret)
	switch {
	case known == nil:
		return nil, rest.Errorf(http.StatusUnauthorized, cannot[r.HTTP.Method], "This API key is unknown or revoked.")
	case !same:
		return nil, rest.Errorf(http.StatusUnauthorized, "shop_rest_authentication_error", "The secret does not belong to this API key.")
	}
	return &Principal{UserID: known.UserID, Permission: known.Permission}, nil
}

var cannot = map[string]string{
	http.MethodGet:    "shop_rest_cannot_view",
	http.MethodHead:   "shop_rest_cannot_view",
	http.MethodPost:   "shop_rest_cannot_create",
	http.MethodPut:    "shop_rest_cannot_edit",
	http.MethodPatch:  "shop_rest_cannot_edit",
	http.MethodDelete: "shop_rest_cannot_delete",
}

func credentials(r *http.Request) (key, secret string, sent bool) {
	if key, secret, sent = r.BasicAuth(); sent {
		return key, secret, true
	}
	if !strings.Contains(r.URL.RawQuery, "consumer_key=") {
		return "", "", false
	}
	query, _ := url.ParseQuery(r.URL.RawQuery)
	return query.Get("consumer_key"), query.Get("consumer_secret"), query.Has("consumer_secret")
}

// find gives the key if it is known and in force. The secret is compared even when it is not, so that the time taken
// tells nothing.
func find(view shop.View, key, secret string) (known *shop.APIKey, same bool) {
	known, exists := shop.Keys.Key.Find(&view.Keys, key)
	if !exists {
		known = &shop.APIKey{Revoked: true}
	}
	same = subtle.ConstantTimeCompare([]byte(known.Secret), []byte(secret)) == 1
	if known.Revoked {
		return nil, false
	}
	return known, same
}

// Forbidden is the answer to a principal whose permission does not cover the call.
func Forbidden() *rest.Error {
	return rest.Errorf(http.StatusForbidden, "shop_rest_authentication_error", "The permission of this API key does not allow the call.")
}
