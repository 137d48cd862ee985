package contract

// Statements about who may do what: API keys and their permissions, nonces and cart tokens.

import (
	"slices"

	"shopcheck/reports"
)

const (
	sectionAuthManagement = "Authentication / Management API"
	sectionAuthStore      = "Authentication / Store API"
)

func authRequirements() []Requirement {
	return slices.Concat(keyRequirements(), permissionRequirements(), signInRequirements(), nonceRequirements())
}

func keyRequirements() []Requirement {
	g := &group{section: sectionAuthManagement, feature: FeatureManagement}
	g.must("auth.none", "A request without credentials is refused.")
	g.must("auth.basic", "An API key authenticates by HTTP Basic.")
	g.must("auth.query", "An API key authenticates by consumer_key and consumer_secret in the query.")
	g.must("auth.wrong-secret", "A wrong consumer secret is answered with 401.")
	g.must("auth.wrong-secret-query", "A wrong consumer secret in the query is answered with 401.")
	g.must("auth.unknown-key", "An unknown consumer key is answered with 401.")
	g.must("auth.revoked", "A revoked key is answered with 401.")
	g.must("auth.read-reads", "A key with Read permission may read.")
	g.must("auth.read-cannot-create", "A key with Read permission that creates is answered with 403.")
	g.must("auth.read-cannot-update", "A key with Read permission that updates is answered with 403.")
	g.must("auth.read-cannot-delete", "A key with Read permission that deletes is answered with 403.")
	g.must("auth.write-writes", "A key with Write permission may write.")
	g.must("auth.write-cannot-read", "A key with Write permission that reads is answered with 403.")
	g.must("auth.read-write", "A key with Read/Write permission may do both.")
	g.must("auth.refused-changes-nothing", "A refused request changes nothing.")
	g.observed("auth.error-bodies", "The bodies of 401 and 403 answers.")
	g.observed("auth.basic-over-http", "Whether Basic works over plain HTTP.")
	g.untestable(reports.Must, "auth.secret-once", "A consumer secret is shown once only.",
		"keys are made in the store's admin area, which is no part of the APIs")
	g.untestable(reports.Must, "auth.key-owner", "A key has a description, an owning user and a permission.",
		"keys are made in the store's admin area, which is no part of the APIs")
	return g.list
}

func nonceRequirements() []Requirement {
	g := &group{section: sectionAuthStore, feature: FeatureStoreCart}
	g.must("nonce.on-cart", "Every cart answer carries a Nonce header.")
	g.must("nonce.newest-works", "A cart write with the newest nonce is accepted.")
	g.must("nonce.missing", "A cart write with neither nonce nor cart token is refused.")
	g.must("nonce.invalid", "A cart write with an invalid nonce is answered with 403.")
	g.must("nonce.retry", "After an invalid nonce, a new one from a GET is accepted.")
	g.must("nonce.on-refusals", "A refused cart write carries a Nonce header too.")
	g.must("nonce.needed.batch", "A batch of cart writes needs a nonce or a cart token: without them none is done.")
	g.observed("nonce.stale", "Whether an older nonce is still accepted.")
	g.must("nonce.read-needs-none", "Reading the cart needs no nonce.")
	g.must("carttoken.issued", "Cart answers carry a Cart-Token header.")
	g.must("carttoken.replaces-nonce", "With a cart token, writes need no nonce.")
	g.must("carttoken.session", "A cart token leads to its own cart.")
	g.must("carttoken.sessions-separate", "Carts of different tokens do not touch.")
	g.observed("carttoken.jwt", "Whether a cart token has the form of a JWT.")
	g.observed("session.cookies", "Whether cookies keep the session.")
	for _, op := range CartWrites() {
		g.must("nonce.needed."+op, op+" needs a nonce or a cart token.")
	}
	g.should("nonce.on-batch", "The answer to a batch of cart requests carries a Nonce header.")
	g.with(FeatureStoreCheckout, func() {
		g.should("nonce.on-order-lookup", "An order that is looked up comes with a Nonce header.")
		g.must("nonce.on-checkout", "Every checkout answer carries a Nonce header.")
		for _, method := range []string{"get", "put", "post"} {
			g.must("nonce.needed.checkout-"+method, "Checkout by "+method+" needs a nonce or a cart token.")
		}
	})
	g.with(FeatureStoreProducts, func() {
		g.should("nonce.on-products", "Other Store API answers carry a Nonce header.")
	})
	g.untestable(reports.Must, "nonce.lifetime", "A nonce expires after 12 to 24 hours.",
		"a run does not last for half a day")
	return g.list
}

// CartWrites are the cart operations that need a nonce or a cart token, as the last segment of their path.
func CartWrites() []string {
	return []string{"add-item", "update-item", "remove-item", "apply-coupon", "remove-coupon", "update-customer", "select-shipping-rate"}
}
