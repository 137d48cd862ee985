package contract

// Statements about the Store API's product endpoints.

func storeProductRequirements() []Requirement {
	g := &group{section: sectionStoreProduct, feature: FeatureStoreProducts}
	g.list = StoreProduct().Requirements()
	g.must("catalogue.products.list", "GET products lists published products.")
	g.must("catalogue.products.search", "The Store API searches products.")
	g.must("catalogue.products.no-authentication", "Reads need no authentication.")
	g.should("catalogue.products.shape", "A listed product has the fields of the sample record.")
	g.must("catalogue.products.prices", "prices are the product's prices in the smallest currency unit.")
	g.must("catalogue.products.one-record", "A product is the same in lists as under its id, and shows its name, slug, type, "+
		"SKU and pictures.")
	g.observed("catalogue.products.unpublished-hidden", "Whether a visitor is shown what is not published.")
	g.should("catalogue.products.retrieve", "GET products/{id} answers one product.")
	g.should("catalogue.products.unknown-code", "A product that does not exist is answered with the code that says so.")
	for _, root := range StoreRoots() {
		g.should("catalogue."+root, "The root /shop/store/v1/products/"+root+" answers 200 with a JSON array.")
		g.should("catalogue."+root+".per-page", "The root /shop/store/v1/products/"+root+" shows no more records than per_page asks for.")
		g.should("catalogue."+root+".page", "Each page of /shop/store/v1/products/"+root+" shows other records.")
	}
	g.should("catalogue.categories.list", "The root /shop/store/v1/products/categories lists the categories of published products.")
	g.should("catalogue.attributes.list", "The root /shop/store/v1/products/attributes lists the attributes of published products.")
	g.must("catalogue.read-only", "The Store API changes no product.")
	return g.list
}

// StoreRoots are the collection roots below the Store API's products whose records the contract does not show.
func StoreRoots() []string { return []string{"categories", "attributes", "reviews"} }
