// Package collection holds the specs that the documented collections of the management API have in common: how they are
// listed and sorted, which fields can be written and which cannot, what a batch does. A topic says what its collection is,
// and declares those that it wants.
package collection

import (
	"context"
	"time"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Collection is one collection of the management API, and how records are made for it.
type Collection struct {
	*Env
	contract.Collection                 // its ID starts the ids of the requirements: products.list.page
	Shape               *contract.Shape // of its records
	Resource            Resource
	Family              func(ctx context.Context, n int) Family            // a few records, whose ids are known
	Shared              func(ctx context.Context, n int) Family            // a Family that specs only list: made once for each n
	Crowd               func(ctx context.Context, n int) Family            // many records, in as few requests as can be
	Bodies              func(ctx context.Context, n int) ([]Fields, Query) // create bodies, and the query that finds the records
	Body                func(ctx context.Context) Fields                   // a create body
	Filled              func(ctx context.Context) Fields                   // values of a record that are no defaults
	Names               []string                                           // fields that Bodies set, to another text each
	Defaults            []string                                           // fields of which each record has the same unless it says so
	Coupons             func() Fields                                      // coupon lines, where a coupon is known; nil: it has none
	Creating            string                                             // the feature that creating by the management API takes
}

// Products is the collection of products.
func Products(env *Env) Collection {
	return shares(Collection{Env: env, Collection: contract.ProductList(), Shape: contract.Product(), Resource: env.Products,
		Family: env.GivenProductFamily, Crowd: env.GivenProductCrowd, Bodies: env.ProductBodies,
		Body: func(context.Context) Fields { return env.ProductBody() }, Filled: filledProduct(env),
		Names: []string{"name", "sku"},
		Defaults: []string{"type", "status", "featured", "catalog_visibility", "manage_stock", "stock_status", "sold_individually",
			"virtual", "downloadable"},
		Creating: contract.FeatureManagement})
}

// Orders is the collection of orders.
func Orders(env *Env) Collection {
	return shares(Collection{Env: env, Collection: contract.OrderList(), Shape: contract.Order(), Resource: env.Orders,
		Family: env.GivenOrderFamily, Crowd: env.GivenOrderFamily, Bodies: env.OrderBodies, Body: env.OneOrderBody,
		Filled: filledOrder(env), Coupons: couponLines(env),
		Defaults: []string{"status", "customer_id", "currency", "date_paid", "date_completed"}, Creating: contract.FeatureOrderCreate})
}

// Customers is the collection of customers.
func Customers(env *Env) Collection {
	return shares(Collection{Env: env, Collection: contract.CustomerList(), Shape: contract.Customer(), Resource: env.Customers,
		Family: env.GivenCustomerFamily, Crowd: env.GivenCustomerCrowd, Bodies: env.CustomerBodies,
		Body: func(context.Context) Fields { return env.CustomerBody(nil) }, Filled: filledCustomer(env),
		Names:    []string{"email", "username"},
		Defaults: []string{"role", "is_paying_customer"},
		Creating: contract.FeatureCustomers})
}

// Lists is the collection for lists of a Shared family.
func (c Collection) Lists() Resource { return c.Resource.Once() }

func shares(c Collection) Collection {
	c.Shared = func(ctx context.Context, n int) Family { return c.SharedFamily(ctx, c.ID, n, c.Family) }
	return c
}

// All are the collections whose parameters and batches are documented.
func All(env *Env) []Collection { return []Collection{Products(env), Orders(env), Customers(env)} }

// Around gives moments before and after a record was made, by the target's own clock and time zone: two days, or an hour where the
// record says that the clock shows UTC. Which zone lists are asked in is not documented.
func Around(record *client.Answer) (past, future string) {
	apart := 48 * time.Hour
	if created := record.Get("date_created").String(); record.Get("date_created_gmt").String() == created {
		apart = time.Hour
	}
	made := madeAt(record)
	return made.Add(-apart).Format(dateTime), made.Add(apart).Format(dateTime)
}

// AroundInUTC gives moments with their zone so far away from a record that they are before and after it in any zone.
func AroundInUTC(record *client.Answer) (past, future string) {
	made := madeAt(record)
	return made.AddDate(0, 0, -3).Format(time.RFC3339), made.AddDate(0, 0, 3).Format(time.RFC3339)
}

// dateTime is a date of ISO 8601 without its zone.
const dateTime = "2006-01-02T15:04:05"

// madeAt is when a record was made, by the target's own clock and time zone.
func madeAt(record *client.Answer) time.Time {
	text := record.Get("date_created").String()
	made, err := time.Parse(dateTime, text[:min(len(text), len(dateTime))])
	if err != nil {
		return time.Now().UTC()
	}
	return made
}

// OtherThan picks the first candidate that is not the value.
func OtherThan(value string, candidates ...string) string {
	for _, candidate := range candidates {
		if candidate != value {
			return candidate
		}
	}
	return ""
}
