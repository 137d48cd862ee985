package storeapi_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// reviewed is a shop with reviews in every state.
func reviewed(t testing.TB) *store {
	t.Helper()
	s := open(t)
	s.Write(func(tx *shop.Tx) error {
		for i, r := range []shop.Review{
			{ProductID: s.goods.plain, Author: "Ann", Email: "ann@shopper.example", Text: "Warm.\nVery.", Rating: 4},
			{ProductID: s.goods.plain, Author: "Bob", Email: "bob@shopper.example", Text: "<p>Too warm.</p>", Rating: 1},
			{ProductID: s.goods.variable, Author: "Cat", Email: "cat@shopper.example", Text: "Fits.", Rating: 5},
			{ProductID: s.goods.plain, Author: "Dan", Email: "dan@shopper.example", Text: "Wait.", Rating: 5, Status: shop.ReviewHeld},
			{ProductID: s.goods.plain, Author: "Eve", Email: "eve@shopper.example", Text: "Buy pills.", Rating: 5, Status: shop.ReviewSpam},
			{ProductID: s.goods.draft, Author: "Fay", Email: "fay@shopper.example", Text: "Not out yet.", Rating: 5},
		} {
			r.Created = tx.Now.Add(time.Duration(i) * time.Hour)
			if err := r.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

func TestReviews(t *testing.T) {
	t.Parallel()
	s := reviewed(t)
	s.Get("/products/reviews?order=asc").Want(http.StatusOK).Has(
		"#", 3, "0.id", 1, "0.product_id", s.goods.plain, "0.product_name", "Plain coat", "0.product_permalink",
		"http://shop.test/product/plain-coat/",
		"0.product_image.src", "http://shop.test/pictures/coat.svg", "0.reviewer", "Ann", "0.rating", 4, "0.verified", false,
		"0.reviewer_avatar_urls.24", "http://shop.test/pictures/placeholder.svg?s=24", "2.product_image", nil,
		"0.date_created", s.Clock.Now().Format("2006-01-02T15:04:05"),
		"0.formatted_date_created", s.Clock.Now().Format("January 2, 2006"), "0.review", "<p>Warm.<br />\nVery.</p>\n",
		"1.review", "<p>Too warm.</p>",
	).HasNo("0.reviewer_email").HasHeader("X-Shop-Total", "3")
	s.Get(path("/products/%d", s.goods.plain)).Has("average_rating", "2.50", "review_count", 2)
}

func TestReviewLists(t *testing.T) {
	t.Parallel()
	s := reviewed(t)
	for query, want := range map[string][]int64{
		"": {3, 2, 1}, "order=asc": {1, 2, 3}, "orderby=rating": {3, 1, 2}, "orderby=id&order=asc": {1, 2, 3},
		"per_page=1&page=2": {2}, "orderby=product&order=asc": {1, 2, 3},
		path("product_id=%d", s.goods.plain):                             {2, 1},
		path("product_id=%d,%d&order=asc", s.goods.plain, s.goods.draft): {1, 2},
		path("product_id[]=%d", s.goods.variable):                        {3},
		path("category_id=%d", s.goods.clothing):                         {3, 2, 1},
		path("category_id=%d", s.goods.shirts):                           {3},
		"category_id=99999":                                              nil,
		"product_id=nonsense":                                            nil,
	} {
		t.Run(query, func(t *testing.T) {
			if got := ids(s.in(t).Get("/products/reviews?" + query).Want(http.StatusOK)); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	s.Get("/products/reviews?orderby=nope").Fails(http.StatusBadRequest, "rest_invalid_param")
}

func TestReviewsAreHiddenWhenTheShopHasNone(t *testing.T) {
	t.Parallel()
	s := reviewed(t)
	s.set("products", "shop_enable_reviews", "no")
	s.Get("/products/reviews").Want(http.StatusOK).HasHeader("X-Shop-Total", "0").Has("#", 0)
}
