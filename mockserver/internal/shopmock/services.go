package shopmock

// What a server lends to its requests besides its shop.

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/rest"
)

// services are what a server lends between two resets. Each is made for the first request that needs it: most
// of many sandboxes are asked for little.
type services struct {
	server *Server
	reset  uint64                   // how many there were before
	steer  func() *control.Services // makes the one below; the router of the whole process must not know a server

	making   sync.Mutex
	sessions atomic.Pointer[auth.Sessions]
	signIn   atomic.Pointer[auth.SignIn]
	control  atomic.Pointer[control.Services]
}

// servicesOf finds the services of the server that a request came to.
func servicesOf(r *http.Request) *services { return rest.CallOf(r).Lent.(*services) }

func sessionsOf(lent any) *auth.Sessions          { return lent.(*services).visitors() }
func signInOf(r *http.Request) *auth.SignIn       { return servicesOf(r).signingIn() }
func controlOf(r *http.Request) *control.Services { return servicesOf(r).steering() }

// lend returns one of the services, which it makes if there is none.
func lend[S any](l *services, kept *atomic.Pointer[S], make func() *S) *S {
	if made := kept.Load(); made != nil {
		return made
	}
	l.making.Lock()
	defer l.making.Unlock()
	if kept.Load() == nil {
		kept.Store(make())
	}
	return kept.Load()
}

// with returns the services of a request to whose sender something happens on purpose.
func (l *services) with(sessions *auth.Sessions, signIn *auth.SignIn) *services {
	other := &services{server: l.server, reset: l.reset, steer: l.steering}
	other.sessions.Store(sessions)
	other.signIn.Store(signIn)
	return other
}

// key is one of these services alone, so that no token from before a reset fits a visitor after it.
func (l *services) key() []byte {
	return auth.Derive(l.server.secret, fmt.Sprint("sessions ", l.reset))
}

func (l *services) visitors() *auth.Sessions {
	return lend(l, &l.sessions, func() *auth.Sessions {
		s := l.server
		return auth.NewSessions(auth.SessionOptions{Key: l.key(), Nonce: s.options.Nonce, Reject: s.options.NonceReject,
			Realm: s.realm(), CookiePath: s.prefix() + "/", Drawn: s.drawnBefore(), Memory: s.memory(), Earlier: s.earlierNonces()})
	})
}

func (l *services) signingIn() *auth.SignIn {
	return lend(l, &l.signIn, func() *auth.SignIn {
		s := l.server
		return auth.NewSignIn(auth.SignInOptions{Key: l.key(), Realm: s.realm(), Strict: s.options.Strict, Public: s.options.Public,
			Drawn: s.drawnBefore(), Since: s.since, Memory: s.memory(), Ahead: s.keepSignedUntil()})
	})
}

func (l *services) steering() *control.Services { return lend(l, &l.control, l.steer) }

// newServices begins without visitors.
func (s *Server) newServices(reset uint64) *services {
	return &services{server: s, reset: reset, steer: s.newControl}
}

func (s *Server) newControl() *control.Services {
	made := &control.Services{Shop: s.shop, Contract: s.options.Contract, Reset: s.Reset, Clock: s.clock, ChangeClock: s.ChangeClock,
		Webhooks: s.hooks, Catcher: s.catcher, Faults: s.faults, Journal: s.journal, Advice: s.advice, Changed: &s.changed,
		Snapshots: s, Export: s.Export, Import: s.Import,
		Ready: s.ready, Metrics: s.metricsHandler}
	if s.sandboxes != nil {
		made.Sandboxes = s.sandboxes
	}
	return made
}
