package shop

// What staff do with coupons: making, changing, trashing and deleting them.

import (
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// CouponByID finds a coupon. Fault: NoSuchCoupon.
func (v View) CouponByID(id int64) (*Coupon, error) {
	if coupon, known := v.Coupons.Get(id); known {
		return coupon, nil
	}
	return nil, Faultf(NoSuchCoupon, "There is no coupon %d.", id)
}

// NewCoupon is a coupon with its defaults.
func (tx *Tx) NewCoupon() *Coupon {
	return &Coupon{Status: StatusPublish, Type: pricing.FixedCartCoupon, Created: tx.Now, Modified: tx.Now}
}

// Create returns a coupon its id. Faults: InvalidParam, NegativeDiscount, CodeTaken.
func (c *Coupon) Create(tx *Tx) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.Add(tx); err != nil {
		return err
	}
	tx.emit("coupon", "created", c.ID)
	return nil
}

// Save keeps a changed copy of a coupon. Faults: InvalidParam, NegativeDiscount, CodeTaken.
func (c *Coupon) Save(tx *Tx) error {
	if err := c.check(); err != nil {
		return err
	}
	if holder, taken := Coupons.Code.Find(&tx.Coupons, c.Code); taken && holder.ID != c.ID {
		return Faultf(CodeTaken, "The code %q belongs to coupon %d.", c.Code, holder.ID)
	}
	c.Modified, c.Memo = tx.Now, new(Memo)
	if old, known := tx.Coupons.Get(c.ID); known {
		tx.emit("coupon", kept(old.Status, c.Status), c.ID)
	}
	return tx.Coupons.Put(tx.rows, c)
}

// check brings the code into its form and checks the amounts.
func (c *Coupon) check() error {
	if c.Code = couponCode(c.Code); c.Code == "" {
		return invalidParam("code", "A coupon needs a code.")
	}
	for _, sent := range []struct{ name, text string }{
		{"amount", c.Amount}, {"minimum_amount", c.MinimumAmount}, {"maximum_amount", c.MaximumAmount},
	} {
		amount, ok := pricing.ParseAmount(sent.text)
		switch {
		case strings.TrimSpace(sent.text) == "":
		case !ok:
			return invalidParam(sent.name, sent.name+" must be a decimal number.")
		case amount.IsNegative():
			return Faultf(NegativeDiscount, "%s must not be negative.", sent.name)
		}
	}
	return nil
}

// Trash moves a coupon to the trash, which frees its code. Fault: AlreadyTrashed.
func (c *Coupon) Trash(tx *Tx) error {
	if c.Status == StatusTrash {
		return Faultf(AlreadyTrashed, "Coupon %d is in the trash already: send force=true to delete it for good.", c.ID)
	}
	trashed := *c
	trashed.Status, trashed.Modified, trashed.Memo = StatusTrash, tx.Now, new(Memo)
	trashed.Meta = tx.trashMarks(c.Meta, c.Status)
	tx.emit("coupon", "deleted", c.ID)
	return tx.Coupons.Put(tx.rows, &trashed)
}

// Delete removes a coupon for good. Orders keep their lines.
func (c *Coupon) Delete(tx *Tx) error {
	tx.Coupons.Delete(tx.rows, c.ID)
	tx.emit("coupon", "deleted", c.ID)
	return nil
}
