package spec

// Env: the entrance to everything that a spec may do.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// Topic is one part of the suites.
type Topic struct {
	Name     string // a label, and the first part of its specs' ids
	Register func(*Env)
}

// Fields is a JSON object to send.
type Fields map[string]any

// Query is a set of query parameters.
type Query map[string]string

func (q Query) values() url.Values {
	values := url.Values{}
	for name, value := range q {
		values.Set(name, value)
	}
	return values
}

// Env is the environment of all specs: what they are given, the calls of the API, and the ways to say more than pass or fail.
// One Env serves all specs of a run, one after the other.
type Env struct {
	run      *Run
	counter  atomic.Int64
	pictures atomic.Pointer[[]string] // addresses of some, once they are found
	shared   map[string]sharedGiven   // by name
	ahead    map[string]*ahead        // by collection and kind
	fresh    bool                     // nothing that was made ahead is given
	// collections whose batches do not make records as they are wanted, by path
	unbatched map[string]bool
	// Products, Orders and Customers are the management API's collections, used with the read_write key.
	Products, Orders, Customers Resource
}

// NewEnv returns the environment of a run's specs.
func NewEnv(run *Run) *Env {
	e := &Env{run: run, shared: map[string]sharedGiven{}, ahead: map[string]*ahead{}, unbatched: map[string]bool{}}
	e.Products = e.Collection("products")
	e.Orders = e.Collection("orders")
	e.Customers = e.Collection("customers")
	return e
}

// For returns expectations that verify one requirement of several that the spec names:
//
//	env.For("errors.params").Expect(answer).To(HaveJSON("data.params.status", BeNonEmpty()))
//
// Where the requirement is a should, a failure is a warning and the spec goes on.
func (e *Env) For(requirement string) gomega.Gomega {
	if !e.run.names(requirement) {
		ginkgo.Fail(fmt.Sprintf("%s is not among the requirements of the spec; add it to its Req", requirement), 1)
	}
	return e.run.gomegaFor(requirement)
}

// Observe records what the target does where the contract is silent. Keys are stable and dotted
// (missing-nonce.status); two reports are compared on them.
func (e *Env) Observe(key string, value any) { e.run.observe(key, fmt.Sprint(value)) }

// CouldNotRun ends the spec: something that it needs of the target is not known or not there. The run is then
// incomplete, never green.
func (e *Env) CouldNotRun(format string, args ...any) { e.run.CouldNotRun(format, args...) }

// NotApplicable ends the spec: what it is about does not exist at this target, and needs not.
func (e *Env) NotApplicable(format string, args ...any) {
	e.run.Leave(reports.NotApplicable, fmt.Sprintf(format, args...))
}

// Offers reports whether the target has a feature.
func (e *Env) Offers(feature string) bool { return e.run.Offers(feature) }

// Profile is what is known of the target.
func (e *Env) Profile() profile.Profile { return e.run.Profile }

// Unique makes a word that no other record of this or any other run has: prefix, the run's nonce, a number. The number is as long as all
// the others, so that who searches for one name does not find those that begin with it.
func (e *Env) Unique(prefix string) string {
	return fmt.Sprintf("%s-%s-%06d", prefix, e.run.Nonce, e.counter.Add(1))
}

// Word is a unique word of letters and digits, for texts that are searched: no other word starts with it.
func (e *Env) Word() string { return fmt.Sprintf("sc%sn%dz", e.run.Nonce, e.counter.Add(1)) }

// Do sends any request.
func (e *Env) Do(ctx context.Context, req client.Request) *client.Answer { return e.run.Do(ctx, req) }

// Methods of HTTP, so that topics need not import net/http for them.
const (
	GET     = http.MethodGet
	POST    = http.MethodPost
	PUT     = http.MethodPut
	DELETE  = http.MethodDelete
	OPTIONS = http.MethodOptions
	HEAD    = http.MethodHead
)

// Role is one of the API keys of the profile.
type Role string

// The roles that a profile may hold keys for.
const (
	ReadWrite Role = "read_write"
	Read      Role = "read"
	Write     Role = "write"
	Revoked   Role = "revoked"
)

// Key is the API key of a role, sent in the way that is safe for the target. Without such a key in the profile the
// spec could not run.
func (e *Env) Key(role Role) client.Auth {
	set := e.Profile().Credentials
	keys := map[Role]profile.Credentials{ReadWrite: set.ReadWrite, Read: set.Read, Write: set.Write, Revoked: set.Revoked}[role]
	if !keys.Given() {
		e.run.CouldNotRun("the profile has no credentials.%s", role)
	}
	return client.Auth{Credentials: keys, Way: client.AnyWay}
}

// Manage sends a request to the management API with the read_write key. path is below /shop/v3: "/products".
func (e *Env) Manage(ctx context.Context, method, path string, query Query, body any) *client.Answer {
	return e.run.Do(ctx, client.Request{Method: method, Path: client.Management + path, Query: query.values(),
		Body: body, Auth: e.Key(ReadWrite)})
}

// StoreGet reads from the Store API as an anonymous visitor. path is below /shop/store/v1: "/products".
func (e *Env) StoreGet(ctx context.Context, path string, query Query) *client.Answer {
	return e.run.Do(ctx, client.Request{Method: http.MethodGet, Path: client.Store + path, Query: query.values()})
}

// Email is an address at example.test that belongs to this run.
func (e *Env) Email() string { return strings.ToLower(e.Unique("buyer")) + "@example.test" }
