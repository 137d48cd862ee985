package spec

// Shared givens: what specs only read is made once, for the first that asks, and given to those after it too. A shop far away answers
// slowly, and half of what specs are given is a product to look at or to buy.

import (
	"context"
	"fmt"
	"slices"

	"github.com/onsi/ginkgo/v2"

	"shopcheck/reports"
	"shopcheck/suites/client"
)

// sharedGiven is a given, and the exchanges that it was made by. Its answers count their exchanges from the first of these.
type sharedGiven struct {
	value     any
	exchanges []reports.Exchange
	records   []string // paths of those that were made for it
}

// Movable is what can be shared: Moved returns it as the record of another spec has it, where its exchanges are further behind.
type Movable[T any] interface{ Moved(by int) T }

// Share returns what is shared under a name, made by the first spec that asks for it. The exchanges that it was made by are part of the
// record of each spec that is given it. What could not be made is tried again by the next one, and what is too large to be kept is made
// anew.
func Share[T Movable[T]](e *Env, name string, give func() T) T {
	if known, ok := e.shared[name].value.(T); ok {
		e.run.Made.use(e.shared[name].records)
		return known.Moved(e.run.recordShared(e.shared[name].exchanges))
	}
	first, made, received := e.run.exchangeCount(), e.run.Made.Count(), e.run.received.Load()
	value := Fresh(e, give)
	if e.run.received.Load()-received > mostShared {
		return value
	}
	e.shared[name] = sharedGiven{value: value.Moved(-first), exchanges: e.run.exchangesFrom(first), records: e.run.Made.Share(made)}
	return value
}

// mostShared bounds the answers that one given is made by, in bytes: as long as it is shared, nothing lets go of them.
const mostShared = 1 << 20

// recordShared adds exchanges of an earlier spec to the record of the running one, and returns the place of the first.
func (r *Run) recordShared(exchanges []reports.Exchange) (first int) {
	r.update(func(record *Record) {
		first = len(record.Exchanges)
		for _, e := range exchanges {
			e.Shared, e.Retries = true, 0
			record.Exchanges = append(record.Exchanges, e)
		}
	})
	return first
}

// running is the id of the running spec.
func (r *Run) running() (id string) {
	r.update(func(record *Record) { id = record.ID })
	return id
}

func (r *Run) exchangeCount() (count int) {
	r.update(func(record *Record) { count = len(record.Exchanges) })
	return count
}

func (r *Run) exchangesFrom(first int) (exchanges []reports.Exchange) {
	r.update(func(record *Record) { exchanges = append(exchanges, record.Exchanges[first:]...) })
	return exchanges
}

// Count returns how many records a run was told to have made.
func (m *Made) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.paths)
}

// Share notes that specs share the records from the n-th on: none may change them. It returns their paths.
func (m *Made) Share(n int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	paths := slices.Clone(m.paths[n:])
	for _, path := range paths {
		m.records[path].shared = true
	}
	return paths
}

// keepShared breaks the spec that would change what others are given too: that is a fault of the spec.
func (r *Run) keepShared(req client.Request, path string) {
	if s := r.Made.standing(path); s.shared && !s.twice {
		ginkgo.Fail(fmt.Sprintf("%s %s would change %s, which specs share; give the spec one of its own", req.Method, req.Path, path))
	}
}

// Moved implements Movable.
func (p Product) Moved(by int) Product {
	p.Answer = p.Answer.Moved(by)
	return p
}

// Moved implements Movable.
func (c *Cart) Moved(by int) *Cart {
	cart := *c
	cart.Answer = c.Answer.Moved(by)
	return &cart
}

// Moved implements Movable.
func (v Variable) Moved(by int) Variable {
	v.Product = v.Product.Moved(by)
	return v
}

// Moved implements Movable.
func (f Family) Moved(int) Family { return f }

// Moved implements Movable.
func (o Order) Moved(by int) Order {
	o.Product, o.Answer = o.Product.Moved(by), o.Answer.Moved(by)
	return o
}

// SharedProduct is a product that the spec only looks at or buys; stock is not kept of it.
func (e *Env) SharedProduct(ctx context.Context) Product {
	return Share(e, "product", func() Product { return e.GivenProduct(ctx) })
}

// SharedVirtual is a product that is not shipped, for what SharedProduct is for.
func (e *Env) SharedVirtual(ctx context.Context) Product {
	return Share(e, "virtual product", func() Product { return e.GivenProduct(ctx, Virtual()) })
}

// SharedProducts are two such products.
func (e *Env) SharedProducts(ctx context.Context) (Product, Product) {
	return e.SharedProduct(ctx), Share(e, "another product", func() Product { return e.GivenProduct(ctx) })
}

// SharedPurchase is an order of two pieces that the spec only looks at: bought, where the store has a checkout. The newest nonce of
// its visitor is known after a Refresh.
func (e *Env) SharedPurchase(ctx context.Context) Order {
	return Share(e, "purchase", func() Order { return e.GivenPurchaseOf(ctx, e.AnyProduct(ctx), 2) })
}

// SharedFamily returns a family of n records that the spec only lists. kind and give say what of.
func (e *Env) SharedFamily(ctx context.Context, kind string, n int, give func(context.Context, int) Family) Family {
	return Share(e, fmt.Sprintf("family of %d %s", n, kind), func() Family { return give(ctx, n) })
}

// SharedCart is an empty cart for requests that are refused. It is shared until one of them is not.
func (e *Env) SharedCart(ctx context.Context) *Cart {
	return e.sharedCart("empty cart", func() *Cart { return e.GivenCart(ctx) })
}

// SharedFilledCart is a cart of one product without an address, for what SharedReadyCart is for.
func (e *Env) SharedFilledCart(ctx context.Context) *Cart {
	return e.sharedCart("filled cart", func() *Cart { return e.GivenCart(ctx, Item{Product: e.AnyProduct(ctx)}) })
}

// SharedReadyCart is a cart of one product that can be ordered, for a spec that looks at it or sends what is refused. It is shared
// until something is not.
func (e *Env) SharedReadyCart(ctx context.Context) *Cart {
	return e.sharedCart("ready cart", func() *Cart { return e.GivenReadyCart(ctx, Item{Product: e.AnyProduct(ctx)}) })
}

func (e *Env) sharedCart(name string, give func() *Cart) *Cart {
	return Share(e, name, func() *Cart {
		cart := give()
		cart.spoil = func() { delete(e.shared, name) }
		return cart
	})
}

// SharedVariable is a variable product of two variations that the spec only looks at or buys.
func (e *Env) SharedVariable(ctx context.Context) Variable {
	return Share(e, "variable product", func() Variable { return e.GivenVariable(ctx) })
}

// SharedVariableOwn is such a product whose attribute, of the given name, is its own.
func (e *Env) SharedVariableOwn(ctx context.Context, name string) Variable {
	return Share(e, "variable product by "+name, func() Variable { return e.GivenVariableOwn(ctx, name) })
}

// SharedTerms are two records of a collection of terms below products, which products of specs are filed under. They are one and the
// same where the target has one only.
func (e *Env) SharedTerms(ctx context.Context, collection string) (one, other Term) {
	terms := Share(e, "terms of "+collection, func() sharedTerms {
		return sharedTerms{e.GivenTerm(ctx, collection), e.GivenTerm(ctx, collection)}
	})
	return terms[0], terms[1]
}

// sharedTerms are two terms.
type sharedTerms [2]Term

// Moved implements Movable.
func (t sharedTerms) Moved(int) sharedTerms { return t }

// SharedCustomer is a customer with a name and both addresses that the spec only looks at.
func (e *Env) SharedCustomer(ctx context.Context) *client.Answer {
	return Share(e, "customer", func() sharedRecord {
		return sharedRecord{e.GivenCustomerWith(ctx, Fields{"first_name": "Ada", "billing": e.Billing(), "shipping": e.Shipping()})}
	}).Answer
}

// SharedEmptyOrder is an order without anything in it that the spec only looks at.
func (e *Env) SharedEmptyOrder(ctx context.Context) int64 {
	return Share(e, "empty order", func() Order { return Order{ID: e.GivenEmptyOrder(ctx)} }).ID
}

// sharedRecord is a record as its creation was answered.
type sharedRecord struct{ *client.Answer }

// Moved implements Movable.
func (r sharedRecord) Moved(by int) sharedRecord { return sharedRecord{r.Answer.Moved(by)} }
