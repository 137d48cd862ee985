package rest

import (
	"context"
	"net/http"

	"shopcheck/mockserver/shop"
)

// Host is what a server lends to the requests that it takes: the shop that they speak to, and where it lives.
type Host struct {
	Shop     *shop.Shop
	Site     Site
	Services any // of the server as a whole, for the APIs' Authenticate: nonces, sessions
}

type hostKey struct{}

// WithHost lets a request carry its host.
func WithHost(r *http.Request, host *Host) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), hostKey{}, host))
}

// HostOf gives the host that the request carries.
func HostOf(r *http.Request) *Host {
	host, _ := r.Context().Value(hostKey{}).(*Host)
	return host
}
