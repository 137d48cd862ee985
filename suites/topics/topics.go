// Package topics lists the topics that a conformance run is made of.
package topics

import (
	"shopcheck/suites"
	"shopcheck/suites/cart"
	"shopcheck/suites/products"
)

// All returns every topic, in the order of the contract.
func All() []suites.Topic {
	return []suites.Topic{
		{Name: "products", Register: products.Register},
		{Name: "cart", Register: cart.Register},
	}
}
