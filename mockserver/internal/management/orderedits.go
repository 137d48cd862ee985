package management

import (
	"net/http"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// From what a client sends for the lines of an order to the edit that the domain makes. A line with an id is changed,
// one without is added; a line is removed by quantity 0, or by null in place of what it is about.

func createOrder(tx *shop.Tx, o *order, args rest.Args) error {
	edit, err := orderEdit(o, args)
	if err != nil {
		return err
	}
	return o.Create(tx, edit)
}

func saveOrder(tx *shop.Tx, o, old *order, args rest.Args) error {
	edit, err := orderEdit(old, args)
	if err != nil {
		return err
	}
	*o = *o.Copy()
	return o.Save(tx, old, edit)
}

func orderEdit(o *order, args rest.Args) (shop.OrderEdit, error) {
	edit := shop.OrderEdit{SetPaid: args.Bool("set_paid")}
	for _, sent := range args.Objects("line_items") {
		line, err := lineEdit(sent)
		if err != nil {
			return edit, err
		}
		edit.Lines = append(edit.Lines, line)
	}
	for _, sent := range args.Objects("shipping_lines") {
		line, err := shippingEdit(sent)
		if err != nil {
			return edit, err
		}
		edit.Shipping = append(edit.Shipping, line)
	}
	for _, sent := range args.Objects("fee_lines") {
		line, err := feeEdit(sent)
		if err != nil {
			return edit, err
		}
		edit.Fees = append(edit.Fees, line)
	}
	if args.Has("coupon_lines") {
		codes := couponCodes(o, args.Objects("coupon_lines"))
		edit.Coupons = &codes
	}
	return edit, nil
}

func lineEdit(sent rest.Args) (shop.LineEdit, error) {
	line := shop.LineEdit{
		ID: sent.Int("id"), ProductID: optional[int64](sent, "product_id"), VariationID: optional[int64](sent, "variation_id"),
		SKU: optional[string](sent, "sku"), Name: optional[string](sent, "name"), TaxClass: optional[string](sent, "tax_class"),
		Quantity: optional[int64](sent, "quantity"), Meta: lineMetaOf(sent),
	}
	line.Remove = line.ID != 0 && (isNull(sent, "product_id") || line.Quantity != nil && *line.Quantity == 0)
	var err error
	if line.Subtotal, err = lineAmount("line_items", sent, "subtotal"); err != nil {
		return line, err
	}
	line.Total, err = lineAmount("line_items", sent, "total")
	return line, err
}

func shippingEdit(sent rest.Args) (shop.ShippingEdit, error) {
	line := shop.ShippingEdit{
		ID: sent.Int("id"), MethodID: optional[string](sent, "method_id"), MethodTitle: optional[string](sent, "method_title"),
		InstanceID: optional[string](sent, "instance_id"), Meta: lineMetaOf(sent),
	}
	line.Remove = line.ID != 0 && (isNull(sent, "method_id") || isNull(sent, "method_title"))
	if line.ID == 0 && sent.String("method_id") == "" {
		return line, rest.Errorf(http.StatusBadRequest, "shop_rest_invalid_shipping_item", "A shipping line needs a method_id.")
	}
	var err error
	line.Total, err = lineAmount("shipping_lines", sent, "total")
	return line, err
}

func feeEdit(sent rest.Args) (shop.FeeEdit, error) {
	line := shop.FeeEdit{
		ID: sent.Int("id"), Name: optional[string](sent, "name"), TaxClass: optional[string](sent, "tax_class"),
		TaxStatus: optional[string](sent, "tax_status"), Meta: lineMetaOf(sent),
	}
	line.Remove = line.ID != 0 && isNull(sent, "name")
	if line.ID == 0 && sent.String("name") == "" {
		return line, rest.Errorf(http.StatusBadRequest, "shop_rest_invalid_fee_item", "A fee line needs a name.")
	}
	var err error
	line.Total, err = anyAmount("fee_lines", sent, "total")
	return line, err
}

// couponCodes returns the codes that the order has from now on. An entry without a code stands for the line with its id.
func couponCodes(o *order, sent []rest.Args) []string {
	codes := []string{}
	for _, entry := range sent {
		code := entry.String("code")
		for _, line := range o.CouponLines {
			if code == "" && line.ID == entry.Int("id") {
				code = line.Code
			}
		}
		if !isNull(entry, "code") {
			codes = append(codes, code)
		}
	}
	return codes
}

// optional returns a value that was sent, nil when it was not, or is null.
func optional[V int64 | string](args rest.Args, name string) *V {
	if value, ok := args.Value(name).(V); ok {
		return &value
	}
	return nil
}

func isNull(args rest.Args, name string) bool {
	value, sent := args.Get(name)
	return sent && value == nil
}

// lineAmount reads an amount that must not be negative.
func lineAmount(field string, sent rest.Args, name string) (*shop.Amount, error) {
	amount, err := anyAmount(field, sent, name)
	if err == nil && amount != nil && amount.IsNegative() {
		return nil, rest.InvalidParamf(field, "The %s of a line must not be negative.", name)
	}
	return amount, err
}

// maxLineAmount bounds amounts that come as numbers; texts are bounded by their length.
const maxLineAmount = 1e12

func anyAmount(field string, sent rest.Args, name string) (*shop.Amount, error) {
	switch value := sent.Value(name).(type) {
	case string:
		if amount, ok := pricing.ParseAmount(value); ok {
			return &amount, nil
		}
		if value == "" {
			return nil, nil
		}
	case float64:
		if amount := decimal.NewFromFloat(value); value < maxLineAmount && value > -maxLineAmount {
			return &amount, nil
		}
	case nil:
		return nil, nil
	}
	return nil, rest.InvalidParamf(field, "The %s of a line must be a decimal number of at most 15 digits.", name)
}

func lineMetaOf(sent rest.Args) []shop.LineMeta {
	var all []shop.LineMeta
	for _, entry := range sent.Objects("meta_data") {
		value := rest.MetaText(entry.Value("value"))
		shown, isText := entry.Value("value").(string)
		if !isText {
			shown = value
		}
		all = append(all, shop.LineMeta{
			Meta:       shop.Meta{ID: entry.Int("id"), Key: entry.String("key"), Value: value},
			DisplayKey: entry.String("key"), DisplayValue: shown,
		})
	}
	return all
}
