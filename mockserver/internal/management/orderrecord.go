package management

import (
	"slices"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The wire form of an order (contract, "Management API: Order").

type order = shop.Order

// orderVersion is the version of the shop software that orders are shown to come from.
const orderVersion = "1.0.0"

// writableStatuses are what a client may set (contract, "Management API: Order"), and the draft that checkout makes.
var writableStatuses = []string{
	string(shop.Pending), string(shop.Processing), string(shop.OnHold), string(shop.Completed), string(shop.Cancelled),
	string(shop.Refunded), string(shop.Failed), string(shop.Trashed), string(shop.CheckoutDraft),
}

func orderCreated() []rest.Field[order] {
	return rest.Moment("date_created", func(o *order) *time.Time { return &o.Created }, nil)
}

func orderModified() []rest.Field[order] {
	return rest.Moment("date_modified", func(o *order) *time.Time { return &o.Modified }, nil)
}

func orderCompleted() []rest.Field[order] {
	return rest.ShownMoment("date_completed", func(o *order) *time.Time { return o.CompletedAt },
		func(o *order, moment *time.Time) { o.CompletedAt = moment })
}

func orderPaid() []rest.Field[order] {
	return rest.ShownMoment("date_paid", func(o *order) *time.Time { return o.Paid },
		func(o *order, moment *time.Time) { o.Paid = moment })
}

var orderFields = rest.Lazily(func() *rest.Record[order] {
	return &rest.Record[order]{Fields: []rest.Field[order]{
		rest.Int("id", func(o *order) *int64 { return &o.ID }, rest.ReadOnly, rest.About("Identifier of the order.")),
		rest.Int("parent_id", func(o *order) *int64 { return &o.ParentID }, rest.Default(int64(0)), rest.AtLeast(0)),
		rest.Text("status", func(o *order) *string { return (*string)(&o.Status) }, rest.OneOf(writableStatuses...),
			rest.Default(string(shop.Pending))),
		rest.Text("currency", func(o *order) *string { return &o.Currency }, rest.OneOf(currencyCodes()...),
			rest.About("ISO 4217 code; the shop's own when absent.")),
		rest.TextOf("version", func(*rest.Encoding, *order) string { return orderVersion }),
		rest.Flag("prices_include_tax", func(o *order) *bool { return &o.PricesIncludeTax }, rest.ReadOnly),
		orderCreated()[0], orderModified()[0],
		orderSum("discount_total", func(o *order) *shop.Amount { return &o.Totals.Discount }),
		orderSum("discount_tax", func(o *order) *shop.Amount { return &o.Totals.DiscountTax }),
		orderSum("shipping_total", func(o *order) *shop.Amount { return &o.Totals.Shipping }),
		orderSum("shipping_tax", func(o *order) *shop.Amount { return &o.Totals.ShippingTax }),
		orderSum("cart_tax", func(o *order) *shop.Amount { return &o.Totals.CartTax }),
		orderSum("total", func(o *order) *shop.Amount { return &o.Totals.Total }),
		orderSum("total_tax", func(o *order) *shop.Amount { return &o.Totals.Tax }),
		rest.Int("customer_id", func(o *order) *int64 { return &o.CustomerID }, rest.Default(int64(0)), rest.AtLeast(0),
			rest.About("0 is a guest.")),
		rest.Text("order_key", func(o *order) *string { return &o.Key }, rest.ReadOnly),
		rest.Nested("billing", func(o *order) *shop.Address { return &o.Billing }, orderBilling),
		rest.Nested("shipping", func(o *order) *shop.Address { return &o.Shipping }, orderShipping),
		rest.Text("payment_method", func(o *order) *string { return &o.PaymentMethod }),
		rest.Text("payment_method_title", func(o *order) *string { return &o.PaymentMethodTitle }),
		rest.Text("transaction_id", func(o *order) *string { return &o.TransactionID }),
		rest.Text("customer_ip_address", func(o *order) *string { return &o.CustomerIP }, rest.ReadOnly),
		rest.Text("customer_user_agent", func(o *order) *string { return &o.CustomerAgent }, rest.ReadOnly),
		rest.Text("created_via", func(o *order) *string { return &o.Via }, rest.ReadOnly),
		rest.Text("customer_note", func(o *order) *string { return &o.CustomerNote }),
		orderCompleted()[0], orderPaid()[0],
		rest.Text("cart_hash", func(o *order) *string { return &o.CartHash }, rest.ReadOnly),
		rest.TextOf("number", func(_ *rest.Encoding, o *order) string { return rest.IDText(o.ID) }),
		rest.MetaData(func(o *order) *[]shop.Meta { return &o.Meta }),
		orderRows("line_items", func(o *order) *[]shop.OrderLine { return &o.Lines }, lineItem),
		readOnly(orderRows("tax_lines", func(o *order) *[]shop.TaxLine { return &o.TaxLines }, taxLine)),
		orderRows("shipping_lines", func(o *order) *[]shop.ShippingLine { return &o.ShippingLines }, shippingLine),
		orderRows("fee_lines", func(o *order) *[]shop.FeeLine { return &o.FeeLines }, feeLine),
		orderRows("coupon_lines", func(o *order) *[]shop.CouponLine { return &o.CouponLines }, couponLine),
		rest.Restoring(readOnly(orderRows("refunds", func(o *order) *[]shop.Refund { return &o.Refunds }, refundSummary)), nil),
		rest.TextOf("payment_url", paymentURL),
		rest.FlagOf("is_editable", func(_ *rest.Encoding, o *order) bool { return o.Editable() }),
		rest.FlagOf("needs_payment", func(_ *rest.Encoding, o *order) bool { return o.NeedsPayment() }),
		rest.FlagOf("needs_processing", func(e *rest.Encoding, o *order) bool { return o.NeedsProcessing(e.View) }),
		orderCreated()[1], orderModified()[1], orderCompleted()[1], orderPaid()[1],
		rest.TextOf("currency_symbol", currencySymbol),
		writeOnly[order](rest.Param{Name: "set_paid", Type: rest.Boolean, Default: false, Description: "Marks the order as paid."}),
	}}
})

// Addresses, in the key order of orders. Shipping addresses have no e-mail, and do not show their phone number (contract,
// "Address fields").
var (
	orderBilling = rest.Lazily(func() *rest.Record[shop.Address] {
		return address("first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country",
			"email", "phone")
	})
	orderShipping = rest.Lazily(func() *rest.Record[shop.Address] {
		return phoneHidden(address("first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode",
			"country", "phone"))
	})
)

func phoneHidden(record *rest.Record[shop.Address]) *rest.Record[shop.Address] {
	for i := range record.Fields {
		if record.Fields[i].Name == "phone" {
			record.Fields[i].Hidden = true
		}
	}
	return record
}

func address(names ...string) *rest.Record[shop.Address] {
	all := &rest.Record[shop.Address]{Fields: []rest.Field[shop.Address]{
		rest.Text("first_name", func(a *shop.Address) *string { return &a.FirstName }),
		rest.Text("last_name", func(a *shop.Address) *string { return &a.LastName }),
		rest.Text("company", func(a *shop.Address) *string { return &a.Company }),
		rest.Text("address_1", func(a *shop.Address) *string { return &a.Address1 }),
		rest.Text("address_2", func(a *shop.Address) *string { return &a.Address2 }),
		rest.Text("city", func(a *shop.Address) *string { return &a.City }),
		rest.Text("state", func(a *shop.Address) *string { return &a.State }, rest.About("State or province code.")),
		rest.Text("postcode", func(a *shop.Address) *string { return &a.Postcode }),
		rest.Text("country", func(a *shop.Address) *string { return &a.Country }, rest.About("ISO 3166-1 alpha-2 code.")),
		rest.Text("email", func(a *shop.Address) *string { return &a.Email }, rest.As(rest.Email)),
		rest.Text("phone", func(a *shop.Address) *string { return &a.Phone }),
	}}
	return all.Pick(nil, names...)
}

// decimals is how many decimals amounts are shown with: dp, else the currency's.
func decimals(e *rest.Encoding, currency int32) int32 {
	if dp, asked := e.More["dp"].(int32); asked {
		return dp
	}
	return currency
}

func orderSum(name string, at func(*order) *shop.Amount) rest.Field[order] {
	return rest.Restoring(rest.NewField(rest.Param{Name: name, Type: rest.String}, func(e *rest.Encoding, b []byte, o *order) []byte {
		return appendMoney(b, *at(o), decimals(e, o.Decimals))
	}, nil, rest.ReadOnly), restoreAmount(name, at))
}

// appendMoney appends an amount as a string with so many decimals.
func appendMoney(b []byte, amount shop.Amount, places int32) []byte {
	return append(amount.AppendFixed(append(b, '"'), places), '"')
}

func orderRows[L any](name string, at func(*order) *[]L, line *rest.Record[L]) rest.Field[order] {
	return amountRows(name, at, line, func(o *order) int32 { return o.Decimals })
}

// amountRows is a list of lines with amounts. What is written to it is read where the whole is priced.
func amountRows[T, L any](name string, at func(*T) *[]L, line *rest.Record[L], places func(*T) int32) rest.Field[T] {
	field := rest.Rows(name, at, line, rest.Fresh[T](line))
	encode := field.Encode
	field.Encode = func(e *rest.Encoding, b []byte, row *T) []byte {
		inner := *e
		inner.More = map[string]any{"dp": decimals(e, places(row))}
		return encode(&inner, b, row)
	}
	field.Decode = nil
	return rest.RestoredRows(field, at, line)
}

func readOnly[T any](field rest.Field[T]) rest.Field[T] {
	field.ReadOnly, field.Decode = true, nil
	return field
}

// writeOnly is a parameter of create and update that the record does not show, and that no field of the row holds.
func writeOnly[T any](param rest.Param) rest.Field[T] {
	return rest.Field[T]{Param: param, Hidden: true}
}

func paymentURL(e *rest.Encoding, o *order) string {
	return e.Site.Home + rest.PayPage + rest.IDText(o.ID) + "/?pay_for_order=true&key=" + o.Key
}

func currencySymbol(e *rest.Encoding, o *order) string {
	if o.Currency == e.Config.Currency {
		return e.Config.CurrencySymbol
	}
	currency, _ := fixtures.Currency(o.Currency)
	return currency.Symbol
}

func currencyCodes() []string {
	var codes []string
	for _, currency := range fixtures.Currencies() {
		codes = append(codes, currency.Code)
	}
	slices.Sort(codes)
	return codes
}
