package spec

// Clean-up: everything that a run has made is remembered as it passes by, and deleted at the end.

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"shopcheck/suites/client"
)

// deletersAtOnce bounds the clean-up's connections.
const deletersAtOnce = 8

// Made remembers what a run has made at the target. It is safe for use by several goroutines.
type Made struct {
	mu          sync.Mutex
	paths       []string
	known       map[string]bool
	unconfirmed Unconfirmed
}

// Unconfirmed says where there may be more than what is remembered: what became of a write is not known.
type Unconfirmed struct {
	Checkouts bool   // a checkout failed, which may leave its order and a customer
	Writes    bool   // a write had no answer, or the target broke down over it
	Since     string // when the first known record was made, by the target's own clock and time zone; empty: no record is known
}

// NewMade returns an empty one.
func NewMade() *Made { return &Made{known: map[string]bool{}} }

var collectionPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/shop/v[123]/[a-z/0-9_-]*[a-z_-]$`)
})

// Watch files what a successful answer shows to be made.
func (m *Made) Watch(req client.Request, a *client.Answer) {
	path := strings.TrimSuffix(req.Path, "/")
	if !a.OK() || !a.IsJSON() {
		m.noteUnconfirmed(req, path, a)
		return
	}
	switch {
	case strings.HasSuffix(path, "/checkout"):
		m.add(client.Management+"/orders", a.Get("order_id").Int())
	case req.Method != http.MethodPost:
	case strings.HasSuffix(path, "/batch") && strings.HasPrefix(path, "/shop/v"):
		for _, id := range a.Get("create.#.id").Array() {
			m.add(strings.TrimSuffix(path, "/batch"), id.Int())
		}
	case collectionPath().MatchString(path):
		m.add(path, a.ID())
		m.date(a.Get("date_created").String())
	}
}

// noteUnconfirmed notes that an answer leaves open whether something was made: none came, the target broke down, or a checkout failed,
// which may leave its order.
func (m *Made) noteUnconfirmed(req client.Request, path string, a *client.Answer) {
	checkout := strings.HasSuffix(path, "/checkout") || strings.HasSuffix(path, "/store/v1/batch")
	if req.Method != http.MethodPost && !(checkout && req.Writes()) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unconfirmed.Checkouts = m.unconfirmed.Checkouts || checkout
	m.unconfirmed.Writes = m.unconfirmed.Writes || !a.Refused()
}

// Unconfirmed returns where there may be more than what is remembered.
func (m *Made) Unconfirmed() Unconfirmed {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unconfirmed
}

// date notes when a record was made, if it is the first.
func (m *Made) date(made string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made != "" && (m.unconfirmed.Since == "" || made < m.unconfirmed.Since) {
		m.unconfirmed.Since = made
	}
}

// Add remembers a record by its path: /shop/v3/products/5.
func (m *Made) Add(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known[path] {
		m.known[path] = true
		m.paths = append(m.paths, path)
	}
}

func (m *Made) add(collection string, id int64) {
	if id <= 0 {
		return
	}
	m.Add(fmt.Sprintf("%s/%d", collection, id))
}

// Delete removes everything, newest first, and returns what is left as "DELETE path" lines. send deletes one path.
func (m *Made) Delete(ctx context.Context, send func(ctx context.Context, path string) *client.Answer) []string {
	m.mu.Lock()
	paths := m.paths
	m.paths, m.known = nil, map[string]bool{}
	m.mu.Unlock()

	var mu sync.Mutex
	var left []string
	var group errgroup.Group
	group.SetLimit(deletersAtOnce)
	for i := len(paths) - 1; i >= 0; i-- {
		path := paths[i]
		group.Go(func() error {
			if a := send(ctx, path); !gone(a) {
				mu.Lock()
				left = append(left, "DELETE "+path+"?force=true")
				mu.Unlock()
			}
			return nil
		})
	}
	_ = group.Wait() // no function of the group returns an error
	return left
}

func gone(a *client.Answer) bool {
	return a.OK() || a.Status == http.StatusNotFound || a.Status == http.StatusGone
}
