package spec

// The coupon that the target is known to have, and what it must save.

import (
	"context"

	"github.com/shopspring/decimal"

	"shopcheck/suites/profile"
)

// Coupon is the coupon that the target is known to have; without one the spec could not run.
func (e *Env) Coupon() profile.Coupon {
	coupon := e.Profile().Coupon
	if coupon.Code == "" {
		e.CouldNotRun("the profile names no coupon (coupon.code, coupon.type, coupon.amount)")
	}
	return coupon
}

// CouponSaving is what the known coupon takes off a number of pieces at a price, in decimal currency units, and in words
// why it is that.
func (e *Env) CouponSaving(price string, quantity int64) (saving decimal.Decimal, reason string) {
	coupon := e.Coupon()
	amount, err := decimal.NewFromString(coupon.Amount)
	if err != nil {
		e.CouldNotRun("the profile's coupon.amount %q is no decimal number", coupon.Amount)
	}
	pieces := decimal.NewFromInt(quantity)
	items := decimal.RequireFromString(price).Mul(pieces)
	switch coupon.Type {
	case "percent":
		saving = items.Mul(amount).Shift(-2)
	case "fixed_cart":
		saving = decimal.Min(amount, items)
	case "fixed_product":
		saving = decimal.Min(amount.Mul(pieces), items)
	default:
		e.CouldNotRun("the profile's coupon.type %q is none of percent, fixed_cart and fixed_product", coupon.Type)
	}
	return saving, coupon.Type + " " + coupon.Amount + " off items of " + items.String()
}

// GivenCoupon makes a coupon that takes one currency unit off a cart, and returns its code. The contract does not show how one is made:
// where none can be, a spec does without.
func (e *Env) GivenCoupon(ctx context.Context) string {
	code := e.Word()
	made := e.Collection("coupons").Create(ctx, Fields{"code": code, "discount_type": "fixed_cart", "amount": "1.00"})
	if !made.OK() {
		e.NotApplicable("the target lets no coupon be made by the management API: it answers %d %s", made.Status, made.Code())
	}
	return code
}
