package stage

// Given families: several records that one list query finds, and no others.

import (
	"context"
	"maps"
	"strconv"

	. "shopcheck/suites/expect"
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

// GivenProductFamily makes n products whose names share one word.
func (s *Stage) GivenProductFamily(ctx context.Context, n int) Family {
	word := s.Word()
	family := Family{Query: Query{"search": word}}
	for range n {
		family.IDs = append(family.IDs, s.GivenProduct(ctx, With(Fields{"name": word + " " + s.Word()})).ID)
	}
	return family
}

// GivenOrderFamily makes n orders of one product that nobody else has bought.
func (s *Stage) GivenOrderFamily(ctx context.Context, n int) Family {
	product := s.GivenProduct(ctx)
	family := Family{Query: Query{"product": strconv.FormatInt(product.ID, 10)}}
	for range n {
		family.IDs = append(family.IDs, s.GivenOrderOf(ctx, product, 1).ID)
	}
	return family
}

// batchSize is how many records are made by one request. The contract sets no limit; this is below those in use.
const batchSize = 50

// GivenProductCrowd makes many products in few requests. What a batch answers is not documented, so their ids are
// not known.
func (s *Stage) GivenProductCrowd(ctx context.Context, n int) Family {
	word := s.Word()
	for left := n; left > 0; left -= batchSize {
		batch := make([]Fields, min(left, batchSize))
		for i := range batch {
			batch[i] = s.ProductBody(With(Fields{"name": word + " " + s.Word()}))
		}
		s.lab.Expect("products.batch.create", s.Products.Batch(ctx, Fields{"create": batch}), BeSuccess())
	}
	return Family{Query: Query{"search": word}}
}
