// Package topics lists the topics that a conformance run is made of.
package topics

import (
	_ "embed"
	"strings"

	"shopcheck/suites/spec"
	"shopcheck/suites/topics/auth"
	"shopcheck/suites/topics/batch"
	"shopcheck/suites/topics/cart"
	"shopcheck/suites/topics/catalogue"
	"shopcheck/suites/topics/checkout"
	"shopcheck/suites/topics/conventions"
	"shopcheck/suites/topics/customers"
	"shopcheck/suites/topics/errorcodes"
	"shopcheck/suites/topics/orderlookup"
	"shopcheck/suites/topics/orders"
	"shopcheck/suites/topics/orderstate"
	"shopcheck/suites/topics/pagination"
	"shopcheck/suites/topics/products"
	"shopcheck/suites/topics/versioning"
	"shopcheck/suites/topics/webhooks"
)

// All returns every topic, in the order of the contract.
func All() []spec.Topic {
	return []spec.Topic{
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

// reading lists the specs that send no writes, one id a line. A test finds them by running all where nothing may be written.
//
//go:embed reading.txt
var reading string

// Reading returns the ids of the specs that send no writes: those that run where the profile is read-only.
func Reading() []string { return strings.Fields(reading) }
