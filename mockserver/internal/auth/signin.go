package auth

// Signing in to the management API: what a server remembers of it, and the ways that need more than a shop.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"shopcheck/mockserver/internal/rest"
)

// SignInOptions are what signing in depends on.
type SignInOptions struct {
	Key    []byte // the secret that tokens are derived from; equal keys give equal bytes
	Realm  string // what bearer tokens say that they are of, besides the user; "": nothing
	Strict bool   // Basic authentication needs TLS, from this machine too
	Public bool   // it does not, from wherever

	Drawn  uint64    // how many tokens are taken, by the same key: those of before are not given again
	Memory Memory    // what other servers of the same shop know, too; nil: there are none
	Since  time.Time // from when on all signed requests are known; older ones may have come before and are refused. Zero: all ever
	// Ahead is called before a request counts whose timestamp is later than now, with a moment that is later still. Who makes the next
	// sign-in by the same key gives it as Since. It may be nil.
	Ahead func(until time.Time) error
}

// SignIn knows the credentials that a server gives out itself: bearer tokens and those of OAuth. It is safe for concurrent
// use and its memory is bounded.
type SignIn struct {
	strict  bool
	public  bool
	bearers func() *bearers // made when first needed: few clients sign in by more than an API key
	replays *replays
	uses    *sharedUses    // nil: no other server sees signed requests of this shop
	grants  func() *grants // likewise
	ways    []way          // in the order in which they are tried
}

// SignInOf finds the SignIn of the server that a request came to.
type SignInOf func(*http.Request) *SignIn

// NewSignIn makes the sign-in of one server.
func NewSignIn(options SignInOptions) *SignIn {
	s := &SignIn{
		strict:  options.Strict,
		public:  options.Public,
		bearers: sync.OnceValue(func() *bearers { return &bearers{realm: options.Realm, key: Derive(options.Key, "bearer token")} }),
		replays: newReplays(options.Since, options.Ahead),
		grants: sync.OnceValue(func() *grants {
			return newGrants(Derive(options.Key, "oauth"), options.Drawn, options.Memory)
		}),
	}
	if options.Memory != nil {
		s.uses = &sharedUses{options.Memory}
	}
	s.ways = s.allWays()
	return s
}

func (s *SignIn) allWays() []way {
	return []way{s.safely(keyByBasic), keyByQuery, s.bySignature, s.safely(byPassword), s.byBearer}
}

// ExpiringTokens returns the same sign-in for one request, whose bearer token counts as expired.
func (s *SignIn) ExpiringTokens() *SignIn {
	expiring, expired := *s, *s.bearers()
	expired.expired = true
	expiring.bearers = func() *bearers { return &expired }
	expiring.ways = expiring.allWays()
	return &expiring
}

// safely keeps a way of Basic authentication from networks where others can read it.
func (s *SignIn) safely(basic way) way {
	return func(r *rest.Request) (*Principal, error) {
		principal, err := basic(r)
		if sent := principal != nil || err != nil; !sent || s.safe(r.Dial) {
			return principal, err
		}
		return nil, unproven("Basic authentication needs HTTPS here: use it, or send an API key in the query.")
	}
}

func (s *SignIn) safe(dial rest.Dial) bool {
	return dial.Scheme == "https" || s.public || dial.Local && !s.strict
}

// chance makes values that nobody can guess, each one once.
type chance struct {
	key   []byte
	drawn atomic.Uint64
}

func (c *chance) draw() string {
	mac := hmac.New(sha256.New, c.key)
	mac.Write(binary.BigEndian.AppendUint64(nil, c.drawn.Add(1)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
