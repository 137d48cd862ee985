package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/mux"
)

// TestAKnownPathLeadsWhereItLed asks for paths twice: the second answer is found without a pattern.
func TestAKnownPathLeadsWhereItLed(t *testing.T) {
	s := newServer(t)
	s.router.Path("/").Queries("which", "{which}").Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, CallOf(r).Path["which"])
	}))
	for _, target := range []string{"/shop/v3/things", "/shop/v3/things/3", "/shop/v3/things/4", "/shop/v3/things/x", "/shop/v3",
		"/?which=a", "/?which=b", "/"} {
		first, _ := s.call("GET", target, "")
		again, _ := s.call("GET", target, "")
		if first.Code != again.Code || first.Body.String() != again.Body.String() {
			t.Errorf("%s: first %d %s\nthen %d %s", target, first.Code, first.Body, again.Code, again.Body)
		}
	}
	if got, _ := s.call("GET", "/?which=c", ""); got.Body.String() != "c" {
		t.Errorf("a route that looks at the query answers %q", got.Body)
	}
	if !s.router.found.Contains("/shop/v3/things/3") || s.router.found.Contains("/") || s.router.found.Contains("/shop/v3/things/x") {
		t.Errorf("the router remembers %q, want what leads to endpoints", s.router.found.Keys())
	}
}

func TestARouterRemembersSoMuch(t *testing.T) {
	s := newServer(t)
	for n := range 2 * maxPlaces {
		s.router.find(httptest.NewRequest("GET", fmt.Sprintf("/shop/v3/things/%d", n), nil))
	}
	if got := s.router.found.Len(); got != maxPlaces {
		t.Errorf("%d places are remembered, want %d", got, maxPlaces)
	}
	long := "/shop/v3/things/" + strings.Repeat("1", maxKnownPath)
	if there := s.router.find(httptest.NewRequest("GET", long, nil)); there.variables["id"] != long[len("/shop/v3/things/"):] {
		t.Errorf("a long path leads to %v", there.variables)
	}
	if s.router.found.Contains(long) {
		t.Error("a long path is remembered")
	}
}

// TestAPatternIsMadeWhenItIsMeant counts how often a router that is made lazily is.
func TestAPatternIsMadeWhenItIsMeant(t *testing.T) {
	router, made := NewRouter(), 0
	lazily(router.Router, begins("/things/{id}"), func(one *mux.Router) {
		made++
		one.Path("/things/{id:[0-9]+}").Handler(http.NotFoundHandler())
	})
	for _, step := range []struct {
		path, id string
		made     int
	}{{"/others/1", "", 0}, {"/things", "", 0}, {"/things/1", "1", 1}, {"/things/x", "", 1}, {"/things/2", "2", 1}} {
		there := router.find(httptest.NewRequest("GET", step.path, nil))
		if there.variables["id"] != step.id || made != step.made {
			t.Errorf("%s leads to %v, and the pattern was made %d times; want id %q, %d", step.path, there.variables, made, step.id,
				step.made)
		}
	}
}
