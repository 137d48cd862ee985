package storeapi

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Reviews (contract, "Store API: product endpoints"): the approved ones, of products that customers may see.

// reviews do not tell the author's e-mail address: that is nobody else's business.
var reviews = &rest.Resource[shop.Review]{
	Path: "/products/reviews", Title: "product_review", Public: true, NoLinks: true,
	Record:  reviewRecord,
	Filters: reviewFilters,
	Select:  findReviews,
}

var reviewRecord = rest.Lazily(func() *rest.Record[shop.Review] {
	return rest.Shown(fields(
		rest.Int("id", func(r *shop.Review) *int64 { return &r.ID }),
		rest.TextOf("date_created", func(_ *rest.Encoding, r *shop.Review) string { return r.Created.Format(rest.Layout) }),
		rest.TextOf("formatted_date_created", func(_ *rest.Encoding, r *shop.Review) string { return r.Created.Format(dateForPeople) }),
		rest.TextOf("date_created_gmt", func(_ *rest.Encoding, r *shop.Review) string { return r.Created.Format(rest.Layout) }),
		rest.Int("product_id", func(r *shop.Review) *int64 { return &r.ProductID }),
		rest.TextOf("product_name", ofReviewed(func(_ *rest.Encoding, p *product) string { return p.Name })),
		rest.TextOf("product_permalink", ofReviewed(productLink)),
		rest.NestedOf("product_image", ofReviewed(mainPicture), imageRecord, rest.OrNull),
		rest.Text("reviewer", func(r *shop.Review) *string { return &r.Author }),
		rest.TextOf("review", func(_ *rest.Encoding, r *shop.Review) string { return shop.Paragraphs(r.Text) }),
		rest.Int("rating", func(r *shop.Review) *int64 { return &r.Rating }),
		rest.Flag("verified", func(r *shop.Review) *bool { return &r.Verified }),
		rest.AvatarURLs[shop.Review](),
	))
})

// dateForPeople is how a day is written out.
const dateForPeople = "January 2, 2006"

// ofReviewed shows something of the product of a review; nothing if that is gone.
func ofReviewed[V any](of func(*rest.Encoding, *product) V) func(*rest.Encoding, *shop.Review) V {
	return func(e *rest.Encoding, r *shop.Review) (none V) {
		if p, known := e.Products.Get(r.ProductID); known {
			return of(e, p)
		}
		return none
	}
}

func mainPicture(_ *rest.Encoding, p *product) *shop.Image {
	if len(p.Images) == 0 {
		return nil
	}
	return &p.Images[0]
}

func reviewFilters() []rest.Param {
	return []rest.Param{
		{Name: "product_id", Type: rest.String | rest.Array, Description: "Ids of products, with commas."},
		{Name: "category_id", Type: rest.String | rest.Array, Description: "Ids of categories, with commas."},
		rest.Direction("desc"),
		{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "date_gmt", "id", "rating", "product"}},
	}
}

// reviewOrders are the orderings of reviews; by id is the order of the table.
var reviewOrders = map[string]*state.Ordered[*shop.Review]{
	"date": shop.Reviews.ByDate, "date_gmt": shop.Reviews.ByDate, "rating": shop.Reviews.ByRating, "product": shop.Reviews.ByProduct,
}

func findReviews(v shop.View, r *rest.Request) ([]*shop.Review, int, error) {
	if !v.Config.ReviewsEnabled {
		return nil, 0, nil
	}
	where := []state.Condition[*shop.Review]{shop.Reviews.Status.Is(shop.ReviewApproved),
		state.Match(func(review *shop.Review) bool { return shownReview(v, review) })}
	if products := textsOf(r.Args, "product_id"); len(products) > 0 {
		where = append(where, shop.Reviews.Product.Is(products...))
	}
	if categories := textsOf(r.Args, "category_id"); len(categories) > 0 {
		where = append(where, state.Match(func(review *shop.Review) bool { return inAny(v, review.ProductID, categories) }))
	}
	rows, total := rest.Select(r, &v.Reviews, reviewOrders[r.Args.String("orderby")], where)
	return rows, total, nil
}

// shownReview says whether customers may see the product of a review.
func shownReview(v shop.View, r *shop.Review) bool {
	p, known := v.Products.Get(r.ProductID)
	return known && published(v, p)
}

// inAny says whether a product is in one of the categories, or below.
func inAny(v shop.View, productID int64, categories []string) bool {
	p, known := v.Products.Get(productID)
	if !known {
		return false
	}
	for _, category := range categories {
		for _, id := range v.Branch(category) {
			if slices.Contains(rest.IDTexts(p.CategoryIDs), id) {
				return true
			}
		}
	}
	return false
}
