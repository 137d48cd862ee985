package shop

import (
	"errors"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
)

// The goods of the test shop.
const (
	mugID   = 1 // 10.00, 5 in stock
	shirtID = 2 // variable: 15.00 large, 17.00 medium (any colour)
	largeID = 3
	mediID  = 4
	eBookID = 5 // 4.00, virtual
	clockID = 6 // 100.00, one at a time, stock not counted
	kitID   = 7 // grouped
)

// newTestShop is a shop with a few goods, gateways, coupons, and shipping at 5.00 or free.
func newTestShop(t testing.TB, change ...func(*Config)) *Shop {
	t.Helper()
	config := testConfig()
	config.TaxesEnabled = false
	for _, c := range change {
		c(config)
	}
	built, err := Build(NewState(config), testNow, 1, fillTestShop)
	if err != nil {
		t.Fatal(err)
	}
	return New(built, Options{Clock: func() time.Time { return testNow }, Secret: []byte("1")})
}

func fillTestShop(tx *Tx) error {
	if err := addTestGoods(tx); err != nil {
		return err
	}
	for i, method := range []string{CashOnDelivery, BankTransfer, Cheque, MockPay} {
		gateway := &Gateway{ID: int64(i + 1), Method: method, Title: method, Order: int64(i), Enabled: true}
		if err := tx.Gateways.Put(tx.rows, gateway); err != nil {
			return err
		}
	}
	for _, coupon := range []*Coupon{
		{ID: 101, Code: "save10", Type: pricing.PercentCoupon, Amount: "10"},
		{ID: 102, Code: "alone", Type: pricing.FixedCartCoupon, Amount: "1", IndividualUse: true},
		{ID: 103, Code: "members", Type: pricing.FixedCartCoupon, Amount: "1", EmailRestrictions: []string{"*@members.example"}},
		{ID: 104, Code: "once", Type: pricing.FixedCartCoupon, Amount: "3", UsageLimit: ptr(int64(1))},
		{ID: 105, Code: "each", Type: pricing.FixedCartCoupon, Amount: "3", UsageLimitPerUser: ptr(int64(1))},
		{ID: 106, Code: "old", Type: pricing.FixedCartCoupon, Amount: "3", Expires: DateOf(testNow.Add(-time.Hour))},
		{ID: 107, Code: "big", Type: pricing.FixedCartCoupon, Amount: "3", MinimumAmount: "50"},
		{ID: 108, Code: "small", Type: pricing.FixedCartCoupon, Amount: "3", MaximumAmount: "5"},
		{ID: 109, Code: "clocks", Type: pricing.FixedProductCoupon, Amount: "3", ProductIDs: []int64{clockID}},
		{ID: 110, Code: "shirts", Type: pricing.PercentCoupon, Amount: "50", ProductIDs: []int64{shirtID}},
		{ID: 111, Code: "all", Type: pricing.FixedCartCoupon, Amount: "500"},
	} {
		coupon.Status = StatusPublish
		if err := tx.Coupons.Put(tx.rows, coupon); err != nil {
			return err
		}
	}
	for i, method := range []*ShippingMethod{
		{MethodID: pricing.FlatRate, Title: "Flat rate", Settings: map[string]string{"cost": "5"}},
		{MethodID: pricing.FreeShipping, Title: "Free shipping", Settings: map[string]string{}},
	} {
		method.ID, method.Order, method.Enabled = int64(i+1), int64(i), true
		if err := tx.Methods.Put(tx.rows, method); err != nil {
			return err
		}
	}
	return nil
}

func addTestGoods(tx *Tx) error {
	colours := ProductAttribute{Name: "Colour", Slug: "Colour", Variation: true, Options: []string{"Red", "Blue"}}
	sizes := ProductAttribute{ID: 1, Name: "Size", Slug: "pa_size", Variation: true, Options: []string{"Large", "Medium"}}
	for _, p := range []*Product{
		{Name: "Mug", RegularPrice: "10.00", ManageStock: true, StockQuantity: ptr(int64(5)),
			Extras: &Extras{CrossSellIDs: []int64{clockID}}},
		{Name: "Shirt", Type: Variable, Attributes: []ProductAttribute{sizes, colours}},
		{Name: "", Type: Variation, ParentID: shirtID, RegularPrice: "15.00", TaxClass: "parent",
			Choices: []AttributeChoice{{Slug: "pa_size", Option: "Large"}}},
		{Name: "", Type: Variation, ParentID: shirtID, RegularPrice: "17.00", TaxClass: "parent",
			Choices: []AttributeChoice{{Slug: "pa_size", Option: "Medium"}}},
		{Name: "E-book", RegularPrice: "4.00", Virtual: true},
		{Name: "Clock", RegularPrice: "100.00", SoldIndividually: true, Weight: "2.5"},
		{Name: "Kit", Type: Grouped, Extras: &Extras{GroupedIDs: []int64{mugID}}},
	} {
		defaults := tx.NewProduct()
		p.Status, p.TaxStatus, p.StockStatus, p.Backorders = defaults.Status, defaults.TaxStatus, defaults.StockStatus, defaults.Backorders
		create := p.Create
		if p.Type == "" {
			p.Type = Simple
		}
		if p.Type == Variation {
			create = p.CreateVariation
		}
		if err := create(tx); err != nil {
			return err
		}
	}
	return nil
}

func ptr[T any](value T) *T { return &value }

var ann = Shopper{Session: "ann"}

// annsAddress is complete and valid.
func annsAddress() *Address {
	return &Address{
		FirstName: "Ann", LastName: "Lee", Address1: "1 Main", City: "San Francisco", State: "CA", Postcode: "94103",
		Country: "US", Email: "ann@shopper.example", Phone: "555-1234",
	}
}

// with changes an address.
func with(change func(*Address)) AddressChange {
	return func(a *Address) error {
		change(a)
		return nil
	}
}

// order is a valid request that pays by a method.
func orderBy(method string) CheckoutRequest {
	return CheckoutRequest{Billing: annsAddress(), Shipping: annsAddress(), PaymentMethod: method}
}

// write runs a change that must succeed.
func write[T any](t testing.TB, s *Shop, change func(*Tx) (T, error)) T {
	t.Helper()
	result, err := try(s, change)
	if err != nil {
		t.Fatalf("unexpected fault: %v", err)
	}
	return result
}

// try runs a change.
func try[T any](s *Shop, change func(*Tx) (T, error)) (T, error) {
	var result T
	_, err := s.Write(func(tx *Tx) (err error) {
		result, err = change(tx)
		return err
	})
	return result, err
}

// put adds goods to a cart.
func put(t testing.TB, s *Shop, who Shopper, id, quantity int64, chosen ...ChosenAttribute) *CartQuote {
	t.Helper()
	return write(t, s, func(tx *Tx) (*CartQuote, error) {
		return tx.AddToCart(who, CartRequest{ProductID: id, Quantity: quantity, Variation: chosen})
	})
}

// place places an order.
func place(t testing.TB, s *Shop, who Shopper, request CheckoutRequest) *Checkout {
	t.Helper()
	return write(t, s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(who, request) })
}

// kindOf is the kind of a fault, 0 for none.
func kindOf(err error) Kind {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Kind
	}
	return 0
}

func wantFault(t testing.TB, err error, kind Kind) {
	t.Helper()
	if kindOf(err) != kind {
		t.Fatalf("got fault %d (%v), want %d", kindOf(err), err, kind)
	}
}

func wantAmount(t testing.TB, what string, got Amount, wanted string) {
	t.Helper()
	if !got.Equal(amount(wanted)) {
		t.Errorf("%s: got %s, want %s", what, got, wanted)
	}
}

func (s *Shop) stockOf(t testing.TB, id int64) int64 {
	t.Helper()
	p, err := s.Read().Sellable(id)
	if err != nil || p.StockQuantity == nil {
		t.Fatalf("no stock of %d: %v", id, err)
	}
	return *p.StockQuantity
}
