package shop

// Carts as they are kept: one a session, and one a customer.

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Cart is what one session has gathered. Its prices are never stored: they are worked out when asked for.
type Cart struct {
	ID         int64
	Session    string // unique; a customer's own is made of the customer's id
	CustomerID int64
	Items      []CartItem
	Coupons    []string // codes in the order in which they were applied
	Billing    Address
	Shipping   Address
	Chosen     map[int]string // package → rate id that the customer chose
	DraftID    int64          // the draft order of this cart, 0 for none
	Updated    time.Time
	Bytes      int64  // what it counts for in State.CartBytes
	Spent      uint32 // the number after the last nonce by which the session has changed it

	visited int64 // the session's cart whose contents this one took over and which is emptied when this one is kept, 0 for none
}

// RowID identifies the cart in its table.
func (cart *Cart) RowID() int64 { return cart.ID }

// CartItem is one line of a cart.
type CartItem struct {
	Key         string // MD5 over product, variation, attributes and item data
	ProductID   int64
	VariationID int64
	Quantity    int64
	Variation   []AttributeChoice // the chosen attributes, also those that the variation leaves open
}

// cartRow returns a copy of the shopper's cart that the caller may change, or a new one without id. Who is signed in has the customer's
// cart, on every device; what the session gathered before goes into it.
func (v View) cartRow(who Shopper) *Cart {
	cart := v.cartNamed(who.cartName())
	cart.CustomerID, cart.Spent = who.CustomerID, max(cart.Spent, who.Spent)
	if visited, known := Carts.Session.Find(&v.Carts, who.Session); known && who.CustomerID != 0 && visited.belongsTo(who.CustomerID) {
		cart.takeOver(visited)
	}
	return cart
}

// cartName is what the shopper's cart is kept by.
func (s Shopper) cartName() string {
	if s.CustomerID == 0 {
		return s.Session
	}
	return "customer " + strconv.FormatInt(s.CustomerID, 10)
}

func (v View) cartNamed(name string) *Cart {
	row, known := Carts.Session.Find(&v.Carts, name)
	if !known {
		return &Cart{Session: name}
	}
	cart := *row
	cart.Items, cart.Coupons = slices.Clone(row.Items), slices.Clone(row.Coupons)
	return &cart
}

// belongsTo reports whether a customer may take over the cart of a session: a guest's, or one whose visitor opened this account.
func (cart *Cart) belongsTo(customerID int64) bool {
	return cart.CustomerID == 0 || cart.CustomerID == customerID
}

// takeOver adds what another cart holds. Of an item that both hold, the other's quantity counts: it is what the customer saw last.
func (cart *Cart) takeOver(other *Cart) {
	if len(other.Items) == 0 && other.DraftID == 0 {
		return
	}
	cart.visited = other.ID
	for _, item := range other.Items {
		if place := cart.find(item.Key); place >= 0 {
			cart.Items[place].Quantity = item.Quantity
		} else if len(cart.Items) < maxCartLines {
			cart.Items = append(cart.Items, item)
		}
	}
	for _, code := range other.Coupons {
		if !slices.Contains(cart.Coupons, code) {
			cart.Coupons = append(cart.Coupons, code)
		}
	}
	if len(other.Chosen) > 0 {
		cart.Chosen = other.Chosen
	}
	cart.DraftID = cmp.Or(cart.DraftID, other.DraftID)
}

// leaveVisited empties the cart that was taken over, and drops its draft if the customer's cart has one of its own.
func (cart *Cart) leaveVisited(tx *Tx) error {
	visited, known := tx.Carts.Get(cart.visited)
	cart.visited = 0
	if !known {
		return nil
	}
	if draft, known := tx.Orders.Get(visited.DraftID); known && draft.Status == CheckoutDraft && draft.ID != cart.DraftID {
		tx.Orders.Delete(tx.rows, draft.ID)
	}
	empty := *visited
	empty.clear()
	empty.DraftID = 0
	return empty.put(tx)
}
