package client

// The preflight: is there a shop at all, do the keys work, and what does it offer?

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"shopcheck/fixtures/dialects"
	"shopcheck/suites/contract"
)

// FeatureState is what is known of one feature before the specs run.
type FeatureState struct {
	Name    string
	On      bool   // its specs run
	Missing bool   // the contract demands it, and the preflight did not find it: its specs run, and say what is wrong
	Source  string // profile, preflight
	Detail  string // what the preflight saw
}

// State is the word of the report: on, off, found, not_found, missing.
func (f FeatureState) State() string {
	switch {
	case f.Missing:
		return "missing"
	case f.Source == "preflight" && f.On:
		return "found"
	case f.Source == "preflight":
		return "not_found"
	case f.On:
		return "on"
	default:
		return "off"
	}
}

// Preflight looks at the target with a few reads. An error means that the specs need not be tried.
func Preflight(ctx context.Context, c *Client) ([]FeatureState, error) {
	look := NewLook(ctx, c)
	if err := look.Shop(); err != nil {
		return nil, err
	}
	if err := look.Keys(); err != nil {
		return nil, err
	}
	states := look.Features()
	return states, look.Login(states)
}

// FindShop looks only whether there is a shop that takes the keys: the error says why not.
func FindShop(ctx context.Context, c *Client) error {
	look := NewLook(ctx, c)
	if err := look.Shop(); err != nil {
		return err
	}
	return look.Keys()
}

func newPreflight(ctx context.Context, c *Client) *preflight {
	return &preflight{client: c, ctx: ctx, seen: map[string]*Answer{}}
}

type preflight struct {
	client *Client
	ctx    context.Context
	seen   map[string]*Answer
}

// probe sends a read once, however many features ask for it.
func (p *preflight) probe(method, path string) *Answer {
	key := method + " " + path
	if a, ok := p.seen[key]; ok {
		return a
	}
	route, query, _ := strings.Cut(path, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		values = nil
	}
	req := Request{Method: method, Path: route, Query: values}
	if keys := p.client.profile.Credentials.ReadWrite; keys.Given() && !strings.HasPrefix(route, Store) && route != TokenPath {
		req.Auth = Auth{Credentials: keys, Way: AnyWay}
	}
	p.seen[key] = p.client.Do(p.ctx, req)
	return p.seen[key]
}

const (
	probeProducts = Management + "/products?per_page=1"
	probeCart     = Store + "/cart"
	probeStore    = Store + "/products?per_page=1"
)

// findShop finds how the target is talked to, and tells an unreachable host and something that is no shop apart.
func (p *preflight) findShop() error {
	tries, err := accesses(p.client.profile.Dialect)
	if err != nil {
		return err
	}
	products, cart := p.findAccess(tries)
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	if !looksLikeShop(products) && !looksLikeShop(cart) {
		return p.noShop(products, cart)
	}
	return nil
}

// accesses are the ways in which a target may be talked to, the likelier ones first.
func accesses(dialect string) (tries []Access, err error) {
	known := dialects.Presets()
	if dialect != dialects.Auto {
		own, err := dialects.Load(dialect)
		if err != nil {
			return nil, err
		}
		known = []dialects.Dialect{own}
	}
	for _, byQuery := range []bool{false, true} {
		for _, d := range known {
			tries = append(tries, Access{Dialect: d, ByQuery: byQuery})
		}
	}
	return tries, nil
}

// findAccess looks which of the ways leads to a shop, and goes it from now on. Where none does, it answers as the first one was.
func (p *preflight) findAccess(tries []Access) (products, cart *Answer) {
	for i, try := range tries {
		p.client.Use(try)
		seen := p.seen
		p.seen = map[string]*Answer{}
		a, b := p.probe(http.MethodGet, probeProducts), p.probe(http.MethodGet, probeCart)
		switch {
		case looksLikeShop(a), looksLikeShop(b):
			return a, b
		case i == 0:
			products, cart = a, b
		default:
			p.seen = seen
		}
		if a.Err != nil && b.Err != nil { // nobody is there, whatever the names
			return products, cart
		}
	}
	p.client.Use(tries[0])
	return products, cart
}

// noShop says what is at the target instead of a shop. The texts of errors may hold addresses, and these secrets.
func (p *preflight) noShop(products, cart *Answer) error {
	if products.Err != nil && cart.Err != nil {
		return fmt.Errorf("the target %s %s", p.client.profile.Target,
			p.client.redactor.Brief(p.client.trouble(products.Err), recordedValue))
	}
	return fmt.Errorf("the target %s answers, but not as a shop: GET %s gave %s, GET %s gave %s; %s",
		p.client.profile.Target, Management+"/products", p.describe(products), probeCart, p.describe(cart), adviceOn(products))
}

// firstProduct is a small read, to see who is let in.
func firstProduct(auth Auth) Request {
	return Request{Method: http.MethodGet, Path: Management + "/products", Query: url.Values{"per_page": {"1"}}, Auth: auth}
}

// tryKeys finds wrong keys before they look like a hundred failures, and how good ones travel: over plain HTTP some shops take them in the
// query only, or as a signature only.
func (p *preflight) tryKeys(products *Answer) error {
	keys := p.client.profile.Credentials.ReadWrite
	if !keys.Given() || products.Status != http.StatusUnauthorized {
		return nil
	}
	tries := []Auth{{Credentials: keys, Way: BasicWay}, {Credentials: keys, Way: QueryWay}}
	if !p.client.profile.HTTPS() {
		tries = append(tries, ByOAuth(OAuth{Consumer: keys}))
	}
	for _, try := range tries {
		if a := p.client.Do(p.ctx, firstProduct(try)); a.OK() && a.IsJSON() {
			p.sendKeysBy(try.Way)
			return nil
		}
	}
	return fmt.Errorf("the target %s refuses credentials.read_write (401), by Basic and by query; is the key right and not revoked?",
		p.client.profile.Target)
}

// sendKeysBy lets keys travel so from now on.
func (p *preflight) sendKeysBy(way AuthWay) {
	access := p.client.Access()
	access.Keys = way
	p.client.Use(access)
	p.seen = map[string]*Answer{}
}

// tryLogin finds a wrong name or password. Where one way to sign in takes them, what another refuses is the target's fault.
func (p *preflight) tryLogin(states []FeatureState) error {
	if !p.client.profile.Secure() {
		return nil
	}
	set := p.client.profile.Credentials
	offers := func(name string) bool {
		return slices.ContainsFunc(states, func(s FeatureState) bool { return s.Name == name && s.On })
	}
	var tries []Request
	if offers(contract.FeatureLoginBasic) && set.Login.Given() {
		tries = append(tries, firstProduct(ByPassword(set.Login)))
	}
	if user := set.TokenLogin(); offers(contract.FeatureJWT) && user.Given() {
		tries = append(tries, Request{Method: http.MethodPost, Path: TokenPath, Body: user.Form()})
	}
	var refusals []string
	for _, try := range tries {
		a := p.client.Do(p.ctx, try)
		if a.Status < 400 || a.Status > 499 {
			return nil
		}
		refusals = append(refusals, a.String())
	}
	if len(refusals) == 0 {
		return nil
	}
	return fmt.Errorf("the target %s refuses credentials.login (%s); are name and password right? "+
		"A way that it does not have is turned off by features",
		p.client.profile.Target, strings.Join(refusals, ", "))
}

// looksLikeShop: JSON in the API's form, be it records or an error envelope.
func looksLikeShop(a *Answer) bool {
	body := a.JSON()
	if a.Err != nil || !body.Exists() {
		return false
	}
	envelope := body.Get("code").Exists() && body.Get("message").Exists()
	noRoute := a.Status == http.StatusNotFound
	return body.IsArray() || body.Get("items").IsArray() || (envelope && !noRoute)
}

// shownHeader is what is shown of a header's value, in bytes.
const shownHeader = 200

// describe sums an answer up: 302 to https://…, 200 text/html.
func (p *preflight) describe(a *Answer) string {
	switch {
	case a.Err != nil:
		return "no answer"
	case a.redirects():
		return fmt.Sprintf("%d to %s", a.Status, p.client.redactor.Brief(a.Header.Get("Location"), shownHeader))
	case len(a.Body) == 0:
		return fmt.Sprintf("%d without a body", a.Status)
	}
	return fmt.Sprintf("%d %s", a.Status, p.client.redactor.Brief(cmp.Or(a.MediaType(), "without a Content-Type"), shownHeader))
}

// feature decides one feature: the profile's word, else what is found. A broken feature looks like one that was never there, so
// that only the profile turns off what the contract demands, or what the profile itself has credentials for.
func (p *preflight) feature(f contract.Feature) FeatureState {
	switch p.client.profile.Features[f.Name] {
	case "on":
		return FeatureState{Name: f.Name, On: true, Source: "profile"}
	case "off":
		return FeatureState{Name: f.Name, On: false, Source: "profile"}
	}
	found, detail := p.find(f.Name)
	missing := !found && (f.Demanded || f.Name == contract.FeatureOAuth1 && p.client.profile.Credentials.OAuth.Key != "")
	return FeatureState{Name: f.Name, On: found || missing, Missing: missing, Source: "preflight", Detail: detail}
}

func (p *preflight) find(name string) (bool, string) {
	switch name {
	case contract.FeatureManagement:
		return p.served(http.MethodGet, probeProducts)
	case contract.FeatureStoreProducts:
		return p.served(http.MethodGet, probeStore)
	case contract.FeatureStoreCart:
		return p.served(http.MethodGet, probeCart)
	case contract.FeatureStoreCheckout:
		if !p.client.profile.MayWrite() {
			return true, "only a request shows it that may make an order, and writing is not allowed"
		}
		return p.served(http.MethodGet, Store+"/checkout")
	case contract.FeatureCoupons:
		return p.client.profile.Coupon.Code != "", "whether the profile names a coupon"
	case contract.FeatureLegacyNamespaces:
		return p.served(http.MethodGet, "/shop/v2/products?per_page=1")
	case contract.FeatureRestRoute:
		return p.shown("/?rest_route=" + Management + "/products&per_page=1")
	case contract.FeatureCustomers:
		return p.served(http.MethodGet, Management+"/customers?per_page=1")
	case contract.FeatureOrderCreate:
		return true, "only a POST shows it, which the specs send"
	case contract.FeatureOAuth1:
		return p.letsIn(ByOAuth(SigningBy(p.client.profile.Credentials)), "a signed read")
	case contract.FeatureLoginBasic:
		return p.letsIn(ByPassword(p.client.profile.Credentials.Login), "a read with login name and password")
	case contract.FeatureJWT:
		return p.served(http.MethodPost, TokenPath)
	case contract.FeatureWebhooks:
		if p.client.profile.Webhooks.Secret != "" {
			return true, "the profile knows the secret of webhooks that exist"
		}
		return p.served(http.MethodGet, Management+"/webhooks?per_page=1")
	default:
		return false, "no way to find out"
	}
}

// served: anything but "no such route" in the API's own form.
func (p *preflight) served(method, path string) (bool, string) {
	a := p.probe(method, path)
	return a.Err == nil && a.Status != http.StatusNotFound && a.IsJSON(),
		fmt.Sprintf("%s %s gave %s", method, path, p.describe(a))
}

// shown: a read succeeds. An address that a shop need not have is not broken where it answers otherwise.
func (p *preflight) shown(path string) (bool, string) {
	a := p.probe(http.MethodGet, path)
	return a.OK() && a.IsJSON(), fmt.Sprintf("GET %s gave %s", path, p.describe(a))
}

// letsIn: credentials of an optional kind are known and taken.
func (p *preflight) letsIn(auth Auth, what string) (bool, string) {
	known := auth.Given() || auth.OAuth != nil && auth.OAuth.Consumer.Given()
	if !known || auth.Way == BasicWay && !p.client.profile.Secure() {
		return false, "the profile has no credentials for it that can be sent safely"
	}
	a := p.client.Do(p.ctx, firstProduct(auth))
	return a.OK(), what + " gave " + p.describe(a)
}
