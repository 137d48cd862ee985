package shop

// How much memory carts may take: anybody may have one, and as many as they like.

import (
	"time"

	"shopcheck/mockserver/internal/state"
)

const (
	maxCarts     = 100_000   // carts
	maxCartBytes = 256 << 10 // one cart and its draft
	maxAllCarts  = 128 << 20 // all carts and their drafts

	cartLife  = 30 * 24 * time.Hour // after which a cart that nobody changed is forgotten
	maxAtOnce = 100                 // carts that a new one forgets for their age
)

// What a cart, a draft and one of their lines take besides their texts, in bytes, roughly: rows, their place in the tables' trees and
// indexes.
const (
	cartOverhead  = 1 << 10
	draftOverhead = 3 << 10
	itemOverhead  = 200
	lineOverhead  = 600
)

// put keeps a changed copy of a cart, and forgets those that are old or have to make room. Fault: CartFull.
func (cart *Cart) put(tx *Tx) error {
	if err := cart.leaveVisited(tx); err != nil {
		return err
	}
	cart.Updated = tx.Now
	was := cart.Bytes
	cart.Bytes = cart.size()
	if draft, known := tx.Orders.Get(cart.DraftID); known && draft.Status == CheckoutDraft {
		cart.Bytes += draft.draftSize()
	}
	if cart.Bytes > maxCartBytes {
		return Faultf(CartFull, "The cart holds more than the shop remembers of one: shorten its texts, or take items out.")
	}
	if cart.ID == 0 {
		tx.forgetOldCarts()
		cart.ID = next(&tx.LastID.Cart)
	}
	tx.CartBytes += cart.Bytes - was
	if err := tx.Carts.Put(tx.rows, cart); err != nil {
		return err
	}
	for tx.Carts.Len() > maxCarts || tx.CartBytes > maxAllCarts {
		tx.forgetOldestCart()
	}
	return nil
}

// forgetOldestCart forgets the cart that was not used for longest.
func (tx *Tx) forgetOldestCart() {
	for cart := range Carts.ByUse.Ascend(&tx.Carts, nil, nil) {
		tx.forget(cart)
		tx.emit(CartForgotten.Resource, CartForgotten.Action, cart.ID)
		return
	}
}

// forgetOldCarts forgets carts that nobody came back for. A new cart does that, as the others cannot become more without one.
func (tx *Tx) forgetOldCarts() {
	old := state.Key{Num: tx.Now.Add(-cartLife).Unix()}
	left := maxAtOnce
	for cart := range Carts.ByUse.Ascend(&tx.Carts, nil, &old) {
		if left == 0 {
			return
		}
		tx.forget(cart)
		left--
	}
}

// forget deletes a cart and its draft.
func (tx *Tx) forget(cart *Cart) {
	if draft, known := tx.Orders.Get(cart.DraftID); known && draft.Status == CheckoutDraft {
		tx.Orders.Delete(tx.rows, draft.ID)
	}
	tx.Carts.Delete(tx.rows, cart.ID)
	tx.CartBytes -= cart.Bytes
}

// CartForgotten is the event of a cart that made room for others, without its id.
var CartForgotten = Event{Resource: "cart", Action: Forgotten}

func (cart *Cart) size() int64 {
	size := cartOverhead + len(cart.Session) + cart.Billing.size() + cart.Shipping.size()
	for _, code := range cart.Coupons {
		size += len(code) + itemOverhead
	}
	for _, rate := range cart.Chosen {
		size += len(rate) + itemOverhead
	}
	for _, item := range cart.Items {
		size += itemOverhead + len(item.Key)
		for _, choice := range item.Variation {
			size += itemOverhead + len(choice.Name) + len(choice.Slug) + len(choice.Option)
		}
	}
	return int64(size)
}

func (o *Order) draftSize() int64 {
	size := draftOverhead + o.Billing.size() + o.Shipping.size() + len(o.CustomerNote) + len(o.CustomerAgent)
	for name, value := range o.AdditionalFields {
		size += itemOverhead + len(name) + len(value)
	}
	for _, line := range o.Lines {
		size += lineOverhead + len(line.Meta)*itemOverhead
	}
	size += (len(o.ShippingLines) + len(o.CouponLines) + len(o.TaxLines)) * lineOverhead
	return int64(size)
}

func (a *Address) size() int {
	return len(a.FirstName) + len(a.LastName) + len(a.Company) + len(a.Address1) + len(a.Address2) + len(a.City) + len(a.State) +
		len(a.Postcode) + len(a.Country) + len(a.Email) + len(a.Phone)
}
