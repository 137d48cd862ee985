// Package errorcodes is the topic of errors: the form of their bodies, and each code of the contract's table under its
// condition.
package errorcodes

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("envelope", t.envelope)
	Describe("management", t.management)
	Describe("customers", t.customers)
	Describe("cart", t.cart)
	Describe("checkout", t.checkout)
}

// topic groups the specs of errors around their environment.
type topic struct{ *Env }
