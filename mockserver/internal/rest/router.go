package rest

import (
	"net/http"
	"sync"

	"github.com/gorilla/mux"
	lru "github.com/hashicorp/golang-lru/v2"
)

// Router is a router that knows where it found the endpoints of the paths that it was asked for lately: patterns are costly to try.
type Router struct {
	*mux.Router
	found *lru.Cache[string, place]
}

// place is where a path leads: an endpoint's route, and the values of its variables, which nobody changes.
type place struct {
	handler   http.Handler
	variables map[string]string
}

// How many places are remembered, and of how long paths.
const (
	maxPlaces    = 1024
	maxKnownPath = 128 // bytes
)

// NewRouter makes a router without routes.
func NewRouter() *Router {
	found, _ := lru.New[string, place](maxPlaces) // fails for sizes below 1 only
	return &Router{mux.NewRouter(), found}
}

// find returns where a request leads, nothing where there is no route.
func (router *Router) find(r *http.Request) place {
	if known, ok := router.found.Get(r.URL.Path); ok {
		return known
	}
	var match mux.RouteMatch
	if !router.Match(r, &match) {
		return place{}
	}
	there := place{match.Handler, match.Vars}
	if _, declared := match.Handler.(*route); declared && len(r.URL.Path) <= maxKnownPath { // the others may look at more than the path
		router.found.Add(r.URL.Path, there)
	}
	return there
}

// MountLazily lets a router lead to a path and all below it. mount is called when the first of these is asked for.
func MountLazily(router *mux.Router, path string, mount func(*mux.Router)) {
	lazily(router, under(path), mount)
}

// lazily lets a router lead to another one, which is made when the first request is meant.
func lazily(router *mux.Router, meant mux.MatcherFunc, mount func(*mux.Router)) {
	below := sync.OnceValue(func() *mux.Router {
		made := mux.NewRouter()
		mount(made)
		return made
	})
	router.MatcherFunc(func(r *http.Request, match *mux.RouteMatch) bool { return meant(r, match) && below().Match(r, match) })
}
