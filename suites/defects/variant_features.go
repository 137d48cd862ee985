package defects

// Variants without a feature that a shop need not have: what is about it is not applicable, and nothing else is missed.

import (
	"net/http"
	"strings"

	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

func featureVariants() []Variant {
	routes := func(test func(path string) bool) match {
		return func(r *http.Request) bool { return test(r.URL.Path) }
	}
	begins := func(prefixes ...string) match { return below(prefixes...) }
	return []Variant{
		{ID: "fair.no-legacy-namespaces", What: "There is no shop/v2 and no shop/v1.", absent: []string{contract.FeatureLegacyNamespaces},
			bend: noRoute(begins("/shop/v2", "/shop/v1"))},
		{ID: "fair.no-rest-route", What: "Addresses have no form with rest_route.", absent: []string{contract.FeatureRestRoute},
			bend: noRoute(func(r *http.Request) bool { return r.URL.Query().Has("rest_route") })},
		{ID: "fair.no-coupons", What: "The shop takes no coupons.", absent: []string{contract.FeatureCoupons},
			prepare: setTo("general/shop_enable_coupons", "no"), adapt: func(p *profile.Profile) { p.Coupon = profile.Coupon{} }},
		{ID: "fair.no-customers", What: "There are no customers in the management API.", absent: []string{contract.FeatureCustomers},
			bend: noRoute(routes(func(path string) bool { return strings.Contains(path, "/customers") }))},
		{ID: "fair.no-order-create", What: "Orders come from the checkout only.", absent: []string{contract.FeatureOrderCreate},
			bend: noRoute(func(r *http.Request) bool {
				posts := r.Method == http.MethodPost || r.Method == http.MethodOptions
				return posts && strings.HasPrefix(r.URL.Path, "/shop/v") &&
					strings.HasSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/orders")
			})},
		{ID: "fair.no-checkout", What: "The Store API ends with the cart.", absent: []string{contract.FeatureStoreCheckout},
			bend: noRoute(routes(func(path string) bool {
				return strings.HasPrefix(path, "/shop/store") && (strings.Contains(path, "/checkout") || strings.Contains(path, "/order/"))
			}))},
		{ID: "fair.management-only", What: "There is no Store API.",
			absent: []string{contract.FeatureStoreProducts, contract.FeatureStoreCart, contract.FeatureStoreCheckout},
			bend:   noRoute(begins("/shop/store"))},
	}
}

// noRoute answers as a shop does where nothing is.
func noRoute(when match) bend {
	return instead(when, func(http.Handler, *http.Request) *answer {
		return newAnswer(http.StatusNotFound, map[string]any{"code": "rest_no_route",
			"message": "No route was found matching the URL and request method.", "data": map[string]any{"status": http.StatusNotFound}})
	})
}
