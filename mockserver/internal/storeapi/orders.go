package storeapi

import (
	"net/http"

	"github.com/shopspring/decimal"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Order lookup (contract, "Store API: order lookup"): who knows the key of an order sees it, but no other customer's.

type orderWire struct {
	ID                  int64           `json:"id"`
	Status              string          `json:"status"`
	Items               []*cartItemWire `json:"items"`
	Coupons             []*couponWire   `json:"coupons"`
	Fees                []feeWire       `json:"fees"`
	Totals              orderTotals     `json:"totals"`
	ShippingAddress     shippingAddress `json:"shipping_address"`
	BillingAddress      billingAddress  `json:"billing_address"`
	NeedsPayment        bool            `json:"needs_payment"`
	NeedsShipping       bool            `json:"needs_shipping"`
	PaymentRequirements []string        `json:"payment_requirements"`
	Errors              []cartError     `json:"errors"`
}

type feeWire struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Totals feeTotals `json:"totals"`
}

type feeTotals struct {
	Total    string `json:"total"`
	TotalTax string `json:"total_tax"`
	currency
}

// orderTotals are the sums of an order. Subtotal is before discounts, Items after.
type orderTotals struct {
	Subtotal    string    `json:"subtotal"`
	Discount    string    `json:"total_discount"`
	Shipping    string    `json:"total_shipping"`
	Fees        string    `json:"total_fees"`
	Tax         string    `json:"total_tax"`
	Refund      string    `json:"total_refund"`
	Price       string    `json:"total_price"`
	Items       string    `json:"total_items"`
	ItemsTax    string    `json:"total_items_tax"`
	FeesTax     string    `json:"total_fees_tax"`
	DiscountTax string    `json:"total_discount_tax"`
	ShippingTax string    `json:"total_shipping_tax"`
	TaxLines    []taxLine `json:"tax_lines"`
	currency
}

func orderEndpoints() []rest.Endpoint {
	return []rest.Endpoint{{
		Methods: []string{http.MethodGet}, Path: "/order/{id:[0-9]+}", Access: rest.Guarded, HidesMethods: true,
		Params: reading(
			rest.Param{Name: "key", Type: rest.String, Description: "Key of the order."},
			rest.Param{Name: "billing_email", Type: rest.String, Description: "Billing e-mail of a guest's order."},
		),
		Do: readOrder,
	}}
}

func readOrder(r *rest.Request) (rest.Answer, error) {
	s := sceneOf(r)
	order, err := s.OrderForCustomer(r.ID("id"), r.Args.String("key"), r.Args.String("billing_email"), r.Shopper.CustomerID)
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(s.order(order))
}

func (s *scene) order(o *shop.Order) *orderWire {
	shown := &orderWire{
		ID: o.ID, Status: string(o.Status), Items: make([]*cartItemWire, len(o.Lines)), Coupons: make([]*couponWire, len(o.CouponLines)),
		Fees: make([]feeWire, len(o.FeeLines)), Totals: s.orderTotals(o),
		ShippingAddress: shippingOf(o.Shipping), BillingAddress: billingOf(o.Billing),
		NeedsPayment: o.NeedsPayment(), NeedsShipping: s.needsShipping(o), PaymentRequirements: paymentRequirements(), Errors: []cartError{},
	}
	for i := range o.Lines {
		shown.Items[i] = s.orderItem(o, &o.Lines[i])
	}
	for i, used := range o.CouponLines {
		shown.Coupons[i] = s.coupon(used.Code, used.Type, used.Discount, used.DiscountTax)
	}
	for i, fee := range o.FeeLines {
		shown.Fees[i] = feeWire{idText(fee.ID), fee.Name, feeTotals{s.minor(fee.Total), s.minor(fee.TotalTax), s.currency()}}
	}
	return shown
}

// orderItem shows a line with what is known of its product; that may be gone.
func (s *scene) orderItem(o *shop.Order, line *shop.OrderLine) *cartItemWire {
	shown := &cartItemWire{Images: []imageWire{}, ItemData: []struct{}{}}
	unit := shop.ItemPrices{Price: perPiece(line), Regular: perPiece(line), Sale: perPiece(line)}
	if p, err := s.Sellable(line.StockID()); err == nil {
		shown = s.goodsItem(p)
		shown.LowStockRemaining = s.lowStock(p)
	}
	shown.Key, shown.ID, shown.Quantity, shown.Name, shown.SKU = o.Key, line.ID, line.Quantity, line.Name, line.SKU
	shown.QuantityLimits = quantityLimits{line.Quantity, line.Quantity, 1, false}
	shown.Variation = lineChoices(line)
	shown.Prices = s.itemPrices(unit)
	shown.Totals = s.lineTotals(line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
	return shown
}

// perPiece is what one piece of a line cost, before discounts.
func perPiece(line *shop.OrderLine) shop.Amount {
	if line.Quantity == 0 {
		return line.Subtotal
	}
	return line.Subtotal.DivRound(decimal.NewFromInt(line.Quantity), rawPrecision)
}

// lineChoices are the chosen attributes of a variation's line.
func lineChoices(line *shop.OrderLine) []attributeChoice {
	choices := []attributeChoice{}
	if line.VariationID == 0 {
		return choices
	}
	for _, meta := range line.Meta {
		choices = append(choices, attributeChoice{meta.DisplayKey, meta.DisplayValue})
	}
	return choices
}

func (s *scene) needsShipping(o *shop.Order) bool {
	for i := range o.Lines {
		if p, err := s.Sellable(o.Lines[i].StockID()); err == nil && p.NeedsShipping() {
			return true
		}
	}
	return false
}

func (s *scene) orderTotals(o *shop.Order) orderTotals {
	var subtotal, items, itemsTax, fees, feesTax, refunded shop.Amount
	for i := range o.Lines {
		line := &o.Lines[i]
		subtotal, items, itemsTax = subtotal.Add(line.Subtotal), items.Add(line.Total), itemsTax.Add(line.TotalTax)
	}
	for _, fee := range o.FeeLines {
		fees, feesTax = fees.Add(fee.Total), feesTax.Add(fee.TotalTax)
	}
	for _, refund := range o.Refunds {
		refunded = refunded.Add(refund.Amount)
	}
	t := &o.Totals
	return orderTotals{
		Subtotal: s.minor(subtotal), Discount: s.minor(t.Discount), Shipping: s.minor(t.Shipping), Fees: s.minor(fees),
		Tax: s.minor(t.Tax), Refund: s.minor(refunded), Price: s.minor(t.Total), Items: s.minor(items), ItemsTax: s.minor(itemsTax),
		FeesTax: s.minor(feesTax), DiscountTax: s.minor(t.DiscountTax), ShippingTax: s.minor(t.ShippingTax),
		TaxLines: s.taxLines(o.TaxLines), currency: s.currency(),
	}
}
