package seed

// Orders that the staff wrote: by telephone, or through the management API.

import (
	"fmt"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// write makes an order as staff does.
func (h *history) write(tx *shop.Tx, _ int, order fixtures.Order) (*shop.Order, error) {
	billing, shipping, err := h.addresses(order)
	if err != nil {
		return nil, err
	}
	gateway, known := shop.Gateways.Method.Find(&tx.Gateways, order.Payment)
	if !known && order.Payment != "" {
		return nil, fmt.Errorf("there is no payment method %q", order.Payment)
	}
	row := tx.NewOrder()
	row.Via, row.CustomerID, row.CustomerNote = order.Via, h.names.customers[order.Customer], order.Note
	row.Billing, row.Shipping = billing, shipping
	if known {
		row.PaymentMethod, row.PaymentMethodTitle = gateway.Method, gateway.Title
	}
	if written(order) {
		row.Status = statusOf(order)
	}
	edit, err := h.editOf(tx, order, shipping)
	if err != nil {
		return nil, err
	}
	return row, row.Create(tx, edit)
}

func (h *history) editOf(tx *shop.Tx, order fixtures.Order, shipping shop.Address) (shop.OrderEdit, error) {
	edit := shop.OrderEdit{Coupons: &order.Coupons, SetPaid: order.Payment == shop.MockPay}
	for _, line := range order.Lines {
		written, err := h.lineOf(tx, line)
		if err != nil {
			return edit, err
		}
		edit.Lines = append(edit.Lines, written)
	}
	for _, fee := range order.Fees {
		total := pricing.AmountOf(fee.Total)
		edit.Fees = append(edit.Fees, shop.FeeEdit{Name: &fee.Name, Total: &total})
	}
	if order.Delivery == "" {
		return edit, nil
	}
	method, err := methodOf(tx.View, order.Delivery, shipping)
	if err != nil {
		return edit, err
	}
	postage := pricing.AmountOf(order.Postage)
	edit.Shipping = []shop.ShippingEdit{{MethodID: &method.MethodID, MethodTitle: &method.Title, Total: &postage}}
	return edit, nil
}

// lineOf is a line of a product or a variation.
func (h *history) lineOf(tx *shop.Tx, line fixtures.OrderLine) (shop.LineEdit, error) {
	written := shop.LineEdit{Quantity: &line.Quantity}
	if total, said := pricing.ParseAmount(line.Total); said {
		written.Subtotal, written.Total = &total, &total
	}
	id, known := h.names.products[line.SKU]
	if !known {
		return written, fmt.Errorf("there is no product %q", line.SKU)
	}
	if variation, is := tx.Variations.Get(id); is {
		written.ProductID, written.VariationID = &variation.ParentID, &id
	} else {
		written.ProductID = &id
	}
	return written, nil
}

// methodOf finds the shipping method of a title for a place.
func methodOf(v shop.View, title string, place shop.Address) (*shop.ShippingMethod, error) {
	zone := v.ZoneFor(place)
	for method := range v.Methods.All() {
		if method.ZoneID == zone && method.Title == title {
			return method, nil
		}
	}
	return nil, fmt.Errorf("zone %d has no delivery %q", zone, title)
}
