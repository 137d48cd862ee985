package auth

// Tokens of OAuth's three-legged flow: request tokens, which a user approves, and access tokens, which act for the user.

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	requestLife = 15 * time.Minute
	accessLife  = 30 * 24 * time.Hour
	maxRequests = 1 << 12
)

// grants issues and reads the tokens of one server. Request tokens are remembered, a bounded number of them; access tokens
// carry what they say themselves.
type grants struct {
	accessKey []byte
	secretKey []byte
	chance    chance

	mu       sync.Mutex
	requests *simplelru.LRU[string, *requestToken]
}

// requestToken is an application's wish to act for a user.
type requestToken struct {
	token, secret string
	key           int64  // of the application
	callback      string // where the user's browser goes afterwards; outOfBand: nowhere
	expires       time.Time
	user          int64  // who approved; 0: nobody yet
	verifier      string // proves to the application that it was approved
}

func newGrants(key []byte) *grants {
	requests, _ := simplelru.NewLRU[string, *requestToken](maxRequests, nil) // fails for sizes below 1 only
	return &grants{
		accessKey: Derive(key, "access token"),
		secretKey: Derive(key, "access token's secret"),
		chance:    chance{key: Derive(key, "request token")},
		requests:  requests,
	}
}

// ask makes a request token for an application.
func (g *grants) ask(now time.Time, key int64, callback string) requestToken {
	asked := requestToken{
		token: g.chance.draw(), secret: g.chance.draw(), key: key, callback: callback, expires: now.Add(requestLife),
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests.Add(asked.token, &asked)
	return asked
}

// request finds a request token that is alive.
func (g *grants) request(now time.Time, token string) (requestToken, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked, known := g.requests.Get(token)
	if !known || now.After(asked.expires) {
		return requestToken{}, false
	}
	return *asked, true
}

// approve lets the application act for a user; false if the token is not waiting for it any more.
func (g *grants) approve(now time.Time, token string, user int64) (requestToken, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked, known := g.requests.Get(token)
	if !known || asked.user != 0 || now.After(asked.expires) {
		return requestToken{}, false
	}
	approved := *asked
	approved.user, approved.verifier = user, g.chance.draw()
	g.requests.Add(token, &approved)
	return approved, true
}

// drop forgets a request token.
func (g *grants) drop(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests.Remove(token)
}

// redeem gives the application an access token for its approved request token, once.
func (g *grants) redeem(now time.Time, token string, key int64, verifier string) (accessToken, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked, known := g.requests.Get(token)
	if !known || asked.key != key || asked.user == 0 || now.After(asked.expires) ||
		subtle.ConstantTimeCompare([]byte(asked.verifier), []byte(verifier)) != 1 {
		return accessToken{}, false
	}
	g.requests.Remove(token)
	return g.seal(now, asked.key, asked.user), true
}

// accessToken acts for a user through an application's key.
type accessToken struct {
	text, secret string
	key, user    int64
}

const (
	accessSaid  = 4 * 8 // key, user, expiry, serial
	accessMAC   = 16
	accessBytes = accessSaid + accessMAC
)

var accessText = base64.RawURLEncoding.Strict()

func (g *grants) seal(now time.Time, key, user int64) accessToken {
	b := make([]byte, 0, accessBytes)
	b = binary.BigEndian.AppendUint64(b, uint64(key))
	b = binary.BigEndian.AppendUint64(b, uint64(user))
	b = binary.BigEndian.AppendUint64(b, uint64(now.Add(accessLife).Unix()))
	b = binary.BigEndian.AppendUint64(b, g.chance.drawn.Add(1))
	text := accessText.EncodeToString(append(b, g.macOf(b)...))
	return accessToken{text, g.secretOf(text), key, user}
}

// access reads an access token that is ours and alive. The secret is given for any text, so that a signature can be compared
// before the token is refused.
func (g *grants) access(now time.Time, text string) (accessToken, bool) {
	if text == "" {
		return accessToken{}, false
	}
	token := accessToken{text: text, secret: g.secretOf(text)}
	if len(text) != accessText.EncodedLen(accessBytes) {
		return token, false
	}
	b, err := accessText.DecodeString(text)
	if err != nil || !hmac.Equal(b[accessSaid:], g.macOf(b[:accessSaid])) {
		return token, false
	}
	token.key, token.user = int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))
	return token, now.Unix() <= int64(binary.BigEndian.Uint64(b[16:]))
}

func (g *grants) macOf(said []byte) []byte {
	mac := hmac.New(sha256.New, g.accessKey)
	mac.Write(said)
	return mac.Sum(nil)[:accessMAC]
}

func (g *grants) secretOf(token string) string {
	mac := hmac.New(sha256.New, g.secretKey)
	mac.Write([]byte(token))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
