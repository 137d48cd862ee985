// Package mockserver runs shopmock, the reference shop: both APIs of the contract, complete, in memory. In a Go test
// one line starts one:
//
//	shop := mockserver.Start(t)
//	resp, err := http.Get(shop.URL() + "/shop/store/v1/products")
//
// New makes a server without a socket, for Handler; Listen opens one. Each server is a shop of its own: servers share nothing
// that changes, so that tests may run in parallel. The demo shop's credentials for the management API are the API key
// "ck_mock_rw" with the secret "cs_mock_rw".
package mockserver

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/http"
	"testing" // for Start alone: its import registers no flags and starts nothing, and testing.TB is what every test holds
	"time"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

// NonceMode says how long a nonce of the Store API stays good (contract, "Nonce"): its rules allow two readings.
type NonceMode string

// The nonce modes.
const (
	RotateNonce NonceMode = NonceMode(
		auth.RotateNonce,
	) // "rotate": each answer carries a fresh one, and the session's older ones stop working
	StableNonce NonceMode = NonceMode(auth.StableNonce) // "stable": one value for its whole life of 12 to 24 hours
)

// MaxNonceReject is the largest share of good nonces that can be refused: every other one, as no two in a row are.
const MaxNonceReject = auth.MaxReject

// Options say how a server differs from the usual one. The zero value is the demo shop on the system's clock.
type Options struct {
	Seed     string           // which shop to start from: "demo" (when empty), "empty", or a seed file (.yaml, .json, .csv)
	SeedData []byte           // what a seed file would hold, in YAML or JSON, instead of Seed
	Scale    string           // "products=1000,orders=500": records are made up until the seed has so many; also customers
	Clock    func() time.Time // where time comes from, called by several goroutines; nil: the system's clock
	// equal values, clocks and requests give equal answers, keys and tokens included; 0: nobody can guess these
	RandomSeed  uint64
	Site        string       // address under which clients reach the shop; empty: the one that each request was sent to
	Nonce       NonceMode    // RotateNonce when empty
	NonceReject float64      // share of good nonces that are refused on purpose, 0 to MaxNonceReject: does a client try again?
	Log         *slog.Logger // gets one line a request, without secrets; nil: nothing is logged

	// one more dialect, by the place of its file, in which the shop answers requests whose paths name it. It always answers those that
	// name the contract's own ("/shop/v3/…") or woocommerce's ("/wp-json/wc/v3/…").
	Dialect string

	AllowOrigins []string // origins whose pages may use the shop as its visitor, besides those of this machine: "https://app.example.com"

	TLS        bool // Listen serves HTTPS, with a certificate made for it: see Server.CertPool
	Public     bool // keys may be sent over plain HTTP from other machines, too: whoever is on the way can read them
	Gzip       bool // answers are compressed for clients on this machine that ask, too, not only for those on others
	Strict     bool // Basic authentication needs TLS; otherwise clients on this machine may do without
	TrustProxy bool // X-Forwarded-Proto, -Host and -For say how the client reached the shop

	SandboxIdle time.Duration // after which a sandbox that nobody calls makes room for others; 0: 4 hours

	Contract string // address of the contract document, for links from the console to its sections; empty: they are named only

	Webhooks WebhookOptions // how webhooks are delivered
	Journal  JournalOptions // how much is kept of the requests and their answers
	Advice   AdviceMode     // whether clients are watched for what they do wrong without failing; AdviceOn when empty

	Storage Storage // what keeps the shop beyond the life of the process, and only this shop; nil: it ends with the server
	// requests that only read are answered with what this server knows, where its storage is shared with others (package cluster):
	// faster, and what they have done lately may be missing
	LocalReads bool
}

// Storage keeps pairs of keys and values; package durable has one that keeps them in a folder. A server writes each commit to it before
// anybody sees it, and begins with what it holds. The server does not close it.
type Storage interface {
	// Load calls each with every pair, in the order of the keys, until one ends in an error. What it is given is valid during the call.
	Load(each func(key, value []byte) error) error
	// Save calls pairs, and keeps what that puts, which nobody changes any more; nil for a value takes the pair away, and with anew all
	// earlier ones go. It is done in one step, which is kept when Save returns, or with an error, be it that of pairs, not at all.
	Save(anew bool, pairs func(put func(key, value []byte) error) error) error
}

// WebhookOptions say how webhooks are delivered. The zero value is the usual way.
type WebhookOptions struct {
	Timeout      time.Duration // how long a receiver may take; 0: 5 s
	QueueLength  int           // how many deliveries may wait for one receiver; 0: 1000
	AllowPrivate bool          // whether deliveries may go to private, link-local and other addresses inside a network
}

// inner returns the options as the packages inside name them.
func (o Options) inner() shopmock.Options {
	return shopmock.Options{
		Seed: o.Seed, SeedData: o.SeedData, Scale: o.Scale,
		Clock: o.Clock, RandomSeed: o.RandomSeed, Site: o.Site, Nonce: auth.NonceMode(o.Nonce), NonceReject: o.NonceReject,
		Log: o.Log, Dialect: o.Dialect,
		AllowOrigins: o.AllowOrigins, TLS: o.TLS, Public: o.Public, Gzip: o.Gzip,
		SandboxIdle: o.SandboxIdle, Contract: o.Contract, Strict: o.Strict, TrustProxy: o.TrustProxy,
		Webhooks: webhooks.Settings(o.Webhooks),
		Journal:  journal.Settings(o.Journal), Advice: advice.Mode(o.Advice), Storage: o.Storage, LocalReads: o.LocalReads,
	}
}

// Server is one running shop. It is safe for use by several goroutines.
type Server struct{ shop *shopmock.Server }

// New makes a server without a socket. It returns an error for an unknown seed or one that is wrong (with the line), a nonce mode that
// there is not, a share that is out of range, a dialect that cannot be read, a site or a contract that is no http or https address,
// negative webhook options or times, a journal that cannot be, and an unknown advice mode.
func New(options Options) (*Server, error) { return wrap(shopmock.New(options.inner())) }

// Listen makes a server and opens a socket for it; "127.0.0.1:0" takes a free port. It returns the errors of New, and one when
// the address cannot be listened on.
func Listen(address string, options Options) (*Server, error) {
	return wrap(shopmock.Listen(address, options.inner()))
}

func wrap(shop *shopmock.Server, err error) (*Server, error) {
	if err != nil {
		return nil, err
	}
	return &Server{shop}, nil
}

// Start runs the demo shop for one test, on a free loopback port, and closes it with the test. What goes wrong fails the test.
func Start(tb testing.TB) *Server {
	tb.Helper()
	return StartWith(tb, Options{})
}

// StartWith runs a shop as Start does, with options.
func StartWith(tb testing.TB, options Options) *Server {
	tb.Helper()
	return &Server{shopmock.Start(tb, options.inner())}
}

// SeedNotes returns what was left out of the file that the server started from, such as columns that it does not know.
func (s *Server) SeedNotes() []string { return s.shop.SeedNotes() }

// Handler returns what answers requests, for a server without a socket.
func (s *Server) Handler() http.Handler { return s.shop.Handler() }

// URL returns where the shop is reached, without a trailing slash: "http://127.0.0.1:41234"; "" without a socket and a site.
func (s *Server) URL() string { return s.shop.URL() }

// Reset puts the shop back to a seed; "" is the one that the server started from. Sessions and nonces end, what waits to be delivered
// is forgotten, and so is what the catcher holds. An unknown seed is an error, and so is a storage that takes nothing; both change
// nothing.
func (s *Server) Reset(seed string) error { return s.shop.Reset(seed) }

// Close ends the server: it takes no new requests, waits up to 5 seconds for those under way and gives up deliveries of webhooks.
// No goroutine is left behind. It may be called twice.
func (s *Server) Close() error { return s.shop.Close() }

// CertPool returns a pool that trusts the server's certificate and nothing else; nil without TLS.
func (s *Server) CertPool() *x509.CertPool { return s.shop.CertPool() }

// CertPEM returns what clients need in order to trust the server, as curl --cacert takes it; nil without TLS.
func (s *Server) CertPEM() []byte { return s.shop.CertPEM() }

// DrainWebhooks waits until no delivery of a webhook waits or is under way. It returns the context's error if that ends first.
func (s *Server) DrainWebhooks(ctx context.Context) error { return s.shop.Webhooks().Drain(ctx) }

// SignWebhook returns the signature of a webhook's payload: base64 of its HMAC-SHA256, keyed with the webhook's secret (contract,
// "Events").
func SignWebhook(secret string, payload []byte) string { return webhooks.Sign(secret, payload) }
