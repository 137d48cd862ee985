// Package receivertest leads webhooks to a receiver from an address that is known before the receiver is there.
package receivertest

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// Tunnel is open from its beginning to the end of the test. Its URL is a profile's webhooks.public_url.
type Tunnel struct {
	URL      string
	receiver atomic.Pointer[http.Handler] // nil: nobody receives yet
}

// NewTunnel opens a tunnel on a loopback port of its own.
func NewTunnel(t *testing.T) *Tunnel {
	t.Helper()
	tunnel := &Tunnel{}
	server := httptest.NewServer(http.HandlerFunc(tunnel.pass))
	t.Cleanup(server.Close)
	tunnel.URL = server.URL
	return tunnel
}

// Lead is what the deliveries of a run pass through (suites.Options): from then on the tunnel ends at its receiver.
func (tunnel *Tunnel) Lead(receiver http.Handler) http.Handler {
	tunnel.receiver.Store(&receiver)
	return receiver
}

func (tunnel *Tunnel) pass(w http.ResponseWriter, r *http.Request) {
	receiver := tunnel.receiver.Load()
	if receiver == nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	(*receiver).ServeHTTP(w, r)
}
