package rest

import (
	"context"
	"net/http"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/shop"
)

// Host is what a server lends to a request that it takes: the shop that it speaks to, and where that lives.
type Host struct {
	Shop     *shop.Shop
	View     shop.View // of the shop; Serve takes it, once for the whole request
	Site     Site
	Dial     Dial
	Services any // of the server as a whole, for the APIs' Authenticate: nonces, sessions

	Path map[string]string // values of the variables in the path of the request's route
}

// Dial is how a client reached the shop: what it asked for, before the address became canonical.
type Dial struct {
	Method string
	Scheme string // "http" or "https"
	Host   string // with the port, if the client named one
	Target string // path and query as sent: "/shop/v3/products?page=2"
	Local  bool   // the client is on this machine
}

// Origin is the address that the client dialled: "http://127.0.0.1:8080".
func (d Dial) Origin() string { return d.Scheme + "://" + d.Host }

type hostKey struct{}

// Serve answers a request to a host by the request's route. The router's own ServeHTTP would copy the request twice more, for what
// the host carries.
func Serve(router *mux.Router, w http.ResponseWriter, r *http.Request, host Host) {
	var match mux.RouteMatch
	if !router.Match(r, &match) {
		WriteError(w, NoRoute())
		return
	}
	host.Path, host.View = match.Vars, host.Shop.Read()
	match.Handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), hostKey{}, &host)))
}

// HostOf gives the host that the request carries.
func HostOf(r *http.Request) *Host {
	host, _ := r.Context().Value(hostKey{}).(*Host)
	return host
}
