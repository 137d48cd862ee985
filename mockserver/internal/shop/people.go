package shop

import "time"

// Address is a postal address; e-mail belongs to billing addresses only.
type Address struct {
	FirstName, LastName, Company   string
	Address1, Address2             string
	City, State, Postcode, Country string // state or province code; ISO 3166-1 alpha-2 code
	Email, Phone                   string
}

// Customer is a user of the shop: a buyer, or one who runs it.
type Customer struct {
	ID           int64
	Created      time.Time
	Modified     *time.Time
	Email        string // unique
	Username     string // unique, never changes
	PasswordHash string
	FirstName    string
	LastName     string
	DisplayName  string
	Role         string // customer, administrator, shop_manager …
	Via          string // ViaCheckout: who buys has opened the account; empty: staff has
	Billing      Address
	Shipping     Address
	Paying       bool // has bought something
	Meta         []Meta
	Memo         *Memo
}

// RowID identifies the customer in its table.
func (c *Customer) RowID() int64 { return c.ID }

// APIKey is a pair of consumer key and secret that acts for a user.
type APIKey struct {
	ID          int64
	Description string
	UserID      int64
	Permission  Permission
	Key         string // "ck_…"
	Secret      string // "cs_…"
	Revoked     bool
}

// RowID identifies the key in its table.
func (k *APIKey) RowID() int64 { return k.ID }

// Permission limits what a key may do.
type Permission string

// The three permissions of an API key.
const (
	ReadOnly  Permission = "read"
	WriteOnly Permission = "write"
	ReadWrite Permission = "read_write"
)
