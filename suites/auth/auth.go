// Package auth is the topic of who may do what: API keys and their permissions in the management API, nonces and cart
// tokens in the Store API.
package auth

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("key", t.keys)
	Describe("permission", t.permissions)
	Describe("nonce", t.nonces)
	Describe("guard", t.guards)
	Describe("cart token", t.cartTokens)
}

// topic groups the specs of authentication around their environment.
type topic struct{ *Env }
