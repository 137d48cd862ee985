package auth

// Cart tokens: a session that the client carries itself (contract, "Store API" authentication, rule 3).

import (
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"

	"shopcheck/mockserver/internal/rest"
)

const (
	tokenIssuer    = "store-api"
	maxTokenBytes  = 1024
	maxKnownTokens = 4096
	youth          = 1000 // a token is young in the first of so many parts of its life
)

// claims are what a cart token says. Their order is that of the JSON.
type claims struct {
	Session string           `json:"user_id"`
	Expires *jwt.NumericDate `json:"exp"`
	Issuer  string           `json:"iss"`
	Issued  *jwt.NumericDate `json:"iat"`
}

// The methods make claims what the JWT library can check.

func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return c.Expires, nil }
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error)       { return c.Issued, nil }
func (c *claims) GetNotBefore() (*jwt.NumericDate, error)      { return nil, nil }
func (c *claims) GetIssuer() (string, error)                   { return c.Issuer, nil }
func (c *claims) GetSubject() (string, error)                  { return "", nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error)       { return nil, nil }

// tokens signs and reads cart tokens.
type tokens struct {
	life    time.Duration
	expired bool            // whatever is read counts as expired
	with    func() *signing // made for the first token: many shops never see one
}

// signing is what cart tokens are signed and read with.
type signing struct {
	head  string // of each token: its header, with the realm if there is one (see RealmOf)
	key   []byte
	macs  *macs
	known *lru.Cache[string, *claims] // what good tokens say that were read lately: checking one takes longer than most requests
}

func newTokens(secret []byte, life time.Duration, realm string) *tokens {
	return &tokens{life: life, with: sync.OnceValue(func() *signing {
		known, _ := lru.New[string, *claims](maxKnownTokens) // fails for sizes below 1 only
		key := Derive(secret, "cart token")
		return &signing{head: tokenHead(realm), key: key, macs: newMACs(key), known: known}
	})}
}

// tokenHead is what the tokens of a realm begin with.
func tokenHead(realm string) string {
	unsigned := jwt.New(jwt.SigningMethodHS256)
	if realm != "" {
		unsigned.Header["kid"] = realm
	}
	text, err := unsigned.SigningString()
	if err != nil {
		panic(err) // a header of texts can be encoded
	}
	return text[:strings.Index(text, ".")+1]
}

// issue makes a token of a session. It is put together here: visitors that nobody knows get one each, and the library encodes header
// and claims by reflection.
func (t *tokens) issue(now time.Time, session string) string {
	with := t.with()
	said := rest.AppendString(append(make([]byte, 0, 128), `{"user_id":`...), session)
	said = strconv.AppendInt(append(said, `,"exp":`...), now.Add(t.life).Unix(), 10)
	said = rest.AppendString(append(said, `,"iss":`...), tokenIssuer)
	said = strconv.AppendInt(append(said, `,"iat":`...), now.Unix(), 10)
	said = append(said, '}')
	text := base64.RawURLEncoding.AppendEncode(append(make([]byte, 0, 256), with.head...), said)
	mac := with.macs.of(text)
	return string(base64.RawURLEncoding.AppendEncode(append(text, '.'), mac[:]))
}

// session reads a token. One that is forged, expired, or made in any other way than ours names no session.
func (t *tokens) session(now time.Time, text string) (string, bool) {
	said := t.read(now, text)
	return said.Session, said.Session != ""
}

// read returns what a token says, nothing if it is not good.
func (t *tokens) read(now time.Time, text string) *claims {
	if text == "" || len(text) > maxTokenBytes || t.expired {
		return &claims{}
	}
	with := t.with()
	if said, known := with.known.Get(text); known && now.Before(said.Expires.Time) {
		return said
	}
	said := &claims{}
	parser := jwtParser(now, jwt.WithIssuer(tokenIssuer))
	if _, err := parser.ParseWithClaims(text, said, func(*jwt.Token) (any, error) { return with.key, nil }); err != nil {
		return &claims{}
	}
	with.known.Add(text, said)
	return said
}

// isYoung reports whether a token was made so lately that a fresh one would say nothing new.
func (t *tokens) isYoung(now time.Time, said *claims) bool {
	return said.Issued != nil && now.Sub(said.Issued.Time) < t.life/youth
}
