// Package control is the mock's own API under /_mock, and the pictures of its seeds: what a real shop has not, and
// what a test needs.
package control

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/notify"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/webhooks"
)

// Services are what of a server can be looked into and steered.
type Services struct {
	Shop        *shop.Shop
	Contract    string                  // address of the contract document; empty: nobody said
	Reset       func(seed string) error // "" is the seed that the server started from
	Clock       *clock.Clock
	ChangeClock func(clock.Change) error
	Webhooks    *webhooks.Dispatcher
	Catcher     *webhooks.Catcher
	Faults      *faults.Set
	Sandboxes   Sandboxes        // nil in a sandbox
	Journal     *journal.Journal // nil: none is kept
	Advice      *advice.Observer
	Changed     *notify.Broadcast // is told when a request was answered, a delivery changed, or an order
	Snapshots   Snapshots
	Export      func(io.Writer) error
	Import      func(document []byte) error // the error names the line that is wrong
	Ready       func() *rest.Error          // nil: requests are answered
	Metrics     func() http.Handler         // nil: nobody counts
}

// ServicesOf finds the services of the server that a request came to.
type ServicesOf func(*http.Request) *Services

// run gives a request to a handler together with its services.
func (of ServicesOf) run(handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { handle(of(r), w, r) }
}

// PicturePath is where the pictures of the seeds are served.
const PicturePath = "/pictures/"

// Root is where the mock's own API lives.
const Root = "/_mock"

// Owns reports whether a path belongs to the mock's own API.
func Owns(path string) bool { return path == Root || strings.HasPrefix(path, Root+"/") }

// Catches reports whether a path is that of a catcher.
func Catches(path string) bool { return strings.HasPrefix(path, Root+"/catcher/") }

// call is one call of the mock's own API: where it is found, how it is described, and what it does.
type call struct {
	rest.Operation
	do handler
}

// handler answers a request with the services of the server that it came to.
type handler func(*Services, http.ResponseWriter, *http.Request)

// calls are the mock's own API beside others, which it describes too; router answers calls of these.
func calls(router *rest.Router, apis []*rest.API) []call {
	seed := rest.Param{Name: "seed", Type: rest.String, Enum: fixtures.Seeds(), Description: "Empty: the one that the server started from."}
	reset := call{rest.Operation{Method: http.MethodPost, Path: "/_mock/reset", Summary: "Return to a seed", Query: []rest.Param{seed},
		Answer: versionAnswer}, (*Services).reset}
	return slices.Concat([]call{reset}, clockCalls(), requestCalls(), faultCalls(), adviceCalls(), sandboxCalls(),
		snapshotCalls(), waitCalls(), webhookCalls(), documentCalls(apis), triggerCalls(router, apis), consoleCalls(), metricsCalls())
}

// versionAnswer describes the version of the shop, which a call has made.
var versionAnswer = object(rest.Param{Name: "version", Type: rest.Integer})

// object describes an object of some fields.
func object(fields ...rest.Param) *rest.Param { return &rest.Param{Type: rest.Object, Fields: fields} }

// Mount adds the mock's own routes, which describe other APIs too.
func Mount(router *rest.Router, services ServicesOf, apis []*rest.API) {
	mountProbes(router, services)
	rest.MountLazily(router.Router, Root, func(own *mux.Router) {
		mountConsole(own, router, services)
		byPath := map[string]rest.Methods{}
		for _, c := range calls(router, apis) {
			methods, known := byPath[c.Path]
			if !known {
				methods = rest.Methods{}
				byPath[c.Path] = methods
				own.Path(c.Path).Handler(methods)
			}
			methods[c.Method] = services.run(c.do)
		}
	})
	router.Path(PicturePath + "{name}").Handler(rest.Methods{http.MethodGet: picture})
}

// reset returns the shop to its seed, or to the one that ?seed= names.
func (s *Services) reset(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("seed")
	err := s.Reset(name)
	if notKept := new(shop.Fault); errors.As(err, &notKept) {
		rest.WriteError(w, rest.Unavailable(notKept))
		return
	}
	if err != nil {
		rest.WriteError(w, rest.InvalidParams(rest.Invalid{
			Param: "seed", Code: "rest_not_in_enum", Reason: "seed must be one of " + strings.Join(fixtures.Seeds(), ", ") + ".",
		}))
		return
	}
	s.answerVersion(w)
}

func picture(w http.ResponseWriter, r *http.Request) {
	drawing, ok := fixtures.Picture(rest.CallOf(r).Path["name"])
	if !ok {
		rest.WriteError(w, rest.NoRoute())
		return
	}
	header := w.Header()
	header.Set("Content-Type", "image/svg+xml")
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	header.Set("X-Content-Type-Options", "nosniff")
	w.Write(drawing) //nolint:errcheck // a client that went away is no fault of ours
}
