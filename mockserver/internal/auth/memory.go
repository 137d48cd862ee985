package auth

// What is remembered of visitors and clients where several servers stand for one shop: each of them takes any request.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"shopcheck/mockserver/internal/rest"
)

// Memory is what several servers remember together: values under keys of letters, digits, "_" and ".". What nobody has put for a day or
// more may be forgotten.
type Memory interface {
	// Get returns a value and its revision; 0 says that there is none.
	Get(key string) (value []byte, revision uint64, err error)
	// Put puts a value in the place of one with a revision, 0 for none, and reports whether that was still there.
	Put(key string, value []byte, revision uint64) (bool, error)
}

// Alone is the answer of a server that does not reach what it shares with the others.
func Alone() *rest.Error {
	return rest.Errorf(http.StatusServiceUnavailable, "mock_replica_alone",
		"This replica of the shop does not reach what it shares with the others, and does not answer without it. Try again later.")
}

// forgetful is the error where a memory cannot be asked.
func forgetful(why error) error { return fmt.Errorf("%w: %w", Alone(), why) }

// sharedSerials are serials that several servers know.
type sharedSerials struct{ memory Memory }

func (s sharedSerials) next(session string) (was, now uint32, err error) {
	for {
		serial, revision, err := s.newest(session)
		if err != nil {
			return 0, 0, err
		}
		if done, err := s.move(session, serial, revision); done || err != nil {
			return serial, serial + 1, err
		}
	}
}

func (s sharedSerials) nextAfter(session string, serial uint32) (now uint32, ok bool, err error) {
	newest, revision, err := s.newest(session)
	if err != nil || newest != serial {
		return 0, false, err
	}
	moved, err := s.move(session, serial, revision)
	return serial + 1, moved, err
}

func (s sharedSerials) newest(session string) (serial uint32, revision uint64, err error) {
	value, revision, err := s.memory.Get(nonceKey(session))
	if err != nil {
		return 0, 0, forgetful(err)
	}
	if len(value) == 4 {
		serial = binary.BigEndian.Uint32(value)
	}
	return serial, revision, nil
}

// move goes on from a serial, and reports whether nobody else has.
func (s sharedSerials) move(session string, from uint32, revision uint64) (bool, error) {
	moved, err := s.memory.Put(nonceKey(session), binary.BigEndian.AppendUint32(nil, from+1), revision)
	if err != nil {
		return false, forgetful(err)
	}
	return moved, nil
}

func nonceKey(session string) string { return "nonce." + session }

// sharedUses are the nonces of signed requests that several servers have seen.
type sharedUses struct{ memory Memory }

// first reports whether no server has seen a nonce of a key before.
func (u sharedUses) first(key int64, nonce string) (bool, error) {
	digest := sha256.Sum256(fmt.Appendf(nil, "%d %s", key, nonce))
	first, err := u.memory.Put("signed."+hex.EncodeToString(digest[:]), nil, 0)
	if err != nil {
		return false, forgetful(err)
	}
	return first, nil
}

// sharedRequests are request tokens that several servers know.
type sharedRequests struct{ memory Memory }

func (s sharedRequests) get(token string) (asked requestToken, revision uint64, err error) {
	value, revision, err := s.memory.Get(requestKey(token))
	if err != nil {
		return requestToken{}, 0, forgetful(err)
	}
	if revision == 0 || json.Unmarshal(value, &asked) != nil {
		return requestToken{}, 0, nil
	}
	return asked, revision, nil
}

func (s sharedRequests) put(asked requestToken, revision uint64) (bool, error) {
	value, err := json.Marshal(asked)
	if err != nil {
		return false, err
	}
	stored, err := s.memory.Put(requestKey(asked.Token), value, revision)
	if err != nil {
		return false, forgetful(err)
	}
	return stored, nil
}

// requestKey is of a fixed length, whatever a client sends for a token.
func requestKey(token string) string {
	digest := sha256.Sum256([]byte(token))
	return "request." + hex.EncodeToString(digest[:])
}
