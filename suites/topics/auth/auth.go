// Package auth is the topic of who may do what: the ways to sign in to the management API and the permissions of its
// keys, nonces and cart tokens in the Store API.
package auth

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("key", t.keys)
	Describe("permission", t.permissions)
	Describe("permission matrix", t.matrix)
	Describe("signature", t.signed)
	Describe("signature", t.signingHabits)
	Describe("login", t.login)
	Describe("capabilities", t.capabilities)
	Describe("token", t.tokens)
	Describe("nonce", t.nonces)
	Describe("guard", t.guards)
	Describe("cart token", t.cartTokens)
}

// topic groups the specs of authentication around their environment.
type topic struct{ *Env }
