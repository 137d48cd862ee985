package shop

// Who used the coupons: one entry a use, which goes when its order is given up.

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// couponUses gathers, for each code, who has used the coupon now and whose uses are taken back, so that many orders of one coupon
// change it once.
type couponUses map[string]*usesOfOne

type usesOfOne struct {
	made []string
	back map[string]int
}

// note notes an order's uses of its coupons, or that they are taken back.
func (u couponUses) note(o *Order, used bool) {
	user := o.couponUser()
	for i := range o.CouponLines {
		code := o.CouponLines[i].Code
		uses := u[code]
		if uses == nil {
			uses = &usesOfOne{back: map[string]int{}}
			u[code] = uses
		}
		if used {
			uses.made = append(uses.made, user)
		} else {
			uses.back[user]++
		}
	}
}

// couponUser is who used the order's coupons: a customer's id, or a guest's e-mail.
func (o *Order) couponUser() string {
	if o.CustomerID != 0 {
		return strconv.FormatInt(o.CustomerID, 10)
	}
	return strings.ToLower(o.Billing.Email)
}

// count changes the coupons that there still are.
func (u couponUses) count(tx *Tx) error {
	for _, code := range slices.Sorted(maps.Keys(u)) {
		coupon, known := Coupons.Code.Find(&tx.Coupons, code)
		if !known {
			continue
		}
		changed := *coupon
		changed.takeBack(u[code].back)
		changed.addUses(u[code].made)
		changed.Memo = new(Memo)
		if err := tx.Coupons.Put(tx.rows, &changed); err != nil {
			return err
		}
	}
	return nil
}

// takeBack removes as many uses of each user, the oldest first.
func (c *Coupon) takeBack(counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	left := maps.Clone(counts)
	c.UsedBy, c.behind = slices.DeleteFunc(slices.Clone(c.UsedBy), func(user string) bool {
		left[user]--
		return left[user] >= 0
	}), nil
	for _, count := range counts {
		c.UsageCount = max(c.UsageCount-int64(count), 0)
	}
}

// takenUses is how many places of an array of uses have been written. The versions of a coupon share the array as long as uses are only
// added, since to copy all of them for each order would make every order of a coupon dearer than the one before. A version may write behind
// its own uses if no other has done so before: one of a transaction that was refused, or of another shop that began with the same rows.
type takenUses struct{ atomic.Int64 }

// addUses adds uses behind the others.
func (c *Coupon) addUses(users []string) {
	before, after := len(c.UsedBy), len(c.UsedBy)+len(users)
	if c.behind == nil || after > cap(c.UsedBy) || !c.behind.CompareAndSwap(int64(before), int64(after)) {
		c.UsedBy, c.behind = slices.Clip(c.UsedBy), new(takenUses) // to append makes a copy
		c.behind.Store(int64(after))
	}
	c.UsedBy = append(c.UsedBy, users...)
	c.UsageCount += int64(len(users))
}
