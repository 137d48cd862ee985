// Package control is the mock's own API under /_mock, and the pictures of its seeds: what a real shop has not, and
// what a test needs.
package control

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/webhooks"
)

// Services are a server's own, which its requests carry.
type Services struct {
	Sessions func() *auth.Sessions
	SignIns  func() *auth.SignIn
	Reset    func(seed string) error // "" is the seed that the server started from
	Webhooks *webhooks.Dispatcher
	Catcher  *webhooks.Catcher
}

// StoreSessions gives the sessions of the server that a request came to.
func (s *Services) StoreSessions() *auth.Sessions { return s.Sessions() }

// SignIn gives what the server knows of those who signed in.
func (s *Services) SignIn() *auth.SignIn { return s.SignIns() }

// PicturePath is where the pictures of the seeds are served.
const PicturePath = "/pictures/"

// Root is where the mock's own API lives.
const Root = "/_mock"

// Owns reports whether a path belongs to the mock's own API.
func Owns(path string) bool { return path == Root || strings.HasPrefix(path, Root+"/") }

// Mount adds the mock's own routes.
func Mount(router *mux.Router) {
	router.Path("/_mock/reset").Handler(rest.Methods{http.MethodPost: reset})
	mountWebhooks(router)
	router.Path(PicturePath + "{name}").Handler(rest.Methods{http.MethodGet: picture})
}

// reset returns the shop to its seed, or to the one that ?seed= names.
func reset(w http.ResponseWriter, r *http.Request) {
	services := rest.HostOf(r).Services.(*Services)
	name := r.URL.Query().Get("seed")
	if err := services.Reset(name); err != nil {
		rest.WriteError(w, rest.InvalidParams(rest.Invalid{
			Param: "seed", Code: "rest_not_in_enum", Reason: "seed must be one of " + strings.Join(fixtures.Seeds(), ", ") + ".",
		}))
		return
	}
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "version", Value: int64(rest.HostOf(r).Shop.Version())}})
}

func picture(w http.ResponseWriter, r *http.Request) {
	drawing, ok := fixtures.Picture(rest.HostOf(r).Path["name"])
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
