package client

// What a spec asks for, before it is an HTTP request.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/suites/profile"
)

// Roots of the two APIs, and where users get tokens.
const (
	Management = "/shop/v3"
	Store      = "/shop/store/v1"
	TokenPath  = "/jwt-auth/v1/token" // gives out bearer tokens
)

// Request is one call of the target.
type Request struct {
	Method string
	Path   string // from the API root: /shop/v3/products
	Query  url.Values
	Header http.Header
	Body   any // nil for none; string, []byte and json.RawMessage are sent as they are, url.Values as a form, anything else as JSON
	Auth   Auth
}

// Auth says how a request authenticates.
type Auth struct {
	profile.Credentials // key and secret; a user's name and password; a bearer token as the secret
	Way                 AuthWay
	OAuth               *OAuth // of SignedWay
}

// ByPassword authenticates requests as a user, by Basic authentication.
func ByPassword(l profile.Login) Auth {
	return Auth{Credentials: profile.Credentials{Key: l.Username, Secret: l.Password}, Way: BasicWay}
}

// ByToken authenticates requests by a bearer token.
func ByToken(token string) Auth {
	return Auth{Credentials: profile.Credentials{Secret: token}, Way: BearerWay}
}

// AuthWay is how credentials travel.
type AuthWay int

const (
	NoAuth    AuthWay = iota // no credentials at all
	AnyWay                   // Basic where it is safe, else query
	BasicWay                 // the Authorization header
	QueryWay                 // consumer_key and consumer_secret
	SignedWay                // OAuth 1.0a
	BearerWay                // Authorization: Bearer
)

// Writes reports whether the request may change the target. GET checkout makes a draft order; a token is no record.
func (r Request) Writes() bool {
	if r.Path == TokenPath {
		return false
	}
	switch r.Method {
	case http.MethodOptions:
		return false
	case http.MethodGet, http.MethodHead:
		return strings.HasSuffix(strings.TrimSuffix(r.Path, "/"), "/checkout")
	}
	return true
}

func (r Request) idempotent() bool {
	return r.Method != http.MethodPost && r.Method != http.MethodPatch
}

// address is the full URL of the request below base.
func (r Request) address(base string) string {
	address := strings.TrimSuffix(base, "/") + r.Path
	query := r.Query
	if r.Auth.Way == QueryWay {
		query = withValues(query, "consumer_key", r.Auth.Key, "consumer_secret", r.Auth.Secret)
	}
	if len(query) == 0 {
		return address
	}
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	return address + joint + query.Encode()
}

func withValues(query url.Values, pairs ...string) url.Values {
	out := url.Values{}
	for k, v := range query {
		out[k] = v
	}
	for i := 0; i < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

// Written returns the same request with a body that is written already, where it is one of JSON: who looks into it need not write it
// again. One that cannot be written stays as it is.
func (r Request) Written() Request {
	switch r.Body.(type) {
	case nil, string, []byte, json.RawMessage, url.Values:
		return r
	}
	if content, err := r.content(); err == nil {
		r.Body = json.RawMessage(content)
	}
	return r
}

// content is the body as bytes, nil for none.
func (r Request) content() ([]byte, error) {
	switch body := r.Body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return body, nil
	case json.RawMessage:
		return body, nil
	case string:
		return []byte(body), nil
	case url.Values:
		return []byte(body.Encode()), nil
	default:
		bytes, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("the body of %s %s cannot be written as JSON: %w", r.Method, r.Path, err)
		}
		return bytes, nil
	}
}

// JSON returns the body as parsed JSON, the zero Result where it is none.
func (r Request) JSON() gjson.Result {
	if content, err := r.content(); err == nil && gjson.ValidBytes(content) {
		return gjson.ParseBytes(content)
	}
	return gjson.Result{}
}

// mediaType is what the body is sent as, unless a header of the request says otherwise.
func (r Request) mediaType() string {
	if _, isForm := r.Body.(url.Values); isForm {
		return "application/x-www-form-urlencoded"
	}
	return "application/json"
}
