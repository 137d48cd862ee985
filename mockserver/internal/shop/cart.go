package shop

// What shoppers do to their carts. Every operation gives the cart as it is afterwards; what can no longer be used has
// then left it, and Errors says so.

import (
	"slices"
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// CartRequest asks for goods: a product or variation id, how many, and for variable products which.
type CartRequest struct {
	ProductID int64
	Quantity  int64
	Variation []ChosenAttribute
}

// maxCartLines bounds what one session can make the shop remember.
const maxCartLines = 200

// AddToCart puts goods into the cart; equal goods add up.
//
// Faults: InvalidProduct (unknown, not sold here, out of stock, a choice is missing, one piece only and already there),
// InvalidQuantity, NotEnoughStock, CartFull.
func (tx *Tx) AddToCart(who Shopper, wanted CartRequest) (*CartQuote, error) {
	cart, err := tx.cartWith(who, wanted)
	if err != nil {
		return nil, err
	}
	return cart.keep(tx)
}

// PutIntoCart is AddToCart for those who ask for the price later: most of adding is pricing the cart.
func (tx *Tx) PutIntoCart(who Shopper, wanted CartRequest) error {
	cart, err := tx.cartWith(who, wanted)
	if err != nil {
		return err
	}
	return cart.put(tx)
}

// cartWith is the cart as it is to be with more goods, checked but not kept.
func (tx *Tx) cartWith(who Shopper, wanted CartRequest) (*Cart, error) {
	if wanted.Quantity < 1 {
		return nil, Faultf(InvalidQuantity, "The quantity must be at least 1.")
	}
	sold, err := tx.choose(wanted.ProductID, wanted.Variation)
	if err != nil {
		return nil, err
	}
	if !sold.purchasable() {
		return nil, Faultf(InvalidProduct, "%q cannot be bought at the moment.", sold.product.Name)
	}
	if !sold.product.inStock(tx.View, sold.parent) {
		return nil, Faultf(InvalidProduct, "%q is out of stock.", sold.fullName())
	}
	cart := tx.cartRow(who)
	item := cart.itemFor(sold)
	quantity := item.Quantity + min(wanted.Quantity, MaxQuantity+1)
	if sold.soldIndividually() && quantity > 1 {
		return nil, Faultf(InvalidProduct, "Only one %q can be bought at a time.", sold.fullName())
	}
	if err := cart.checkQuantity(tx, sold, item.Key, quantity); err != nil {
		return nil, err
	}
	item.Quantity = quantity
	if len(cart.Items) > maxCartLines {
		return nil, Faultf(CartFull, "A cart holds at most %d different items.", maxCartLines)
	}
	return cart, nil
}

// itemFor finds the item of the goods, or adds one with quantity 0.
func (cart *Cart) itemFor(sold goods) *CartItem {
	key := sold.key()
	if place := cart.find(key); place >= 0 {
		return &cart.Items[place]
	}
	productID, variationID := sold.ids()
	cart.Items = append(cart.Items, CartItem{Key: key, ProductID: productID, VariationID: variationID, Variation: sold.choices})
	return &cart.Items[len(cart.Items)-1]
}

// find returns the place of an item, -1 if there is none.
func (cart *Cart) find(key string) int {
	return slices.IndexFunc(cart.Items, func(i CartItem) bool { return i.Key == key })
}

// checkQuantity checks a new quantity of an item against the limits, and with the other items that draw on the same
// stock against that.
func (cart *Cart) checkQuantity(tx *Tx, sold goods, key string, quantity int64) error {
	if quantity > MaxQuantity {
		return Faultf(InvalidQuantity, "A cart holds at most %d of %q.", MaxQuantity, sold.fullName())
	}
	left, limited := sold.product.available(tx.View, sold.parent, cart.DraftID)
	if !limited {
		return nil
	}
	keeper := sold.product.stockKeeper(tx.View, sold.parent)
	for _, other := range cart.Items {
		if product, parent := tx.goodsOf(other.ProductID, other.VariationID); other.Key != key &&
			product.stockKeeper(tx.View, parent) == keeper {
			quantity += other.Quantity
		}
	}
	if quantity > left {
		return Faultf(NotEnoughStock, "There is not enough of %q: %d left.", sold.fullName(), left)
	}
	return nil
}

// SetCartQuantity changes how many pieces of an item are in the cart; 0 removes it.
//
// Faults: NoSuchCartItem, InvalidQuantity, NotEnoughStock.
func (tx *Tx) SetCartQuantity(who Shopper, key string, quantity int64) (*CartQuote, error) {
	if quantity == 0 {
		return tx.RemoveFromCart(who, key)
	}
	cart := tx.cartRow(who)
	place := cart.find(key)
	if place < 0 {
		return nil, noSuchItem(key)
	}
	if quantity < 0 {
		return nil, Faultf(InvalidQuantity, "The quantity must not be negative.")
	}
	item := &cart.Items[place]
	sold := goods{choices: item.Variation}
	sold.product, sold.parent = tx.goodsOf(item.ProductID, item.VariationID)
	if sold.purchasable() {
		if sold.soldIndividually() && quantity != 1 {
			return nil, Faultf(InvalidQuantity, "Only one %q can be bought at a time.", sold.fullName())
		}
		if err := cart.checkQuantity(tx, sold, key, quantity); err != nil {
			return nil, err
		}
	}
	item.Quantity = quantity
	return cart.keep(tx)
}

func noSuchItem(key string) *Fault {
	return Faultf(NoSuchCartItem, "The cart holds no item with the key %q.", key)
}

// RemoveFromCart takes an item out. Fault: NoSuchCartItem.
func (tx *Tx) RemoveFromCart(who Shopper, key string) (*CartQuote, error) {
	cart := tx.cartRow(who)
	place := cart.find(key)
	if place < 0 {
		return nil, noSuchItem(key)
	}
	cart.Items = slices.Delete(cart.Items, place, place+1)
	return cart.keep(tx)
}

// EmptyCart takes all items and coupons out. The addresses stay.
func (tx *Tx) EmptyCart(who Shopper) (*CartQuote, error) {
	cart := tx.cartRow(who)
	cart.clear()
	return cart.keep(tx)
}

func (cart *Cart) clear() {
	cart.Items, cart.Coupons, cart.Chosen = nil, nil, nil
}

// ApplyCoupon adds a coupon. One for individual use replaces all others, and keeps others out.
//
// Fault: InvalidCoupon.
func (tx *Tx) ApplyCoupon(who Shopper, code string) (*CartQuote, error) {
	cart := tx.cartRow(who)
	before := cart.quote(tx.View)
	code = couponCode(code)
	if slices.Contains(cart.Coupons, code) {
		return nil, Faultf(InvalidCoupon, "Coupon %q is in the cart already.", code)
	}
	coupon, err := tx.usableCoupon(code, before.basket.Lines, before.buyer(tx.View))
	if err != nil {
		return nil, err
	}
	for _, applied := range before.basket.Coupons {
		if applied.IndividualUse && !coupon.IndividualUse {
			return nil, standsAlone(applied, coupon.Code)
		}
	}
	if coupon.IndividualUse {
		cart.Coupons = nil
	}
	cart.Coupons = append(cart.Coupons, coupon.Code)
	return cart.keep(tx, before.removals()...)
}

// RemoveCoupon takes a coupon out. Faults: InvalidCoupon where no coupon has this code, CouponNotApplied.
func (tx *Tx) RemoveCoupon(who Shopper, code string) (*CartQuote, error) {
	cart := tx.cartRow(who)
	place := slices.Index(cart.Coupons, couponCode(code))
	if _, known := tx.FindCoupon(code); place < 0 && !known {
		return nil, noSuchCoupon(code)
	}
	if place < 0 {
		return nil, Faultf(CouponNotApplied, "The cart holds no coupon %q.", code)
	}
	cart.Coupons = slices.Delete(cart.Coupons, place, place+1)
	return cart.keep(tx)
}

// RemoveCoupons takes all coupons out.
func (tx *Tx) RemoveCoupons(who Shopper) (*CartQuote, error) {
	cart := tx.cartRow(who)
	cart.Coupons = nil
	return cart.keep(tx)
}

// UpdateCartAddresses changes the fields that are set; a nil address stays. Without anything to ship, the shipping
// address follows the billing address. A state may be given by name.
//
// Fault: InvalidParam, with what is wrong by field ("billing_address.postcode"); or what a change reports.
func (tx *Tx) UpdateCartAddresses(who Shopper, billing, shipping AddressChange) (*CartQuote, error) {
	cart := tx.cartRow(who)
	before := cart.quote(tx.View)
	billed, err := billing.applyTo(before.Billing)
	if err != nil {
		return nil, err
	}
	shipped, err := shipping.applyTo(before.Shipping)
	if err != nil {
		return nil, err
	}
	cart.Billing, cart.Shipping = billed.normal(), shipped.normal().withoutEmail()
	if shipping == nil && !before.NeedsShipping {
		cart.Shipping = cart.Billing.withoutEmail()
	}
	check := addressCheck{config: tx.Config}
	if billing != nil {
		check.form("billing_address", cart.Billing, tx.Config.sellsTo)
	}
	if shipping != nil {
		check.form("shipping_address", cart.Shipping, tx.Config.shipsTo)
	}
	if err := check.fault(InvalidParam, "An address has fields that are not valid."); err != nil {
		return nil, err
	}
	return cart.keep(tx, before.removals()...)
}

// SelectRate chooses how a package is shipped. Fault: NoSuchRate.
func (tx *Tx) SelectRate(who Shopper, packageID int, rateID string) (*CartQuote, error) {
	cart := tx.cartRow(who)
	before := cart.quote(tx.View)
	place := slices.IndexFunc(before.Packages, func(p pricing.Package) bool { return p.ID == packageID })
	if place < 0 {
		return nil, rateFault("package_id", "The cart has no package with this number.")
	}
	if !slices.ContainsFunc(before.Packages[place].Rates, func(r pricing.ShippingRate) bool { return r.ID == rateID }) {
		return nil, rateFault("rate_id", "The package cannot be shipped at this rate.")
	}
	cart.Chosen = map[int]string{packageID: rateID}
	return cart.keep(tx, before.removals()...)
}

func rateFault(param, what string) *Fault {
	return &Fault{Kind: NoSuchRate, Message: what, Params: map[string]string{param: what}}
}

// removals are the errors about what was taken out of the cart.
func (q *CartQuote) removals() []*Fault {
	return slices.DeleteFunc(slices.Clone(q.Errors), func(f *Fault) bool { return f.Kind != ItemRemoved && f.Kind != InvalidCoupon })
}

// keep prices the cart and keeps it without what can no longer be used; removed tells what was taken out before.
func (cart *Cart) keep(tx *Tx, removed ...*Fault) (*CartQuote, error) {
	q := cart.quote(tx.View)
	q.Errors = append(removed, q.Errors...)
	if err := cart.put(tx); err != nil {
		return nil, err
	}
	return q, nil
}

// sameEmail compares e-mails without regard to case.
func sameEmail(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
