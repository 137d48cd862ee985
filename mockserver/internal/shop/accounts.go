package shop

// Customer accounts.

import (
	"cmp"
	"strings"
)

// RoleCustomer is the role of those who buy.
const RoleCustomer = "customer"

// RoleAdministrator is the role of those who run the shop. No call of an API gives or takes it.
const RoleAdministrator = "administrator"

// Create gives a customer an id and keeps it. A user name is made from the e-mail if there is none; one who
// has no date of creation was created now.
//
// Faults: InvalidParam (the e-mail), EmailTaken, InvalidUsername, UsernameTaken. Whose they are is not told.
func (c *Customer) Create(tx *Tx) error {
	if !ValidEmail(c.Email) {
		return &Fault{
			Kind:    InvalidParam,
			Message: "A customer needs an e-mail address.",
			Params:  map[string]string{"email": "This is not an e-mail address."},
		}
	}
	if _, taken := Customers.Email.Find(&tx.Customers, strings.ToLower(c.Email)); taken {
		return &Fault{Kind: EmailTaken, Message: "There is a customer with this e-mail address already: log in instead."}
	}
	if c.Username == "" {
		c.Username = tx.freeUsername(c.Email)
	}
	if strings.TrimSpace(c.Username) == "" || strings.ContainsFunc(c.Username, outsideUsernames) {
		return Faultf(InvalidUsername, "A user name is made of the letters a to z, digits, spaces and any of _ . - @.")
	}
	if _, taken := Customers.Username.Find(&tx.Customers, strings.ToLower(c.Username)); taken {
		return &Fault{Kind: UsernameTaken, Message: "There is a customer with this user name already."}
	}
	c.ID = next(&tx.LastID.Customer)
	if c.Created.IsZero() {
		c.Created = tx.Now
	}
	c.Role = cmp.Or(c.Role, RoleCustomer)
	c.DisplayName = cmp.Or(c.DisplayName, displayName(c))
	c.Memo = new(Memo)
	tx.emit("customer", "created", c.ID)
	return tx.Customers.Put(tx.rows, c)
}

// outsideUsernames tells which characters no user name has.
func outsideUsernames(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune(" _.-@", r)
}

// freeUsername makes a user name from the part of an e-mail before the @, without the characters that no user name has.
func (tx *Tx) freeUsername(email string) string {
	local, _, _ := strings.Cut(strings.ToLower(email), "@")
	local = strings.Join(strings.FieldsFunc(local, outsideUsernames), "")
	return freeName(cmp.Or(local, "customer"), func(name string) bool {
		_, taken := Customers.Username.Find(&tx.Customers, name)
		return !taken
	})
}

// keepAddresses remembers the addresses that a customer ordered with.
func (tx *Tx) keepAddresses(customerID int64, billing, shipping Address) error {
	customer, known := tx.Customers.Get(customerID)
	if !known || customer.Billing == billing && customer.Shipping == shipping {
		return nil
	}
	changed := *customer
	changed.Billing, changed.Shipping, changed.Modified = billing, shipping, DateOf(tx.Now)
	changed.Memo = new(Memo)
	tx.emit("customer", "updated", customerID)
	return tx.Customers.Put(tx.rows, &changed)
}
