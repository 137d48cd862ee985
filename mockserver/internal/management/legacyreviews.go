package management

import (
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Reviews as the legacy versions have them: below their product, with other names for the author.
var (
	v2Reviews = productReviews("id date_created date_created_gmt review rating name email verified")
	v1Reviews = productReviews("id date_created review rating name email verified")
)

func productReviews(names string) *rest.Resource[review] {
	res := recorded(reviews, rest.Lazily(func() *rest.Record[review] {
		return reviewFields.Pick([]rest.Field[review]{
			rest.Text("name", func(r *review) *string { return &r.Author }, rest.Required, rest.About("Name of the author.")),
			rest.Text("email", func(r *review) *string { return &r.Email }, rest.Required, rest.As(rest.Email)),
		}, strings.Fields(names)...)
	}))
	res.Path = "/products/{product_id:[0-9]+}/reviews"
	res.Filters = nil
	res.Select = selectProductReviews
	res.Find = rest.ByID(findProductReview)
	res.New = func(tx *shop.Tx, r *rest.Request) (*review, error) {
		_, err := tx.Product(r.ID("product_id"))
		return &review{ProductID: r.ID("product_id")}, err
	}
	return res
}

func selectProductReviews(v shop.View, r *rest.Request) ([]*review, int, error) {
	if _, err := v.Product(r.ID("product_id")); err != nil {
		return nil, 0, err
	}
	return listed(r, &v.Reviews, shop.Reviews.ByDate, []state.Condition[*review]{
		shop.Reviews.Product.Is(rest.IDText(r.ID("product_id"))), shop.Reviews.Status.Is(shop.ReviewApproved),
	})
}

func findProductReview(v shop.View, r *rest.Request, id int64) (*review, error) {
	if _, err := v.Product(r.ID("product_id")); err != nil {
		return nil, err
	}
	found, err := v.ReviewByID(id)
	if err == nil && found.ProductID != r.ID("product_id") {
		return nil, shop.Faultf(shop.NoSuchReview, "Product %d has no review %d.", r.ID("product_id"), id)
	}
	return found, err
}
