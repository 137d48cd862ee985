package auth

// Cart tokens: a session that the client carries itself (contract, "Store API" authentication, rule 3).

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"
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
	realm   string // see RealmOf
	key     []byte
	life    time.Duration
	expired bool                        // whatever is read counts as expired
	known   *lru.Cache[string, *claims] // what good tokens say that were read lately: checking one takes longer than most requests
}

func newTokens(key []byte, life time.Duration, realm string) *tokens {
	known, _ := lru.New[string, *claims](maxKnownTokens) // fails for sizes below 1 only
	return &tokens{realm: realm, key: key, life: life, known: known}
}

// issue makes a token of a session.
func (t *tokens) issue(now time.Time, session string) string {
	unsigned := jwt.NewWithClaims(jwt.SigningMethodHS256, &claims{
		Session: session,
		Expires: jwt.NewNumericDate(now.Add(t.life)),
		Issuer:  tokenIssuer,
		Issued:  jwt.NewNumericDate(now),
	})
	if t.realm != "" {
		unsigned.Header["kid"] = t.realm
	}
	token, err := unsigned.SignedString(t.key)
	if err != nil {
		panic(err) // signing fails for a key of the wrong type only: a defect of ours
	}
	return token
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
	if said, known := t.known.Get(text); known && now.Before(said.Expires.Time) {
		return said
	}
	said := &claims{}
	parser := jwtParser(now, jwt.WithIssuer(tokenIssuer))
	if _, err := parser.ParseWithClaims(text, said, func(*jwt.Token) (any, error) { return t.key, nil }); err != nil {
		return &claims{}
	}
	t.known.Add(text, said)
	return said
}

// isYoung reports whether a token was made so lately that a fresh one would say nothing new.
func (t *tokens) isYoung(now time.Time, said *claims) bool {
	return said.Issued != nil && now.Sub(said.Issued.Time) < t.life/youth
}
