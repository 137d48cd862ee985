// Package shopmock puts the rooms of the mock together to one running server: the handlers around the router, the router, the socket,
// the certificate. Package mockserver is its door for importers.
package shopmock

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/notify"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/webhooks"
)

// Options say how a server differs from the usual one. The zero value is the demo shop on the system's clock.
type Options struct {
	Seed     string           // which shop to start from: fixtures.DemoSeed (when empty), fixtures.EmptySeed, or a file
	SeedData []byte           // what such a file would hold, in YAML or JSON, instead of Seed
	Scale    string           // how many records the seed has at least: "products=1000,orders=500"
	Clock    func() time.Time // where time comes from; nil: the system's clock
	// equal values, clocks and requests give equal answers, keys and tokens included; 0: nobody can guess these
	RandomSeed  uint64
	Site        string         // address under which clients reach the shop; empty: the one that each request was sent to
	Nonce       auth.NonceMode // auth.RotateNonce (when empty) or auth.StableNonce
	NonceReject float64        // share of good nonces that the Store API refuses on purpose, 0 to auth.MaxReject: does a client try again?
	Log         *slog.Logger   // gets one line a request, without secrets; nil: nothing is logged

	Dialect string // one more in which the shop answers, by its name or file; empty: those that are built in

	AllowOrigins []string // origins whose pages may use the shop as its visitor, besides those of this machine: "https://app.example.com"

	TLS        bool // Listen serves HTTPS, with a certificate made for it: see CertPool
	Public     bool // keys may be sent over plain HTTP from other machines, too
	Gzip       bool // answers are compressed for clients on this machine that ask, too
	Strict     bool // Basic authentication needs TLS; otherwise clients on this machine may do without
	TrustProxy bool // X-Forwarded-Proto, -Host and -For say how the client reached the shop

	SandboxIdle time.Duration // after which a sandbox that nobody calls makes room; 0: DefaultSandboxIdle

	Contract string // address of the contract document, for links from the console to its sections; empty: there are none

	Webhooks webhooks.Settings // how webhooks are delivered
	Journal  journal.Settings  // how much is kept of the requests and their answers
	Advice   advice.Mode       // whether clients are watched: advice.On when empty

	Storage    persist.Storage // what keeps the shop beyond the life of the process; nil: nothing does
	LocalReads bool            // requests that only read are answered from what is known here, where the storage is shared
}

// complete puts the usual values where the options say nothing, and reports the first option whose value cannot be.
func (o *Options) complete() error {
	if o.SeedData != nil && o.Seed != "" {
		return errors.New("a shop starts from one seed: give either its name or its data")
	}
	if o.SeedData == nil {
		o.Seed = cmp.Or(o.Seed, fixtures.DemoSeed)
	}
	o.SandboxIdle = cmp.Or(o.SandboxIdle, DefaultSandboxIdle)
	o.Nonce = cmp.Or(o.Nonce, auth.RotateNonce)
	o.Advice = cmp.Or(o.Advice, advice.On)
	o.Site = strings.TrimSuffix(o.Site, "/")
	switch {
	case o.Nonce != auth.RotateNonce && o.Nonce != auth.StableNonce:
		return fmt.Errorf("there is no nonce mode %q: take %s or %s", o.Nonce, auth.RotateNonce, auth.StableNonce)
	case !(o.NonceReject >= 0 && o.NonceReject <= auth.MaxReject): // so that NaN is refused, too
		return fmt.Errorf("a share of %v of the nonces cannot be refused: take 0 to %v", o.NonceReject, auth.MaxReject)
	case o.Site != "" && !isSite(o.Site):
		return fmt.Errorf("site %q is no address: take one such as https://shop.example.test", o.Site)
	case o.Contract != "" && !isSite(o.Contract):
		return fmt.Errorf("contract %q is no address: take one such as https://docs.example.test/storefront-api.md", o.Contract)
	case slices.ContainsFunc(o.AllowOrigins, isNoOrigin):
		return fmt.Errorf("%q is no origin: take scheme and host, such as https://app.example.com",
			o.AllowOrigins[slices.IndexFunc(o.AllowOrigins, isNoOrigin)])
	case o.SandboxIdle < 0:
		return fmt.Errorf("sandboxes cannot be idle for %v: take 0 for %v, or more", o.SandboxIdle, DefaultSandboxIdle)
	case o.Public && o.Strict:
		return errors.New("a shop cannot be both public and strict: one takes keys over HTTP from everywhere, the other from nowhere")
	case o.Webhooks.Timeout < 0 || o.Webhooks.QueueLength < 0:
		return fmt.Errorf("a webhook timeout of %v or a queue of %d cannot be: take 0 for the usual one, or more",
			o.Webhooks.Timeout, o.Webhooks.QueueLength)
	}
	return cmp.Or(o.Journal.Check(), o.Advice.Check())
}

// isSite reports whether a text is an address that paths can be appended to.
func isSite(text string) bool {
	site, err := url.Parse(text)
	return err == nil && (site.Scheme == "http" || site.Scheme == "https") && site.Host != "" && !strings.ContainsAny(text, "?#")
}

// Server is one running shop.
type Server struct {
	options Options
	seed    *seed.Seed         // what the shop starts with
	secret  []byte             // see secretOf
	spoken  []dialects.Dialect // in which requests are answered, besides the contract's
	clock   *clock.Clock
	shop    *shop.Shop
	kept    *persist.Journal // nil: memory is the only copy
	starts  uint64           // how many processes have served what is kept, this one included
	hooks   *webhooks.Dispatcher
	catcher *webhooks.Catcher
	faults  *faults.Set
	journal *journal.Journal // nil: none is kept
	advice  *advice.Observer
	changed notify.Broadcast // is told when a request was answered, a delivery changed, or an order
	resets  atomic.Uint64    // that the services know of
	anew    sync.Mutex       // held while the services are made anew
	replica *replica         // nil: no other process serves the shop
	since   time.Time        // from when on it is known which signed requests came

	totals  *journal.Totals
	metrics atomic.Pointer[http.Handler]
	closed  atomic.Bool

	snapshots snapshots
	sandboxes *sandboxes // nil in a sandbox
	sandbox   *sandbox   // nil in a server that is none
	handler   http.Handler

	services atomic.Pointer[services]

	identity *identity // nil without TLS
	listener net.Listener
	server   *http.Server
	closing  context.CancelFunc // ends what waits for something to happen
	served   sync.WaitGroup
}

// New makes a server without a socket. It returns an error that names the option whose value cannot be.
func New(options Options) (*Server, error) { return newServer(options, nil) }

// newServer makes a server that proves itself with an identity, if there is one: its webhooks trust it then.
func newServer(options Options, own *identity) (*Server, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	spoken, err := dialects.Spoken(options.Dialect)
	if err != nil {
		return nil, err
	}
	time := clock.New(options.Clock)
	start, err := seed.Open(seed.Source{Name: options.Seed, Data: options.SeedData, Scale: options.Scale}, time.Now())
	if err != nil {
		return nil, err
	}
	s, err := assemble(options, start, own, spoken, secretOf(options.RandomSeed), time, new(journal.Totals), nil)
	if err != nil {
		return nil, err
	}
	s.sandboxes = newSandboxes(s)
	if err := s.sandboxes.goOn(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.follow()
	s.handler = s.choosing(s.handler)
	return s, nil
}

// assemble makes a server of options that are complete; box is nil for one that is no sandbox.
func assemble(
	options Options, start *seed.Seed, own *identity, spoken []dialects.Dialect, secret []byte, time *clock.Clock, totals *journal.Totals,
	box *sandbox,
) (*Server, error) {
	now := time.Now // one function for all who read the clock
	s := &Server{options: options, seed: start, secret: secret, clock: time, catcher: webhooks.NewCatcher(now),
		identity: own, spoken: spoken,
		totals: totals, sandbox: box, faults: faults.NewSet(now)}
	if box != nil {
		s.starts = box.starts
	}
	if err := s.openSnapshots(); err != nil {
		return nil, err
	}
	if err := s.openShop(); err != nil {
		return nil, err
	}
	s.faults.Through(s.settle)
	if s.shared() != nil {
		s.faults.CountThrough(s.settle)
	}
	s.advice = advice.New(advice.Options{Mode: options.Advice, Clock: time.Base, Shop: s.shop})
	s.hooks = webhooks.New(webhooks.Options{
		Shop: s.shop, Payload: management.Payload, Clock: now, Secret: s.deliverySecret(), Authority: own.trusted(),
		Settings: options.Webhooks, Changed: s.changed.Notify, Dialects: spoken, Faults: s.faults,
		Answered: s.advice.Delivery, Keep: s.keepDeliveries(), Shared: s.shared() != nil,
	})
	if s.kept != nil {
		s.kept.SetOutbox(s.hooks)
	}
	if !options.Journal.Off() {
		s.journal = journal.New(journal.Options{Settings: options.Journal, Clock: now, Secret: s.secret, Changed: &s.changed,
			Totals: totals})
	}
	s.services.Store(s.newServices(s.resets.Load()))
	if box != nil {
		s.follow()
	}
	s.handler = lazily(s.middleware)
	return s, nil
}

// lazily returns what makes a handler for the first request: most of many sandboxes are asked for little.
func lazily(make func() http.Handler) http.Handler {
	made := sync.OnceValue(make)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

// secretOf makes what all keys, tokens and nonces of a server are derived from. Without a random seed each server draws its own.
func secretOf(randomSeed uint64) []byte {
	secret := make([]byte, sha256.Size)
	if randomSeed == 0 {
		rand.Read(secret) //nolint:errcheck // it never fails
		return secret
	}
	return binary.BigEndian.AppendUint64(secret[:0], randomSeed)
}

// Listen makes a server and opens a socket for it; "127.0.0.1:0" takes a free port.
func Listen(address string, options Options) (*Server, error) {
	var own *identity
	if options.TLS {
		var err error
		if own, err = newIdentity(address); err != nil {
			return nil, err
		}
	}
	s, err := newServer(options, own)
	if err != nil {
		return nil, err
	}
	if s.listener, err = listen(address); err != nil {
		s.Close() //nolint:errcheck // there is no socket
		return nil, fmt.Errorf("cannot listen on %s: %w; give another host:port, port 0 for any free one", address, err)
	}
	waits, closing := context.WithCancel(context.Background())
	s.closing = closing
	s.server = &http.Server{
		BaseContext:       func(net.Listener) context.Context { return waits },
		Handler:           pacing(lingering(s.handler, bodyTime), writeTime),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    socketHeaders,
		ErrorLog:          s.errorLog(),
	}
	if own != nil {
		s.server.TLSConfig = own.config()
	} else { // HTTP/2 needs TLS, and need not be made ready
		s.server.Protocols = new(http.Protocols)
		s.server.Protocols.SetHTTP1(true)
	}
	s.served.Go(s.serve)
	return s, nil
}

// listen opens a socket of plain TCP: one that takes connections by several paths at once, as Go opens by default, costs the kernel more.
func listen(address string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false)
	return plain.Listen(context.Background(), "tcp", address)
}

// serve ends when Close closes the listener.
func (s *Server) serve() {
	if s.identity != nil {
		s.server.ServeTLS(patientListener{s.listener, writeTime}, "", "") //nolint:errcheck // see above
		return
	}
	s.server.Serve(patientListener{s.listener, writeTime}) //nolint:errcheck // see above
}

// errorLog gets what goes wrong on sockets before there is a request, such as a client that does not trust the certificate.
func (s *Server) errorLog() *log.Logger {
	if s.options.Log == nil {
		return log.New(io.Discard, "", 0)
	}
	return slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn)
}

// Start runs a shop for one test, on a free loopback port, and closes it with the test.
func Start(tb testing.TB, options Options) *Server {
	tb.Helper()
	s, err := Listen("127.0.0.1:0", options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// SeedNotes say what was left out of the file that the server started from.
func (s *Server) SeedNotes() []string { return s.seed.Notes() }

// Handler answers requests without a socket.
func (s *Server) Handler() http.Handler { return s.handler }

// URL is where the shop is reached, without a trailing slash: "http://127.0.0.1:41234".
func (s *Server) URL() string {
	if s.sandbox != nil {
		return s.sandbox.home() + s.prefix()
	}
	if s.options.Site != "" {
		return s.options.Site
	}
	if s.listener == nil {
		return ""
	}
	return s.addressAt(s.socket())
}

// Shop gives the domain, for tests that look behind the API.
func (s *Server) Shop() *shop.Shop { return s.shop }

// Webhooks gives the delivery of webhooks, for tests that wait for it or look at its log.
func (s *Server) Webhooks() *webhooks.Dispatcher { return s.hooks }

// Faults gives the rules of what goes wrong on purpose.
func (s *Server) Faults() *faults.Set { return s.faults }

// Journal gives what is kept of the requests, nil when nothing is.
func (s *Server) Journal() *journal.Journal { return s.journal }

// AwaitOrder waits until an order has a status. It returns the status that the order has, "" if there is none, and the context's error if
// that ended first.
func (s *Server) AwaitOrder(ctx context.Context, id int64, status shop.OrderStatus) (shop.OrderStatus, error) {
	return s.services.Load().steering().AwaitOrder(ctx, id, status)
}

// publish hands the events of a commit to whoever waits for them.
func (s *Server) publish(view shop.View, events []shop.Event) {
	if s.options.Log != nil {
		for _, event := range events {
			if event.Action == shop.Forgotten {
				s.options.Log.Warn("forgotten to make room: visitors have left more than the shop keeps", event.Resource, event.ID)
			}
		}
	}
	s.hooks.Publish(view, events)
	s.changed.Notify()
}

// Reset returns to a seed; "" is the one that the server started from. Sessions and nonces end, what waits to be delivered
// is forgotten, and so is what the catcher holds.
func (s *Server) Reset(name string) error {
	state, err := s.fresh(name)
	if err != nil {
		return err
	}
	if err := s.replace(state); err != nil {
		return err
	}
	if s.kept == nil {
		s.beginAnew(s.resets.Load() + 1)
	} else {
		s.beginAnew(s.kept.Identity().Resets)
	}
	return nil
}

// beginAnew ends all sessions, and forgets what the catcher holds, after a reset.
func (s *Server) beginAnew(resets uint64) {
	s.anew.Lock()
	defer s.anew.Unlock()
	s.catcher.Clear("")
	s.services.Store(s.newServices(resets))
	s.resets.Store(resets)
	s.changed.Notify()
}

// closeTimeout is how long Close waits for calls that are under way.
const closeTimeout = 5 * time.Second

// Close ends the server: no new calls, those under way are waited for; deliveries are given up. No goroutine is left behind.
func (s *Server) Close() error {
	if s.sandboxes != nil {
		s.sandboxes.close()
	}
	s.hooks.Close()
	s.closed.Store(true)
	s.unfollow()
	if s.server == nil {
		return nil
	}
	s.closing()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := s.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.server.Close()
	}
	s.served.Wait()
	return err
}
