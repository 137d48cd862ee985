// Package storeapi is the customer-facing API of the reference shop (shop/store/v1): catalogue, cart, checkout, batch
// and order lookup. A file holds one resource: its endpoints, and – in a file of its own where it is long – its wire record.
package storeapi

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Namespace is where the API lives. Without its version it is served as well (contract, "Versioning").
const Namespace = "shop/store/v1"

// Services is what the API needs of the server that it runs in. rest.Host.Services must be one, or embed one.
type Services struct{ Sessions *auth.Sessions }

// StoreSessions gives the sessions of the server.
func (s Services) StoreSessions() *auth.Sessions { return s.Sessions }

// API gives the Store API. It holds no shop: one serves every server of the process.
func API() *rest.API {
	inner := mux.NewRouter()
	api := &rest.API{
		Namespace: Namespace,
		Endpoints: slices.Concat(
			cartEndpoints(), cartItemEndpoints(), cartCouponEndpoints(), extensionEndpoints(),
			checkoutEndpoints(), orderEndpoints(), batchEndpoints(inner),
			collectionDataEndpoints(), categoryEndpoints(), attributeEndpoints(), reviewEndpoints(), productEndpoints(),
		),
		Faults:       faults,
		BatchPath:    batchPath,
		Authenticate: authenticate,
		Authorise:    authorise,
		Refine:       refine,
	}
	describeRecords(api.Endpoints)
	api.Mount(inner)
	return api
}

// caller is who makes a request.
type caller struct {
	*auth.Visitor
	round   *auth.Round
	shopper shop.Shopper
	refused *shop.CartQuote // the cart as a checkout that was refused found it
}

func callerOf(r *rest.Request) *caller { return r.Caller.(*caller) }

func shopperOf(r *rest.Request) shop.Shopper { return callerOf(r).shopper }

// authenticate finds the session of a request. Each answer, also to a request that is refused, carries the session's
// newest nonce; those of cart and checkout carry its token too (contract, "Store API" authentication, rules 1 and 3).
func authenticate(r *rest.Request) error {
	sessions := rest.HostOf(r.HTTP).Services.(interface{ StoreSessions() *auth.Sessions }).StoreSessions()
	round, batched := r.HTTP.Context().Value(roundKey{}).(*auth.Round)
	if !batched {
		round = sessions.NewRound()
	}
	visitor := round.Enter(r.HTTP.Header)
	r.Caller = &caller{Visitor: visitor, round: round, shopper: shopperFrom(r.View, visitor.Session, r.HTTP)}
	r.Header.Set("Nonce", visitor.Nonce)
	r.Header.Set("Nonce-Timestamp", strconv.FormatInt(r.View.Now.Unix(), 10))
	if visitor.New && !batched {
		http.SetCookie(headerOnly{r.Header}, sessions.Cookie(visitor))
	}
	if aboutCart(r) {
		r.Header.Set("Cart-Token", sessions.Token(visitor))
	}
	return nil
}

// maxAgent is how much of a client's name is kept with an order, in bytes.
const maxAgent = 255

// shopperFrom tells the shop who buys. Who opened an account at the checkout is that customer from then on.
func shopperFrom(view shop.View, session string, r *http.Request) shop.Shopper {
	who := shop.Shopper{Session: session, Agent: r.UserAgent()}
	who.Agent = who.Agent[:min(len(who.Agent), maxAgent)]
	who.IP, _, _ = net.SplitHostPort(r.RemoteAddr)
	if cart, known := shop.Carts.Session.Find(&view.Carts, session); known {
		who.CustomerID = cart.CustomerID
	}
	return who
}

// headerOnly lets http.SetCookie write to the header of an answer.
type headerOnly struct{ header http.Header }

func (h headerOnly) Header() http.Header       { return h.header }
func (headerOnly) Write(b []byte) (int, error) { return len(b), nil }
func (headerOnly) WriteHeader(int)             {}

func aboutCart(r *rest.Request) bool {
	return strings.HasPrefix(r.Endpoint.Path, "/cart") || strings.HasPrefix(r.Endpoint.Path, "/checkout")
}

// authorise runs after the parameters were checked: what is malformed is refused whoever sends it.
func authorise(r *rest.Request) error {
	if isRehearsal(r.HTTP) {
		return rest.Errorf(http.StatusNoContent, "rehearsed", "The parameters are good.")
	}
	if r.Endpoint.Access != rest.Guarded {
		return nil
	}
	return callerOf(r).Authorise()
}

// refine adds the cart to every conflict (contract, "Errors"). What a step of the checkout was refused for shows in the cart
// that it found. A request that was not understood is not about a cart yet.
func refine(r *rest.Request, refused *rest.Error) {
	if !r.Understood() || !aboutCart(r) {
		return
	}
	quote := quoteOf(r)
	if found := callerOf(r).refused; found != nil {
		quote = found
	}
	if refused.Status == http.StatusConflict {
		refused.With("cart", sceneOf(r).cart(quote))
	}
}

// scene is what wire records are made from besides their rows.
type scene struct {
	shop.View
	site rest.Site
}

func sceneOf(r *rest.Request) *scene { return &scene{r.View, r.Site} }

// roundKey marks the requests of a batch, which are one round of nonces.
type roundKey struct{}

func withRound(r *http.Request, round *auth.Round) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), roundKey{}, round))
}
