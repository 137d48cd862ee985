// Package control is the mock's own API under /_mock, and the pictures of its seeds: what a real shop has not, and
// what a test needs.
package control

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"shopcheck/fixtures"
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
	Reset       func(seed string) error // "" is the seed that the server started from
	Clock       *clock.Clock
	ChangeClock func(clock.Change) error
	Webhooks    *webhooks.Dispatcher
	Catcher     *webhooks.Catcher
	Faults      *faults.Set
	Sandboxes   Sandboxes         // nil in a sandbox
	Journal     *journal.Journal  // nil: none is kept
	Changed     *notify.Broadcast // is told when a request was answered, a delivery changed, or an order
}

// ServicesOf finds the services of the server that a request came to.
type ServicesOf func(*http.Request) *Services

// run gives a request to a handler together with its services.
func (of ServicesOf) run(handle func(*Services, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { handle(of(r), w, r) }
}

// PicturePath is where the pictures of the seeds are served.
const PicturePath = "/pictures/"

// Root is where the mock's own API lives.
const Root = "/_mock"

// Owns reports whether a path belongs to the mock's own API.
func Owns(path string) bool { return path == Root || strings.HasPrefix(path, Root+"/") }

// Mount adds the mock's own routes.
func Mount(router *mux.Router, services ServicesOf) {
	router.Path("/_mock/reset").Handler(rest.Methods{http.MethodPost: services.run((*Services).reset)})
	mountConsole(router, services)
	mountClock(router, services)
	mountRequests(router, services)
	mountFaults(router, services)
	mountSandboxes(router, services)
	mountWaits(router, services)
	mountWebhooks(router, services)
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
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "version", Value: int64(s.Shop.Version())}})
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
