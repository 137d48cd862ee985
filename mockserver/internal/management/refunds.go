package management

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// refund is a refund with what it takes from its order.
type refund struct {
	*shop.Refund
	order    int64
	decimals int32
}

func refundOf(o *order, r *shop.Refund) *refund {
	return &refund{Refund: r, order: o.ID, decimals: o.Decimals}
}

// Refunds of an order. They are made and deleted, never changed; a delete is always for good.
var refunds = &rest.Resource[refund]{
	Path:    "/orders/{order_id:[0-9]+}/refunds",
	Name:    func(r *refund) string { return rest.IDText(r.ID) },
	Record:  refundFields,
	Reading: []rest.Param{decimalsParam},
	More:    askedDecimals,
	Filters: refundFilters,
	Select: func(v shop.View, r *rest.Request) ([]*refund, int, error) {
		o, known := v.Orders.Get(r.ID("order_id"))
		if !known {
			return nil, 0, nil // as live shops do
		}
		return selectRefunds(r, refundsOf(o))
	},
	Find: rest.ByID(func(v shop.View, r *rest.Request, id int64) (*refund, error) {
		found, err := v.FindRefund(r.ID("order_id"), id)
		if err != nil {
			return nil, err
		}
		o, err := v.FindOrder(r.ID("order_id"))
		return refundOf(o, found), err
	}),
	New:    newRefund,
	Create: createRefund,
	Trash:  deleteRefund,
	Delete: func(tx *shop.Tx, r *refund, _ rest.Args) error { return deleteRefund(r, tx) },
	Links: func(r *refund) []rest.Link {
		return []rest.Link{{Relation: "up", Path: "/orders/" + rest.IDText(r.order)}}
	},
}

// allRefunds lists the refunds of all orders.
var allRefunds = &rest.Resource[refund]{
	Path: "/refunds",
	Name: refunds.Name,
	Record: rest.Lazily(func() *rest.Record[refund] {
		parent := rest.Int("parent_id", func(r *refund) *int64 { return &r.order }, rest.ReadOnly)
		return refundFields.Pick([]rest.Field[refund]{parent}, "id", "parent_id", "date_created", "date_created_gmt", "amount", "reason",
			"refunded_by", "refunded_payment", "meta_data", "line_items", "shipping_lines", "tax_lines", "fee_lines")
	}),
	Reading: refunds.Reading,
	More:    askedDecimals,
	Filters: refundFilters,
	Self: func(r *refund) rest.Link {
		return rest.Link{Relation: "self", Path: "/orders/" + rest.IDText(r.order) + "/refunds/" + rest.IDText(r.ID),
			Allow: []string{http.MethodGet, http.MethodDelete}}
	},
	Links: func(r *refund) []rest.Link {
		return []rest.Link{{Relation: "up", Path: "/orders/" + rest.IDText(r.order)}}
	},
	Select: func(v shop.View, r *rest.Request) ([]*refund, int, error) {
		var all []*refund
		for o := range v.Orders.All() {
			all = append(all, refundsOf(o)...)
		}
		return selectRefunds(r, all)
	},
}

var refundFields = rest.Lazily(func() *rest.Record[refund] {
	return &rest.Record[refund]{Fields: slices.Concat(
		[]rest.Field[refund]{rest.Int("id", func(r *refund) *int64 { return &r.ID }, rest.ReadOnly)},
		rest.Moment("date_created", func(r *refund) *time.Time { return &r.Created }, nil),
		[]rest.Field[refund]{
			rest.Restoring(rest.NewField(rest.Param{Name: "amount", Type: rest.String, Description: "What the lines come to when absent."},
				func(e *rest.Encoding, b []byte, r *refund) []byte {
					return appendMoney(b, r.Amount, decimals(e, r.decimals))
				}, nil), restoreAmount("amount", func(r *refund) *shop.Amount { return &r.Amount })),
			rest.Text("reason", func(r *refund) *string { return &r.Reason }),
			rest.Int("refunded_by", func(r *refund) *int64 { return &r.By }, rest.AtLeast(0)),
			rest.Flag("refunded_payment", func(r *refund) *bool { return &r.PaidBack }, rest.ReadOnly),
			rest.MetaData(func(r *refund) *[]shop.Meta { return &r.Meta }),
			refundLines("line_items", func(r *refund) *[]shop.OrderLine { return &r.Lines }, lineItem),
			refundLines("shipping_lines", func(r *refund) *[]shop.ShippingLine { return &r.ShippingLines }, shippingLine),
			readOnly(refundLines("tax_lines", func(r *refund) *[]shop.TaxLine { return &r.TaxLines }, taxLine)),
			refundLines("fee_lines", func(r *refund) *[]shop.FeeLine { return &r.FeeLines }, feeLine),
			writeOnly[refund](rest.Param{Name: "api_refund", Type: rest.Boolean,
				Description: "Whether the payment method pays the money back: if it can, unless said otherwise."}),
			writeOnly[refund](rest.Param{Name: "api_restock", Type: rest.Boolean, Default: true,
				Description: "Whether refunded pieces go back to the stock."}),
		},
	)}
})

// refundLines shows the lines of a refund; clients write which line of the order is refunded, and how much of it: in a list, or by the
// ids of the lines and of the rates, as the shop's own apps do.
func refundLines[L any](name string, at func(*refund) *[]L, line *rest.Record[L]) rest.Field[refund] {
	field := amountRows(name, at, line, func(r *refund) int32 { return r.decimals })
	amount := rest.Param{Name: "refund_total", Type: rest.String | rest.Number}
	tax := &rest.Param{Type: rest.Object, Fields: []rest.Param{{Name: "id", Type: rest.Integer, Required: true}, amount}}
	field.Keyed = &rest.Keyed{Name: "id"}
	field.Items = &rest.Param{Type: rest.Object, Fields: []rest.Param{
		{Name: "id", Type: rest.Integer, Description: "Id of the order's line."},
		{Name: "product_id", Type: rest.Integer, Description: "In place of the id of a product's line: the product or variation."},
		{Name: "quantity", Type: rest.Integer, Min: rest.Bound(0)},
		{Name: "qty", Type: rest.Integer, Min: rest.Bound(0), Description: "In place of quantity."},
		amount,
		{Name: "refund_tax", Type: rest.Array, Items: tax, Keyed: &rest.Keyed{Name: "id", Value: "refund_total"},
			Description: "Tax by rate."},
	}}
	return field
}

func refundFilters() []rest.Param {
	return slices.DeleteFunc(append(withoutParam(postFilters(), "slug"), rest.MetaFilters...), func(p rest.Param) bool {
		return p.Name == "parent" || p.Name == "parent_exclude" || p.Name == "search" || p.Name == "modified_after" ||
			p.Name == "modified_before"
	})
}

func refundsOf(o *order) []*refund {
	var all []*refund
	for i := range o.Refunds {
		all = append(all, refundOf(o, &o.Refunds[i]))
	}
	return all
}

// selectRefunds chooses and orders refunds, the newest first unless asked otherwise.
func selectRefunds(r *rest.Request, all []*refund) ([]*refund, int, error) {
	include, exclude := r.Args.Ints("include"), r.Args.Ints("exclude")
	after, hasAfter := r.Args.Time("after")
	before, hasBefore := r.Args.Time("before")
	all = slices.DeleteFunc(all, func(found *refund) bool {
		return len(include) > 0 && !slices.Contains(include, found.ID) || slices.Contains(exclude, found.ID) ||
			hasAfter && !found.Created.After(after) || hasBefore && !found.Created.Before(before)
	})
	slices.SortFunc(all, func(a, b *refund) int { return int(a.ID - b.ID) })
	if r.Args.String("order") != "asc" {
		slices.Reverse(all)
	}
	return rest.Slice(rest.PageOf(r), all), len(all), nil
}

func newRefund(tx *shop.Tx, r *rest.Request) (*refund, error) {
	o, err := tx.FindOrder(r.ID("order_id"))
	if err != nil {
		return nil, err
	}
	made := refundOf(o, new(shop.Refund))
	made.By = r.UserID
	return made, nil
}

func createRefund(tx *shop.Tx, r *refund, args rest.Args) error {
	input := shop.RefundInput{Reason: r.Reason, By: r.By, Meta: r.Meta, Restock: args.Bool("api_restock")}
	var err error
	if args.Has("api_refund") {
		paidBack := args.Bool("api_refund")
		input.PaidBack = &paidBack
	}
	if input.Amount, err = anyAmount("amount", args, "amount"); err != nil {
		return err
	}
	if input.Amount != nil && input.Amount.IsNegative() {
		return rest.Errorf(http.StatusBadRequest, "shop_rest_invalid_order_refund", "The amount of a refund must not be negative.")
	}
	for _, field := range []string{"line_items", "shipping_lines", "fee_lines"} {
		for _, sent := range args.Objects(field) {
			line, err := refundLine(field, sent)
			if err != nil {
				return err
			}
			input.Lines = append(input.Lines, line)
		}
	}
	kept, err := tx.CreateRefund(r.order, input)
	if err == nil {
		r.Refund = kept
	}
	return err
}

func refundLine(field string, sent rest.Args) (shop.RefundLine, error) {
	line := shop.RefundLine{ID: sent.Int("id"), Product: sent.Int("product_id"),
		Quantity: cmp.Or(sent.Int("qty"), sent.Int("quantity")), Taxes: map[int64]shop.Amount{}}
	total, err := lineAmount(field, sent, "refund_total")
	if err != nil {
		return line, err
	}
	if total != nil {
		line.Total = *total
	}
	for _, tax := range sent.Objects("refund_tax") {
		amount, err := lineAmount(field, tax, "refund_total")
		if err != nil {
			return line, err
		}
		if amount != nil {
			line.Taxes[tax.Int("id")] = *amount
		}
	}
	return line, nil
}

func deleteRefund(r *refund, tx *shop.Tx) error {
	_, err := tx.DeleteRefund(r.order, r.ID)
	return err
}
