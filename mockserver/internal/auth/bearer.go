package auth

// Bearer tokens: JWTs that stand for a user until they expire.

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

const (
	bearerLife     = 7 * 24 * time.Hour
	maxBearerBytes = 4096
)

// bearers issues and reads bearer tokens.
type bearers struct {
	realm   string // see RealmOf
	key     []byte
	expired bool // whatever is read counts as expired
}

// jwtParser reads tokens of ours, and only in the form in which we make them, as of a moment.
func jwtParser(now time.Time, more ...jwt.ParserOption) *jwt.Parser {
	return jwt.NewParser(append(more,
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(func() time.Time { return now }),
	)...)
}

// issue makes a token of a user. issuer is the shop's address, for clients that look at it.
func (b *bearers) issue(now time.Time, user int64, issuer string) string {
	unsigned := jwt.NewWithClaims(jwt.SigningMethodHS256, &jwt.RegisteredClaims{
		Issuer:    issuer,
		Subject:   strconv.FormatInt(user, 10),
		IssuedAt:  jwt.NewNumericDate(now),
		NotBefore: jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(bearerLife)),
	})
	if b.realm != "" {
		unsigned.Header["kid"] = b.realm
	}
	token, err := unsigned.SignedString(b.key)
	if err != nil {
		panic(err) // signing fails for a key of the wrong type only: a defect of ours
	}
	return token
}

// user reads a token. One that is forged, expired, or made in any other way than ours names nobody.
func (b *bearers) user(now time.Time, text string) (int64, bool) {
	if len(text) > maxBearerBytes || b.expired {
		return 0, false
	}
	said := &jwt.RegisteredClaims{}
	if _, err := jwtParser(now).ParseWithClaims(text, said, func(*jwt.Token) (any, error) { return b.key, nil }); err != nil {
		return 0, false
	}
	user, err := strconv.ParseInt(said.Subject, 10, 64)
	return user, err == nil && user > 0
}

func (s *SignIn) byBearer(r *rest.Request) (*Principal, error) {
	token, sent := authorization(r.HTTP.Header, "Bearer")
	if !sent {
		return nil, nil
	}
	if user, ok := s.bearers().user(r.View.Now, token); ok {
		if principal, exists := actingFor(r.View, user, shop.ReadWrite); exists {
			return principal, nil
		}
	}
	return nil, unknown(r, "This bearer token is not good: it has expired, was not made here, or its user is gone.")
}

// authorization returns what follows a scheme in the Authorization header. The scheme's case does not matter.
func authorization(header http.Header, scheme string) (string, bool) {
	said, rest, _ := strings.Cut(first(header, "Authorization"), " ")
	return strings.TrimSpace(rest), strings.EqualFold(said, scheme)
}
