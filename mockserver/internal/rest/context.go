package rest

// What a request carries from the server that it came to: the shop that it speaks to, and how it was reached.

import (
	"context"
	"net/http"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// Host is what a server lends to a request that it takes: the shop that it speaks to, and where that lives.
type Host struct {
	Shop *shop.Shop
	Now  time.Time // the moment of the request: UTC, whole seconds
	Site Site
	Dial Dial

	// Mishap is what happens in the shop before a call of the Store API is carried out, to the one who calls; nil: nothing.
	Mishap func(*Call, shop.Shopper) shop.Shopper

	// Unknown is told the names of parameters and fields that a call brings and that nobody declares; nil: nobody asks.
	Unknown func(Undeclared)

	Answers *Answers // lists that are kept; nil: none are
	Lent    any      // what the server lends besides, for the handlers that know its type
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

// Call is a request's one view of the shop, and what the request says besides its parameters. The shop itself is out of reach: who
// could read it again could mix two versions in one answer. Nor is there a clock: the moment of all that a request does is View.Now.
type Call struct {
	View shop.View // the version that the answer is made from; Write moves it on
	Site Site
	Dial Dial
	Path map[string]string // values of the variables in the path of the request's route

	Mishap  func(*Call, shop.Shopper) shop.Shopper // see Host
	Unknown func(Undeclared)                       // see Host
	Answers *Answers                               // see Host
	Lent    any                                    // see Host

	ValidateOnly bool // nothing is done: good parameters are answered with 204

	shop *shop.Shop
}

// Write runs a change of the shop in a transaction. From then on the view is the version that the commit made or, with an error,
// the one that the change was refused on.
func (c *Call) Write(change func(*shop.Tx) error) error {
	view, err := c.shop.WriteAt(c.View.Now, change)
	c.View = view
	return err
}

// WriteAll runs changes in a row, each in a transaction of its own, and keeps them together. It returns why each was refused.
func (c *Call) WriteAll(changes []func(*shop.Tx) error) []error {
	view, refusals := c.shop.WriteAllAt(c.View.Now, changes)
	c.View = view
	return refusals
}

// Serve answers a request to a host by the request's route. The router's own ServeHTTP would copy the request twice more.
func (router *Router) Serve(w http.ResponseWriter, r *http.Request, host Host) {
	view := host.Shop.ReadAt(host.Now)
	if host.answerAgain(w, r, view) {
		return
	}
	router.serve(w, r, Call{View: view, Site: host.Site, Dial: host.Dial, Mishap: host.Mishap, Unknown: host.Unknown, Answers: host.Answers,
		Lent: host.Lent, shop: host.Shop})
}

// Forward answers a request that came inside the call's own, as if it had come alone at the same moment: with a view of its own.
func (c *Call) Forward(router *Router, w http.ResponseWriter, r *http.Request, validateOnly bool) {
	inner := Call{View: c.shop.ReadAt(c.View.Now), Site: c.Site, Dial: c.Dial, Mishap: c.Mishap, Unknown: c.Unknown, Answers: c.Answers,
		Lent: c.Lent, shop: c.shop}
	inner.ValidateOnly = validateOnly
	router.serve(w, r, inner)
}

func (router *Router) serve(w http.ResponseWriter, r *http.Request, call Call) {
	there := router.find(r)
	if there.handler == nil {
		WriteError(w, NoRoute())
		return
	}
	call.Path = there.variables
	carried := &callContext{Context: r.Context(), call: call}
	there.handler.ServeHTTP(carried.answer.answerTo(w, r), r.WithContext(carried))
}

// callContext is the context of a request that carries a call.
type callContext struct {
	context.Context
	call   Call
	answer conditional
}

type callKey struct{}

// Value gives the call, or what the context around it has.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return &c.call
	}
	return c.Context.Value(key)
}

// CallOf gives the call that a request carries.
func CallOf(r *http.Request) *Call {
	if innermost, carries := r.Context().(*callContext); carries { // as most do
		return &innermost.call
	}
	call, _ := r.Context().Value(callKey{}).(*Call)
	return call
}
