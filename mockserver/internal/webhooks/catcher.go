package webhooks

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Caught is a request that a catcher took.
type Caught struct {
	Name   string // of the catcher
	Time   time.Time
	Method string
	Query  string
	Header http.Header // without credentials
	Body   []byte
}

// The bounds of a catcher.
const (
	MaxCaught     = 1000     // requests that are kept, of all names together
	maxCaughtSize = 32 << 20 // bytes of them all
	maxCaughtBody = 2 << 20  // bytes of one body
)

// Catcher is a receiver inside the mock: it keeps what it is sent, so that nobody needs a server of their own, or a tunnel, to see
// deliveries. It has any number of names; the newest requests of all of them are kept.
type Catcher struct {
	clock func() time.Time

	mu       sync.Mutex
	requests boundedLog[Caught]
}

// NewCatcher makes an empty catcher.
func NewCatcher(clock func() time.Time) *Catcher {
	return &Catcher{clock: clock, requests: newBoundedLog[Caught](MaxCaught, maxCaughtSize)}
}

// ErrTooLarge says that a request's body is larger than a catcher takes.
var ErrTooLarge = errors.New("the body is larger than a catcher takes")

// Catch keeps a request under a name. Error: ErrTooLarge, or that the body broke off.
func (c *Catcher) Catch(name string, r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxCaughtBody+1))
	if err != nil {
		return err
	}
	if len(body) > maxCaughtBody {
		return ErrTooLarge
	}
	header := r.Header.Clone()
	header.Del("Authorization")
	header.Del("Cookie")
	caught := Caught{Name: name, Time: c.clock().UTC(), Method: r.Method, Query: r.URL.RawQuery, Header: header, Body: bytes.Clone(body)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests.add(caught, caught.size())
	return nil
}

// size is what a caught request takes, in bytes, roughly.
func (c *Caught) size() int {
	const overhead = 200 // of a request, and of a header
	size := overhead + len(c.Name) + len(c.Query) + len(c.Body)
	for name, values := range c.Header {
		for _, value := range values {
			size += overhead + len(name) + len(value)
		}
	}
	return size
}

// Requests lists what is kept under a name, oldest first.
func (c *Catcher) Requests(name string) []Caught {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests.list(func(r Caught) bool { return r.Name == name })
}

// Clear forgets what is kept under a name, or under every name when it is "".
func (c *Catcher) Clear(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests.remove(func(r Caught) bool { return name == "" || r.Name == name })
}
