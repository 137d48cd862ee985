package storeapi

import (
	"html"
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// The wire form of a cart (contract, "Store API: Cart"). All its amounts but the raw prices are in the currency's smallest unit.

type cartQuote = shop.CartQuote

var cartRecord = rest.Lazily(func() *rest.Record[cartQuote] {
	return rest.Shown(fields(
		rest.RowsOf("items", func(_ *rest.Encoding, q *cartQuote) []*item { return itemsOf(q) }, itemRecord),
		rest.RowsOf("coupons", func(_ *rest.Encoding, q *cartQuote) []*coupon { return couponsOf(q) }, couponRecord),
		rest.None[cartQuote]("fees"), // this shop charges none
		rest.Part("totals", cartTotals),
		rest.Nested("shipping_address", func(q *cartQuote) *shop.Address { return &q.Shipping }, shownShipping),
		rest.Nested("billing_address", func(q *cartQuote) *shop.Address { return &q.Billing }, shownBilling),
		rest.Flag("needs_payment", func(q *cartQuote) *bool { return &q.NeedsPayment }),
		rest.Flag("needs_shipping", func(q *cartQuote) *bool { return &q.NeedsShipping }),
		paymentRequirements[cartQuote](),
		rest.Flag("has_calculated_shipping", func(q *cartQuote) *bool { return &q.ShippingCalculated }),
		rest.RowsOf("shipping_rates", func(_ *rest.Encoding, q *cartQuote) []*shipment { return shipmentsOf(q) }, shipmentRecord),
		rest.Int("items_count", func(q *cartQuote) *int64 { return &q.ItemsCount }),
		rest.NewField(rest.Param{Name: "items_weight", Type: rest.Number}, appendWeight, nil),
		rest.NewField(rest.Param{Name: "cross_sells", Type: rest.Array, Items: new(rest.Param)}, appendCrossSells, nil),
		rest.RowsOf("errors", func(_ *rest.Encoding, q *cartQuote) []*shop.Fault { return q.Errors }, faultRecord),
		rest.TextsOf("payment_methods", func(_ *rest.Encoding, q *cartQuote) []string { return methodsOf(q.Gateways) }),
		rest.Nothing[cartQuote]("extensions"),
	))
})

func appendWeight(e *rest.Encoding, b []byte, q *cartQuote) []byte {
	return append(b, e.Config.Grams(q.Weight).String()...)
}

// appendCrossSells shows products that go with those in the cart.
func appendCrossSells(e *rest.Encoding, b []byte, q *cartQuote) []byte {
	return rest.AppendAny(b, productRecord.List(e, q.CrossSells))
}

// paymentRequirements are what a payment method must be able to do.
func paymentRequirements[T any]() rest.Field[T] {
	needs := []string{"products"}
	return rest.TextsOf("payment_requirements", func(*rest.Encoding, *T) []string { return needs })
}

func methodsOf(gateways []*shop.Gateway) []string {
	methods := make([]string, len(gateways))
	for i, gateway := range gateways {
		methods[i] = gateway.Method
	}
	return methods
}

var cartTotals = rest.Lazily(func() *rest.Record[cartQuote] {
	return rest.Shown(
		fields(
			amountOf("total_items", func(q *cartQuote) shop.Amount { return q.Totals.Items }),
			amountOf("total_items_tax", func(q *cartQuote) shop.Amount { return q.Totals.ItemsTax }),
			amountOf("total_fees", func(q *cartQuote) shop.Amount { return q.Totals.Fees }),
			amountOf("total_fees_tax", func(q *cartQuote) shop.Amount { return q.Totals.FeesTax }),
			amountOf("total_discount", func(q *cartQuote) shop.Amount { return q.Totals.Discount }),
			amountOf("total_discount_tax", func(q *cartQuote) shop.Amount { return q.Totals.DiscountTax }),
			amountOf("total_shipping", func(q *cartQuote) shop.Amount { return q.Totals.Shipping }),
			amountOf("total_shipping_tax", func(q *cartQuote) shop.Amount { return q.Totals.ShippingTax }),
			amountOf("total_price", func(q *cartQuote) shop.Amount { return q.Totals.Total }),
			amountOf("total_tax", func(q *cartQuote) shop.Amount { return q.Totals.Tax }),
			rest.Rows("tax_lines", func(q *cartQuote) *[]shop.TaxLine { return &q.Taxes }, taxLineRecord, nil),
		),
		currency[cartQuote](),
	)
})

var taxLineRecord = rest.Lazily(func() *rest.Record[shop.TaxLine] {
	return rest.Shown(fields(
		rest.Text("name", func(t *shop.TaxLine) *string { return &t.Label }),
		amountOf("price", func(t *shop.TaxLine) shop.Amount { return t.Tax.Add(t.ShippingTax) }),
		rest.TextOf("rate", func(_ *rest.Encoding, t *shop.TaxLine) string { return t.Percent.String() + "%" }),
	))
})

// item is an item of a cart, or of an order.
type item struct {
	key         string
	id          int64
	ordered     bool // of an order: those have no type and no extensions
	alone       bool // shown at its own address
	quantity    int64
	limits      shop.QuantityLimits
	name, sku   string
	lowStock    *int64
	goods       *product // what is sold; an empty one if that is gone
	variation   []choice
	data        []shop.LineMeta // of an order's line
	prices      shop.ItemPrices
	subtotal    shop.Amount
	subtotalTax shop.Amount
	total       shop.Amount
	totalTax    shop.Amount
}

// choice is one attribute of a chosen variation.
type choice struct{ attribute, value string }

var itemRecord = rest.Lazily(func() *rest.Record[item] {
	return rest.Shown(fields(
		rest.Text("key", func(i *item) *string { return &i.key }),
		rest.Int("id", func(i *item) *int64 { return &i.id }),
		ofCart(rest.Text("type", func(i *item) *string { return (*string)(&i.goods.Type) })),
		rest.Int("quantity", func(i *item) *int64 { return &i.quantity }),
		rest.Nested("quantity_limits", func(i *item) *shop.QuantityLimits { return &i.limits }, rest.Shown(fields(
			rest.Int("minimum", func(l *shop.QuantityLimits) *int64 { return &l.Minimum }),
			rest.Int("maximum", func(l *shop.QuantityLimits) *int64 { return &l.Maximum }),
			rest.Int("multiple_of", func(l *shop.QuantityLimits) *int64 { return &l.MultipleOf }),
			rest.Flag("editable", func(l *shop.QuantityLimits) *bool { return &l.Editable }),
		))),
		rest.Text("name", func(i *item) *string { return &i.name }),
		rest.TextOf("short_description", func(e *rest.Encoding, i *item) string { return parentOf(e.View, i.goods).ShortDescription }),
		rest.TextOf("description", func(e *rest.Encoding, i *item) string { return descriptionOf(e, i.goods) }),
		rest.TextOf("sku", skuOfItem),
		rest.IntOrNullOf("low_stock_remaining", func(_ *rest.Encoding, i *item) *int64 { return i.lowStock }),
		rest.FlagOf("backorders_allowed", func(_ *rest.Encoding, i *item) bool {
			return i.goods.Backorders != shop.BackordersNo && i.goods.Backorders != ""
		}),
		rest.FlagOf("show_backorder_badge", func(_ *rest.Encoding, i *item) bool { return i.goods.StockStatus == shop.OnBackorder }),
		rest.FlagOf("sold_individually", func(e *rest.Encoding, i *item) bool {
			return i.goods.SoldIndividually || parentOf(e.View, i.goods).SoldIndividually
		}),
		rest.TextOf("permalink", linkOfItem),
		rest.RowsOf("images", func(e *rest.Encoding, i *item) []*shop.Image { return picturesOf(e, i.goods) }, imageRecord),
		rest.Rows("variation", func(i *item) *[]choice { return &i.variation }, rest.Shown(fields(
			rest.Text("attribute", func(c *choice) *string { return &c.attribute }),
			rest.Text("value", func(c *choice) *string { return &c.value }),
		)), nil),
		rest.Computed(rest.Param{Name: "item_data", Type: rest.Array | rest.Object}, itemData),
		rest.Nested("prices", func(i *item) *shop.ItemPrices { return &i.prices }, itemPrices),
		rest.Part("totals", rest.Shown(
			fields(
				amountOf("line_subtotal", func(i *item) shop.Amount { return i.subtotal }),
				amountOf("line_subtotal_tax", func(i *item) shop.Amount { return i.subtotalTax }),
				amountOf("line_total", func(i *item) shop.Amount { return i.total }),
				amountOf("line_total_tax", func(i *item) shop.Amount { return i.totalTax }),
			),
			currency[item](),
		)),
		rest.TextOf("catalog_visibility", func(e *rest.Encoding, i *item) string { return parentOf(e.View, i.goods).Visibility }),
		ofCart(rest.Nothing[item]("extensions")),
	))
})

var noData any = rest.Raw("[]")

// itemData is what is noted about an item: nothing adds any to a cart's, which are a list; those of an order's line go by their ids,
// as in live shops, if there are any.
func itemData(_ *rest.Encoding, i *item) any {
	if len(i.data) == 0 {
		return noData
	}
	var data rest.Pairs
	for _, meta := range i.data {
		data = append(data, rest.Extra{Name: rest.IDText(meta.ID), Value: rest.Pairs{
			{Name: "key", Value: meta.Key}, {Name: "value", Value: rest.Raw(meta.Value)}, {Name: "display_key", Value: meta.DisplayKey},
			{Name: "display_value", Value: "<p>" + html.EscapeString(meta.DisplayValue) + "</p>\n"},
		}})
	}
	return data
}

func ofCart(field rest.Field[item]) rest.Field[item] {
	field.Absent = func(_ *rest.Encoding, i *item) bool { return i.ordered }
	return field
}

func skuOfItem(e *rest.Encoding, i *item) string {
	if i.ordered {
		return i.sku
	}
	return skuOf(e, i.goods)
}

func linkOfItem(e *rest.Encoding, i *item) string {
	if i.goods.ID == 0 {
		return ""
	}
	return productLink(e, i.goods)
}

// itemPrices are the prices of one piece; one piece has no range of prices.
var itemPrices = rest.Lazily(func() *rest.Record[shop.ItemPrices] {
	return rest.Shown(
		fields(
			amountOf("price", func(p *shop.ItemPrices) shop.Amount { return p.Price }),
			amountOf("regular_price", func(p *shop.ItemPrices) shop.Amount { return p.Regular }),
			amountOf("sale_price", func(p *shop.ItemPrices) shop.Amount { return p.Sale }),
			rest.NestedOf("price_range", func(*rest.Encoding, *shop.ItemPrices) *shop.PriceSpan { return nil }, priceRange, rest.OrNull),
		),
		currency[shop.ItemPrices](),
		fields(rest.Part("raw_prices", rest.Shown(fields(
			rest.IntOf("precision", func(*rest.Encoding, *shop.ItemPrices) int64 { return rawPrecision }),
			rawAmountOf("price", func(p *shop.ItemPrices) shop.Amount { return p.Price }),
			rawAmountOf("regular_price", func(p *shop.ItemPrices) shop.Amount { return p.Regular }),
			rawAmountOf("sale_price", func(p *shop.ItemPrices) shop.Amount { return p.Sale }),
		)))),
	)
})

// rawPrecision is the number of decimals of raw prices, which are not rounded to the currency's decimals.
const rawPrecision = 6

func rawAmountOf(name string, amount func(*shop.ItemPrices) shop.Amount) rest.Field[shop.ItemPrices] {
	return unitsOf(name, amount, func(*rest.Encoding) int32 { return rawPrecision })
}

func itemsOf(q *cartQuote) []*item {
	items := make([]*item, len(q.Items))
	for i := range q.Items {
		items[i] = itemOf(&q.Items[i])
	}
	return items
}

func itemOf(i *shop.CartItemQuote) *item {
	return &item{
		key: i.Key, id: i.Product.ID, quantity: i.Quantity, limits: i.Limits, name: i.Name(), lowStock: i.LowStock, goods: i.Product,
		variation: choicesOf(i.Variation), prices: i.Prices,
		subtotal: i.Subtotal, subtotalTax: i.SubtotalTax, total: i.Total, totalTax: i.TotalTax,
	}
}

// choicesOf shows what was chosen, by the names under which attributes are sent.
func choicesOf(chosen []shop.AttributeChoice) []choice {
	if len(chosen) == 0 {
		return nil
	}
	choices := make([]choice, len(chosen))
	for i, c := range slices.SortedStableFunc(slices.Values(chosen), shop.AttributeChoice.Compare) {
		choices[i] = choice{c.Name, c.Option}
	}
	return choices
}

// coupon is a coupon that a cart or an order uses.
type coupon struct {
	code, kind    string
	discount, tax shop.Amount
}

var couponRecord = rest.Lazily(func() *rest.Record[coupon] {
	return rest.Shown(fields(
		rest.Text("code", func(c *coupon) *string { return &c.code }),
		rest.Text("discount_type", func(c *coupon) *string { return &c.kind }),
		rest.Part("totals", rest.Shown(
			fields(
				amountOf("total_discount", func(c *coupon) shop.Amount { return c.discount }),
				amountOf("total_discount_tax", func(c *coupon) shop.Amount { return c.tax }),
			),
			currency[coupon](),
		)),
	))
})

func couponsOf(q *cartQuote) []*coupon {
	coupons := make([]*coupon, len(q.Coupons))
	for i, used := range q.Coupons {
		coupons[i] = &coupon{used.Coupon.Code, used.Coupon.Type, used.Discount, used.DiscountTax}
	}
	return coupons
}

// shipment is a package of a cart.
type shipment struct {
	id          int64
	name        string
	destination *shop.Address
	items       []*shop.CartItemQuote
	rates       []*rate
}

// rate is one way to send a package.
type rate struct {
	*pricing.ShippingRate
	contents string // of the package, for people
}

var shipmentRecord = rest.Lazily(func() *rest.Record[shipment] {
	return rest.Shown(fields(
		rest.Int("package_id", func(s *shipment) *int64 { return &s.id }),
		rest.Text("name", func(s *shipment) *string { return &s.name }),
		rest.Nested("destination", func(s *shipment) *shop.Address { return s.destination }, destination),
		rest.RowsOf("items", func(_ *rest.Encoding, s *shipment) []*shop.CartItemQuote { return s.items }, rest.Shown(fields(
			rest.Text("key", func(i *shop.CartItemQuote) *string { return &i.Key }),
			rest.TextOf("name", func(_ *rest.Encoding, i *shop.CartItemQuote) string { return i.Name() }),
			rest.Int("quantity", func(i *shop.CartItemQuote) *int64 { return &i.Quantity }),
		))),
		rest.RowsOf("shipping_rates", func(_ *rest.Encoding, s *shipment) []*rate { return s.rates }, rateRecord),
	))
})

var rateRecord = rest.Lazily(func() *rest.Record[rate] {
	return rest.Shown(
		fields(
			rest.Text("rate_id", func(r *rate) *string { return &r.ID }),
			rest.Text("name", func(r *rate) *string { return &r.Title }),
			rest.TextOf("description", func(*rest.Encoding, *rate) string { return "" }),
			rest.TextOf("delivery_time", func(*rest.Encoding, *rate) string { return "" }),
			amountOf("price", func(r *rate) shop.Amount { return r.Cost }),
			amountOf("taxes", func(r *rate) shop.Amount { return r.Tax }),
			rest.Int("instance_id", func(r *rate) *int64 { return &r.InstanceID }),
			rest.Text("method_id", func(r *rate) *string { return &r.MethodID }),
			rest.RowsOf("meta_data", func(_ *rest.Encoding, r *rate) []*rate { return []*rate{r} }, rest.Shown(fields(
				rest.TextOf("key", func(*rest.Encoding, *rate) string { return "Items" }),
				rest.Text("value", func(r *rate) *string { return &r.contents }),
			))),
			rest.Flag("selected", func(r *rate) *bool { return &r.Selected }),
		),
		currency[rate](),
	)
})

func shipmentsOf(q *cartQuote) []*shipment {
	shipments := make([]*shipment, len(q.Packages))
	for i := range q.Packages {
		p := &q.Packages[i]
		shipped := &shipment{id: int64(p.ID), name: "Shipment " + strconv.Itoa(i+1), destination: &q.Shipping}
		shipped.items = make([]*shop.CartItemQuote, len(p.Lines))
		for k, line := range p.Lines {
			shipped.items[k] = &q.Items[line]
		}
		contents := q.Contents(p)
		rates := make([]rate, len(p.Rates))
		for k := range p.Rates {
			rates[k] = rate{&p.Rates[k], contents}
		}
		shipped.rates = rest.Pointers(rates)
		shipments[i] = shipped
	}
	return shipments
}

// faultRecord says what keeps a cart from being sold as it is, or what was taken out of it.
var faultRecord = rest.Lazily(func() *rest.Record[shop.Fault] {
	return rest.Shown(fields(
		rest.TextOf("code", func(_ *rest.Encoding, f *shop.Fault) string { return faults[f.Kind].Code }),
		rest.Text("message", func(f *shop.Fault) *string { return &f.Message }),
	))
})
