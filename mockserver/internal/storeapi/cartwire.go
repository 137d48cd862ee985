package storeapi

import (
	"encoding/json"
	"strconv"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// The wire form of a cart (contract, "Store API: Cart"). All its amounts but the raw prices are in the currency's smallest unit.

type cartWire struct {
	Items                 []*cartItemWire `json:"items"`
	Coupons               []*couponWire   `json:"coupons"`
	Fees                  []struct{}      `json:"fees"` // this shop charges none
	Totals                cartTotals      `json:"totals"`
	ShippingAddress       shippingAddress `json:"shipping_address"`
	BillingAddress        billingAddress  `json:"billing_address"`
	NeedsPayment          bool            `json:"needs_payment"`
	NeedsShipping         bool            `json:"needs_shipping"`
	PaymentRequirements   []string        `json:"payment_requirements"`
	HasCalculatedShipping bool            `json:"has_calculated_shipping"`
	ShippingRates         []packageWire   `json:"shipping_rates"`
	ItemsCount            int64           `json:"items_count"`
	ItemsWeight           json.Number     `json:"items_weight"`
	CrossSells            []any           `json:"cross_sells"`
	Errors                []cartError     `json:"errors"`
	PaymentMethods        []string        `json:"payment_methods"`
	Extensions            struct{}        `json:"extensions"`
}

// cartItemWire is an item of a cart, or of an order, which has no type and no extensions.
type cartItemWire struct {
	Key               string            `json:"key"`
	ID                int64             `json:"id"`
	Type              shop.ProductType  `json:"type,omitempty"`
	Quantity          int64             `json:"quantity"`
	QuantityLimits    quantityLimits    `json:"quantity_limits"`
	Name              string            `json:"name"`
	ShortDescription  string            `json:"short_description"`
	Description       string            `json:"description"`
	SKU               string            `json:"sku"`
	LowStockRemaining *int64            `json:"low_stock_remaining"`
	BackordersAllowed bool              `json:"backorders_allowed"`
	BackorderBadge    bool              `json:"show_backorder_badge"`
	SoldIndividually  bool              `json:"sold_individually"`
	Permalink         string            `json:"permalink"`
	Images            []imageWire       `json:"images"`
	Variation         []attributeChoice `json:"variation"`
	ItemData          []struct{}        `json:"item_data"` // nothing adds any
	Prices            itemPrices        `json:"prices"`
	Totals            lineTotals        `json:"totals"`
	CatalogVisibility string            `json:"catalog_visibility"`
	Extensions        *struct{}         `json:"extensions,omitempty"`
}

type quantityLimits struct {
	Minimum    int64 `json:"minimum"`
	Maximum    int64 `json:"maximum"`
	MultipleOf int64 `json:"multiple_of"`
	Editable   bool  `json:"editable"`
}

// attributeChoice is one attribute of a chosen variation.
type attributeChoice struct {
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
}

type itemPrices struct {
	productPrices
	Raw rawPrices `json:"raw_prices"`
}

// rawPrices are unit prices before they are rounded to the currency's decimals.
type rawPrices struct {
	Precision    int32  `json:"precision"`
	Price        string `json:"price"`
	RegularPrice string `json:"regular_price"`
	SalePrice    string `json:"sale_price"`
}

// rawPrecision is the number of decimals of raw prices.
const rawPrecision = 6

type lineTotals struct {
	Subtotal    string `json:"line_subtotal"`
	SubtotalTax string `json:"line_subtotal_tax"`
	Total       string `json:"line_total"`
	TotalTax    string `json:"line_total_tax"`
	currency
}

type couponWire struct {
	Code         string       `json:"code"`
	DiscountType string       `json:"discount_type"`
	Totals       couponTotals `json:"totals"`
}

type couponTotals struct {
	Discount    string `json:"total_discount"`
	DiscountTax string `json:"total_discount_tax"`
	currency
}

type cartTotals struct {
	Items       string    `json:"total_items"`
	ItemsTax    string    `json:"total_items_tax"`
	Fees        string    `json:"total_fees"`
	FeesTax     string    `json:"total_fees_tax"`
	Discount    string    `json:"total_discount"`
	DiscountTax string    `json:"total_discount_tax"`
	Shipping    string    `json:"total_shipping"`
	ShippingTax string    `json:"total_shipping_tax"`
	Price       string    `json:"total_price"`
	Tax         string    `json:"total_tax"`
	TaxLines    []taxLine `json:"tax_lines"`
	currency
}

type taxLine struct {
	Name  string `json:"name"`
	Price string `json:"price"`
	Rate  string `json:"rate"`
}

type packageWire struct {
	ID          int           `json:"package_id"`
	Name        string        `json:"name"`
	Destination destination   `json:"destination"`
	Items       []packageItem `json:"items"`
	Rates       []rateWire    `json:"shipping_rates"`
}

type packageItem struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
}

type rateWire struct {
	ID           string     `json:"rate_id"`
	Name         string     `json:"name"`
	Description  string     `json:"description"`
	DeliveryTime string     `json:"delivery_time"`
	Price        string     `json:"price"`
	Taxes        string     `json:"taxes"`
	InstanceID   int64      `json:"instance_id"`
	MethodID     string     `json:"method_id"`
	MetaData     []rateMeta `json:"meta_data"`
	Selected     bool       `json:"selected"`
	currency
}

type rateMeta struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// cartError says what keeps the cart from being sold as it is, or what was taken out of it.
type cartError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// paymentRequirements are what a payment method must be able to do for a cart.
func paymentRequirements() []string { return []string{"products"} }

// cart shows a cart.
func (s *scene) cart(q *shop.CartQuote) *cartWire {
	return &cartWire{
		Items: s.cartItems(q), Coupons: s.coupons(q.Coupons), Fees: []struct{}{}, Totals: s.cartTotals(q),
		ShippingAddress: shippingOf(q.Shipping), BillingAddress: billingOf(q.Billing),
		NeedsPayment: q.NeedsPayment, NeedsShipping: q.NeedsShipping, PaymentRequirements: paymentRequirements(),
		HasCalculatedShipping: q.ShippingCalculated, ShippingRates: s.packages(q),
		ItemsCount: q.ItemsCount, ItemsWeight: json.Number(s.Config.Grams(q.Weight).String()),
		CrossSells: s.products(q.CrossSells), Errors: cartErrors(q.Errors), PaymentMethods: methodsOf(q.Gateways),
	}
}

func (s *scene) cartItems(q *shop.CartQuote) []*cartItemWire {
	items := make([]*cartItemWire, len(q.Items))
	for i := range q.Items {
		items[i] = s.cartItem(&q.Items[i])
	}
	return items
}

func (s *scene) cartItem(item *shop.CartItemQuote) *cartItemWire {
	shown := s.goodsItem(item.Product)
	shown.Key, shown.ID, shown.Type, shown.Quantity = item.Key, item.Product.ID, item.Product.Type, item.Quantity
	shown.QuantityLimits = quantityLimits(item.Limits)
	shown.Name, shown.LowStockRemaining = item.Name(), item.LowStock
	shown.Variation = choicesOf(item.Variation)
	shown.Prices = s.itemPrices(item.Prices)
	shown.Totals = s.lineTotals(item.Subtotal, item.SubtotalTax, item.Total, item.TotalTax)
	shown.Extensions = &struct{}{}
	return shown
}

// goodsItem shows what carts and orders say about a product.
func (s *scene) goodsItem(p *shop.Product) *cartItemWire {
	parent := s.parentOf(p)
	return &cartItemWire{
		ShortDescription: parent.ShortDescription, Description: s.descriptionOf(p), SKU: s.skuOf(p),
		BackordersAllowed: p.Backorders != shop.BackordersNo && p.Backorders != "", BackorderBadge: p.StockStatus == shop.OnBackorder,
		SoldIndividually: p.SoldIndividually || parent.SoldIndividually, Permalink: s.productLink(p),
		Images: s.images(s.picturesOf(p)), ItemData: []struct{}{}, CatalogVisibility: parent.Visibility,
	}
}

func choicesOf(chosen []shop.AttributeChoice) []attributeChoice {
	choices := make([]attributeChoice, len(chosen))
	for i, choice := range chosen {
		choices[i] = attributeChoice{choice.Name, choice.Option}
	}
	return choices
}

func (s *scene) itemPrices(p shop.ItemPrices) itemPrices {
	raw := func(amount shop.Amount) string { return inUnits(amount, rawPrecision) }
	return itemPrices{
		productPrices{Price: s.minor(p.Price), RegularPrice: s.minor(p.Regular), SalePrice: s.minor(p.Sale), currency: s.currency()},
		rawPrices{rawPrecision, raw(p.Price), raw(p.Regular), raw(p.Sale)},
	}
}

func (s *scene) lineTotals(subtotal, subtotalTax, total, totalTax shop.Amount) lineTotals {
	return lineTotals{s.minor(subtotal), s.minor(subtotalTax), s.minor(total), s.minor(totalTax), s.currency()}
}

func (s *scene) coupons(used []shop.QuotedCoupon) []*couponWire {
	coupons := make([]*couponWire, len(used))
	for i, coupon := range used {
		coupons[i] = s.coupon(coupon.Coupon.Code, coupon.Coupon.Type, coupon.Discount, coupon.DiscountTax)
	}
	return coupons
}

func (s *scene) coupon(code, kind string, discount, tax shop.Amount) *couponWire {
	return &couponWire{code, kind, couponTotals{s.minor(discount), s.minor(tax), s.currency()}}
}

func (s *scene) cartTotals(q *shop.CartQuote) cartTotals {
	t := &q.Totals
	return cartTotals{
		Items: s.minor(t.Items), ItemsTax: s.minor(t.ItemsTax), Fees: s.minor(t.Fees), FeesTax: s.minor(t.FeesTax),
		Discount: s.minor(t.Discount), DiscountTax: s.minor(t.DiscountTax),
		Shipping: s.minor(t.Shipping), ShippingTax: s.minor(t.ShippingTax), Price: s.minor(t.Total), Tax: s.minor(t.Tax),
		TaxLines: s.taxLines(q.Taxes), currency: s.currency(),
	}
}

func (s *scene) taxLines(taxes []shop.TaxLine) []taxLine {
	lines := make([]taxLine, len(taxes))
	for i, tax := range taxes {
		lines[i] = taxLine{tax.Label, s.minor(tax.Tax.Add(tax.ShippingTax)), tax.Percent.String() + "%"}
	}
	return lines
}

func (s *scene) packages(q *shop.CartQuote) []packageWire {
	packages := make([]packageWire, len(q.Packages))
	for i := range q.Packages {
		p := &q.Packages[i]
		items := make([]packageItem, len(p.Lines))
		for k, line := range p.Lines {
			item := &q.Items[line]
			items[k] = packageItem{item.Key, item.Name(), item.Quantity}
		}
		packages[i] = packageWire{p.ID, "Shipment " + strconv.Itoa(i+1), destinationOf(q.Shipping), items, s.rates(q, p)}
	}
	return packages
}

func (s *scene) rates(q *shop.CartQuote, p *pricing.Package) []rateWire {
	rates := make([]rateWire, len(p.Rates))
	for i := range p.Rates {
		rate := &p.Rates[i]
		rates[i] = rateWire{
			ID: rate.ID, Name: rate.Title, Price: s.minor(rate.Cost), Taxes: s.minor(rate.Tax), InstanceID: rate.InstanceID,
			MethodID: rate.MethodID, MetaData: []rateMeta{{"Items", q.Contents(p)}}, Selected: rate.Selected, currency: s.currency(),
		}
	}
	return rates
}

func (s *scene) products(rows []*shop.Product) []any {
	products := make([]any, len(rows))
	for i, row := range rows {
		products[i] = s.product(row)
	}
	return products
}

func cartErrors(found []*shop.Fault) []cartError {
	errors := make([]cartError, len(found))
	for i, fault := range found {
		errors[i] = cartError{faults[fault.Kind].Code, fault.Message}
	}
	return errors
}

func methodsOf(gateways []*shop.Gateway) []string {
	methods := make([]string, len(gateways))
	for i, gateway := range gateways {
		methods[i] = gateway.Method
	}
	return methods
}
