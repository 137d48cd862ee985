package client

// Signing requests by OAuth 1.0a (RFC 5849).

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dghubble/oauth1"

	"shopcheck/suites/profile"
)

// OAuth says how a request is signed. What is left empty is as a client has it that keeps all rules.
type OAuth struct {
	Consumer  profile.Credentials
	Token     profile.Credentials // the access token and its secret; empty where the consumer's key signs alone
	SHA1      bool                // HMAC-SHA1 rather than HMAC-SHA256
	InQuery   bool                // the parameters travel in the query, not in the Authorization header
	Timestamp time.Time           // zero: now
	Nonce     string              // empty: a new one
	Spoil     Spoiler             // nil: what was signed is what is sent
}

// Spoiler changes the oauth_ parameters of a request after it was signed, for clients that break a rule.
type Spoiler func(parameters map[string]string)

// SigningBy returns how requests are signed with a profile's credentials: by the oauth pair, else by the read_write key.
func SigningBy(set profile.CredentialSet) OAuth {
	if set.OAuth.Key == "" {
		return OAuth{Consumer: set.ReadWrite}
	}
	return OAuth{Consumer: profile.Credentials{Key: set.OAuth.Key, Secret: set.OAuth.Secret},
		Token: profile.Credentials{Key: set.OAuth.Token, Secret: set.OAuth.TokenSecret}}
}

// ByOAuth authenticates requests by a signature.
func ByOAuth(o OAuth) Auth { return Auth{Way: SignedWay, OAuth: &o} }

// oauthKey marks a request that is to be signed. Each attempt is signed anew: a nonce is used once.
type oauthKey struct{}

func signWhereAsked(ctx context.Context, r *http.Request) error {
	if o, ok := ctx.Value(oauthKey{}).(*OAuth); ok && o != nil {
		return o.sign(r)
	}
	return nil
}

// sign puts the parameters and the signature of section 3.1 into the request. Its body is not signed: those of the API
// are no forms.
func (o *OAuth) sign(r *http.Request) error {
	parameters := o.parameters()
	signature, err := o.signer().Sign(o.Token.Secret, baseString(r.Method, r.URL, parameters))
	if err != nil {
		return fmt.Errorf("sign by OAuth: %w", err)
	}
	parameters["oauth_signature"] = signature
	if o.Spoil != nil {
		o.Spoil(parameters)
	}
	o.attach(r, parameters)
	return nil
}

func (o *OAuth) parameters() map[string]string {
	timestamp := o.Timestamp
	if timestamp.IsZero() {
		timestamp = time.Now()
	}
	parameters := map[string]string{
		"oauth_consumer_key":     o.Consumer.Key,
		"oauth_nonce":            cmp.Or(o.Nonce, rand.Text()),
		"oauth_signature_method": o.signer().Name(),
		"oauth_timestamp":        strconv.FormatInt(timestamp.Unix(), 10),
		"oauth_version":          "1.0",
	}
	if o.Token.Key != "" {
		parameters["oauth_token"] = o.Token.Key
	}
	return parameters
}

func (o *OAuth) signer() oauth1.Signer {
	if o.SHA1 {
		return &oauth1.HMACSigner{ConsumerSecret: o.Consumer.Secret}
	}
	return &oauth1.HMAC256Signer{ConsumerSecret: o.Consumer.Secret}
}

// attach sends the parameters along (sections 3.5.1 and 3.5.3).
func (o *OAuth) attach(r *http.Request, parameters map[string]string) {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		form := `%s="%s"`
		if o.InQuery {
			form = "%s=%s"
		}
		pairs = append(pairs, fmt.Sprintf(form, oauth1.PercentEncode(name), oauth1.PercentEncode(parameters[name])))
	}
	if !o.InQuery {
		r.Header.Set("Authorization", "OAuth "+strings.Join(pairs, ", "))
		return
	}
	if r.URL.RawQuery != "" {
		pairs = append([]string{r.URL.RawQuery}, pairs...)
	}
	r.URL.RawQuery = strings.Join(pairs, "&")
}

// baseString is what is signed (section 3.4.1.1).
func baseString(method string, address *url.URL, parameters map[string]string) string {
	return strings.ToUpper(method) + "&" + oauth1.PercentEncode(baseAddress(address)) + "&" +
		oauth1.PercentEncode(normalized(address.Query(), parameters))
}

// baseAddress is the address without query and default port (section 3.4.1.2).
func baseAddress(address *url.URL) string {
	scheme, host := strings.ToLower(address.Scheme), strings.ToLower(address.Host)
	for _, byDefault := range []struct{ scheme, port string }{{"http", ":80"}, {"https", ":443"}} {
		if scheme == byDefault.scheme {
			host = strings.TrimSuffix(host, byDefault.port)
		}
	}
	return scheme + "://" + host + cmp.Or(address.EscapedPath(), "/")
}

// normalized is all parameters encoded, sorted and joined (section 3.4.1.3.2).
func normalized(query url.Values, parameters map[string]string) string {
	type pair struct{ name, value string }
	var pairs []pair
	add := func(name, value string) {
		pairs = append(pairs, pair{oauth1.PercentEncode(name), oauth1.PercentEncode(value)})
	}
	for name, values := range query {
		for _, value := range values {
			add(name, value)
		}
	}
	for name, value := range parameters {
		add(name, value)
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.value, b.value)) })
	joined := make([]string, len(pairs))
	for i, p := range pairs {
		joined[i] = p.name + "=" + p.value
	}
	return strings.Join(joined, "&")
}
