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

	requests requests
}

// requests remember request tokens. A revision is of what was remembered when a token was got; 0: nothing.
type requests interface {
	get(token string) (requestToken, uint64, error)
	// put reports whether the revision was still there to make room.
	put(asked requestToken, revision uint64) (bool, error)
}

// requestToken is an application's wish to act for a user.
type requestToken struct {
	Token, Secret string
	Key           int64     // of the application
	Callback      string    // where the user's browser goes afterwards; outOfBand: nowhere
	Expires       time.Time // zero: it was refused, or redeemed
	User          int64     // who approved; 0: nobody yet
	Verifier      string    // proves to the application that it was approved
}

// newGrants makes the tokens of a server. drawn is how many are taken, by the same key.
func newGrants(key []byte, drawn uint64, memory Memory) *grants {
	g := &grants{
		accessKey: Derive(key, "access token"),
		secretKey: Derive(key, "access token's secret"),
		chance:    chance{key: Derive(key, "request token")},
		requests:  newOwnRequests(),
	}
	g.chance.drawn.Store(drawn)
	if memory != nil {
		g.requests = sharedRequests{memory}
	}
	return g
}

// ownRequests are those of a server that shares them with nobody.
type ownRequests struct {
	mu     sync.Mutex
	newest *simplelru.LRU[string, revised]
}

// revised is a token and how often it was put.
type revised struct {
	requestToken
	revision uint64
}

func newOwnRequests() *ownRequests {
	newest, _ := simplelru.NewLRU[string, revised](maxRequests, nil) // fails for sizes below 1 only
	return &ownRequests{newest: newest}
}

func (o *ownRequests) get(token string) (requestToken, uint64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found, _ := o.newest.Get(token)
	return found.requestToken, found.revision, nil
}

func (o *ownRequests) put(asked requestToken, revision uint64) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if there, _ := o.newest.Peek(asked.Token); there.revision != revision {
		return false, nil
	}
	o.newest.Add(asked.Token, revised{asked, revision + 1})
	return true, nil
}

// ask makes a request token for an application.
func (g *grants) ask(now time.Time, key int64, callback string) (requestToken, error) {
	asked := requestToken{
		Token: g.chance.draw(), Secret: g.chance.draw(), Key: key, Callback: callback, Expires: now.Add(requestLife),
	}
	_, err := g.requests.put(asked, 0)
	return asked, err
}

// request finds a request token that is alive.
func (g *grants) request(now time.Time, token string) (requestToken, bool, error) {
	asked, _, err := g.requests.get(token)
	if err != nil || now.After(asked.Expires) {
		return requestToken{}, false, err
	}
	return asked, true, nil
}

// approve lets the application act for a user; false if the token is not waiting for it any more.
func (g *grants) approve(now time.Time, token string, user int64) (requestToken, bool, error) {
	asked, revision, err := g.requests.get(token)
	if err != nil || asked.User != 0 || now.After(asked.Expires) {
		return requestToken{}, false, err
	}
	asked.User, asked.Verifier = user, g.chance.draw()
	approved, err := g.requests.put(asked, revision)
	return asked, approved, err
}

// drop forgets a request token, and reports whether it was still there.
func (g *grants) drop(token string) (bool, error) {
	asked, revision, err := g.requests.get(token)
	if err != nil || asked.Expires.IsZero() {
		return false, err
	}
	return g.requests.put(requestToken{Token: token}, revision)
}

// redeem gives the application an access token for its approved request token, once.
func (g *grants) redeem(now time.Time, token string, key int64, verifier string) (accessToken, bool, error) {
	asked, approved, err := g.request(now, token)
	if err != nil || !approved || asked.Key != key || asked.User == 0 ||
		subtle.ConstantTimeCompare([]byte(asked.Verifier), []byte(verifier)) != 1 {
		return accessToken{}, false, err
	}
	if first, err := g.drop(token); err != nil || !first {
		return accessToken{}, false, err
	}
	return g.seal(now, asked.Key, asked.User), true, nil
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
