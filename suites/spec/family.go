package spec

// Given families: several records that one list query finds, and no others.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

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

// ProductBodies are n create bodies of products, and the query that finds what is made of them.
func (e *Env) ProductBodies(_ context.Context, n int) ([]Fields, Query) {
	family := e.NewFamily()
	bodies := make([]Fields, n)
	for i := range bodies {
		bodies[i] = e.ProductBody(With(Fields{"name": family.Word() + " " + e.Word()}))
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
	bodies, query := e.ProductBodies(ctx, n)
	return e.givenFamily(ctx, e.Products, "products.create", bodies, query)
}

// GivenCustomerFamily makes n customers whose names share one word.
func (e *Env) GivenCustomerFamily(ctx context.Context, n int) Family {
	bodies, query := e.CustomerBodies(ctx, n)
	return e.givenFamily(ctx, e.Customers, "customers.create", bodies, query)
}

// givenFamily creates each record; a refusal breaks the requirement.
func (e *Env) givenFamily(ctx context.Context, records Resource, requirement string, bodies []Fields, query Query) Family {
	family := Family{Query: query}
	for _, body := range bodies {
		made := records.Create(ctx, body)
		e.run.Expect(requirement, made, BeSuccess())
		family.IDs = append(family.IDs, made.ID())
	}
	return family
}

// GivenOrderFamily makes n orders of one product that nobody else has bought: by the management API where it makes any, for
// that takes a single request for each.
func (e *Env) GivenOrderFamily(ctx context.Context, n int) Family {
	if e.run.Offers(contract.FeatureOrderCreate) {
		bodies, query := e.OrderBodies(ctx, n)
		return e.givenFamily(ctx, e.Orders, "orders.create", bodies, query)
	}
	product := e.GivenProduct(ctx)
	family := Family{Query: productQuery(product)}
	for range n {
		family.IDs = append(family.IDs, e.GivenPurchaseOf(ctx, product, 1).ID)
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
