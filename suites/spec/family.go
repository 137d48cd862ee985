package spec

// Given families: several records that one list query finds, and no others.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shopcheck/suites/contract"
)

// UnknownID is an id that no shop has come to.
const UnknownID = 999_999_999

// Family is a set of records that a list can be narrowed to.
type Family struct {
	IDs   []int64 // in the order in which they were made
	Query Query   // finds them, and nothing else
}

// Narrowed is the family's query with more parameters.
func (f Family) Narrowed(more Query) Query {
	query := maps.Clone(f.Query)
	maps.Copy(query, more)
	return query
}

// NewFamily is a family that has no members yet: a list is narrowed to it by a word that its members carry.
func (e *Env) NewFamily() Family { return Family{Query: Query{"search": e.Word()}} }

// Word is what the members of a family carry, where they are found by a word.
func (f Family) Word() string { return f.Query["search"] }

// ProductBodies are n create bodies of products, and the query that finds what is made of them. By name, slug and SKU they sort in the
// reverse of the order in which they are created, so that a list by one of these is none by id.
func (e *Env) ProductBodies(_ context.Context, n int) ([]Fields, Query) {
	family := e.NewFamily()
	bodies := make([]Fields, n)
	for i := range slices.Backward(bodies) {
		bodies[i] = e.ProductBody(With(Fields{"name": family.Word() + " " + e.Unique("shopcheck")}))
	}
	return bodies, family.Query
}

// OrderBodies are n create bodies of orders, and the query that finds what is made of them: they are about a product
// that nobody else has bought.
func (e *Env) OrderBodies(ctx context.Context, n int) ([]Fields, Query) {
	product := e.GivenProduct(ctx)
	bodies := make([]Fields, n)
	for i := range bodies {
		bodies[i] = e.OrderBody(product, 1)
	}
	return bodies, productQuery(product)
}

// OneOrderBody is the create body of an order of a shared product.
func (e *Env) OneOrderBody(ctx context.Context) Fields { return e.OrderBody(e.SharedProduct(ctx), 1) }

// productQuery finds the orders of a product.
func productQuery(p Product) Query { return Query{"product": strconv.FormatInt(p.ID, 10)} }

// CustomerBodies are n create bodies of customers, and the query that finds what is made of them. By every kind of name
// they sort in the reverse of the order in which they are created.
func (e *Env) CustomerBodies(_ context.Context, n int) ([]Fields, Query) {
	family := e.NewFamily()
	bodies := make([]Fields, n)
	for i := range bodies {
		bodies[i] = Named(fmt.Sprintf("%s%03d", family.Word(), n-i))
	}
	return bodies, family.Query
}

// GivenProductFamily makes n products whose names share one word.
func (e *Env) GivenProductFamily(ctx context.Context, n int) Family {
	return e.namedFamily(ctx, e.Products, "products.create", n, e.ProductBodies, "name")
}

// GivenCustomerFamily makes n customers whose names share one word.
func (e *Env) GivenCustomerFamily(ctx context.Context, n int) Family {
	return e.namedFamily(ctx, e.Customers, "customers.create", n, e.CustomerBodies, "username")
}

// namedFamily is a family that is found by the first word of a field.
func (e *Env) namedFamily(ctx context.Context, records Resource, requirement string, n int,
	bodiesOf func(context.Context, int) ([]Fields, Query), field string) Family {
	if n == 1 {
		one := e.given(ctx, records, requirement, "family", func() Fields {
			bodies, _ := bodiesOf(ctx, 1)
			return bodies[0]
		})
		name, _ := one.Body[field].(string)
		return Family{IDs: []int64{one.ID()}, Query: Query{"search": strings.Fields(name)[0]}}
	}
	return e.givenFamily(ctx, records, requirement, func() ([]Fields, Query) { return bodiesOf(ctx, n) })
}

func (e *Env) givenFamily(ctx context.Context, records Resource, requirement string, bodiesOf func() ([]Fields, Query)) Family {
	var family Family
	for _, made := range e.givenSome(ctx, records, requirement, func() (bodies []Fields) {
		bodies, family.Query = bodiesOf()
		return bodies
	}) {
		family.IDs = append(family.IDs, made.ID())
	}
	return family
}

// ProductFamily is a family of products that differ in more than their names.
type ProductFamily struct {
	Family
	Products []Product // in the order in which they were made
}

// Moved implements Movable.
func (f ProductFamily) Moved(by int) ProductFamily {
	moved := ProductFamily{Family: f.Family}
	for _, p := range f.Products {
		moved.Products = append(moved.Products, p.Moved(by))
	}
	return moved
}

// GivenProductFamilyOf makes products with these fields that are one family: its word stands before each name and slug.
func (e *Env) GivenProductFamilyOf(ctx context.Context, products []Fields) ProductFamily {
	var family ProductFamily
	for _, made := range e.givenSome(ctx, e.Products, "products.create", func() (bodies []Fields) {
		bodies, family.Query = e.ProductBodies(ctx, len(products))
		for i, body := range bodies {
			With(products[i])(body)
			if name, given := products[i]["name"]; given {
				body["name"] = fmt.Sprint(family.Word(), " ", name)
			}
			if slug, given := products[i]["slug"]; given {
				body["slug"] = fmt.Sprint(family.Word(), slug)
			}
		}
		return bodies
	}) {
		product := productOf(made)
		family.Products, family.IDs = append(family.Products, product), append(family.IDs, product.ID)
	}
	return family
}

// GivenOrderFamily makes n orders of one product that nobody else has bought: by the management API where it makes any, for
// that takes a single request for each.
func (e *Env) GivenOrderFamily(ctx context.Context, n int) Family {
	if e.run.Offers(contract.FeatureOrderCreate) {
		return e.givenFamily(ctx, e.Orders, "orders.create", func() ([]Fields, Query) { return e.OrderBodies(ctx, n) })
	}
	product := e.GivenProduct(ctx)
	family := Family{Query: productQuery(product)}
	for range n {
		family.IDs = append(family.IDs, e.GivenPurchaseOf(ctx, product, 1).ID)
	}
	return family
}

// GivenOrdersIn makes an order in each status, all of one product that nobody else has bought.
func (e *Env) GivenOrdersIn(ctx context.Context, statuses ...string) Family {
	if !e.run.Offers(contract.FeatureOrderCreate) {
		family := e.GivenOrderFamily(ctx, len(statuses))
		for i, id := range family.IDs {
			e.Orders.Update(ctx, id, Fields{"status": statuses[i]})
		}
		return family
	}
	var family Family
	for i, made := range e.givenSome(ctx, e.Orders, "orders.create", func() (bodies []Fields) {
		bodies, family.Query = e.OrderBodies(ctx, len(statuses))
		for i, body := range bodies {
			body["status"] = statuses[i]
		}
		return bodies
	}) {
		if made.Get("status").String() != statuses[i] { // it need not be what a new order has
			e.Orders.Update(ctx, made.ID(), Fields{"status": statuses[i]})
		}
		family.IDs = append(family.IDs, made.ID())
	}
	return family
}

// batchSize is how many records are made by one request. The contract sets no limit; this is below those in use.
const batchSize = 50

// GivenProductCrowd makes many products in few requests. What a batch answers is not documented, so their ids are
// not known.
func (e *Env) GivenProductCrowd(ctx context.Context, n int) Family {
	bodies, query := e.ProductBodies(ctx, n)
	return e.givenCrowd(ctx, e.Products, "products.batch.create", bodies, query)
}

// GivenCustomerCrowd makes many customers in few requests; their ids are not known either.
func (e *Env) GivenCustomerCrowd(ctx context.Context, n int) Family {
	bodies, query := e.CustomerBodies(ctx, n)
	return e.givenCrowd(ctx, e.Customers, "customers.batch.create", bodies, query)
}

func (e *Env) givenCrowd(ctx context.Context, records Resource, requirement string, bodies []Fields, query Query) Family {
	for some := range slices.Chunk(bodies, batchSize) {
		e.run.Expect(requirement, records.Batch(ctx, Fields{"create": some}), BeSuccess())
	}
	return Family{Query: query}
}
