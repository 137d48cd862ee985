package shop

// What staff do with customers: finding, changing and deleting them, and the downloads that they bought.

import (
	"strconv"
	"strings"
)

// FindCustomer finds a user. Fault: NoSuchCustomer.
func (v View) FindCustomer(id int64) (*Customer, error) {
	if customer, known := v.Customers.Get(id); known {
		return customer, nil
	}
	return nil, Faultf(NoSuchCustomer, "There is no customer %d.", id)
}

// Save keeps a changed copy of a customer.
//
// Faults: InvalidParam (the e-mail), EmailTaken, ReadOnlyValue (the user name).
func (c *Customer) Save(tx *Tx, old *Customer) error {
	if c.Username != old.Username {
		return Faultf(ReadOnlyValue, "The user name of a customer never changes.")
	}
	if !ValidEmail(c.Email) {
		return invalidParam("email", "This is not an e-mail address.")
	}
	if holder, taken := Customers.Email.Find(&tx.Customers, strings.ToLower(c.Email)); taken && holder.ID != c.ID {
		return Faultf(EmailTaken, "Another customer has this e-mail address.")
	}
	if c.DisplayName == displayName(old) {
		c.DisplayName = displayName(c)
	}
	c.Modified, c.Memo = DateOf(tx.Now), new(Memo)
	tx.emit("customer", "updated", c.ID)
	return tx.Customers.Put(tx.rows, c)
}

// displayName is the full name, else the user name.
func displayName(c *Customer) string {
	if name := strings.TrimSpace(c.FirstName + " " + c.LastName); name != "" {
		return name
	}
	return c.Username
}

// Delete removes a customer for good, with the cart and the API keys that act for it. The orders go to the user reassign, or to
// nobody when that is 0: then they are guests' orders.
//
// Faults: ProtectedUser (an administrator, or whoever holds the last key in force), InvalidParam (reassign).
func (c *Customer) Delete(tx *Tx, reassign int64) error {
	if c.Role == RoleAdministrator || tx.holdsLastKey(c.ID) {
		return Faultf(ProtectedUser, "User %d runs the shop and cannot be deleted.", c.ID)
	}
	if _, known := tx.Customers.Get(reassign); reassign != 0 && (!known || reassign == c.ID) {
		return invalidParam("reassign", "This must be the id of another user.")
	}
	if err := tx.handOver(c.ID, reassign); err != nil {
		return err
	}
	for _, key := range collect(tx.Keys.All()) {
		if key.UserID == c.ID {
			tx.Keys.Delete(tx.rows, key.ID)
		}
	}
	if cart, has := Carts.Session.Find(&tx.Carts, Shopper{CustomerID: c.ID}.cartName()); has {
		tx.forget(cart)
	}
	tx.Customers.Delete(tx.rows, c.ID)
	tx.emit("customer", "deleted", c.ID)
	return nil
}

// holdsLastKey reports whether no key that can write would be left without those of a user.
func (tx *Tx) holdsLastKey(userID int64) bool {
	holds := false
	for key := range tx.Keys.All() {
		switch {
		case key.Revoked || key.Permission == ReadOnly:
		case key.UserID != userID:
			return false
		default:
			holds = true
		}
	}
	return holds
}

// handOver gives a customer's orders to another user, 0 for guests, and the uses of their coupons along with them.
func (tx *Tx) handOver(customerID, userID int64) error {
	uses := couponUses{}
	for _, order := range collect(Orders.Customer.Rows(&tx.Orders, strconv.FormatInt(customerID, 10))) {
		moved := order.clone()
		moved.CustomerID = userID
		if order.CouponsCounted {
			uses.note(order, false)
			uses.note(moved, true)
		}
		if err := moved.put(tx); err != nil {
			return err
		}
	}
	return uses.count(tx)
}

// CustomerOrders sums up what a customer ordered.
type CustomerOrders struct {
	Last  *Order // nil when there is none
	Count int64
	Spent Amount // on paid orders
}

// OrdersOf sums up a customer's orders, without drafts and those in the trash.
func (v View) OrdersOf(customerID int64) CustomerOrders {
	var sum CustomerOrders
	for order := range Orders.Customer.Rows(&v.Orders, strconv.FormatInt(customerID, 10)) {
		if order.Status == CheckoutDraft || order.Status == Trashed {
			continue
		}
		sum.Last = order
		sum.Count++
		if order.Status == Processing || order.Status == Completed {
			sum.Spent = sum.Spent.Add(order.Totals.Total)
		}
	}
	return sum
}
