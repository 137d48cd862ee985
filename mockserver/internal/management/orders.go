package management

import (
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Orders (contract, "Orders"): the generic resource with a trash. What is written goes to the domain as a whole, because
// lines, totals, status and stock follow from each other.
var orders = &rest.Resource[order]{
	Path:    "/orders",
	Record:  orderFields,
	Name:    func(o *order) string { return rest.IDText(o.ID) },
	Filters: orderFilters,
	Reading: []rest.Param{decimalsParam},
	More:    askedDecimals,
	Select:  selectOrders,
	Find:    rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*order, error) { return v.FindOrder(id) }),
	New:     func(tx *shop.Tx, _ *rest.Request) (*order, error) { return tx.NewOrder(), nil },
	Create:  createOrder,
	Save:    saveOrder,
	Trash: func(o *order, tx *shop.Tx) error {
		_, err := tx.TrashOrder(o.ID)
		return err
	},
	Delete: func(tx *shop.Tx, o *order, _ rest.Args) error {
		_, err := tx.DeleteOrder(o.ID)
		return err
	},
	Links: orderLinks,
}

func orderLinks(o *order) []rest.Link {
	links := []rest.Link{{Relation: "email_templates", Path: "/orders/" + rest.IDText(o.ID) + "/actions/email_templates", Embeddable: true}}
	if o.CustomerID != 0 {
		links = append(links, rest.Link{Relation: "customer", Path: "/customers/" + rest.IDText(o.CustomerID)})
	}
	return links
}

var orderStatuses = append([]string{"any"}, writableStatuses...)

func orderFilters() []rest.Param {
	return slices.Concat(withoutParam(postFilters(), "slug"), rest.MetaFilters, []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "modified", "id", "include", "title", "slug"}},
		{Name: "status", Type: rest.Array, Default: []any{"any"}, Items: &rest.Param{Type: rest.String, Enum: orderStatuses},
			Description: "One status or several."},
		{Name: "customer", Type: rest.Integer, Description: "Id of a customer; 0 finds guests' orders."},
		{Name: "product", Type: rest.Integer, Description: "Id of a product or variation that was ordered."},
		{Name: "created_via", Type: rest.Array, Items: &rest.Param{Type: rest.String}, Description: "Where orders came from."},
	})
}

func withoutParam(params []rest.Param, name string) []rest.Param {
	return slices.DeleteFunc(params, func(p rest.Param) bool { return p.Name == name })
}

// maxDecimals bounds dp.
const maxDecimals = 10

// decimalsParam sets with how many decimals amounts are shown.
var decimalsParam = rest.Param{Name: "dp", Type: rest.Integer, Min: rest.Bound(0), Max: rest.Bound(maxDecimals),
	Description: "Decimals of the amounts shown."}

func askedDecimals(r *rest.Request) map[string]any {
	if !r.Args.Has("dp") {
		return nil
	}
	return map[string]any{"dp": int32(r.Args.Int("dp"))}
}

// orderOrders are the orderings of listed orders. An order has no title or slug but its number.
var orderOrders = map[string]*state.Ordered[*order]{
	"date": shop.Orders.ByDate, "modified": shop.Orders.ByModified, "id": shop.Orders.ByID, "include": shop.Orders.ByID,
	"title": shop.Orders.ByID, "slug": shop.Orders.ByID,
}

func selectOrders(v shop.View, r *rest.Request) ([]*order, int, error) {
	index := &shop.Orders
	c := conditions[*order]{args: r.Args}
	wanted := orderStatusesOf(r.Args)
	if wanted == nil {
		c.add(index.Status.Not(string(shop.Trashed), string(shop.CheckoutDraft)))
	} else {
		c.add(index.Status.Is(wanted...))
	}
	c.dates("after", "before", index.ByAnyDate)
	addModified(&c)
	c.chosen()
	c.list("parent", single, index.Parent)
	c.not("parent_exclude", index.Parent)
	addID(&c, "customer", index.Customer)
	addID(&c, "product", index.Product)
	if via := r.Args.Strings("created_via"); len(via) > 0 {
		c.add(state.Match(func(o *order) bool { return slices.Contains(via, o.Via) }))
	}
	c.text("search", orderMentions)
	if c.err != nil {
		return nil, 0, c.err
	}
	return listed(r, &v.Orders, holding(orderOrders[r.Args.String("orderby")], wanted), c.where)
}

// orderStatusesOf returns the statuses that were asked for, nil for any.
func orderStatusesOf(args rest.Args) []string {
	wanted := args.Strings("status")
	if len(wanted) == 0 || slices.Contains(wanted, "any") {
		return nil
	}
	return wanted
}

// holding returns an ordering that has the orders of the wanted statuses. Only two have drafts and trashed orders: by date,
// and the primary one by id.
func holding(ordering *state.Ordered[*order], wanted []string) *state.Ordered[*order] {
	hidden := slices.Contains(wanted, string(shop.Trashed)) || slices.Contains(wanted, string(shop.CheckoutDraft))
	switch {
	case !hidden:
		return ordering
	case ordering == shop.Orders.ByDate:
		return shop.Orders.ByAnyDate
	}
	return nil
}

func addModified(c *conditions[*order]) {
	after, hasAfter := c.args.Time("modified_after")
	before, hasBefore := c.args.Time("modified_before")
	if !hasAfter && !hasBefore {
		return
	}
	c.add(state.Match(func(o *order) bool {
		return (!hasAfter || o.Modified.After(after)) && (!hasBefore || o.Modified.Before(before))
	}))
}

func addID(c *conditions[*order], name string, facet *state.Facet[*order]) {
	if c.args.Has(name) {
		c.add(facet.Is(rest.IDText(c.args.Int(name))))
	}
}

// orderMentions reports whether number, addresses or lines hold every word of the text.
func orderMentions(o *order, text string) bool {
	searched := append(make([]string, 0, 40), // of a size that needs no memory of the heap
		strconv.FormatInt(o.ID, 10), o.Billing.Email, o.Billing.Phone, o.Shipping.Phone, o.TransactionID)
	for _, a := range []*shop.Address{&o.Billing, &o.Shipping} {
		searched = append(searched, a.FirstName, a.LastName, a.Company, a.Address1, a.Address2, a.City, a.State, a.Postcode, a.Country)
	}
	for i := range o.Lines {
		searched = append(searched, o.Lines[i].Name, o.Lines[i].SKU)
	}
	return shop.Mentions(text, searched...)
}
