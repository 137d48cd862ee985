// Package advice watches what clients do wrong without failing: what a shop lets pass and another one will not, or what costs money. It
// accuses nobody of what can be meant: where a call can be read in two ways, the client is given the better one.
package advice

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"shopcheck/mockserver/internal/shop"
)

// Mode says whether clients are watched.
type Mode string

// The modes.
const (
	On     Mode = "on"     // they are
	Header Mode = "header" // and each answer names what its call earned
	Off    Mode = "off"
)

// Modes lists the modes.
func Modes() []string { return []string{string(On), string(Header), string(Off)} }

// Check returns an error for what is no mode.
func (m Mode) Check() error {
	if slices.Contains(Modes(), string(m)) {
		return nil
	}
	return fmt.Errorf("there is no advice mode %q: take one of %s", m, strings.Join(Modes(), ", "))
}

// HeaderName is the header of an answer that names what its call earned.
const HeaderName = "X-Shop-Mock-Advice"

// Options say what an Observer looks at.
type Options struct {
	Mode  Mode
	Clock func() time.Time // by which clients wait: nobody moves it
	Shop  *shop.Shop
}

// What is kept of the clients of one shop.
const (
	maxClients   = 64  // those that were silent for longest are forgotten
	maxNonces    = 512 // of all clients
	maxRedirects = 64  // of all clients
	maxRepeated  = 32  // calls of a client that may come again
	maxLists     = 16  // lists of a client that have more pages
	maxSeen      = 5   // sightings of a kind that are kept of a client as proof
	maxText      = 200 // bytes of a text that a client sent
)

// Observer watches the clients of one shop. It is safe for concurrent use.
type Observer struct {
	clock func() time.Time
	shop  *shop.Shop
	mode  atomic.Pointer[Mode]
	steps atomic.Int64 // beginnings and ends of calls, so that they have an order

	mu        sync.Mutex
	memory    *memory // nil until the first call
	forgotten int     // clients
}

// memory is what an observer knows.
type memory struct {
	seed      maphash.Seed
	clients   *simplelru.LRU[identity, *client]
	last      int // number of the newest client
	nonces    *simplelru.LRU[uint64, *givenNonce]
	redirects *simplelru.LRU[string, *redirect]
}

// New makes an observer that has seen nobody.
func New(options Options) *Observer {
	o := &Observer{clock: options.Clock, shop: options.Shop}
	o.SetMode(options.Mode)
	return o
}

// Mode returns the mode.
func (o *Observer) Mode() Mode { return *o.mode.Load() }

// SetMode changes the mode, which must be one. What was seen stays.
func (o *Observer) SetMode(mode Mode) { o.mode.Store(&mode) }

// Forget begins anew: as if no client had come.
func (o *Observer) Forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.memory, o.forgotten = nil, 0
}

// known returns what the observer knows. The lock is held.
func (o *Observer) known() *memory {
	if o.memory == nil {
		m := &memory{seed: maphash.MakeSeed()}
		m.clients = newLRU[identity, *client](maxClients, func(identity, *client) { o.forgotten++ })
		m.nonces = newLRU[uint64, *givenNonce](maxNonces, nil)
		m.redirects = newLRU[string, *redirect](maxRedirects, nil)
		o.memory = m
	}
	return o.memory
}

func newLRU[K comparable, V any](size int, gone simplelru.EvictCallback[K, V]) *simplelru.LRU[K, V] {
	made, err := simplelru.NewLRU(size, gone)
	if err != nil {
		panic(err) // sizes below 1 alone are refused
	}
	return made
}

// identity tells clients apart: an address with several programs has several, and one program with several keys is one.
type identity struct{ address, agent string }

// client is what is known of one client.
type client struct {
	identity
	number      int
	requests    int
	first, last time.Time
	several     bool // it calls more than one address: who asks for one alone looks whether the shop is there
	only        string

	tallies [kindCount]tally

	repeated *simplelru.LRU[uint64, *sent] // calls that may come again

	lastRead, lastCartWrite int64 // steps

	reused *givenNonce // that was sent again last

	stale, busy refusals // for the nonce; with 429 or 503

	lists *simplelru.LRU[string, *pagedList]
	open  int // of them those of which more pages may be read
	whole wholeList
}

// tally is how a client fares with one kind of advice.
type tally struct {
	chances, count int
	seen           []Sighting
}

// call is a call as proof. The journal's number comes when the answer is on its way.
type call struct {
	number         int64 // in the journal; 0: it is not there
	delivery       int64 // of a webhook; 0: it is none
	at             time.Time
	method, target string
	status         int
}

// How long things take.
const (
	deliberate = 250 * time.Millisecond // from an answer to a call that was made in its knowledge; a sooner one may have been under way
	atOnce     = 5 * time.Second        // within which nobody looks before trying again
	gaveUp     = time.Second            // from which on who leaves has waited
	tooLong    = time.Minute            // for which nobody waits on purpose
	moment     = 10 * time.Second       // in which a client has done what it does after an answer
)

// keyOf is a number for a text.
func (m *memory) keyOf(text string) uint64 { return maphash.String(m.seed, text) }

// clientOf finds the client of a call. The lock is held.
func (m *memory) clientOf(x *exchange) *client {
	c, known := m.clients.Get(x.from)
	if !known {
		c = m.add(x.from, x.Came, x.r.URL.Path)
	}
	c.requests++
	c.last = x.Came
	c.several = c.several || c.only != x.r.URL.Path
	return c
}

// add begins to watch a client.
func (m *memory) add(from identity, now time.Time, path string) *client {
	m.last++
	from = identity{strings.Clone(from.address), strings.Clone(from.agent)}
	c := &client{identity: from, number: m.last, first: now, only: strings.Clone(path), repeated: newLRU[uint64, *sent](maxRepeated, nil)}
	c.lists = newLRU(maxLists, func(_ string, gone *pagedList) {
		if gone.at != nil {
			c.open--
		}
	})
	m.clients.Add(from, c)
	return c
}

// chance notes that a client could have earned an advice.
func (c *client) chance(kind int) { c.tallies[kind].chances++ }

// earn notes that a client has earned an advice, with the calls that show it.
func (c *client) earn(x *exchange, kind int, note string, calls ...*call) {
	t := &c.tallies[kind]
	t.count++
	told := func(s Sighting) bool { return note != "" && s.Note == note }
	if len(t.seen) < maxSeen && !slices.ContainsFunc(t.seen, told) {
		t.seen = append(t.seen, Sighting{Note: note, calls: calls})
	}
	if x != nil && !slices.Contains(x.earned, catalogue[kind].ID) {
		x.earned = append(x.earned, catalogue[kind].ID)
	}
}
