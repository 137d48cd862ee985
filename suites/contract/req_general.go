package contract

// Statements of "What the service does".

import "shopcheck/reports"

const sectionGeneral = "What the service does"

func generalRequirements() []Requirement {
	g := &group{section: sectionGeneral}
	g.must("general.json-answers", "Answers with a body are JSON and say so in Content-Type.")
	g.with(FeatureManagement, func() {
		g.must("general.json-requests", "The management API takes JSON request bodies.")
		g.must("general.texts", "Texts come back as they were sent, in letters of any script.")
		g.must("general.dates", "Dates are ISO 8601 strings.")
		g.must("general.management-money", "Money in the management API is a string in decimal currency units.")
		g.must("general.authenticated", "Every management API request must be authenticated.")
		g.must("general.collections-are-arrays", "Collections are returned as JSON arrays.")
		g.must("general.method-get", "GET retrieves.")
		g.must("general.method-post", "POST creates.")
		g.must("general.method-put", "PUT updates.")
		g.must("general.method-delete", "DELETE removes.")
		g.must("general.method-options", "OPTIONS tells about an endpoint.")
	})
	g.with(FeatureStoreCart, func() {
		g.must("general.store-money", "Money in the Store API is a string in the currency's smallest unit.")
		g.must("general.store-own-session", "The Store API changes the cart of the current session only.")
		g.must("general.cart-inputs-query", "Cart operations take their inputs as query parameters too.")
	})
	g.with(FeatureStoreProducts, func() {
		g.must("general.store-public", "Store API reads of products need no authentication.")
		g.must("general.store-collections-are-arrays", "Store API collections are returned as JSON arrays.")
	})
	g.with(FeatureRestRoute, func() {
		g.must("general.rest-route", "/?rest_route=/shop/v3/products answers as the path does.")
		g.should("general.rest-route-store", "The rest_route form reaches the Store API too.")
	})
	g.with(FeatureManagement, func() {
		for _, root := range NamedRoots() {
			g.should("general.root."+root, "The collection root /shop/v3/"+root+" answers 200 with JSON.")
		}
	})
	g.untestable(reports.Should, "general.https", "HTTPS is used for everything.",
		"a property of the deployment's address, not of its answers")
	g.with(FeatureManagement, func() {
		g.untestable(reports.Must, "general.https-basic", "API keys by Basic authentication need HTTPS.",
			"whether the TLS ends at a proxy in front cannot be seen from outside")
	})
	return g.list
}

// NamedRoots are the collection roots of the management API that the contract names without their payloads.
func NamedRoots() []string { return []string{"coupons", "reports", "settings", "shipping", "taxes"} }
