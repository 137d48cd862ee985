package shop

// Orders written by staff: their lines are edited one by one, and everything that follows is worked out anew.

import (
	"cmp"
	"slices"

	"shopcheck/mockserver/internal/shop/pricing"
)

// OrderEdit changes the lines of an order.
type OrderEdit struct {
	Lines    []LineEdit
	Shipping []ShippingEdit
	Fees     []FeeEdit
	Coupons  *[]string // all coupon codes of the order from now on; nil: as they are
	SetPaid  bool      // the order is paid
}

// LineEdit adds, changes or removes a product line. What is nil stays, or has its default.
type LineEdit struct {
	ID                     int64 // of the line, 0 for a new one
	Remove                 bool
	ProductID, VariationID *int64
	SKU                    *string // names the product if no id does
	Name, TaxClass         *string
	Quantity               *int64
	Subtotal, Total        *Amount // without tax; by default the product's price, and the subtotal
	Meta                   []LineMeta
}

// ShippingEdit adds, changes or removes a shipping line.
type ShippingEdit struct {
	ID                                int64
	Remove                            bool
	MethodID, MethodTitle, InstanceID *string
	Total                             *Amount // without tax
	Meta                              []LineMeta
}

// FeeEdit adds, changes or removes a fee. A negative fee is a rebate.
type FeeEdit struct {
	ID                        int64
	Remove                    bool
	Name, TaxClass, TaxStatus *string
	Total                     *Amount // without tax
	Meta                      []LineMeta
}

// changesLines reports whether prices must be worked out anew.
func (e *OrderEdit) changesLines() bool {
	return len(e.Lines) > 0 || len(e.Shipping) > 0 || len(e.Fees) > 0 || e.Coupons != nil
}

// NewOrder is an order of the management API with its defaults; Create gives it its id.
func (tx *Tx) NewOrder() *Order {
	return &Order{Status: Pending, Via: ViaRestAPI, Currency: tx.Config.Currency}
}

// Copy returns a copy of an order that may be changed and saved.
func (o *Order) Copy() *Order { return o.clone() }

// Create returns an order its id, its lines and totals, and the effects of its status.
//
// Faults: InvalidCustomer, and those of the lines: ProductReference, InvalidProduct, InvalidQuantity, NotEnoughStock,
// InvalidItem, InvalidAmount, InvalidCoupon, InvalidLine, InvalidParam (too many lines), BelowRefunded (of an order that is saved).
func (o *Order) Create(tx *Tx, edit OrderEdit) error {
	made := tx.newOrder(o.Via)
	o.ID, o.Key, o.Decimals, o.PricesIncludeTax = made.ID, made.Key, made.Decimals, made.PricesIncludeTax
	o.Created, o.Modified = made.Created, made.Modified
	o.Currency = cmp.Or(o.Currency, made.Currency)
	if err := o.checkCustomer(tx); err != nil {
		return err
	}
	if err := o.edit(tx, edit); err != nil {
		return err
	}
	if err := o.reprice(tx, edit); err != nil {
		return err
	}
	wanted := cmp.Or(o.Status, Pending)
	o.Status = ""
	if wanted != CheckoutDraft {
		if err := o.enter(tx, Pending); err != nil {
			return err
		}
	}
	if err := o.follow(tx, wanted, edit.SetPaid); err != nil {
		return err
	}
	if wanted != CheckoutDraft {
		tx.emit("order", "created", o.ID)
	}
	return o.put(tx)
}

// Save keeps a changed copy of an order. Its status takes effect; prices are worked out anew if the edit touches
// lines, and taxes if the order goes elsewhere. Faults: as Create.
func (o *Order) Save(tx *Tx, old *Order, edit OrderEdit) error {
	if o.CustomerID != old.CustomerID {
		if err := o.checkCustomer(tx); err != nil {
			return err
		}
	}
	wanted := o.Status
	o.Status, o.Modified = old.Status, tx.Now
	if edit.changesLines() || o.taxedElsewhere(tx, old) {
		if err := o.edit(tx, edit); err != nil {
			return err
		}
		if err := o.reprice(tx, edit); err != nil {
			return err
		}
		if err := o.followLines(tx, old); err != nil {
			return err
		}
	}
	if err := o.follow(tx, wanted, edit.SetPaid); err != nil {
		return err
	}
	tx.emit("order", changeOf(old.Status, o.Status), o.ID)
	return o.put(tx)
}

// taxedElsewhere reports whether the taxes of another place hold for an order that got other addresses.
func (o *Order) taxedElsewhere(tx *Tx, old *Order) bool {
	return tx.Config.taxPlaceFor(o.Billing, o.Shipping, false) != tx.Config.taxPlaceFor(old.Billing, old.Shipping, false)
}

// changeOf names what happened to an order by its status before and after.
func changeOf(before, after OrderStatus) string {
	switch {
	case before == CheckoutDraft && after != CheckoutDraft:
		return "created"
	case before == Trashed && after != Trashed:
		return "restored"
	case before != Trashed && after == Trashed:
		return "deleted"
	}
	return "updated"
}

// follow brings the order to the wanted status, or to the one that a payment leads to.
func (o *Order) follow(tx *Tx, wanted OrderStatus, paid bool) error {
	awaits := wanted == Pending || wanted == OnHold || wanted == Failed
	if paid && awaits {
		return o.completePayment(tx)
	}
	if wanted != o.Status {
		if err := o.enter(tx, wanted); err != nil {
			return err
		}
	}
	if paid && o.Paid == nil {
		o.Paid = DateOf(tx.Now)
		return tx.markPaying(o.CustomerID)
	}
	return nil
}

func (o *Order) checkCustomer(tx *Tx) error {
	if _, known := tx.Customers.Get(o.CustomerID); o.CustomerID != 0 && !known {
		return Faultf(InvalidCustomer, "There is no customer %d.", o.CustomerID)
	}
	return nil
}

// reprice works out taxes and totals of the order's lines, and the discounts if its coupons were set.
func (o *Order) reprice(tx *Tx, edit OrderEdit) error {
	basket := o.basket(tx.View)
	if edit.Coupons != nil {
		coupons, err := o.couponsFor(tx, *edit.Coupons, basket.Lines)
		if err != nil {
			return err
		}
		basket.Coupons = coupons
		if len(coupons) == 0 {
			for i := range basket.Lines {
				basket.Lines[i].Given.Total = basket.Lines[i].Given.Subtotal
			}
		}
	}
	q := basket.Quote(tx.View)
	o.fillFromQuote(tx, q)
	if edit.Coupons == nil {
		return nil
	}
	return o.replaceCoupons(tx, q.Coupons)
}

// basket is the basket that an order's lines make, at their own amounts.
func (o *Order) basket(v View) *Basket {
	basket := &Basket{
		Billing: o.Billing, Shipping: o.Shipping, Decimals: o.Decimals, PricesIncludeTax: o.PricesIncludeTax,
	}
	for i := range o.Lines {
		line := &o.Lines[i]
		product, parent := v.goodsOf(line.ProductID, line.VariationID)
		taxable := true
		if product != nil {
			taxable = product.TaxStatus == "taxable"
		}
		basket.Lines = append(basket.Lines, BasketLine{
			Line: pricing.Line{
				Quantity: line.Quantity, Taxable: taxable, TaxClass: line.TaxClass,
				Given: &pricing.GivenAmounts{Subtotal: line.Subtotal, Total: line.Total},
			},
			Product: product, Parent: parent, OnSale: product != nil && product.Prices.OnSale,
		})
	}
	for i := range o.ShippingLines {
		line := &o.ShippingLines[i]
		basket.Shipments = append(
			basket.Shipments,
			pricing.Charge{MethodID: line.MethodID, Amount: line.Total, Taxable: line.TaxStatus != "none"},
		)
	}
	for i := range o.FeeLines {
		line := &o.FeeLines[i]
		basket.Fees = append(basket.Fees, pricing.Charge{Amount: line.Total, Taxable: line.TaxStatus != "none", TaxClass: line.TaxClass})
	}
	return basket
}

// fillFromQuote returns the order's lines their amounts and sums them up.
func (o *Order) fillFromQuote(tx *Tx, q *Quote) {
	for i := range o.Lines {
		o.Lines[i].price(&q.Lines[i])
	}
	for i := range o.ShippingLines {
		line := &o.ShippingLines[i]
		line.Total, line.TotalTax, line.Taxes = q.Shipments[i].Total, q.Shipments[i].Tax, q.Shipments[i].Taxes
	}
	for i := range o.FeeLines {
		line := &o.FeeLines[i]
		line.Total, line.TotalTax, line.Taxes = q.Fees[i].Total, q.Fees[i].Tax, q.Fees[i].Taxes
	}
	known := o.TaxLines
	o.TaxLines = slices.Clone(q.Taxes)
	for i := range o.TaxLines {
		line := &o.TaxLines[i]
		if place := slices.IndexFunc(known, func(l TaxLine) bool { return l.RateID == line.RateID }); place >= 0 {
			line.ID = known[place].ID
			continue
		}
		line.ID = next(&tx.LastID.Line)
	}
	o.Totals = totalsOf(&q.Totals)
}

// couponsFor finds the coupons of an order. Those that it holds already are not checked again. Fault: InvalidCoupon.
func (o *Order) couponsFor(tx *Tx, codes []string, lines []BasketLine) ([]*Coupon, error) {
	buyer := Buyer{CustomerID: o.CustomerID}
	if o.Billing.Email != "" {
		buyer.Emails = append(buyer.Emails, o.Billing.Email)
	}
	var coupons []*Coupon
	for _, code := range codes {
		code = couponCode(code)
		if code == "" {
			return nil, Faultf(InvalidCoupon, "A coupon line needs a code.")
		}
		if slices.ContainsFunc(coupons, func(c *Coupon) bool { return c.Code == code }) {
			continue
		}
		if coupon, known := tx.FindCoupon(code); known && o.holdsCoupon(code) {
			coupons = append(coupons, coupon)
			continue
		}
		coupon, err := tx.usableCoupon(code, lines, buyer)
		if err != nil {
			return nil, err
		}
		coupons = append(coupons, coupon)
	}
	if alone := slices.IndexFunc(coupons, func(c *Coupon) bool { return c.IndividualUse }); alone >= 0 && len(coupons) > 1 {
		return nil, standsAlone(coupons[alone], coupons[(alone+1)%len(coupons)].Code)
	}
	return coupons, nil
}

func (o *Order) holdsCoupon(code string) bool {
	return slices.ContainsFunc(o.CouponLines, func(l CouponLine) bool { return l.Code == code })
}

// replaceCoupons sets the order's coupon lines; a coupon that stays keeps its line, and uses that were counted move along.
func (o *Order) replaceCoupons(tx *Tx, used []QuotedCoupon) error {
	counted := o.CouponsCounted
	if counted {
		if err := o.countCoupons(tx, false); err != nil {
			return err
		}
	}
	known := o.CouponLines
	o.CouponLines = nil
	for _, coupon := range used {
		line := tx.couponLineOf(coupon)
		if place := slices.IndexFunc(known, func(l CouponLine) bool { return l.Code == line.Code }); place >= 0 {
			line.ID, line.Meta = known[place].ID, known[place].Meta
		}
		o.CouponLines = append(o.CouponLines, line)
	}
	if counted {
		return o.countCoupons(tx, true)
	}
	return nil
}

// followLines moves stock and sales with the lines of an order that has taken or counted them.
func (o *Order) followLines(tx *Tx, old *Order) error {
	if old.SalesCounted {
		if err := old.clone().countSales(tx, false); err != nil {
			return err
		}
		if err := o.countSales(tx, true); err != nil {
			return err
		}
	}
	if !o.StockTaken {
		return nil
	}
	gone := old.clone()
	gone.Lines = slices.DeleteFunc(gone.Lines, func(l OrderLine) bool {
		return slices.ContainsFunc(o.Lines, func(kept OrderLine) bool {
			return kept.ID == l.ID && kept.ProductID == l.ProductID && kept.VariationID == l.VariationID
		})
	})
	if err := gone.giveBackStock(tx); err != nil {
		return err
	}
	return o.takeStock(tx)
}
