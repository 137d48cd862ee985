package management

import (
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

type customer = shop.Customer

// Customers (contract, "Customers"). They have no trash.
var customers = &rest.Resource[customer]{
	Path:         "/customers",
	HidesMethods: true,
	Record:       customerFields,
	Name:         func(c *customer) string { return rest.IDText(c.ID) },
	Filters:      customerFilters,
	Select:       selectCustomers,
	Find:         rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*customer, error) { return v.FindCustomer(id) }),
	New:          func(*shop.Tx, *rest.Request) (*customer, error) { return new(customer), nil },
	Create: func(tx *shop.Tx, c *customer, _ rest.Args) error {
		c.Modified = shop.DateOf(tx.Now)
		if c.PasswordHash == "" {
			c.MakePassword(tx)
		}
		return c.Create(tx)
	},
	Save: func(tx *shop.Tx, c, old *customer, _ rest.Args) error { return c.Save(tx, old) },
	Delete: func(tx *shop.Tx, c *customer, args rest.Args) error {
		return c.Delete(tx, args.Int("reassign"))
	},
	Removal: []rest.Param{{Name: "reassign", Type: rest.Integer, Min: rest.Bound(0), Description: "User who gets the customer's orders."}},
	Memo:    func(c *customer) *shop.Memo { return c.Memo },
}

var (
	customerBilling = rest.Lazily(func() *rest.Record[shop.Address] {
		return address("first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country", "state",
			"email", "phone")
	})
	customerShipping = rest.Lazily(func() *rest.Record[shop.Address] {
		return phoneHidden(address("first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country",
			"state", "phone"))
	})
)

var customerFields = rest.Lazily(func() *rest.Record[customer] {
	return &rest.Record[customer]{Fields: slices.Concat(
		[]rest.Field[customer]{rest.Int("id", func(c *customer) *int64 { return &c.ID }, rest.ReadOnly)},
		rest.Moment("date_created", func(c *customer) *time.Time { return &c.Created }, nil),
		rest.ShownMoment("date_modified", lastChanged, func(c *customer, moment *time.Time) { c.Modified = moment }),
		[]rest.Field[customer]{
			rest.Text("email", func(c *customer) *string { return &c.Email }, rest.Required, rest.As(rest.Email),
				rest.About("Unique in the shop.")),
			rest.Text("first_name", func(c *customer) *string { return &c.FirstName }),
			rest.Text("last_name", func(c *customer) *string { return &c.LastName }),
			rest.Text("role", func(c *customer) *string { return &c.Role }, rest.ReadOnly),
			rest.Text("username", func(c *customer) *string { return &c.Username },
				rest.About("Made from the e-mail when absent; never changes.")),
			rest.Nested("billing", func(c *customer) *shop.Address { return &c.Billing }, customerBilling),
			rest.Nested("shipping", func(c *customer) *shop.Address { return &c.Shipping }, customerShipping),
			rest.Flag("is_paying_customer", func(c *customer) *bool { return &c.Paying }, rest.ReadOnly),
			rest.TextOf("avatar_url", func(e *rest.Encoding, _ *customer) string { return e.Site.Absolute(rest.Placeholder) }),
			rest.MetaData(func(c *customer) *[]shop.Meta { return &c.Meta }),
			password(),
		},
	)}
})

// lastChanged is when a customer was changed; who never was, was last changed when it was made. The contract ("Management
// API: Customer") leaves no room for null there.
func lastChanged(c *customer) *time.Time {
	if c.Modified == nil {
		return &c.Created
	}
	return c.Modified
}

// password is written and never shown.
func password() rest.Field[customer] {
	return rest.Field[customer]{
		Param:  rest.Param{Name: "password", Type: rest.String, Description: "Made by the shop when absent or empty."},
		Hidden: true,
		Decode: func(d *rest.Decoding, c *customer, value any) error {
			if sent := value.(string); sent != "" { // typed clients write what they leave out as the empty text
				c.PasswordHash = d.HashPassword(sent)
			}
			return nil
		},
	}
}

var roles = []string{"all", "administrator", "editor", "author", "contributor", "subscriber", "customer", "shop_manager"}

func customerFilters() []rest.Param {
	return slices.Concat(listFilters("Words of a user name, e-mail address, first or last name.", "asc"), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "name", Enum: []string{"id", "include", "name", "registered_date"}},
		{Name: "email", Type: rest.String, Format: rest.Email},
		{Name: "role", Type: rest.String, Default: "all", Enum: roles},
	})
}

var customerOrders = map[string]*state.Ordered[*customer]{"name": shop.Customers.ByName, "registered_date": shop.Customers.ByDate}

func selectCustomers(v shop.View, r *rest.Request) ([]*customer, int, error) {
	c := conditions[*customer]{args: r.Args}
	c.chosen()
	if role := r.Args.String("role"); role != "all" {
		c.add(shop.Customers.Role.Is(role))
	}
	if email := r.Args.String("email"); email != "" {
		c.add(ofEmail(v, email))
	}
	c.text("search", func(c *customer, want string) bool {
		return shop.Mentions(want, c.Username, c.Email, c.FirstName, c.LastName)
	})
	return listed(r, &v.Customers, customerOrders[r.Args.String("orderby")], c.where)
}

func ofEmail(v shop.View, email string) state.Condition[*customer] {
	if holder, known := shop.Customers.Email.Find(&v.Customers, strings.ToLower(email)); known {
		return state.IDs[*customer](holder.ID)
	}
	return state.IDs[*customer]()
}
