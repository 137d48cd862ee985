package client

// A look at a target, step by step: what the preflight of a run does, and what the doctor explains.

import (
	"context"
	"net/http"
	"net/url"

	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// Look is a look at a target with a few reads. Each is sent once, however many steps ask for it.
type Look struct{ preflight *preflight }

// NewLook begins a look.
func NewLook(ctx context.Context, c *Client) *Look { return &Look{newPreflight(ctx, c)} }

// Shop finds the way in which the target is talked to. An error says what is there instead of a shop.
func (l *Look) Shop() error { return l.preflight.findShop() }

// Keys returns an error where the read_write key is refused in every way.
func (l *Look) Keys() error {
	return l.preflight.tryKeys(l.preflight.probe(http.MethodGet, probeProducts))
}

// Features returns what the target offers.
func (l *Look) Features() []FeatureState {
	var states []FeatureState
	for _, f := range contract.Features() {
		states = append(states, l.preflight.feature(f))
	}
	return states
}

// Login returns an error where the login is refused in every way that the target has.
func (l *Look) Login(states []FeatureState) error { return l.preflight.tryLogin(states) }

// Reads asks for a product with credentials, and returns the answer.
func (l *Look) Reads(auth Auth) *Answer {
	return l.preflight.client.Do(l.preflight.ctx, firstProduct(auth))
}

// Writes tries with credentials whether they may write, without changing anything: it updates a product that no shop has. Who may write
// is told that it is not there.
func (l *Look) Writes(auth Auth) *Answer {
	return l.preflight.client.Do(l.preflight.ctx, Request{Method: http.MethodPut, Path: Management + "/products/" + noProduct,
		Body: map[string]any{}, Auth: auth})
}

// noProduct is an id that no shop has come to.
const noProduct = "999999999"

// Get reads with the read_write key where one is given.
func (l *Look) Get(path string, query url.Values) *Answer {
	req := Request{Method: http.MethodGet, Path: path, Query: query}
	if keys := l.preflight.client.profile.Credentials.ReadWrite; keys.Given() {
		req.Auth = Auth{Credentials: keys, Way: AnyWay}
	}
	return l.preflight.client.Do(l.preflight.ctx, req)
}

// Anonymous reads without credentials.
func (l *Look) Anonymous(path string) *Answer { return l.preflight.probe(http.MethodGet, path) }

// KeyOf sends a key in the way that is safe for the target.
func KeyOf(c profile.Credentials) Auth { return Auth{Credentials: c, Way: AnyWay} }
