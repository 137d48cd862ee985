package seed

// Reviews: they come after the orders, which tell who has bought what.

import (
	"cmp"
	"fmt"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

func (l *loader) loadReviews() error {
	return each(l.data, "reviews", "review by", l.data.Reviews, func(r *fixtures.Review) string { return r.Author },
		func(_ int, review *fixtures.Review) error {
			id, known := l.products[review.Product]
			if !known {
				return fmt.Errorf("there is no product %q", review.Product)
			}
			return (&shop.Review{
				ProductID: id, Created: l.daysAgo(review.DaysAgo), Status: cmp.Or(review.Status, shop.ReviewApproved),
				Author: review.Author, Email: review.Email, Text: review.Text, Rating: int64(review.Rating),
			}).Create(l.Tx)
		})
}
