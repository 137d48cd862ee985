package auth

// Nonces: what is in one, and which one of a session is the newest.

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// NonceMode tells how long a nonce stays good.
type NonceMode string

// The two ways to read the contract's rules on nonces ("Store API" authentication, rules 1 and 2).
const (
	RotateNonce NonceMode = "rotate" // each answer carries a fresh one, and the session's older ones stop working
	StableNonce NonceMode = "stable" // one value for its whole life
)

// nonce is what a nonce says. It carries its session, so that a client that keeps nothing else keeps its cart.
type nonce struct {
	session string
	tick    uint32 // half-lives since 1970 when it was issued
	serial  uint32 // how many the session had before; always 0 when nonces are stable
}

const (
	sessionPrefix = "t_"
	sessionBytes  = 15
	macBytes      = 12
	nonceBytes    = sessionBytes + 4 + 4 + macBytes
)

var nonceText = base64.RawURLEncoding.Strict()

// seal signs the nonce and returns its text.
func (n nonce) seal(keys *macs) string {
	var room, text [2 * nonceBytes]byte
	b, _ := hex.AppendDecode(room[:0], []byte(strings.TrimPrefix(n.session, sessionPrefix)))
	b = binary.BigEndian.AppendUint32(b, n.tick)
	b = binary.BigEndian.AppendUint32(b, n.serial)
	mac := keys.of(b)
	return string(nonceText.AppendEncode(text[:0], append(b, mac[:macBytes]...)))
}

// openNonce reads a nonce that was sealed with the keys.
func openNonce(keys *macs, text string) (nonce, bool) {
	if len(text) != nonceText.EncodedLen(nonceBytes) {
		return nonce{}, false
	}
	b, err := nonceText.DecodeString(text)
	if err != nil {
		return nonce{}, false
	}
	said, mac := b[:nonceBytes-macBytes], b[nonceBytes-macBytes:]
	if ours := keys.of(said); !hmac.Equal(mac, ours[:macBytes]) {
		return nonce{}, false
	}
	return nonce{
		session: sessionPrefix + hex.EncodeToString(said[:sessionBytes]),
		tick:    binary.BigEndian.Uint32(said[sessionBytes:]),
		serial:  binary.BigEndian.Uint32(said[sessionBytes+4:]),
	}, true
}

// tickAt counts half-lives: a nonce is good in the one that it was issued in and in the next, which makes it live for
// between one half and the whole of its life.
func tickAt(now time.Time, life time.Duration) uint32 {
	return uint32(now.Unix() / max(1, int64(life/time.Second/2)))
}

// serials knows the newest nonce of each session. An error is an answer: what is known cannot be asked for at the moment.
type serials interface {
	// next moves a session on to its next nonce, and tells which one was the newest until now.
	next(session string) (was, now uint32, err error)
	// nextAfter moves a session on only if serial is its newest nonce.
	nextAfter(session string, serial uint32) (now uint32, ok bool, err error)
}

func newSerials(options SessionOptions) serials {
	switch {
	case options.Nonce == StableNonce:
		return noSerials{}
	case options.Memory != nil:
		return sharedSerials{options.Memory}
	}
	newest, _ := simplelru.NewLRU[string, uint32](max(1, orElse(options.Sessions, DefaultSessions)), nil) // fails for sizes below 1 only
	return &ownSerials{newest: newest, earlier: options.Earlier}
}

// noSerials are those of nonces that are stable.
type noSerials struct{}

func (noSerials) next(string) (was, now uint32, err error) { return 0, 0, nil }

func (noSerials) nextAfter(_ string, serial uint32) (now uint32, ok bool, err error) {
	return 0, serial == 0, nil
}

// ownSerials are those of a server that shares them with nobody. They forget the session that was silent for longest when there are too
// many: what is forgotten counts as having had its first nonce only.
type ownSerials struct {
	earlier Earlier
	mu      sync.Mutex
	newest  *simplelru.LRU[string, uint32]
}

// Earlier is what is known of the nonces that earlier processes gave out by the same key. They are not remembered one by one: of a session
// that has not called yet any of them is taken for the newest one, but none that has changed something.
type Earlier struct {
	Starts uint64                      // how many processes there were
	Spent  func(session string) uint32 // the number after the last nonce by which a session has changed something
}

// first is the number before those of this process's nonces. There is room for a million nonces of a session in each.
func (e Earlier) first() uint32 { return uint32(e.Starts) << 20 }

func (s *ownSerials) next(session string) (was, now uint32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.newest.Get(session)
	if !known {
		was = s.earlier.first()
	}
	s.newest.Add(session, was+1)
	return was, was + 1, nil
}

func (s *ownSerials) nextAfter(session string, serial uint32) (now uint32, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.newest.Get(session)
	if !known {
		was = s.earlier.first()
	}
	isEarlier := !known && serial < was && serial >= s.earlier.Spent(session)
	if was != serial && !isEarlier {
		return 0, false, nil
	}
	s.newest.Add(session, was+1)
	return was + 1, true, nil
}
