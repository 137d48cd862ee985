package management

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/sjson"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

type review = shop.Review

// Product reviews (the contract names the collection in the Store API; fields here are those of a live shop): the generic
// resource with a trash.
var reviews = &rest.Resource[review]{
	Path:         "/products/reviews",
	HidesMethods: true,
	Record:       reviewFields,
	Name:         func(r *review) string { return rest.IDText(r.ID) },
	Filters:      reviewFilters,
	Select:       selectReviews,
	Find:         rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*review, error) { return v.ReviewByID(id) }),
	New:          func(*shop.Tx, *rest.Request) (*review, error) { return new(review), nil },
	Create:       func(tx *shop.Tx, r *review, _ rest.Args) error { return r.Create(tx) },
	Save:         func(tx *shop.Tx, r, old *review, _ rest.Args) error { return r.Save(tx, old) },
	Trash:        (*shop.Review).Trash,
	Delete:       func(tx *shop.Tx, r *review, _ rest.Args) error { return r.Delete(tx) },
	Links: func(r *review) []rest.Link {
		return []rest.Link{{Relation: "up", Path: "/products/" + rest.IDText(r.ProductID)}}
	},
}

var reviewFields = rest.Lazily(func() *rest.Record[review] {
	return &rest.Record[review]{Fields: slices.Concat(
		[]rest.Field[review]{rest.Int("id", func(r *review) *int64 { return &r.ID }, rest.ReadOnly)},
		rest.Moment("date_created", func(r *review) *time.Time { return &r.Created }, nil),
		[]rest.Field[review]{
			rest.Int("product_id", func(r *review) *int64 { return &r.ProductID }, rest.Required),
			rest.TextOf("product_name", func(e *rest.Encoding, r *review) string {
				return reviewed(e, r).Name
			}),
			rest.TextOf("product_permalink", func(e *rest.Encoding, r *review) string {
				if slug := reviewed(e, r).Slug; slug != "" {
					return productLink(e.Site, slug)
				}
				return ""
			}, rest.As(rest.URI)),
			rest.NewField(rest.Param{Name: "status", Type: rest.String,
				Enum: []string{"approved", "hold", "spam", "unspam", "trash", "untrash"}},
				func(_ *rest.Encoding, b []byte, r *review) []byte { return rest.AppendString(b, r.Status) }, decodeReviewStatus),
			rest.Text("reviewer", func(r *review) *string { return &r.Author }, rest.Required, rest.About("Name of the author.")),
			rest.Text("reviewer_email", func(r *review) *string { return &r.Email }, rest.Required, rest.As(rest.Email)),
			rest.NewField(rest.Param{Name: "review", Type: rest.String, Description: "HTML."}, encodeReviewText,
				func(_ *rest.Decoding, r *review, value any) error { r.Text = value.(string); return nil }, rest.Required),
			rest.Int("rating", func(r *review) *int64 { return &r.Rating }, rest.AtLeast(0), atMost(5), rest.About("1 to 5; 0 for none.")),
			rest.FlagOf("verified", func(_ *rest.Encoding, r *review) bool { return r.Verified }),
			rest.AvatarURLs[review](),
		},
	)}
})

func atMost(n int64) rest.Option { return func(p *rest.Param) { p.Max = &n } }

// reviewed is the product of a review.
func reviewed(e *rest.Encoding, r *review) *product {
	if p, known := e.Products.Get(r.ProductID); known {
		return p
	}
	return new(product)
}

// encodeReviewText shows the text as it was sent in the edit context, and else as a page does.
func encodeReviewText(e *rest.Encoding, b []byte, r *review) []byte {
	if e.Edit {
		return rest.AppendString(b, r.Text)
	}
	return rest.AppendString(b, shop.Paragraphs(r.Text))
}

// decodeReviewStatus sets a status; unspam and untrash lead back to the one before.
func decodeReviewStatus(_ *rest.Decoding, r *review, value any) error {
	switch status := value.(string); status {
	case "unspam", "untrash":
		r.Status = r.Restored()
	default:
		r.Status = status
	}
	return nil
}

func reviewFilters() []rest.Param {
	return slices.Concat(listFilters("Only reviews that mention the text.", "desc"), dateFilters(), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date_gmt", Enum: []string{"date", "date_gmt", "id", "include", "product"}},
		rest.ListOfIDs("reviewer", "Only reviews by these customers."),
		rest.ListOfIDs("reviewer_exclude", "No reviews by these customers."),
		{Name: "reviewer_email", Type: rest.String, Format: rest.Email},
		rest.ListOfIDs("product", "Only reviews of these products."),
		{Name: "status", Type: rest.String, Default: "approved", Enum: []string{"all", "hold", "approved", "spam", "trash"}},
	})
}

// reviewOrders are the orderings of listed reviews; by id is the order of the table.
var reviewOrders = map[string]*state.Ordered[*review]{
	"date": shop.Reviews.ByDate, "date_gmt": shop.Reviews.ByDate, "product": shop.Reviews.ByProduct,
}

func selectReviews(v shop.View, r *rest.Request) ([]*review, int, error) {
	c := conditions[*review]{args: r.Args}
	c.dates("after", "before", shop.Reviews.ByDate)
	c.chosen()
	if status := r.Args.String("status"); status == "all" {
		c.add(shop.Reviews.Status.Not(shop.ReviewSpam, shop.ReviewTrash))
	} else {
		c.add(shop.Reviews.Status.Is(status))
	}
	c.list("product", single, shop.Reviews.Product)
	if ids := r.Args.Ints("reviewer"); len(ids) > 0 {
		c.add(writtenBy(emailsOf(v, ids), true))
	}
	if ids := r.Args.Ints("reviewer_exclude"); len(ids) > 0 {
		c.add(writtenBy(emailsOf(v, ids), false))
	}
	c.text("reviewer_email", func(r *review, want string) bool { return strings.EqualFold(r.Email, want) })
	c.text("search", func(r *review, want string) bool {
		return shop.Mentions(want, r.Text, r.Author, r.Email)
	})
	return listed(r, &v.Reviews, reviewOrders[r.Args.String("orderby")], c.where)
}

// emailsOf are the addresses of customers, in lower case: a review knows its author by that.
func emailsOf(v shop.View, ids []int64) map[string]bool {
	emails := map[string]bool{}
	for _, id := range ids {
		if customer, known := v.Customers.Get(id); known {
			emails[strings.ToLower(customer.Email)] = true
		}
	}
	return emails
}

func writtenBy(emails map[string]bool, want bool) state.Condition[*review] {
	return state.Match(func(r *review) bool { return emails[strings.ToLower(r.Email)] == want })
}

func reviewEndpoints() []rest.Endpoint { return deletedReviews(reviews.Endpoints()) }

// deletedReviews changes the endpoints of a resource of reviews: one that is deleted for good is shown as what was, as live shops
// do.
func deletedReviews(endpoints []rest.Endpoint) []rest.Endpoint {
	for i := range endpoints {
		remove := endpoints[i].Do
		if endpoints[i].Methods[0] != http.MethodDelete {
			continue
		}
		endpoints[i].Do = func(r *rest.Request) (rest.Answer, error) {
			answer, err := remove(r)
			if record, ok := answer.Body.(rest.Raw); ok && r.Args.Bool("force") {
				previous, _ := sjson.DeleteBytes(slices.Clone(record), "_links") // of a record that is gone
				answer.Body = rest.Pairs{{Name: "deleted", Value: true}, {Name: "previous", Value: rest.Raw(previous)}}
			}
			return answer, err
		}
	}
	return endpoints
}
