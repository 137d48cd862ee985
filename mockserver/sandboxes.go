package mockserver

// Sandboxes, and what a shop knows: kept under a name, or in a document.

import (
	"io"
	"testing"

	"shopcheck/mockserver/internal/shopmock"
)

// Sandbox makes a shop of its own for one test, in this server, and ends it with the test: state, API key, sessions, webhooks, clock,
// faults and journal are its own. It starts from the server's seed, shares what it does not change, and is reached below URL; Close and
// Listen are the server's business. What goes wrong fails the test.
func (s *Server) Sandbox(tb testing.TB) *Server {
	tb.Helper()
	return &Server{s.shop.Sandbox(tb)}
}

// SandboxOrigin says what a sandbox begins with, and goes back to by Reset: one of these, or the server's seed.
type SandboxOrigin struct {
	Seed     string // "demo" or "empty"
	SeedData []byte // what a seed file would hold, in YAML or JSON
	Clone    string // the name of another sandbox; "." is the server's own shop
	Snapshot string // a name that the server's own shop gave to Snapshot
}

// SandboxFrom makes a sandbox as Sandbox does, of a name, that begins with something else; "" finds a name.
func (s *Server) SandboxFrom(tb testing.TB, name string, from SandboxOrigin) *Server {
	tb.Helper()
	return &Server{s.shop.SandboxFrom(tb, name, shopmock.Origin(from))}
}

// Key returns the API key of a sandbox and its secret, which may read and write; nothing for a server that is none. A request that
// brings it needs no other sign of its sandbox.
func (s *Server) Key() (key, secret string) { return s.shop.Key() }

// Snapshot keeps what the shop knows under a name, in the place of what had it before. What is no name, and a hundred and first snapshot,
// is an error.
func (s *Server) Snapshot(name string) error {
	_, err := s.shop.TakeSnapshot(name)
	return err
}

// Restore puts back what a snapshot holds, and how its clock went. Sessions go on; what waits to be delivered is forgotten. An unknown name
// is an error, which changes nothing.
func (s *Server) Restore(name string) error { return s.shop.RestoreSnapshot(name) }

// Snapshots returns the names of the snapshots that there are; of those that replicas share, the ones that are known here while the engine
// is away.
func (s *Server) Snapshots() []string {
	list, _ := s.shop.ListSnapshots()
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// DeleteSnapshot forgets a snapshot, and reports whether there was one.
func (s *Server) DeleteSnapshot(name string) bool { return s.shop.DeleteSnapshot(name) == nil }

// Export writes all that the shop knows as one JSON object: a member for each table, its rows by id, "Config", and the version of this
// layout. It holds API keys and passwords as the shop knows them.
func (s *Server) Export(w io.Writer) error { return s.shop.Export(w) }

// Import puts what an export holds in the place of all that the shop knows. An error names the line that is wrong; then nothing changes.
func (s *Server) Import(document []byte) error { return s.shop.Import(document) }
