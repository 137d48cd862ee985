package shop

// Reviews: what customers say about products, and the ratings that follow from the approved ones.

import (
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/state"
)

// The states of a review. Customers see approved ones only.
const (
	ReviewApproved = "approved"
	ReviewHeld     = "hold"
	ReviewSpam     = "spam"
	ReviewTrash    = "trash"
)

// Review is a row of the reviews table.
type Review struct {
	ID        int64
	ProductID int64
	Created   time.Time
	Status    string
	Before    string // the status before it became spam or went to the trash
	Author    string
	Email     string
	Text      string // HTML
	Rating    int64  // 1 to 5; 0: none
	Verified  bool   // whether the author has bought the product
}

// RowID identifies the review in its table.
func (r *Review) RowID() int64 { return r.ID }

// ReviewIndexes are the ways to find reviews.
type ReviewIndexes struct {
	schema                      *state.Schema[*Review]
	Product, Status, Rating     *state.Facet[*Review]
	Author                      *state.Facet[*Review] // who wrote about which product
	Stars                       *state.Facet[*Review] // starsKey, of those that rate a product
	ByDate, ByRating, ByProduct *state.Ordered[*Review]
}

func defineReviews() ReviewIndexes {
	s := state.Define[*Review]("reviews")
	ordered := func(name string, key func(*Review) int64) *state.Ordered[*Review] {
		return s.Ordered(name, func(r *Review) (state.Key, bool) { return state.Key{Num: key(r)}, true })
	}
	return ReviewIndexes{
		schema:  s,
		Product: s.Single("product", func(r *Review) string { return strconv.FormatInt(r.ProductID, 10) }),
		Status:  s.Single("status", func(r *Review) string { return r.Status }),
		Rating:  s.Single("rating", func(r *Review) string { return strconv.FormatInt(r.Rating, 10) }),
		Author:  s.Single("author", (*Review).author),
		Stars: s.Facet("stars", func(r *Review, emit func(string)) {
			if r.Status == ReviewApproved && r.Rating > 0 {
				emit(starsKey(r.ProductID, r.Rating))
			}
		}),
		ByDate:    ordered("date", func(r *Review) int64 { return r.Created.Unix() }),
		ByRating:  ordered("rating_order", func(r *Review) int64 { return r.Rating }),
		ByProduct: ordered("product_order", func(r *Review) int64 { return r.ProductID }),
	}
}

// author says of which product the review is, and by whom.
func (r *Review) author() string {
	return strconv.FormatInt(r.ProductID, 10) + " " + strings.ToLower(r.Email) + " " + r.Author
}

// starsKey names the reviews that give a product so many stars.
func starsKey(productID, rating int64) string {
	return strconv.FormatInt(productID, 10) + " " + strconv.FormatInt(rating, 10)
}

// ReviewByID finds a review. Fault: NoSuchReview.
func (v View) ReviewByID(id int64) (*Review, error) {
	if review, known := v.Reviews.Get(id); known {
		return review, nil
	}
	return nil, Faultf(NoSuchReview, "There is no review %d.", id)
}

// Create gives a review its id and rates its product. Faults: NoSuchProduct, InvalidReview, DuplicateReview.
func (r *Review) Create(tx *Tx) error {
	r.ID = next(&tx.LastID.Review)
	if r.Created.IsZero() {
		r.Created = tx.Now
	}
	if r.Status == "" {
		r.Status = ReviewApproved
	}
	for other := range Reviews.Author.Rows(&tx.Reviews, r.author()) {
		if other.Status != ReviewTrash && other.Text == r.Text {
			return Faultf(DuplicateReview, "Review %d says the same already.", other.ID)
		}
	}
	return r.keep(tx)
}

// Save keeps a changed copy of a review and rates its product, or both if it is about another one now.
//
// Faults: NoSuchProduct, InvalidReview.
func (r *Review) Save(tx *Tx, old *Review) error {
	if r.Status != old.Status {
		r.Before = old.Status
	}
	if err := r.keep(tx); err != nil {
		return err
	}
	if r.ProductID == old.ProductID {
		return nil
	}
	return tx.rate(old.ProductID)
}

func (r *Review) keep(tx *Tx) error {
	if _, err := tx.Product(r.ProductID); err != nil {
		return err
	}
	if strings.TrimSpace(r.Text) == "" {
		return Faultf(InvalidReview, "A review needs a text.")
	}
	r.Verified = tx.bought(r.Email, r.ProductID)
	if err := tx.Reviews.Put(tx.rows, r); err != nil {
		return err
	}
	return tx.rate(r.ProductID)
}

// Restored is the status that a review had before it became spam or went to the trash.
func (r *Review) Restored() string {
	if r.Before == ReviewApproved || r.Before == ReviewHeld {
		return r.Before
	}
	return ReviewHeld
}

// Trash moves a review to the trash. Fault: AlreadyTrashed.
func (r *Review) Trash(tx *Tx) error {
	if r.Status == ReviewTrash {
		return Faultf(AlreadyTrashed, "Review %d is in the trash already: send force=true to delete it for good.", r.ID)
	}
	trashed := *r
	trashed.Status, trashed.Before = ReviewTrash, r.Status
	if err := tx.Reviews.Put(tx.rows, &trashed); err != nil {
		return err
	}
	return tx.rate(r.ProductID)
}

// Delete removes a review for good.
func (r *Review) Delete(tx *Tx) error {
	tx.Reviews.Delete(tx.rows, r.ID)
	return tx.rate(r.ProductID)
}

// deleteReviewsOf removes the reviews of a product that goes.
func (tx *Tx) deleteReviewsOf(productID int64) {
	for _, review := range collect(Reviews.Product.Rows(&tx.Reviews, strconv.FormatInt(productID, 10))) {
		tx.Reviews.Delete(tx.rows, review.ID)
	}
}

// rate works out a product's rating from its approved reviews.
func (tx *Tx) rate(productID int64) error {
	product, known := tx.Products.Get(productID)
	if !known {
		return nil // it is gone, and its reviews go with it
	}
	stars, count := int64(0), int64(0)
	for rating := int64(1); rating <= 5; rating++ {
		given := int64(Reviews.Stars.Count(&tx.Reviews, starsKey(productID, rating)))
		stars, count = stars+rating*given, count+given
	}
	rated := *product
	rated.RatingCount, rated.AverageRating = count, rating(stars, count)
	if rated.RatingCount == product.RatingCount && rated.AverageRating == product.AverageRating {
		return nil
	}
	return rated.put(tx)
}

// Paragraphs shows a text of plain lines as HTML: what blank lines part become paragraphs. HTML stays as it is.
func Paragraphs(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "<p") {
		return text
	}
	var page strings.Builder
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			page.WriteString("<p>" + strings.ReplaceAll(part, "\n", "<br />\n") + "</p>\n")
		}
	}
	return page.String()
}

// bought reports whether somebody has paid for a product.
func (v View) bought(email string, productID int64) bool {
	if email == "" {
		return false
	}
	for order := range Orders.Product.Rows(&v.Orders, strconv.FormatInt(productID, 10)) {
		paid := order.Status == Processing || order.Status == Completed
		if paid && strings.EqualFold(order.Billing.Email, email) {
			return true
		}
	}
	return false
}
