package auth

// Sessions of the Store API: who a request belongs to, and whether it may change things.

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"shopcheck/mockserver/internal/rest"
)

// SessionCookie is the name of the cookie that keeps a session.
const SessionCookie = "shop_session"

// What SessionOptions that are left out mean.
const (
	DefaultNonceLife = 24 * time.Hour
	DefaultTokenLife = 48 * time.Hour
	DefaultSessions  = 1 << 16
)

// MaxReject is the largest share of good nonces that can be refused: every other one, as no two in a row are.
const MaxReject = 0.5

// SessionOptions are what sessions depend on.
type SessionOptions struct {
	Key        []byte        // the secret that session ids, nonces and tokens are derived from; equal keys give equal bytes
	Nonce      NonceMode     // RotateNonce when empty
	NonceLife  time.Duration // a nonce dies between half of this and the whole; 0: DefaultNonceLife
	TokenLife  time.Duration // of cart tokens and of the cookie; 0: DefaultTokenLife
	Sessions   int           // how many sessions' newest nonces are remembered; 0: DefaultSessions
	Realm      string        // what tokens and nonces say that they are of, besides the session; "": nothing
	CookiePath string        // where browsers send the cookie; "": everywhere
	Drawn      uint64        // how many session ids are taken, by the same key: those of before are not given again
	Memory     Memory        // what other servers of the same shop know, too; nil: there are none
	Earlier    Earlier       // processes that gave out nonces by the same key; the zero value: none did
	Reject     float64       // share of the good nonces that are refused on purpose, from 0 to MaxReject
}

// Sessions issues and checks what makes a visitor of the Store API known again: nonces, cart tokens and the session
// cookie (contract, "Store API" authentication). It belongs to one server and is safe for concurrent use. Its memory is
// bounded: tokens and nonces carry their session themselves, only the newest nonce's number is remembered.
type Sessions struct {
	realm      string
	nonces     *macs
	nonceLife  time.Duration
	ids        cipher.Block
	created    *atomic.Uint64
	serials    serials
	tokens     *tokens
	refusals   *refusals
	cookieAge  int // seconds
	cookiePath string
}

// SessionsOf finds the sessions of a server among what it lends to its requests (rest.Host).
type SessionsOf func(lent any) *Sessions

// NewSessions makes the sessions of one server.
func NewSessions(options SessionOptions) *Sessions {
	tokenLife := orElse(options.TokenLife, DefaultTokenLife)
	ids, err := aes.NewCipher(Derive(options.Key, "session"))
	if err != nil {
		panic(err) // what is derived has the length of a key
	}
	created := new(atomic.Uint64)
	created.Store(options.Drawn)
	return &Sessions{
		realm:      options.Realm,
		nonces:     newMACs(Derive(options.Key, "nonce")),
		nonceLife:  orElse(options.NonceLife, DefaultNonceLife),
		ids:        ids,
		created:    created,
		serials:    newSerials(options),
		tokens:     newTokens(options.Key, tokenLife, options.Realm),
		cookiePath: orElse(options.CookiePath, "/"),
		refusals:   newRefusals(options.Reject, options.Key),
		cookieAge:  int(tokenLife / time.Second),
	}
}

func orElse[T comparable](value, fallback T) T {
	var none T
	if value == none {
		return fallback
	}
	return value
}

// Derive makes a key for one purpose, so that nothing made for one can pass for another.
func Derive(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// create makes the id of a new session: its number, which nobody can read or guess.
func (s *Sessions) create() string {
	block := make([]byte, aes.BlockSize)
	binary.BigEndian.PutUint64(block, s.created.Add(1))
	s.ids.Encrypt(block, block)
	var id [len(sessionPrefix) + 2*sessionBytes]byte
	return string(hex.AppendEncode(append(id[:0], sessionPrefix...), block[:sessionBytes]))
}

// RefusingNonces returns the same sessions for one request, whose nonce is refused although it is good.
func (s *Sessions) RefusingNonces() *Sessions {
	refusing := *s
	refusing.refusals = newRefusals(MaxReject, nil) // with this share the first one is always refused
	return &refusing
}

// ExpiringTokens returns the same sessions for one request, whose cart token or cookie counts as expired.
func (s *Sessions) ExpiringTokens() *Sessions {
	expiring, tokens := *s, *s.tokens
	tokens.expired = true
	expiring.tokens = &tokens
	return &expiring
}

// Token returns a cart token of the visitor's session: the one that it brought while that is young, else a fresh one.
func (r *Round) Token(v *Visitor) string {
	if v.token == "" {
		v.token = r.sessions.tokens.issue(r.now, v.Session)
	}
	return v.token
}

// Cookie makes the cookie that keeps the visitor's session.
func (r *Round) Cookie(v *Visitor) *http.Cookie {
	return &http.Cookie{
		Name: SessionCookie, Value: r.Token(v), Path: r.sessions.cookiePath,
		MaxAge: r.sessions.cookieAge, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// Visitor is whom a request belongs to.
type Visitor struct {
	Session  string
	New      bool   // nothing that the request brought names a session
	Kept     bool   // a cookie or a cart token keeps the session; a nonce does so for the next request only
	Nonce    string // the session's newest one: the answer carries it
	Spent    uint32 // the number after the nonce that lets it change things, 0 where something else does
	token    string // a young cart token that it brought, "" for none
	proof    proof
	refusals *refusals // of a nonce: it may be refused although it is good
}

// proof is what a request brought to be allowed to change things.
type proof int

const (
	nothing proof = iota
	badNonce
	proven
)

// Authorise refuses a visitor that brought neither a cart token nor the newest nonce of its session: 401
// shop_rest_missing_nonce, 403 shop_rest_invalid_nonce.
func (v *Visitor) Authorise() error {
	proof := v.proof
	if proof == proven && v.refusals != nil && v.refusals.next() {
		proof = badNonce
	}
	switch proof {
	case nothing:
		return rest.Errorf(http.StatusUnauthorized, "shop_rest_missing_nonce",
			"This needs a nonce or a cart token: send the header Nonce or Cart-Token of an earlier answer.")
	case badNonce:
		return rest.Errorf(http.StatusForbidden, "shop_rest_invalid_nonce",
			"The nonce is unknown, expired, or not the newest one: send the one of this answer.")
	}
	return nil
}

// Round is one request, or one batch of requests. In a round each session gets one fresh nonce, and the nonce that was
// the newest when the session first showed up in it stays good to its end. A round belongs to one goroutine.
type Round struct {
	sessions *Sessions
	now      time.Time
	guest    string // the new session of requests that name none
	turns    []turn
	first    [1]turn // room for the only one of most rounds
}

// turn is what a round did to the nonces of a session.
type turn struct {
	session string
	was     uint32 // number of the nonce that was the newest
	nonce   string // the fresh one
}

// NewRound begins a round at a moment.
func (s *Sessions) NewRound(now time.Time) *Round {
	r := &Round{sessions: s, now: now}
	r.turns = r.first[:0]
	return r
}

// Enter finds out whom a request belongs to, from its headers: the cart token's session, else the cookie's, else that of
// a good nonce, else a new one. A token or cookie that is not good counts as none. An error is an answer: nobody can say at the moment
// which nonce is the newest.
func (r *Round) Enter(header http.Header) (*Visitor, error) {
	sent := first(header, "Nonce")
	claim, authentic := r.readNonce(sent)
	token := first(header, "Cart-Token")
	if said := r.sessions.tokens.read(r.now, token); said.Session != "" {
		if !r.sessions.tokens.isYoung(r.now, said) {
			token = ""
		}
		turn, err := r.turn(said.Session)
		return &Visitor{Session: said.Session, Kept: true, Nonce: turn.nonce, token: token, proof: proven}, err
	}
	visitor := &Visitor{proof: nothing}
	if sent != "" {
		visitor.proof = badNonce
	}
	if session, ok := r.sessions.tokens.session(r.now, cookieOf(header)); ok {
		visitor.Session, visitor.Kept = session, true
		if authentic && claim.session == session {
			if err := r.prove(visitor, claim); visitor.proof == proven || err != nil {
				return visitor, err
			}
		}
		turn, err := r.turn(session)
		visitor.Nonce = turn.nonce
		return visitor, err
	}
	if authentic {
		if err := r.prove(visitor, claim); visitor.proof == proven || err != nil {
			visitor.Session = claim.session
			return visitor, err
		}
	}
	visitor.Session, visitor.New = r.newGuest(), true
	turn, err := r.turn(visitor.Session)
	visitor.Nonce = turn.nonce
	return visitor, err
}

// prove lets a visitor change things if what it claims is the newest nonce of its session.
func (r *Round) prove(visitor *Visitor, claim nonce) error {
	turn, ok, err := r.turnAfter(claim)
	if ok {
		visitor.Nonce, visitor.Spent = turn.nonce, claim.serial+1
		visitor.proof, visitor.refusals = proven, r.sessions.refusals
	}
	return err
}

// turn moves a session on to its next nonce, once a round.
func (r *Round) turn(session string) (turn, error) {
	if done, known := r.turnOf(session); known {
		return done, nil
	}
	was, now, err := r.sessions.serials.next(session)
	if err != nil {
		return turn{}, err
	}
	return r.began(session, was, now), nil
}

// turnAfter does so only for the session's newest nonce.
func (r *Round) turnAfter(claim nonce) (turn, bool, error) {
	if done, known := r.turnOf(claim.session); known {
		return done, claim.serial == done.was, nil
	}
	now, ok, err := r.sessions.serials.nextAfter(claim.session, claim.serial)
	if !ok {
		return turn{}, false, err
	}
	return r.began(claim.session, claim.serial, now), true, nil
}

// turnOf returns what the round has done to a session already. Most rounds are of one session.
func (r *Round) turnOf(session string) (turn, bool) {
	for _, done := range r.turns {
		if done.session == session {
			return done, true
		}
	}
	return turn{}, false
}

// began notes a session's turn.
func (r *Round) began(session string, was, now uint32) turn {
	done := turn{session, was, r.sealNonce(session, now)}
	r.turns = append(r.turns, done)
	return done
}

// newGuest gives the round's new session. Its first nonce needs no remembering: it is number 0.
func (r *Round) newGuest() string {
	if r.guest == "" {
		r.guest = r.sessions.create()
		r.began(r.guest, 0, 0)
	}
	return r.guest
}

func (r *Round) sealNonce(session string, serial uint32) string {
	sealed := nonce{session, tickAt(r.now, r.sessions.nonceLife), serial}.seal(r.sessions.nonces)
	if realm := r.sessions.realm; realm != "" {
		return sealed + realmMark + realm
	}
	return sealed
}

// readNonce reads a nonce that is ours and still alive.
func (r *Round) readNonce(text string) (nonce, bool) {
	text, _, _ = strings.Cut(text, realmMark)
	claim, ok := openNonce(r.sessions.nonces, text)
	age := tickAt(r.now, r.sessions.nonceLife) - claim.tick // a nonce from the future has a huge one
	return claim, ok && age <= 1
}

// first returns the first value of a header whose name has its canonical form, which header.Get would have to find out.
func first(header http.Header, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

func cookieOf(header http.Header) string {
	if header["Cookie"] == nil {
		return ""
	}
	cookie, err := (&http.Request{Header: header}).Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}
