package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"
)

// macs makes HMACs with one key. Preparing a key takes longer than what is signed with it here, so prepared ones are used again.
type macs struct{ prepared sync.Pool }

func newMACs(key []byte) *macs {
	return &macs{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// append appends the HMAC of a text.
func (m *macs) append(b, said []byte) []byte {
	mac := m.prepared.Get().(hash.Hash)
	defer m.prepared.Put(mac)
	mac.Reset()
	mac.Write(said)
	return mac.Sum(b)
}
