// Package topics lists the topics that a conformance run is made of.
package topics

import (
	"shopcheck/suites"
	"shopcheck/suites/auth"
	"shopcheck/suites/batch"
	"shopcheck/suites/cart"
	"shopcheck/suites/catalogue"
	"shopcheck/suites/checkout"
	"shopcheck/suites/conventions"
	"shopcheck/suites/customers"
	"shopcheck/suites/errorcodes"
	"shopcheck/suites/orderlookup"
	"shopcheck/suites/orders"
	"shopcheck/suites/orderstate"
	"shopcheck/suites/pagination"
	"shopcheck/suites/products"
	"shopcheck/suites/versioning"
	"shopcheck/suites/webhooks"
)

// All returns every topic, in the order of the contract.
func All() []suites.Topic {
	return []suites.Topic{
		{Name: "conventions", Register: conventions.Register},
		{Name: "products", Register: products.Register},
		{Name: "orders", Register: orders.Register},
		{Name: "orderstate", Register: orderstate.Register},
		{Name: "customers", Register: customers.Register},
		{Name: "batch", Register: batch.Register},
		{Name: "pagination", Register: pagination.Register},
		{Name: "cart", Register: cart.Register},
		{Name: "checkout", Register: checkout.Register},
		{Name: "orderlookup", Register: orderlookup.Register},
		{Name: "catalogue", Register: catalogue.Register},
		{Name: "auth", Register: auth.Register},
		{Name: "webhooks", Register: webhooks.Register},
		{Name: "errorcodes", Register: errorcodes.Register},
		{Name: "versioning", Register: versioning.Register},
	}
}
