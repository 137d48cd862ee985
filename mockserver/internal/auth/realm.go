package auth

// Which of many shops of one server a request's credentials belong to. Nothing is checked here: the shop itself does.

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// KeyName returns the API key that a request names, "" for none.
func KeyName(r *http.Request) string {
	if r.Header["Authorization"] != nil {
		if name, _, sent := r.BasicAuth(); sent {
			return name
		}
		if name := headerParameters(r.Header).Get("oauth_consumer_key"); name != "" {
			return name
		}
	}
	if !strings.Contains(r.URL.RawQuery, "consumer_key=") {
		return ""
	}
	query := queryParameters(r.URL.RawQuery)
	if name := query.Get("consumer_key"); name != "" {
		return name
	}
	return query.Get("oauth_consumer_key")
}

// RealmOf returns the realm that a request's cart token, cookie, bearer token or nonce says it is of, "" for none.
func RealmOf(r *http.Request) string {
	bearer := ""
	if token, sent := authorization(r.Header, "Bearer"); sent {
		bearer = token
	}
	_, ofNonce, _ := strings.Cut(first(r.Header, "Nonce"), realmMark)
	return cmp.Or(realmOfToken(first(r.Header, "Cart-Token")), realmOfToken(cookieOf(r.Header)), realmOfToken(bearer), ofNonce)
}

// realmMark stands between a nonce and its realm.
const realmMark = "."

// headOfNoRealm is what tokens begin with that are of no realm, as most are.
var headOfNoRealm = sync.OnceValue(func() string { return strings.TrimSuffix(tokenHead(""), ".") })

// realmOfToken is the realm that a token says it is of, whoever made it. Most requests have none: JSON is only read for what may name
// one.
func realmOfToken(token string) string {
	header, _, _ := strings.Cut(token, ".")
	if header == "" || header == headOfNoRealm() {
		return ""
	}
	text, err := base64.RawURLEncoding.DecodeString(header[:min(len(header), maxTokenBytes)])
	var said struct {
		Realm string `json:"kid"`
	}
	if err != nil || !bytes.Contains(text, []byte(`"kid"`)) || json.Unmarshal(text, &said) != nil {
		return ""
	}
	return said.Realm
}
