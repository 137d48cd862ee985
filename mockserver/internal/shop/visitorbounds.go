package shop

// How much memory stays taken by what visitors leave at the checkout: anybody may order as often as they like, and open accounts.

import "errors"

const (
	maxPlaced = 50_000 // orders that were placed at the checkout
	maxOpened = 50_000 // accounts that were opened there
)

// Forgotten is the action of the event of a record that made room for newer ones. Nobody is told of it but who runs the shop.
const Forgotten = "forgotten"

// forgetVisits deletes, as staff would, the oldest orders and accounts that visitors have left, where there are more than the shop keeps:
// more than one at once only in a shop that began with too many.
func (tx *Tx) forgetVisits() error {
	for left := maxAtOnce; left > 0 && Orders.Placed.Count(&tx.Orders, ViaCheckout) > maxPlaced; left-- {
		if err := tx.forgetOldestOrder(); err != nil {
			return err
		}
	}
	if Customers.Via.Count(&tx.Customers, ViaCheckout) > maxOpened {
		return tx.forgetOldestAccount()
	}
	return nil
}

func (tx *Tx) forgetOldestOrder() error {
	for order := range Orders.Placed.Rows(&tx.Orders, ViaCheckout) {
		_, err := tx.DeleteOrder(order.ID)
		tx.emit("order", Forgotten, order.ID)
		return err
	}
	return nil
}

// forgetOldestAccount passes over those that run the shop by now.
func (tx *Tx) forgetOldestAccount() error {
	for customer := range Customers.Via.Rows(&tx.Customers, ViaCheckout) {
		err := customer.Delete(tx, 0)
		if fault := (*Fault)(nil); errors.As(err, &fault) && fault.Kind == ProtectedUser {
			continue
		}
		tx.emit("customer", Forgotten, customer.ID)
		return err
	}
	return nil
}
