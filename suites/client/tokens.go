package client

// Which cart token a request sent, without the token: reports and scripts tell by numbers which answer it came from.

import (
	"crypto/sha256"
	"net/http"
	"sync"
)

// tokens numbers cart tokens as they come, from 1.
type tokens struct {
	mu      sync.Mutex
	numbers map[[sha256.Size]byte]int
}

// number is that of a header's cart token, 0 where it has none.
func (t *tokens) number(h http.Header) int {
	token := h.Get("Cart-Token")
	if token == "" {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.numbers == nil {
		t.numbers = map[[sha256.Size]byte]int{}
	}
	key := sha256.Sum256([]byte(token))
	if t.numbers[key] == 0 {
		t.numbers[key] = len(t.numbers) + 1
	}
	return t.numbers[key]
}
