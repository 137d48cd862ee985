package shop

import "time"

// Cart is what one session has gathered. Its prices are never stored: they are worked out when asked for.
type Cart struct {
	ID         int64
	Session    string // unique
	CustomerID int64
	Items      []CartItem
	Coupons    []string // codes in the order in which they were applied
	Billing    Address
	Shipping   Address
	Chosen     map[int]string // package → rate id that the customer chose
	DraftID    int64          // the draft order of this cart, 0 for none
	Updated    time.Time
	Bytes      int64 // what it counts for in State.CartBytes
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
