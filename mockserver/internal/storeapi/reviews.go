package storeapi

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Reviews (contract, "Store API: product endpoints"): the approved ones, of products that customers may see.

// reviewWire is a review. The author's e-mail address is nobody else's business.
type reviewWire struct {
	ID               int64             `json:"id"`
	Created          string            `json:"date_created"`
	FormattedCreated string            `json:"formatted_date_created"`
	CreatedGMT       string            `json:"date_created_gmt"`
	ProductID        int64             `json:"product_id"`
	ProductName      string            `json:"product_name"`
	ProductPermalink string            `json:"product_permalink"`
	ProductImage     *imageWire        `json:"product_image"`
	Reviewer         string            `json:"reviewer"`
	Review           string            `json:"review"`
	Rating           int64             `json:"rating"`
	Verified         bool              `json:"verified"`
	AvatarURLs       map[string]string `json:"reviewer_avatar_urls"`
}

// authorPicture is the picture of every author.
const authorPicture = "/pictures/placeholder.svg"

// dateForPeople is how a day is written out.
const dateForPeople = "January 2, 2006"

func (s *scene) review(r *shop.Review) any {
	created := r.Created.Format(rest.Layout)
	wire := &reviewWire{
		ID: r.ID, Created: created, FormattedCreated: r.Created.Format(dateForPeople), CreatedGMT: created, ProductID: r.ProductID,
		Reviewer: r.Author, Review: shop.Paragraphs(r.Text), Rating: r.Rating, Verified: r.Verified, AvatarURLs: map[string]string{},
	}
	for _, size := range []string{"24", "48", "96"} {
		wire.AvatarURLs[size] = s.site.Absolute(authorPicture) + "?s=" + size
	}
	if p, known := s.Products.Get(r.ProductID); known {
		wire.ProductName, wire.ProductPermalink = p.Name, s.productLink(p)
		if len(p.Images) > 0 {
			picture := s.image(p.Images[0])
			wire.ProductImage = &picture
		}
	}
	return wire
}

func reviewEndpoints() []rest.Endpoint {
	return []rest.Endpoint{listing[*shop.Review]{"/products/reviews", reviewFilters, findReviews, (*scene).review}.endpoint()}
}

var reviewFilters = []rest.Param{
	{Name: "product_id", Type: rest.String | rest.Array, Description: "Ids of products, with commas."},
	{Name: "category_id", Type: rest.String | rest.Array, Description: "Ids of categories, with commas."},
	ordered("desc"),
	{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "date_gmt", "id", "rating", "product"}},
}

// reviewOrders are the orderings of reviews; by id is the order of the table.
var reviewOrders = map[string]*state.Ordered[*shop.Review]{
	"date": shop.Reviews.ByDate, "date_gmt": shop.Reviews.ByDate, "rating": shop.Reviews.ByRating, "product": shop.Reviews.ByProduct,
}

func findReviews(s *scene, r *rest.Request) ([]*shop.Review, int, error) {
	if !s.Config.ReviewsEnabled {
		return nil, 0, nil
	}
	where := []state.Condition[*shop.Review]{shop.Reviews.Status.Is(shop.ReviewApproved), state.Match(s.shownReview)}
	if products := textsOf(r.Args, "product_id"); len(products) > 0 {
		where = append(where, shop.Reviews.Product.Is(products...))
	}
	if categories := textsOf(r.Args, "category_id"); len(categories) > 0 {
		where = append(where, state.Match(func(review *shop.Review) bool { return s.inAny(review.ProductID, categories) }))
	}
	rows, total := rest.Select(r, &s.Reviews, reviewOrders[r.Args.String("orderby")], where)
	return rows, total, nil
}

// shownReview says whether customers may see the product of a review.
func (s *scene) shownReview(r *shop.Review) bool {
	p, known := s.Products.Get(r.ProductID)
	return known && s.published(p)
}

// inAny says whether a product is in one of the categories, or below.
func (s *scene) inAny(productID int64, categories []string) bool {
	p, known := s.Products.Get(productID)
	if !known {
		return false
	}
	for _, category := range categories {
		for _, id := range s.Branch(category) {
			if slices.Contains(idTexts(p.CategoryIDs), id) {
				return true
			}
		}
	}
	return false
}
