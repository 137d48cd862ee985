package mockserver

import "testing"

// Sandbox makes a shop of its own for one test, in this server, and ends it with the test: state, API key, sessions, webhooks, faults and
// journal are its own. It starts from the server's seed, shares what it does not change, and is reached below URL; Close and Listen are
// the server's business. What goes wrong fails the test.
func (s *Server) Sandbox(tb testing.TB) *Server {
	tb.Helper()
	return &Server{s.shop.Sandbox(tb)}
}

// Key returns the API key of a sandbox and its secret, which may read and write; nothing for a server that is none. A request that
// brings it needs no other sign of its sandbox.
func (s *Server) Key() (key, secret string) { return s.shop.Key() }
