package management

import (
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
)

// How coupons look in the legacy versions (contract, "Versioning").

const (
	v2CouponFields = `id code amount date_created date_created_gmt date_modified date_modified_gmt discount_type description
		date_expires date_expires_gmt usage_count individual_use product_ids excluded_product_ids usage_limit usage_limit_per_user
		limit_usage_to_x_items free_shipping product_categories excluded_product_categories exclude_sale_items minimum_amount
		maximum_amount email_restrictions used_by meta_data`

	v1CouponFields = `id code date_created date_modified discount_type description amount expiry_date usage_count individual_use
		product_ids exclude_product_ids usage_limit usage_limit_per_user limit_usage_to_x_items free_shipping product_categories
		excluded_product_categories exclude_sale_items minimum_amount maximum_amount email_restrictions used_by`
)

var (
	v2Coupons = recorded(coupons, rest.Lazily(func() *rest.Record[coupon] {
		return couponFields.Pick(nil, strings.Fields(v2CouponFields)...)
	}))
	v1Coupons = recorded(coupons, rest.Lazily(func() *rest.Record[coupon] {
		return couponFields.Pick([]rest.Field[coupon]{expiryDate(), excludedProducts()}, strings.Fields(v1CouponFields)...)
	}))
)

func expiryDate() rest.Field[coupon] {
	return rest.Moment("expiry_date", func(c *coupon) *time.Time { return c.Expires },
		func(c *coupon, moment *time.Time) { c.Expires = moment })[0]
}

func excludedProducts() rest.Field[coupon] {
	return rest.IDs("exclude_product_ids", func(c *coupon) *[]int64 { return &c.ExcludedProductIDs })
}
