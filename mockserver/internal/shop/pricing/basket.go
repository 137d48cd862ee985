// Package pricing works out what a basket of goods costs: discounts, taxes, shipping and fees, rounded so that every sum is the sum
// of its parts. It is arithmetic over values: whoever asks gathers the lines, coupons, tax rates and settings.
package pricing

// Basket is what is to be priced, and all that its price depends on.
type Basket struct {
	Rules
	Lines     []Line
	Coupons   []Coupon // in the order in which they apply; they are taken as valid
	Fees      []Charge
	Shipments []Charge       // shipping whose cost is known: an order's
	Parcels   []Parcel       // shipping whose rates are to be found: a cart's
	Chosen    map[int]string // place of the parcel → the rate that the customer chose
	Rates     RateTable      // the tax rates where the basket is taxed
	HomeRates RateTable      // those where the shop is: for prices that include tax, and for what is collected there
}

// Rules are the settings that prices follow.
type Rules struct {
	Decimals            int32 // of the currency
	PricesIncludeTax    bool
	DisplayWithTax      bool   // unit prices are shown, and what free shipping requires is compared, with tax
	RoundTaxPerRate     bool   // tax is rounded once per rate over all lines, not line by line
	ShippingTaxClass    string // InheritTaxClass, or the tax class of shipping
	CouponsSequentially bool   // later coupons see the price that earlier ones left
}

// InheritTaxClass taxes shipping by the class among the lines that is taxed highest.
const InheritTaxClass = "inherit"

// Line is one product in some quantity, which must not be negative.
type Line struct {
	Quantity      int64
	Price         Amount // of one piece, with tax if prices include it
	Taxable       bool
	TaxClass      string
	Given         *GivenAmounts // set: these hold instead of the price
	Weight        Amount        // of one piece, in the shop's unit
	ShippingClass int64         // 0 for none
}

// GivenAmounts are a line's amounts without tax, as somebody set them. Coupons of the basket replace the total.
type GivenAmounts struct{ Subtotal, Total Amount }

// Entered returns what the line costs before discounts, in the terms in which it was entered: not rounded, with tax where prices
// include it.
func (l *Line) Entered() Amount {
	if l.Given != nil {
		return l.Given.Subtotal
	}
	return Times(l.Price, l.Quantity)
}

// Charge is a fee or a shipping cost, without tax. A fee may be negative.
type Charge struct {
	MethodID string // of shipping
	Amount   Amount
	Taxable  bool
	TaxClass string // of fees; shipping follows Rules.ShippingTaxClass
}
