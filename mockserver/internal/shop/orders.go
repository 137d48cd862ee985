package shop

// Orders: finding them, and their way through statuses and the trash.

import (
	"crypto/subtle"
	"maps"
	"slices"
)

// FindOrder finds an order, drafts and trashed ones too. Fault: NoSuchOrder.
func (v View) FindOrder(id int64) (*Order, error) {
	if order, known := v.Orders.Get(id); known {
		return order, nil
	}
	return nil, Faultf(NoSuchOrder, "There is no order %d.", id)
}

// OrderByKey finds an order that was placed, for whoever knows its key. Faults: NoSuchOrder, WrongOrderKey.
func (v View) OrderByKey(id int64, key string) (*Order, error) {
	order, err := v.FindOrder(id)
	switch {
	case err != nil:
		return nil, err
	case order.Status == CheckoutDraft || order.Status == Trashed:
		return nil, Faultf(NoSuchOrder, "There is no order %d.", id)
	case subtle.ConstantTimeCompare([]byte(key), []byte(order.Key)) == 0:
		return nil, Faultf(WrongOrderKey, "The key does not belong to order %d.", id)
	}
	return order, nil
}

// OrderForCustomer finds an order for whoever knows its key. A customer's order is shown to that customer only, who needs no key; a
// guest's billing e-mail must fit if one is given.
//
// Faults: NoSuchOrder, WrongOrderKey, OtherCustomersOrder, WrongBillingEmail.
func (v View) OrderForCustomer(id int64, key, email string, customerID int64) (*Order, error) {
	if own, known := v.Orders.Get(id); known && key == "" && customerID != 0 && own.CustomerID == customerID {
		key = own.Key
	}
	order, err := v.OrderByKey(id, key)
	switch {
	case err != nil:
		return nil, err
	case order.CustomerID != 0 && order.CustomerID != customerID:
		return nil, Faultf(OtherCustomersOrder, "Order %d belongs to a customer: log in as that customer.", id)
	case order.CustomerID == 0 && email != "" && !sameEmail(email, order.Billing.Email):
		return nil, Faultf(WrongBillingEmail, "Order %d has another billing e-mail.", id)
	}
	return order, nil
}

// clone is a copy that may be changed.
func (o *Order) clone() *Order {
	c := *o
	c.Lines = slices.Clone(o.Lines)
	c.ShippingLines = slices.Clone(o.ShippingLines)
	c.FeeLines = slices.Clone(o.FeeLines)
	c.CouponLines = slices.Clone(o.CouponLines)
	c.TaxLines = slices.Clone(o.TaxLines)
	c.Refunds = slices.Clone(o.Refunds)
	c.Meta = slices.Clone(o.Meta)
	c.AdditionalFields = maps.Clone(o.AdditionalFields)
	c.Fetched = slices.Clone(o.Fetched)
	return &c
}

// put keeps a changed copy. Fault: BelowRefunded.
func (o *Order) put(tx *Tx) error {
	if err := o.coversRefunds(BelowRefunded); err != nil {
		return err
	}
	o.Memo = new(Memo)
	return tx.Orders.Put(tx.rows, o)
}

// newOrder is an order with its id and key, without status.
func (tx *Tx) newOrder(via string) *Order {
	const keyLength = 13
	return &Order{
		ID: next(&tx.LastID.Post), Key: "order_" + tx.Token(keyLength), Via: via,
		Currency: tx.Config.Currency, Decimals: tx.Config.Decimals, PricesIncludeTax: tx.Config.PricesIncludeTax,
		Created: tx.Now, Modified: tx.Now,
	}
}

// SetOrderStatus gives an order another status, with all that follows from it. The status trash is the way into the
// trash.
//
// Faults: NoSuchOrder, AlreadyTrashed.
func (tx *Tx) SetOrderStatus(id int64, status OrderStatus) (*Order, error) {
	if status == Trashed {
		return tx.TrashOrder(id)
	}
	order, err := tx.FindOrder(id)
	if err != nil {
		return nil, err
	}
	changed := order.clone()
	changed.Modified = tx.Now
	if err := changed.enter(tx, status); err != nil {
		return nil, err
	}
	tx.emit("order", changeOf(order.Status, status), id)
	return changed, changed.put(tx)
}

// MarkOrder gives an order an entry of meta data with a name that cannot be guessed, unless it has one with the key.
// Fault: NoSuchOrder.
func (tx *Tx) MarkOrder(id int64, key string) error {
	order, err := tx.FindOrder(id)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(order.Meta, func(m Meta) bool { return m.Key == key }) {
		return nil
	}
	const nameLength = 38
	changed := order.clone()
	changed.Meta = append(changed.Meta, Meta{ID: tx.NextMeta(), Key: key, Value: jsonText(tx.Token(nameLength))})
	return changed.put(tx)
}

// TrashOrder moves an order to the trash. Its stock stays taken. Faults: NoSuchOrder, AlreadyTrashed.
func (tx *Tx) TrashOrder(id int64) (*Order, error) {
	order, err := tx.FindOrder(id)
	if err != nil {
		return nil, err
	}
	if order.Status == Trashed {
		return nil, Faultf(AlreadyTrashed, "Order %d is in the trash already: send force=true to delete it for good.", id)
	}
	changed := order.clone()
	changed.Status, changed.Modified = Trashed, tx.Now
	changed.Meta = tx.trashMarks(order.Meta, string(order.Status))
	if err := changed.settleEffects(tx); err != nil {
		return nil, err
	}
	tx.emit("order", "deleted", id)
	return changed, changed.put(tx)
}

// DeleteOrder removes an order and its notes for good, and returns it as it was. Fault: NoSuchOrder.
func (tx *Tx) DeleteOrder(id int64) (*Order, error) {
	order, err := tx.FindOrder(id)
	if err != nil {
		return nil, err
	}
	for _, note := range tx.NotesOf(id) {
		tx.Notes.Delete(tx.rows, note.ID)
	}
	if err := order.countGone(tx); err != nil {
		return nil, err
	}
	tx.Orders.Delete(tx.rows, id)
	if order.Status != CheckoutDraft {
		tx.emit("order", "deleted", id)
	}
	return order, nil
}

// countGone takes an order that is about to go out of the sales and coupon uses.
func (o *Order) countGone(tx *Tx) error {
	gone := o.clone()
	gone.Status = Trashed
	return gone.settleEffects(tx)
}
