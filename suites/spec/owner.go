package spec

import (
	"context"
	"strings"
)

// GivenOwner makes what the id in a path of the management API stands for: a product, a customer or an order.
func (e *Env) GivenOwner(ctx context.Context, path string) int64 {
	switch {
	case strings.HasSuffix(path, "/variations"):
		return e.GivenUnvaried(ctx).ID
	case strings.Contains(path, "/products"):
		return e.GivenProduct(ctx).ID
	case strings.Contains(path, "/customers"):
		return e.GivenCustomer(ctx)
	}
	return e.GivenEmptyOrder(ctx)
}

// SharedOwner is such a record for an operation that only reads.
func (e *Env) SharedOwner(ctx context.Context, path string) int64 {
	switch {
	case strings.HasSuffix(path, "/variations"):
		return e.SharedVariable(ctx).ID
	case strings.Contains(path, "/products"):
		return e.SharedProduct(ctx).ID
	case strings.Contains(path, "/customers"):
		return e.SharedCustomer(ctx).ID()
	}
	return e.SharedEmptyOrder(ctx)
}
