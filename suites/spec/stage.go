package spec

// The stage: the entrance to everything that specs are given.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/onsi/gomega/types"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
)

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

// Lab is what the stage needs of the run that it stands in.
type Lab interface {
	// Do sends a request, records it, inspects the answer and files what it made for clean-up. When no answer comes,
	// the spec ends there.
	Do(ctx context.Context, req client.Request) *client.Answer
	// Expect checks an answer on behalf of a requirement.
	Expect(requirement string, a *client.Answer, m types.GomegaMatcher)
	// Receiver gets the target's webhooks. Where the target reaches none, the spec could not run.
	Receiver() *receiver.Receiver
	// Await waits until a wanted webhook request has come to a path of the receiver, or the profile's patience is over.
	Await(ctx context.Context, path string, wanted func(receiver.Delivery) bool)
	// Delivered files a webhook request among the spec's exchanges.
	Delivered(topic string, d receiver.Delivery, took time.Duration) *client.Answer
	// CouldNotRun ends the spec: something that it needs of the target is not known or not there.
	CouldNotRun(format string, args ...any)
	// Offers tells whether the target has the feature.
	Offers(feature string) bool
	Profile() profile.Profile
	// Nonce marks all that the run makes.
	Nonce() string
}

// Stage makes what specs are given.
type Stage struct {
	lab     Lab
	counter *atomic.Int64
	picture atomic.Pointer[string] // the address of one, once it is found
	// Products, Orders and Customers are the management API's collections, used with the read_write key.
	Products, Orders, Customers Resource
}

// New makes a stage for a run.
func New(lab Lab) *Stage {
	s := &Stage{lab: lab, counter: &atomic.Int64{}}
	s.Products = s.Collection("products")
	s.Orders = s.Collection("orders")
	s.Customers = s.Collection("customers")
	return s
}

// Profile is what is known of the target.
func (s *Stage) Profile() profile.Profile { return s.lab.Profile() }

// Unique makes a word that no other record of this or any other run has: prefix, the run's nonce, a number.
func (s *Stage) Unique(prefix string) string {
	return fmt.Sprintf("%s-%s-%d", prefix, s.lab.Nonce(), s.counter.Add(1))
}

// Word is a unique word of letters and digits, for texts that are searched: no other word starts with it.
func (s *Stage) Word() string { return fmt.Sprintf("sc%sn%dz", s.lab.Nonce(), s.counter.Add(1)) }

// Do sends any request.
func (s *Stage) Do(ctx context.Context, req client.Request) *client.Answer { return s.lab.Do(ctx, req) }

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
func (s *Stage) Key(role Role) client.Auth {
	set := s.Profile().Credentials
	keys := map[Role]profile.Credentials{ReadWrite: set.ReadWrite, Read: set.Read, Write: set.Write, Revoked: set.Revoked}[role]
	if !keys.Given() {
		s.lab.CouldNotRun("the profile has no credentials.%s", role)
	}
	return client.Auth{Credentials: keys, Way: client.AnyWay}
}

// Manage sends a request to the management API with the read_write key. path is below /shop/v3: "/products".
func (s *Stage) Manage(ctx context.Context, method, path string, query Query, body any) *client.Answer {
	return s.lab.Do(ctx, client.Request{Method: method, Path: client.Management + path, Query: query.values(),
		Body: body, Auth: s.Key(ReadWrite)})
}

// StoreGet reads from the Store API as an anonymous visitor. path is below /shop/store/v1: "/products".
func (s *Stage) StoreGet(ctx context.Context, path string, query Query) *client.Answer {
	return s.lab.Do(ctx, client.Request{Method: http.MethodGet, Path: client.Store + path, Query: query.values()})
}

// Email is an address at example.test that belongs to this run.
func (s *Stage) Email() string { return strings.ToLower(s.Unique("buyer")) + "@example.test" }
