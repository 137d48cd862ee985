package shop

// What holds at a place, tax rates and shipping methods, kept for the places that were asked for lately, and the payment methods: carts
// ask for the same ones again and again.

import (
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"shopcheck/mockserver/internal/shop/pricing"
)

// keptPlaces finds what holds by the place and by the versions of all that it depends on, so that nothing need be invalidated.
type keptPlaces struct {
	rates    newest[askedRates, []pricing.Rate]
	methods  newest[askedMethods, []pricing.Method]
	gateways atomic.Pointer[keptGateways]
}

// keptGateways are the payment methods of a version of their table, in their order.
type keptGateways struct {
	version uint64
	all     []*Gateway
}

// askedRates asks for the rates of a tax class at a place.
type askedRates struct {
	taxRates uint64
	class    string
	place    taxPlace
}

// askedMethods asks for the methods that ship to a place.
type askedMethods struct {
	config                   *Config
	zones, methods           uint64
	country, state, postcode string
}

// How many answers are kept, and for how long places: what a client makes up must not fill the memory.
const (
	maxKeptPlaces = 256
	maxKnownPlace = 200 // bytes
)

// ratesOf returns the rates of a class at a place, which nobody changes.
func (v View) ratesOf(class string, place taxPlace) []pricing.Rate {
	find := func() []pricing.Rate { return termsOf(v.ratesAt(class, place)) }
	if v.places == nil || len(class)+len(place.country)+len(place.state)+len(place.postcode)+len(place.city) > maxKnownPlace {
		return find()
	}
	return remembered(v.places.rates.atMost(maxKeptPlaces), askedRates{v.TaxRates.Version(), class, place}, find)
}

// methodsTo returns the enabled methods for a destination in their order, none where the shop does not ship to. Nobody changes them.
func (v View) methodsTo(to Address) []pricing.Method {
	find := func() []pricing.Method { return v.findMethods(to) }
	if v.places == nil || len(to.Country)+len(to.State)+len(to.Postcode) > maxKnownPlace {
		return find()
	}
	asked := askedMethods{v.Config, v.Zones.Version(), v.Methods.Version(), to.Country, to.State, to.Postcode}
	return remembered(v.places.methods.atMost(maxKeptPlaces), asked, find)
}

// allGateways returns the payment methods in their order. Nobody changes them.
func (v View) allGateways() []*Gateway {
	find := func() []*Gateway { return collect(Gateways.ByOrder.Ascend(&v.Gateways, nil, nil)) }
	if v.places == nil {
		return find()
	}
	kept := v.places.gateways.Load()
	if kept == nil || kept.version != v.Gateways.Version() {
		kept = &keptGateways{v.Gateways.Version(), find()}
		v.places.gateways.Store(kept)
	}
	return kept.all
}

// newest holds what was asked for most recently. It is made when that is first asked: many shops are never asked at all.
type newest[K comparable, V any] struct {
	made  sync.Once
	cache *lru.Cache[K, V]
}

// atMost returns what holds so many answers, always as many.
func (n *newest[K, V]) atMost(size int) *lru.Cache[K, V] {
	n.made.Do(func() { n.cache, _ = lru.New[K, V](size) }) // it fails for sizes below 1 only
	return n.cache
}

// remembered returns what was found for a question before, or finds it.
func remembered[K comparable, V any](known *lru.Cache[K, V], asked K, find func() V) V {
	if found, ok := known.Get(asked); ok {
		return found
	}
	found := find()
	known.Add(asked, found)
	return found
}
