package seed

// Reviews: they come after the orders, which tell who has bought what.

import (
	"cmp"
	"fmt"

	"shopcheck/mockserver/internal/shop"
)

func (l *loader) loadReviews() error {
	for _, review := range l.data.Reviews {
		id, known := l.products[review.Product]
		if !known {
			return fmt.Errorf("review by %s: there is no product %q", review.Author, review.Product)
		}
		if err := (&shop.Review{
			ProductID: id, Created: l.daysAgo(review.DaysAgo), Status: cmp.Or(review.Status, shop.ReviewApproved),
			Author: review.Author, Email: review.Email, Text: review.Text, Rating: int64(review.Rating),
		}).Create(l.Tx); err != nil {
			return fmt.Errorf("review by %s: %w", review.Author, err)
		}
	}
	return nil
}
