package storeapi

import "shopcheck/mockserver/rest"

// Reviews (contract, "Store API: product endpoints"). This shop keeps what customers gave with each product, as
// average_rating and review_count, and no review as a record of its own: the list is there, and holds none.

func reviewEndpoints() []rest.Endpoint {
	return []rest.Endpoint{listing[struct{}]{"/products/reviews", reviewFilters, findReviews, func(*scene, struct{}) any { return nil }}.endpoint()}
}

var reviewFilters = []rest.Param{
	{Name: "product_id", Type: rest.String, Description: "Ids of products, with commas."},
	{Name: "category_id", Type: rest.String, Description: "Ids of categories, with commas."},
	ordered("desc"),
	{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "date_gmt", "id", "rating", "product"}},
}

func findReviews(*scene, *rest.Request) ([]struct{}, int, error) { return nil, 0, nil }
