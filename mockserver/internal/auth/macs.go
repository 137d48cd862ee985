package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"
)

// macs makes HMACs with one key. Preparing a key takes longer than what is signed with it here, so prepared ones are used again.
type macs struct{ prepared sync.Pool }

// signer is a prepared key, with room of its own for what is signed: a caller's may stay on its stack then.
type signer struct {
	hash.Hash
	room []byte
}

func newMACs(key []byte) *macs {
	return &macs{sync.Pool{New: func() any { return &signer{hmac.New(sha256.New, key), nil} }}}
}

// of returns the HMAC of a text.
func (m *macs) of(said []byte) (mac [sha256.Size]byte) {
	s := m.prepared.Get().(*signer)
	defer m.prepared.Put(s)
	s.Reset()
	s.room = append(s.room[:0], said...)
	s.Write(s.room)
	s.room = s.Sum(s.room[:0])
	copy(mac[:], s.room)
	return mac
}
