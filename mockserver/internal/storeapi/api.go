// Package storeapi is the customer-facing API of the reference shop (shop/store/v1): catalogue, cart, checkout, batch
// and order lookup. A file holds one resource: its endpoints, and – in a file of its own where it is long – its wire record.
package storeapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Namespace is where the API lives. Without its version it is served as well (contract, "Versioning").
const Namespace = "shop/store/v1"

// API gives the Store API. It holds no shop: one serves every server of the process. sessions and signIn find those of the server
// that a request came to.
func API(sessions auth.SessionsOf, signIn auth.SignInOf) *rest.API {
	inner := rest.NewRouter()
	api := &rest.API{
		Namespace: Namespace,
		Endpoints: sync.OnceValue(func() []rest.Endpoint {
			return slices.Concat(
				showing(cartRecord.Schema("cart"), cartEndpoints()),
				showing(linkedItem.Schema("cart_item"), cartItemEndpoints()),
				showing(linkedCoupon.Schema("cart_coupon"), cartCouponEndpoints()),
				showing(cartRecord.Schema("cart"), extensionEndpoints()),
				showing(checkoutRecord.Schema("checkout"), checkoutEndpoints()),
				showing(orderRecord.Schema("order"), orderEndpoints()),
				batchEndpoints(inner),
				collectionDataEndpoints(), categories.Endpoints(), brands.Endpoints(), tags.Endpoints(),
				attributes.Endpoints(), termsOfAttributes.Endpoints(), reviews.Endpoints(), products.Endpoints(),
			)
		}),
		Faults:       faults,
		BatchPath:    batchPath,
		Authenticate: func(r *rest.Request) error { return authenticate(r, sessions(r.Lent), signIn) },
		Greet: func(lent any, now time.Time, sent, answer http.Header) error {
			_, err := greet(sessions(lent).NewRound(now), now, sent, answer)
			return err
		},
		Refine: refine,
	}
	api.Mount(inner)
	return api
}

// showing gives endpoints the schema of the records that they show, for OPTIONS.
func showing(schema func() *rest.Schema, endpoints []rest.Endpoint) []rest.Endpoint {
	for i := range endpoints {
		endpoints[i].Schema = schema
	}
	return endpoints
}

// authenticate finds the session of a request, and the customer who is signed in. Each answer, also to a request that is refused,
// carries the session's newest nonce; those of cart and checkout carry its token too, and a cookie for a session that nothing keeps yet
// (contract, "Store API" authentication, rules 1 and 3): who only looks at the catalogue has no session to keep.
func authenticate(r *rest.Request, sessions *auth.Sessions, signIn auth.SignInOf) error {
	round, batched := r.HTTP.Context().Value(roundKey{}).(*auth.Round)
	if !batched {
		round = sessions.NewRound(r.View.Now)
	}
	if r.Endpoint.Path == batchPath {
		r.HTTP = withRound(r.HTTP, round)
	}
	visitor, err := greet(round, r.View.Now, r.HTTP.Header, r.Header)
	if err != nil {
		return err
	}
	r.Caller, r.Shopper = visitor, shopperFrom(r.View, visitor.Session, r.HTTP)
	r.Shopper.Spent = visitor.Spent
	if !visitor.Kept && !batched && (aboutCart(r) || r.Endpoint.Path == batchPath) {
		r.Header["Set-Cookie"] = []string{round.Cookie(visitor).String()}
	}
	if aboutCart(r) {
		r.Header["Cart-Token"] = []string{round.Token(visitor)}
	}
	customer, err := signIn.Customer(r)
	if customer != 0 {
		r.Shopper.CustomerID = customer
	}
	if err == nil && r.Mishap != nil {
		r.Shopper = r.Mishap(r.Call, r.Shopper)
	}
	return err
}

// greet finds the session of a request, and sets the headers that each answer to it has.
func greet(round *auth.Round, now time.Time, sent, answer http.Header) (*auth.Visitor, error) {
	visitor, err := round.Enter(sent)
	if err != nil {
		return nil, err
	}
	values := []string{visitor.Nonce, strconv.FormatInt(now.Unix(), 10)}
	answer["Nonce"], answer["Nonce-Timestamp"] = values[:1:1], values[1:]
	return visitor, nil
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

func aboutCart(r *rest.Request) bool {
	return strings.HasPrefix(r.Endpoint.Path, "/cart") || strings.HasPrefix(r.Endpoint.Path, "/checkout")
}

// refine adds the cart to every conflict (contract, "Errors"). What a step of the checkout was refused for shows in the cart
// that it found. A request that was not understood is not about a cart yet.
func refine(r *rest.Request, err error, answer *rest.Error) {
	if !r.Understood() || !aboutCart(r) {
		return
	}
	quote := cartOf(r)
	markCart(r, quote)
	if answer.Status != http.StatusConflict {
		return
	}
	var refused *refusedStep
	if errors.As(err, &refused) {
		quote = refused.cart
	}
	answer.With("cart", cartRecord.Body(rest.NewEncoding(r), quote))
}

// roundKey is where a batch and its requests carry their round of nonces, which is one for all.
type roundKey struct{}

func withRound(r *http.Request, round *auth.Round) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), roundKey{}, round))
}
