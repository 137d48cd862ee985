package contract

// Statements of "Errors", "Limits" and "Versioning".

import "shopcheck/reports"

const (
	sectionLimits     = "Limits"
	sectionVersioning = "Versioning"
)

func errorRequirements() []Requirement {
	g := &group{section: sectionErrors}
	g.list = ErrorEnvelope().Requirements()
	for _, code := range ErrorCodes() {
		g.list = append(g.list, code.requirement())
	}
	g.should("errors.status-repeated", "data.status equals the HTTP status.")
	g.should("errors.message-told", "The message of an error is not empty.")
	g.must("errors.not-found", "A record that does not exist is answered with 404.")
	g.observed("errors.unknown-route", "How an unknown route is answered.")
	g.observed("errors.missing-param", "The code of a missing required parameter.")
	g.must("errors.not-json", "A body that is not JSON is an invalid input: it is answered with 400, and changes nothing.")
	g.observed("errors.invalid-json", "The code of a body that is not JSON.")
	g.with(FeatureManagement, func() {
		g.must("errors.params", "rest_invalid_param names the parameters in data.params.")
		g.must("errors.resource-id", "A duplicate SKU names the other product in data.resource_id.")
	})
	g.with(FeatureStoreCart, func() {
		g.must("errors.cart-on-conflict", "A 409 answer holds the full cart in data.cart.")
		g.must("errors.missing-required", "A missing required parameter is answered with 400.")
	})
	g.with(FeatureStoreCheckout, func() {
		g.must("errors.address-params", "An invalid address names its fields in data.params.")
	})
	g.untestable(reports.Must, "errors.internal", "An internal error is answered with 500.",
		"a conforming service gives no way to make one happen")
	g.untestable(reports.Observed, "errors.no-content", "204 is used for deletes in the Store API.",
		"the documented cart operations have no DELETE")
	return g.list
}

func limitRequirements() []Requirement {
	g := &group{section: sectionLimits, feature: FeatureManagement}
	for _, c := range ManagementLists() {
		g.with(c.Feature, func() {
			g.must("limits.per-page-maximum."+c.ID, "No more than 100 "+c.ID+" come on one page.")
		})
	}
	g.observed("limits.per-page-over-maximum", "Whether more than 100 a page is refused or cut.")
	g.with(FeatureStoreProducts, func() {
		g.must("limits.store-per-page-default", "Store API products come 10 a page unless asked otherwise.")
		g.must("limits.store-per-page-maximum", "No more than 100 Store API products come on one page.")
		for _, root := range StoreRoots() {
			g.must("limits.store-per-page."+root, "No more than 10 "+root+" of the Store API come on a page unless asked otherwise, and "+
				"no more than 100.")
		}
	})
	g.untestable(reports.Must, "limits.no-rate-limit", "The service imposes no rate limit by default.",
		"a hosting provider may impose one, so its presence is no deviation")
	return g.list
}

func versioningRequirements() []Requirement {
	g := &group{section: sectionVersioning, feature: FeatureManagement}
	g.must("versioning.v3", "The namespace shop/v3 is served.")
	g.with(FeatureLegacyNamespaces, func() {
		g.must("versioning.v2", "The namespace shop/v2 is still served.")
		g.must("versioning.v1", "The namespace shop/v1 is still served.")
	})
	g.with(FeatureStoreCart, func() {
		g.must("versioning.store-v1", "The namespace shop/store/v1 is served.")
		g.must("versioning.store-unversioned", "A Store API address without a version is served as v1.")
	})
	return g.list
}
