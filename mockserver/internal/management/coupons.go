package management

import (
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

type coupon = shop.Coupon

// Coupons (the contract names the collection; its fields are those of a live shop).
var coupons = &rest.Resource[coupon]{
	Path:    "/coupons",
	Record:  couponFields,
	Name:    func(c *coupon) string { return rest.IDText(c.ID) },
	Filters: couponFilters,
	Select:  selectCoupons,
	Find:    rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*coupon, error) { return v.CouponByID(id) }),
	New:     func(tx *shop.Tx, _ *rest.Request) (*coupon, error) { return tx.NewCoupon(), nil },
	Create:  func(tx *shop.Tx, c *coupon, _ rest.Args) error { return c.Create(tx) },
	Save:    func(tx *shop.Tx, c, _ *coupon, _ rest.Args) error { return c.Save(tx) },
	Trash:   (*shop.Coupon).Trash,
	Delete:  func(tx *shop.Tx, c *coupon, _ rest.Args) error { return c.Delete(tx) },
	Memo:    func(c *coupon) *shop.Memo { return c.Memo },
}

var couponFields = rest.Lazily(func() *rest.Record[coupon] {
	return &rest.Record[coupon]{Fields: slices.Concat(
		[]rest.Field[coupon]{
			rest.Int("id", func(c *coupon) *int64 { return &c.ID }, rest.ReadOnly),
			rest.Text("code", func(c *coupon) *string { return &c.Code }, rest.Required,
				rest.About("Kept in lower case; unique in the shop.")),
			couponAmount("amount", func(c *coupon) *string { return &c.Amount }),
			rest.Text(
				"status",
				func(c *coupon) *string { return &c.Status },
				rest.OneOf("publish", "draft", "pending", "private", "trash"),
				rest.Default("publish"),
			),
		},
		rest.Moment("date_created", func(c *coupon) *time.Time { return &c.Created }, nil),
		rest.Moment("date_modified", func(c *coupon) *time.Time { return &c.Modified }, nil),
		[]rest.Field[coupon]{
			rest.Text(
				"discount_type",
				func(c *coupon) *string { return &c.Type },
				rest.OneOf(pricing.PercentCoupon, pricing.FixedCartCoupon, pricing.FixedProductCoupon),
				rest.Default(pricing.FixedCartCoupon),
			),
			rest.Text("description", func(c *coupon) *string { return &c.Description }),
		},
		rest.Moment("date_expires", func(c *coupon) *time.Time { return c.Expires },
			func(c *coupon, moment *time.Time) { c.Expires = moment }),
		[]rest.Field[coupon]{
			rest.Int("usage_count", func(c *coupon) *int64 { return &c.UsageCount }, rest.ReadOnly),
			rest.Flag("individual_use", func(c *coupon) *bool { return &c.IndividualUse }, rest.Default(false)),
			rest.IDs("product_ids", func(c *coupon) *[]int64 { return &c.ProductIDs }),
			rest.IDs("excluded_product_ids", func(c *coupon) *[]int64 { return &c.ExcludedProductIDs }),
			rest.IntOrNull("usage_limit", func(c *coupon) **int64 { return &c.UsageLimit }, rest.AtLeast(0)),
			rest.IntOrNull("usage_limit_per_user", func(c *coupon) **int64 { return &c.UsageLimitPerUser }, rest.AtLeast(0)),
			rest.IntOrNull("limit_usage_to_x_items", func(c *coupon) **int64 { return &c.LimitToItems }, rest.AtLeast(0)),
			rest.Flag("free_shipping", func(c *coupon) *bool { return &c.FreeShipping }, rest.Default(false)),
			rest.IDs("product_categories", func(c *coupon) *[]int64 { return &c.CategoryIDs }),
			rest.IDs("excluded_product_categories", func(c *coupon) *[]int64 { return &c.ExcludedCategoryIDs }),
			rest.Flag("exclude_sale_items", func(c *coupon) *bool { return &c.ExcludeSaleItems }, rest.Default(false)),
			couponAmount("minimum_amount", func(c *coupon) *string { return &c.MinimumAmount }),
			couponAmount("maximum_amount", func(c *coupon) *string { return &c.MaximumAmount }),
			rest.Texts("email_restrictions", func(c *coupon) *[]string { return &c.EmailRestrictions }),
			readOnly(rest.Texts("used_by", func(c *coupon) *[]string { return &c.UsedBy })),
			rest.MetaData(func(c *coupon) *[]shop.Meta { return &c.Meta }),
		},
	)}
})

// couponAmount is an amount that is shown with the currency's decimals, or with its own when it has more.
func couponAmount(name string, at func(*coupon) *string) rest.Field[coupon] {
	field := rest.Text(name, at)
	field.Encode = func(e *rest.Encoding, b []byte, c *coupon) []byte {
		amount := pricing.AmountOf(*at(c))
		return appendMoney(b, amount, max(e.Config.Decimals, amount.Places()))
	}
	return field
}

func couponFilters() []rest.Param {
	return slices.Concat(withoutParam(postFilters(), "slug"), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "modified", "id", "include", "title", "slug"}},
		{Name: "code", Type: rest.String, Description: "The coupon of this code."},
		{Name: "status", Type: rest.String, Default: "any", Enum: productStatuses},
	})
}

var couponOrders = map[string]*state.Ordered[*coupon]{
	"date": shop.Coupons.ByDate, "modified": shop.Coupons.ByModified, "id": shop.Coupons.ByID, "include": shop.Coupons.ByID,
	"title": shop.Coupons.ByTitle, "slug": shop.Coupons.ByTitle,
}

func selectCoupons(v shop.View, r *rest.Request) ([]*coupon, int, error) {
	c := conditions[*coupon]{args: r.Args}
	c.post(shop.Coupons.ByDate, shop.Coupons.ByModified)
	c.statuses(shop.Coupons.Status)
	c.text("code", func(c *coupon, want string) bool { return c.Code == strings.ToLower(want) })
	c.text("search", func(c *coupon, want string) bool {
		return shop.Mentions(want, c.Code, c.Description)
	})
	order := couponOrders[r.Args.String("orderby")]
	if showsTrash(r.Args) {
		order = nil // the orderings hold no trashed coupons; the primary order does
	}
	return listed(r, &v.Coupons, order, c.where)
}
