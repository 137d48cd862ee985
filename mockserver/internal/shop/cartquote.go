package shop

// Carts as they are shown: items with today's products, prices and stock, and what the whole costs.

import (
	"cmp"
	"slices"

	"shopcheck/mockserver/internal/shop/pricing"
)

// Shopper says whose cart and checkout a request works on.
type Shopper struct {
	Session    string // unique; chosen by the caller
	Spent      uint32 // see Cart.Spent
	CustomerID int64  // the customer who is logged in, 0 for a guest
	IP, Agent  string // kept with the order
	Declined   bool   // whatever is paid with is refused
}

// CartQuote is a cart as it is shown. Items and coupons that cannot be used any more are left out of it; Errors says why.
type CartQuote struct {
	*Quote
	Cart         *Cart  // the row without what was left out; not to be changed
	Hash         string // changes when what is in the cart or what it costs does; "" when it is empty
	Items        []CartItemQuote
	Billing      Address // the customer's, or where the shop takes customers to be
	Shipping     Address
	NeedsPayment bool
	ItemsCount   int64  // pieces
	Weight       Amount // in the shop's unit
	CrossSells   []*Product
	Errors       []*Fault // kinds ItemRemoved, SoldOut, NotEnoughStock, InvalidCoupon
	Gateways     []*Gateway
}

// CartItemQuote is an item of a cart. Its QuotedLine is the price of all pieces.
type CartItemQuote struct {
	*pricing.QuotedLine
	Key       string
	Product   *Product // what is sold: a simple product or a variation
	Parent    *Product // the variable product of a variation, else nil
	Quantity  int64
	Limits    QuantityLimits
	LowStock  *int64 // pieces left, if they are few
	Prices    ItemPrices
	Variation []AttributeChoice
}

// Name is the product's name; a variation goes by its product's.
func (i *CartItemQuote) Name() string { return i.goods().name() }

// FullName tells variations apart: "Shirt - Blue, Large".
func (i *CartItemQuote) FullName() string { return i.goods().fullName() }

func (i *CartItemQuote) goods() goods { return goods{i.Product, i.Parent, i.Variation} }

// QuantityLimits bound the quantity of an item.
type QuantityLimits struct {
	Minimum, Maximum, MultipleOf int64
	Editable                     bool
}

// ItemPrices are the prices of one piece as the shop shows them: with tax if the setting DisplayPricesWithTax says so;
// rounded to six decimals.
type ItemPrices struct{ Price, Regular, Sale Amount }

// MaxQuantity is how many pieces of a product one cart may hold when nothing else limits them.
const MaxQuantity = 9999

// CartOf is the shopper's cart. A session without one has an empty cart.
func (v View) CartOf(who Shopper) *CartQuote { return v.cartRow(who).quote(v) }

// quote prices a cart. What cannot be used any more is taken out of the given copy.
func (cart *Cart) quote(v View) *CartQuote {
	q := &CartQuote{Cart: cart, Weight: Zero}
	q.Billing, q.Shipping = cart.addresses(v)
	basket := &Basket{
		Packed: true, Chosen: cart.Chosen, Billing: q.Billing, Shipping: q.Shipping,
		Decimals: v.Config.Decimals, PricesIncludeTax: v.Config.PricesIncludeTax,
	}
	q.fillItems(v, basket)
	q.fillCoupons(v, basket)
	q.Quote = basket.Quote(v)
	q.completeItems(v, basket)
	q.NeedsPayment = q.Totals.Total.IsPositive()
	q.CrossSells = q.crossSells(v)
	q.Gateways = v.gateways(q.delivery())
	q.Hash = q.hash()
	return q
}

// addresses are the addresses of a cart: what the customer gave, else the account's, else the shop's own region.
func (cart *Cart) addresses(v View) (billing, shipping Address) {
	billing, shipping = cart.Billing, cart.Shipping
	if customer, known := v.Customers.Get(cart.CustomerID); known {
		billing = cmp.Or(billing, customer.Billing)
		shipping = cmp.Or(shipping, customer.Shipping)
		billing.Email = cmp.Or(billing.Email, customer.Email)
	}
	for _, address := range []*Address{&billing, &shipping} {
		if address.Country == "" {
			address.Country, address.State = v.Config.Country, v.Config.State
		}
	}
	return billing, shipping
}

// fillItems turns the rows into items and basket lines, and drops those whose product can no longer be bought.
func (q *CartQuote) fillItems(v View, basket *Basket) {
	kept := q.Cart.Items[:0]
	for _, row := range q.Cart.Items {
		product, parent := v.goodsOf(row.ProductID, row.VariationID)
		sold := goods{product, parent, row.Variation}
		if !sold.purchasable() {
			q.Errors = append(q.Errors, removedItem(sold, row))
			continue
		}
		kept = append(kept, row)
		line := sold.line(row.Quantity)
		basket.Lines = append(basket.Lines, line)
		q.Items = append(q.Items, CartItemQuote{
			Key: row.Key, Product: product, Parent: parent, Quantity: row.Quantity, Variation: row.Variation,
		})
		q.ItemsCount += row.Quantity
		q.Weight = q.Weight.Add(pricing.Times(line.Weight, row.Quantity))
	}
	q.Cart.Items = kept
}

func removedItem(sold goods, row CartItem) *Fault {
	if sold.product == nil {
		return Faultf(
			ItemRemoved,
			"Product %d was taken out of the cart: it does not exist any more.",
			cmp.Or(row.VariationID, row.ProductID),
		)
	}
	return Faultf(ItemRemoved, "%q was taken out of the cart: it can no longer be bought.", sold.product.Name)
}

// fillCoupons drops the coupons that can no longer be used.
func (q *CartQuote) fillCoupons(v View, basket *Basket) {
	var refusals []error
	basket.Coupons, refusals = v.usableTogether(q.Cart.Coupons, basket.Lines, q.buyer(v))
	for _, refusal := range refusals {
		q.Errors = append(q.Errors, asFault(refusal))
	}
	q.Cart.Coupons = q.Cart.Coupons[:0]
	for _, coupon := range basket.Coupons {
		q.Cart.Coupons = append(q.Cart.Coupons, coupon.Code)
	}
}

// buyer is who uses the cart's coupons.
func (q *CartQuote) buyer(v View) Buyer {
	buyer := Buyer{CustomerID: q.Cart.CustomerID}
	if q.Billing.Email != "" {
		buyer.Emails = append(buyer.Emails, q.Billing.Email)
	}
	if customer, known := v.Customers.Get(q.Cart.CustomerID); known {
		buyer.Emails = append(buyer.Emails, customer.Email)
	}
	return buyer
}

// completeItems adds what depends on stock and prices.
func (q *CartQuote) completeItems(v View, basket *Basket) {
	wanted := q.wantedStock(v)
	for i := range q.Items {
		item := &q.Items[i]
		item.QuotedLine = &q.Lines[i]
		item.Prices = q.shownPrices(&basket.Lines[i])
		left, limited := item.Product.available(v, item.Parent, q.Cart.DraftID)
		item.Limits = limitsOf(item.goods(), left, limited)
		item.LowStock = item.Product.lowStock(v, item.Parent, left, limited)
		if fault := item.stockFault(v, wanted, left, limited); fault != nil {
			q.Errors = append(q.Errors, fault)
		}
	}
}

// wantedStock sums the pieces that the cart wants of each row that keeps stock: variations may share one.
func (q *CartQuote) wantedStock(v View) map[*Product]int64 {
	wanted := make(map[*Product]int64, len(q.Items))
	for i := range q.Items {
		if keeper := q.Items[i].Product.stockKeeper(v, q.Items[i].Parent); keeper != nil {
			wanted[keeper] += q.Items[i].Quantity
		}
	}
	return wanted
}

// stockFault says why an item cannot be had in its quantity, nil if it can.
func (i *CartItemQuote) stockFault(v View, wanted map[*Product]int64, left int64, limited bool) *Fault {
	name := i.FullName()
	switch {
	case !i.Product.inStock(v, i.Parent), limited && left == 0:
		return Faultf(SoldOut, "%q is out of stock: take it out of the cart to go on.", name)
	case limited && wanted[i.Product.stockKeeper(v, i.Parent)] > left:
		return Faultf(NotEnoughStock, "Of %q only %d can be had: lower the quantity to go on.", name, left)
	}
	return nil
}

// limitsOf are the quantities that an item can be set to.
func limitsOf(sold goods, left int64, limited bool) QuantityLimits {
	limits := QuantityLimits{Minimum: 1, Maximum: MaxQuantity, MultipleOf: 1, Editable: true}
	if limited {
		limits.Maximum = min(max(left, 1), MaxQuantity)
	}
	if sold.soldIndividually() {
		limits.Maximum, limits.Editable = 1, false
	}
	return limits
}

// lowStock is the number of pieces left if it is at or below the product's, else the shop's, threshold.
func (p *Product) lowStock(v View, parent *Product, left int64, limited bool) *int64 {
	if !limited {
		return nil
	}
	threshold := v.Config.LowStockThreshold
	if own := p.stockKeeper(v, parent).Extra().LowStockAmount; own != nil {
		threshold = *own
	}
	if left > threshold {
		return nil
	}
	return &left
}

// rawPrecision is the number of decimals of shown unit prices.
const rawPrecision = 6

// shownPrices are the unit prices of a line with or without tax, as the shop shows them.
func (q *Quote) shownPrices(line *BasketLine) ItemPrices {
	shown := func(price Amount) Amount { return q.Shown(&line.Line, price).Round(rawPrecision) }
	current := shown(line.Price)
	return ItemPrices{Price: current, Regular: shown(pricing.AmountOf(line.Product.RegularPrice)), Sale: current}
}

// crossSells are published products that go with what is in the cart.
func (q *CartQuote) crossSells(v View) []*Product {
	const most = 20
	var products []*Product
	for i := range q.Items {
		for _, id := range cmp.Or(q.Items[i].Parent, q.Items[i].Product).Extra().CrossSellIDs {
			product, known := v.Products.Get(id)
			if !known || product.Status != StatusPublish || q.holds(id) || slices.Contains(products, product) || len(products) == most {
				continue
			}
			products = append(products, product)
		}
	}
	return products
}

// holds reports whether a product, or a variation of it, is in the cart.
func (q *CartQuote) holds(productID int64) bool {
	return slices.ContainsFunc(q.Cart.Items, func(i CartItem) bool { return i.ProductID == productID })
}

// gateways lists the payment methods that can be used, in their order.
func (v View) gateways(d delivery) []*Gateway {
	all := v.allGateways()
	offered := make([]*Gateway, 0, len(all))
	for _, gateway := range all {
		if gateway.offered(d) {
			offered = append(offered, gateway)
		}
	}
	return offered
}
