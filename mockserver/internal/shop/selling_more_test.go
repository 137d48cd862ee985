package shop

import (
	"fmt"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
)

// Rules that join several rooms: shared stock, shown prices, pick-up, refunded taxes, holds that expire.

func TestVariationsShareTheStockOfTheirProduct(t *testing.T) {
	s := newTestShop(t)
	write(t, s, func(tx *Tx) (bool, error) {
		shirt, _ := tx.Product(shirtID)
		managed := *shirt
		managed.ManageStock, managed.StockQuantity = true, ptr(int64(3))
		return true, managed.Save(tx)
	})
	red := ChosenAttribute{"Colour", "Red"}
	put(t, s, ann, largeID, 2, red)
	_, err := try(s, func(tx *Tx) (*CartQuote, error) {
		return tx.AddToCart(ann, CartRequest{mediID, 2, []ChosenAttribute{red}})
	})
	wantFault(t, err, NotEnoughStock)
	put(t, s, ann, mediID, 1, red)
	place(t, s, ann, orderBy(Cheque))
	_, err = try(s, func(tx *Tx) (*CartQuote, error) {
		return tx.AddToCart(Shopper{Session: "bob"}, CartRequest{mediID, 1, []ChosenAttribute{red}})
	})
	wantFault(t, err, InvalidProduct)
	if shirt, _ := s.Read().Product(shirtID); *shirt.StockQuantity != 0 || shirt.StockStatus != OutOfStock {
		t.Errorf("stock %d, %s", *shirt.StockQuantity, shirt.StockStatus)
	}
}

func TestShownPrices(t *testing.T) {
	for _, test := range []struct {
		included, shown bool
		country         string
		price           string
	}{
		{false, false, "US", "10"}, {false, true, "US", "12"}, {true, true, "US", "10"}, {true, false, "US", "8.333333"},
		{true, true, "DE", "9.916667"}, {false, true, "DE", "11.9"}, {true, true, "FR", "8.333333"},
	} {
		s := newTestShop(t, func(c *Config) {
			c.TaxesEnabled, c.PricesIncludeTax, c.DisplayPricesWithTax = true, test.included, test.shown
		})
		write(t, s, func(tx *Tx) (bool, error) {
			if err := tx.TaxRates.Put(tx.rows, &TaxRate{ID: 1, Country: "US", Rate: "20", Priority: 1}); err != nil {
				return false, err
			}
			return true, tx.TaxRates.Put(tx.rows, &TaxRate{ID: 2, Country: "DE", Rate: "19", Priority: 1})
		})
		put(t, s, ann, mugID, 1)
		cart := write(t, s, func(tx *Tx) (*CartQuote, error) {
			return tx.UpdateCartAddresses(ann, nil, with(func(a *Address) { a.Country = test.country }))
		})
		wantAmount(t, fmt.Sprintf("%+v", test), cart.Items[0].Prices.Price, test.price)
	}
}

func TestPickUpIsTaxedAtTheShop(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.TaxesEnabled = true })
	write(t, s, func(tx *Tx) (bool, error) {
		if err := tx.TaxRates.Put(tx.rows, &TaxRate{ID: 1, Country: "US", Rate: "10", Priority: 1}); err != nil {
			return false, err
		}
		pickup := &ShippingMethod{ID: 3, MethodID: pricing.LocalPickup, Title: "Pick up", Enabled: true, Order: 9}
		return true, tx.Methods.Put(tx.rows, pickup)
	})
	put(t, s, ann, mugID, 1)
	abroad := write(t, s, func(tx *Tx) (*CartQuote, error) {
		return tx.UpdateCartAddresses(ann, nil, with(func(a *Address) { a.Country = "DE" }))
	})
	wantAmount(t, "tax abroad", abroad.Totals.Tax, "0")
	collected := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, 0, "local_pickup:3") })
	wantAmount(t, "tax when collected", collected.Totals.Tax, "1")
	write(t, s, func(tx *Tx) (bool, error) {
		first := &ShippingMethod{ID: 3, MethodID: pricing.LocalPickup, Title: "Pick up", Enabled: true, Order: -1}
		return true, tx.Methods.Put(tx.rows, first)
	})
	bob := Shopper{Session: "bob"}
	put(t, s, bob, mugID, 1)
	bobs := write(t, s, func(tx *Tx) (*CartQuote, error) {
		return tx.UpdateCartAddresses(bob, nil, with(func(a *Address) { a.Country = "DE" }))
	})
	wantAmount(t, "tax when pick-up comes first", bobs.Totals.Tax, "1")
}

func TestForgottenPickUpOfDownloads(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.TaxesEnabled = true })
	write(t, s, func(tx *Tx) (bool, error) {
		if err := tx.TaxRates.Put(tx.rows, &TaxRate{ID: 1, Country: "US", Rate: "10", Priority: 1}); err != nil {
			return false, err
		}
		return true, tx.Methods.Put(tx.rows, &ShippingMethod{ID: 3, MethodID: pricing.LocalPickup, Title: "Pick up", Enabled: true,
			Order: 9})
	})
	put(t, s, ann, mugID, 1)
	put(t, s, ann, eBookID, 1)
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, 0, "local_pickup:3") })
	write(t, s, func(tx *Tx) (*CartQuote, error) {
		return tx.UpdateCartAddresses(ann, with(func(a *Address) { a.Country = "DE" }), with(func(a *Address) { a.Country = "DE" }))
	})
	mug := s.Read().CartOf(ann).Items[0]
	if mug.Product.ID != mugID {
		t.Fatalf("the first item is %q", mug.Product.Name)
	}
	downloads := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.RemoveFromCart(ann, mug.Key) })
	wantAmount(t, "tax of downloads that go abroad", downloads.Totals.Tax, "0")
}

func TestCouponForFreeShipping(t *testing.T) {
	s := newTestShop(t)
	write(t, s, func(tx *Tx) (bool, error) {
		return true, tx.Coupons.Put(tx.rows, &Coupon{ID: 120, Code: "free", Type: pricing.PercentCoupon, Amount: "0", FreeShipping: true,
			Status: StatusPublish})
	})
	put(t, s, ann, mugID, 1)
	cart := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "free") })
	if chosen := cart.Packages[0].Chosen(); chosen.ID != "free_shipping:2" {
		t.Errorf("got %s", chosen.ID)
	}
	if cart = write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.RemoveCoupons(ann) }); len(cart.Coupons) != 0 {
		t.Error("the coupons are still there")
	}
}

func TestNothingIsShippedThere(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.SellTo, c.ShipTo = []string{"US", "DE"}, []string{"US"} })
	put(t, s, ann, mugID, 1)
	request := orderBy(Cheque)
	request.Shipping.Country, request.Shipping.State, request.Shipping.Postcode = "DE", "", "10115"
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, request) })
	wantFault(t, err, InvalidAddress)
	write(t, s, func(tx *Tx) (bool, error) {
		for _, method := range collect(tx.Methods.All()) {
			elsewhere := *method
			elsewhere.ZoneID = 5
			if err := tx.Methods.Put(tx.rows, &elsewhere); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	_, err = try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, orderBy(Cheque)) })
	wantFault(t, err, ShippingRequired)
}

func TestExpiredHoldsAreReleased(t *testing.T) {
	now := testNow
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return now }})
	wait := func() {
		order := write(t, s, func(tx *Tx) (*Order, error) { // made by staff: nobody cancels it
			order := tx.NewOrder()
			order.Status = Pending
			return order, order.Create(tx, mugs(1))
		})
		request := orderBy(MockPay)
		request.PaymentData = []PaymentDetail{{"result", "pending"}}
		write(t, s, func(tx *Tx) (*Checkout, error) { return tx.PayOrder(ann, order.ID, order.Key, "", request) })
	}
	for range 3 {
		wait()
	}
	v := s.Read()
	if held := Orders.Held.Count(&v.Orders, "1"); held != 3 {
		t.Fatalf("%d orders hold mugs", held)
	}
	now = now.Add(minutes(v.Config.HoldStockMinutes) + time.Second)
	put(t, s, ann, mugID, 1)
	write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) })
	v = s.Read()
	if held := Orders.Held.Count(&v.Orders, "1"); held != 0 {
		t.Errorf("%d orders hold mugs after their time", held)
	}
}

func TestTheOldestCartIsForgotten(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	draft := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order
	put(t, s, Shopper{Session: "bob"}, mugID, 1)
	write(t, s, func(tx *Tx) (bool, error) {
		tx.forgetOldestCart()
		return true, nil
	})
	_, err := s.Read().FindOrder(draft.ID)
	wantFault(t, err, NoSuchOrder)
	if carts := s.Read().Carts.Len(); carts != 1 || len(s.Read().CartOf(ann).Items) != 0 {
		t.Errorf("%d carts", carts)
	}
}

func TestGuestsOrderByEmail(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	draft := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order
	_, err := s.Read().OrderForCustomer(draft.ID, draft.Key, "", 0)
	wantFault(t, err, NoSuchOrder)
	order := place(t, s, ann, orderBy(Cheque)).Order
	_, err = s.Read().OrderForCustomer(order.ID, order.Key, "x@shopper.example", 0)
	wantFault(t, err, WrongBillingEmail)
	_, err = s.Read().OrderForCustomer(order.ID, "", "", 0)
	wantFault(t, err, WrongOrderKey)
	if _, err = s.Read().OrderForCustomer(order.ID, order.Key, "ANN@shopper.example", 0); err != nil {
		t.Error(err)
	}
}

func TestRefundOfEveryKindOfLine(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.TaxesEnabled = true })
	write(t, s, func(tx *Tx) (bool, error) {
		return true, tx.TaxRates.Put(tx.rows, &TaxRate{ID: 1, Country: "US", Rate: "10", Name: "Tax", Priority: 1, Shipping: true})
	})
	order := mustCreate(t, s, Processing, OrderEdit{
		Lines: mugs(2).Lines, Fees: []FeeEdit{{Name: ptr("Fee"), Total: ptr(amount("3"))}},
		Shipping: []ShippingEdit{{MethodID: ptr(pricing.FlatRate), Total: ptr(amount("5"))}},
	})
	wantAmount(t, "total", order.Totals.Total, "30.8")
	tax := func(text string) map[int64]Amount { return map[int64]Amount{1: amount(text)} }
	refund := write(t, s, func(tx *Tx) (*Refund, error) {
		return tx.CreateRefund(order.ID, RefundInput{Lines: []RefundLine{
			{ID: order.Lines[0].ID, Quantity: 1, Total: amount("10"), Taxes: tax("1")},
			{ID: order.FeeLines[0].ID, Total: amount("3"), Taxes: tax("0.3")},
			{ID: order.ShippingLines[0].ID, Total: amount("5"), Taxes: tax("0.5")},
		}})
	})
	wantAmount(t, "refund", refund.Amount, "19.8")
	wantAmount(t, "line", refund.Lines[0].Total, "-10")
	wantAmount(t, "tax", refund.TaxLines[0].Tax, "-1.3")
	wantAmount(t, "shipping tax", refund.TaxLines[0].ShippingTax, "-0.5")
	if refund.Lines[0].Quantity != -1 || s.stockOf(t, mugID) != 3 {
		t.Errorf("quantity %d, stock %d", refund.Lines[0].Quantity, s.stockOf(t, mugID))
	}
}

func TestLineMeta(t *testing.T) {
	s := newTestShop(t)
	edit := mugs(1)
	edit.Lines[0].Meta = []LineMeta{{Meta: Meta{Key: "gift", Value: `"yes"`}}, {Meta: Meta{Key: "card", Value: `"no"`}}}
	order := mustCreate(t, s, Pending, edit)
	gift, card := order.Lines[0].Meta[0], order.Lines[0].Meta[1]
	if gift.ID == 0 || gift.ID == card.ID {
		t.Fatalf("got ids %d and %d", gift.ID, card.ID)
	}
	gift.Value, card.Value = `"no"`, ""
	changed := write(t, s, func(tx *Tx) (*Order, error) {
		copied := order.Copy()
		return copied, copied.Save(tx, order, OrderEdit{Lines: []LineEdit{{ID: order.Lines[0].ID, Meta: []LineMeta{gift, card}}}})
	})
	if meta := changed.Lines[0].Meta; len(meta) != 1 || meta[0].Value != `"no"` {
		t.Errorf("got %+v", meta)
	}
}

func TestValidCost(t *testing.T) {
	if !pricing.ValidCost("5 + 2*[qty]") || pricing.ValidCost("") || pricing.ValidCost("5 +") {
		t.Error("a formula is judged wrongly")
	}
}

func TestNamesOfGoods(t *testing.T) {
	s := newTestShop(t)
	cart := put(t, s, ann, largeID, 1, ChosenAttribute{"Colour", "Blue"})
	item := &cart.Items[0]
	if item.Name() != "Shirt" || item.FullName() != "Shirt - Large, Blue" ||
		cart.Contents(&cart.Packages[0]) != "Shirt - Large, Blue × 1" {
		t.Errorf("got %q, %q, %q", item.Name(), item.FullName(), cart.Contents(&cart.Packages[0]))
	}
	line := place(t, s, ann, orderBy(Cheque)).Order.Lines[0]
	if line.Meta[0].Key != "pa_size" || line.Meta[0].Value != `"large"` || line.Meta[0].DisplayValue != "Large" ||
		line.Meta[1].Value != `"Blue"` || *line.ParentName != "Shirt" {
		t.Errorf("got %+v", line)
	}
	if got := jsonText("a\"b\\c\n"); got != `"a\"b\\c\u000a"` {
		t.Errorf("got %s", got)
	}
}
