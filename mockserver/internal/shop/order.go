package shop

import (
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
)

// OrderStatus is the state of an order (contract, "Order status values").
type OrderStatus string

// The order states of the contract.
const (
	CheckoutDraft OrderStatus = "checkout-draft"
	Pending       OrderStatus = "pending"
	Processing    OrderStatus = "processing"
	OnHold        OrderStatus = "on-hold"
	Completed     OrderStatus = "completed"
	Cancelled     OrderStatus = "cancelled"
	Refunded      OrderStatus = "refunded"
	Failed        OrderStatus = "failed"
	Trashed       OrderStatus = "trash"
)

// OrderStatuses lists the states of an order.
func OrderStatuses() []OrderStatus {
	return []OrderStatus{CheckoutDraft, Pending, Processing, OnHold, Completed, Cancelled, Refunded, Failed, Trashed}
}

// Where an order came from.
const (
	ViaCheckout = "checkout"
	ViaRestAPI  = "rest-api"
	ViaAdmin    = "admin"
)

// Order is a row of the orders table. Amounts are exact; they are rounded to the currency's decimals where
// the shop's rules say so, and shown with that many.
type Order struct {
	ID       int64
	ParentID int64
	Key      string // "order_" and 13 letters and digits: the secret of a guest's order
	Via      string // ViaCheckout, ViaRestAPI, ViaAdmin
	Status   OrderStatus
	Currency string // ISO 4217
	Decimals int32

	Created     time.Time
	Modified    time.Time
	Paid        *time.Time
	CompletedAt *time.Time

	PricesIncludeTax bool
	CustomerID       int64 // 0: guest
	CustomerIP       string
	CustomerAgent    string
	CustomerNote     string
	Billing          Address
	Shipping         Address

	PaymentMethod      string
	PaymentMethodTitle string
	TransactionID      string
	CartHash           string

	Lines         []OrderLine
	ShippingLines []ShippingLine
	FeeLines      []FeeLine
	CouponLines   []CouponLine
	TaxLines      []TaxLine
	Totals        OrderTotals
	Refunds       []Refund
	Meta          []Meta

	StockTaken       bool              // whether the stock of its lines was taken
	StockHeldUntil   time.Time         // an order whose payment is open holds stock until then; zero: it holds none
	SalesCounted     bool              // whether its lines are in the products' total sales
	CouponsCounted   bool              // whether its coupons are counted as used
	AdditionalFields map[string]string // checkout fields by "<namespace>/<name>"
	Fetched          []FetchedFile     // how often its files were fetched, as far as that is limited

	Memo *Memo
}

// RowID identifies the order in its table.
func (o *Order) RowID() int64 { return o.ID }

// OrderTotals are the sums of an order: Total = lines + fees + shipping + tax, discounts taken off the lines.
type OrderTotals struct {
	Discount, DiscountTax Amount
	Shipping, ShippingTax Amount
	CartTax               Amount // of the product lines alone
	Tax                   Amount // all taxes
	Total                 Amount
}

// LineTax is the tax of one rate on one line.
type LineTax = pricing.LineTax

// OrderLine is one product line of an order. Subtotal is before discounts, Total after; both without tax.
type OrderLine struct {
	ID                    int64
	Name                  string
	ParentName            *string
	ProductID             int64
	VariationID           int64
	Quantity              int64
	TaxClass              string
	Subtotal, SubtotalTax Amount
	Total, TotalTax       Amount
	Taxes                 []LineTax
	Meta                  []LineMeta
	SKU                   string
	Image                 Image
	StockTaken            int64 // pieces that were taken from the stock for this line; less than 0: given back, in a refund's
	PutBack               int64 // pieces that refunds which were deleted since gave back to the stock
	Refunds               int64 // of a refund's line: the line of the order
}

// LineMeta is a meta entry of a line with the text that is shown for it.
type LineMeta struct {
	Meta
	DisplayKey, DisplayValue string
}

// ShippingLine is the shipping of one package.
type ShippingLine struct {
	ID              int64
	MethodTitle     string
	MethodID        string
	InstanceID      string
	Total, TotalTax Amount
	Taxes           []LineTax
	TaxStatus       string
	Meta            []LineMeta
	Refunds         int64 // of a refund's line: the line of the order
}

// FeeLine is an extra charge (or, when negative, a rebate).
type FeeLine struct {
	ID              int64
	Name            string
	TaxClass        string
	TaxStatus       string // taxable, none
	Amount          string
	Total, TotalTax Amount
	Taxes           []LineTax
	Meta            []LineMeta
	Refunds         int64 // of a refund's line: the line of the order
}

// CouponLine is one coupon that was used.
type CouponLine struct {
	ID                    int64
	Code                  string
	Discount, DiscountTax Amount
	Type                  string
	Nominal               string // the coupon's own amount
	FreeShipping          bool
	Meta                  []LineMeta
}

// TaxLine sums one rate over the order.
type TaxLine struct {
	ID          int64
	RateID      int64
	RateCode    string
	Label       string
	Compound    bool
	Percent     Amount
	Tax         Amount // on lines and fees
	ShippingTax Amount
}

// Refund is money given back for an order. Amounts are positive.
type Refund struct {
	ID            int64
	Created       time.Time
	Amount        Amount
	Reason        string
	By            int64
	PaidBack      bool        // whether the gateway paid it back
	Lines         []OrderLine // quantities and totals are negative
	ShippingLines []ShippingLine
	FeeLines      []FeeLine
	TaxLines      []TaxLine
	Meta          []Meta
}

// Note is a note on an order.
type Note struct {
	ID         int64
	OrderID    int64
	Author     string
	Created    time.Time
	Text       string
	ToCustomer bool
	Memo       *Memo
}

// RowID identifies the note in its table.
func (n *Note) RowID() int64 { return n.ID }
