package shop

import (
	"testing"
)

func TestAddToCart(t *testing.T) {
	red := ChosenAttribute{"Colour", "red"}
	for _, test := range []struct {
		name   string
		wanted CartRequest
		fault  Kind
	}{
		{"simple", CartRequest{ProductID: mugID, Quantity: 2}, 0},
		{"no quantity", CartRequest{ProductID: mugID}, InvalidQuantity},
		{"unknown", CartRequest{ProductID: 999, Quantity: 1}, InvalidProduct},
		{"more than the stock", CartRequest{ProductID: mugID, Quantity: 6}, NotEnoughStock},
		{"more than a cart takes", CartRequest{ProductID: eBookID, Quantity: 10_000}, InvalidQuantity},
		{"far more than a cart takes", CartRequest{ProductID: eBookID, Quantity: 1 << 62}, InvalidQuantity},
		{"grouped", CartRequest{ProductID: kitID, Quantity: 1}, InvalidProduct},
		{"two where one is allowed", CartRequest{ProductID: clockID, Quantity: 2}, InvalidProduct},
		{"variable without a choice", CartRequest{ProductID: shirtID, Quantity: 1}, InvalidProduct},
		{"variable, all chosen", CartRequest{shirtID, 1, []ChosenAttribute{{"pa_size", "medium"}, red}}, 0},
		{"variable, by name", CartRequest{shirtID, 1, []ChosenAttribute{{"Size", "Medium"}, {"colour", "Red"}}}, 0},
		{"variable, open choice missing", CartRequest{shirtID, 1, []ChosenAttribute{{"pa_size", "medium"}}}, InvalidProduct},
		{"variable, no such option", CartRequest{shirtID, 1, []ChosenAttribute{{"pa_size", "huge"}, red}}, InvalidProduct},
		{"variable, no such attribute", CartRequest{shirtID, 1, []ChosenAttribute{{"pa_size", "large"}, red, {"pa_fit", "slim"}}},
			InvalidProduct},
		{"variation, open choice made", CartRequest{largeID, 1, []ChosenAttribute{red}}, 0},
		{"variation, open choice missing", CartRequest{largeID, 1, nil}, InvalidProduct},
		{"variation, against its own choice", CartRequest{largeID, 1, []ChosenAttribute{{"pa_size", "medium"}, red}}, InvalidProduct},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTestShop(t)
			cart, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.AddToCart(ann, test.wanted) })
			wantFault(t, err, test.fault)
			if err == nil && (len(cart.Items) != 1 || cart.Items[0].Quantity != test.wanted.Quantity) {
				t.Errorf("the cart holds %+v", cart.Items)
			}
		})
	}
}

func TestPutIntoCartIsAddToCartWithoutAPrice(t *testing.T) {
	added, quiet := newTestShop(t), newTestShop(t)
	steps := []CartRequest{{ProductID: mugID, Quantity: 2}, {ProductID: eBookID, Quantity: 1}, {ProductID: mugID, Quantity: 1}}
	for _, wanted := range steps {
		put(t, added, ann, wanted.ProductID, wanted.Quantity)
		_, err := try(quiet, func(tx *Tx) (*CartQuote, error) { return nil, tx.PutIntoCart(ann, wanted) })
		wantFault(t, err, 0)
	}
	if one, other := added.Read().CartOf(ann), quiet.Read().CartOf(ann); one.ItemsCount != 4 || one.Hash != other.Hash {
		t.Errorf("added: %d pieces, hash %s; put: %d pieces, hash %s", one.ItemsCount, one.Hash, other.ItemsCount, other.Hash)
	}
	_, err := try(quiet, func(tx *Tx) (*CartQuote, error) {
		return nil, tx.PutIntoCart(ann, CartRequest{ProductID: mugID, Quantity: 3})
	})
	wantFault(t, err, NotEnoughStock)
}

func TestEqualItemsMerge(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	put(t, s, ann, mugID, 2)
	put(t, s, ann, largeID, 1, ChosenAttribute{"Colour", "Red"})
	put(t, s, ann, shirtID, 1, ChosenAttribute{"Colour", "Red"}, ChosenAttribute{"pa_size", "large"})
	cart := put(t, s, ann, largeID, 1, ChosenAttribute{"Colour", "Blue"})
	if len(cart.Items) != 3 || cart.Items[0].Quantity != 3 || cart.Items[1].Quantity != 2 {
		t.Fatalf("got %d items", len(cart.Items))
	}
	if key := cart.Items[0].Key; key != "c4ca4238a0b923820dcc509a6f75849b" {
		t.Errorf("the key %s is not the MD5 of the product's id", key)
	}
	if cart.Items[1].Key == cart.Items[2].Key {
		t.Error("other attributes must give another key")
	}
	if name := cart.Items[2].FullName(); name != "Shirt - Large, Blue" {
		t.Errorf("got the name %q", name)
	}
	wantAmount(t, "items", cart.Totals.Items, "75")
	wantAmount(t, "shipping", cart.Totals.Shipping, "5")
	wantAmount(t, "total", cart.Totals.Total, "80")
	_, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.AddToCart(ann, CartRequest{ProductID: mugID, Quantity: 3}) })
	wantFault(t, err, NotEnoughStock)
}

func TestSetCartQuantity(t *testing.T) {
	s := newTestShop(t)
	mug := put(t, s, ann, mugID, 1).Items[0].Key
	clock := put(t, s, ann, clockID, 1).Items[1].Key
	for _, test := range []struct {
		name     string
		key      string
		quantity int64
		fault    Kind
		items    int
	}{
		{"more", mug, 5, 0, 2},
		{"over the stock", mug, 6, NotEnoughStock, 0},
		{"negative", mug, -1, InvalidQuantity, 0},
		{"one at a time", clock, 2, InvalidQuantity, 0},
		{"unknown", "nope", 1, NoSuchCartItem, 0},
		{"nought removes", mug, 0, 0, 1},
		{"nought again", mug, 0, NoSuchCartItem, 0},
	} {
		cart, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.SetCartQuantity(ann, test.key, test.quantity) })
		if kindOf(err) != test.fault || err == nil && len(cart.Items) != test.items {
			t.Errorf("%s: got fault %v", test.name, err)
		}
	}
}

func TestCartShowsLimitsAndStock(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, clockID, 1)
	cart := put(t, s, ann, mugID, 1)
	if got, want := cart.Items[0].Limits, (QuantityLimits{1, 1, 1, false}); got != want {
		t.Errorf("clock: got limits %+v, want %+v", got, want)
	}
	if got, want := cart.Items[1].Limits, (QuantityLimits{1, 5, 1, true}); got != want {
		t.Errorf("mug: got limits %+v, want %+v", got, want)
	}
	if cart.Items[1].LowStock != nil {
		t.Error("five mugs are not few")
	}
	bob, unpaid := Shopper{Session: "bob"}, orderBy(MockPay)
	unpaid.PaymentData = []PaymentDetail{{"result", "pending"}}
	put(t, s, bob, mugID, 3)
	place(t, s, bob, unpaid)
	cart = s.Read().CartOf(ann)
	if left := cart.Items[1].LowStock; left == nil || *left != 2 || cart.Items[1].Limits.Maximum != 2 {
		t.Errorf("the unpaid order of somebody else must leave 2 mugs")
	}
	if len(cart.CrossSells) != 0 {
		t.Error("the clock is in the cart already")
	}
	wantAmount(t, "weight", cart.Weight, "2.5")
}

func TestCartWithoutCountryHasNoShipping(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.Country, c.State = "", "" })
	cart := put(t, s, ann, mugID, 1)
	if !cart.NeedsShipping || cart.ShippingCalculated || len(cart.Packages) != 0 {
		t.Errorf("needs %v, calculated %v", cart.NeedsShipping, cart.ShippingCalculated)
	}
	if s.Read().CartOf(Shopper{Session: "new"}).Totals.Total.IsPositive() {
		t.Error("a new cart costs nothing")
	}
}

func TestVirtualCartNeedsNoShipping(t *testing.T) {
	s := newTestShop(t)
	cart := put(t, s, ann, eBookID, 1)
	if cart.NeedsShipping || cart.ShippingCalculated {
		t.Error("an e-book is not shipped")
	}
	wantAmount(t, "total", cart.Totals.Total, "4")
}

func TestSelectRate(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	for _, test := range []struct {
		pack  int
		rate  string
		fault Kind
		total string
	}{
		{0, "free_shipping:2", 0, "10"},
		{0, "flat_rate:1", 0, "15"},
		{0, "nope:9", NoSuchRate, ""},
		{9, "flat_rate:1", NoSuchRate, ""},
	} {
		cart, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, test.pack, test.rate) })
		wantFault(t, err, test.fault)
		if err == nil {
			wantAmount(t, test.rate, cart.Totals.Total, test.total)
		}
	}
}

func TestUpdateCartAddresses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change AddressChange
		param  string
		state  string
	}{
		{"state by name", with(func(a *Address) { a.State = "new york" }), "", "NY"},
		{"unknown state", with(func(a *Address) { a.State = "ZZ" }), "shipping_address.state", ""},
		{"unknown country", with(func(a *Address) { a.Country = "XX" }), "shipping_address.country", ""},
		{"bad postcode", with(func(a *Address) { a.Postcode = "abc" }), "shipping_address.postcode", ""},
		{"bad phone", with(func(a *Address) { a.Phone = "call me!" }), "shipping_address.phone", ""},
		{"a new country voids the state", with(func(a *Address) { a.Country = "de" }), "", ""},
	} {
		s := newTestShop(t)
		put(t, s, ann, mugID, 1)
		cart, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.UpdateCartAddresses(ann, nil, test.change) })
		if test.param == "" {
			if err != nil || cart.Shipping.State != test.state {
				t.Errorf("%s: got %v", test.name, err)
			}
			continue
		}
		wantFault(t, err, InvalidParam)
		if asFault(err).Params[test.param] == "" {
			t.Errorf("%s: got params %v", test.name, asFault(err).Params)
		}
	}
}

func TestCartCoupons(t *testing.T) {
	for _, test := range []struct {
		name  string
		codes []string
		fault Kind // of the last code
		total string
	}{
		{"percent, any case", []string{"SAVE10"}, 0, "23"},
		{"again", []string{"save10", "save10"}, InvalidCoupon, ""},
		{"unknown", []string{"nosuch"}, InvalidCoupon, ""},
		{"empty", []string{""}, InvalidCoupon, ""},
		{"expired", []string{"old"}, InvalidCoupon, ""},
		{"below the minimum", []string{"big"}, InvalidCoupon, ""},
		{"above the maximum", []string{"small"}, InvalidCoupon, ""},
		{"for other products", []string{"clocks"}, InvalidCoupon, ""},
		{"without the e-mail", []string{"members"}, InvalidCoupon, ""},
		{"two", []string{"save10", "once"}, 0, "20"},
		{"one for individual use replaces others", []string{"save10", "alone"}, 0, "24"},
		{"none beside one for individual use", []string{"alone", "save10"}, InvalidCoupon, ""},
		{"more than the cart costs", []string{"all"}, 0, "5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTestShop(t)
			put(t, s, ann, mugID, 2)
			var cart *CartQuote
			var err error
			for _, code := range test.codes {
				cart, err = try(s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, code) })
			}
			wantFault(t, err, test.fault)
			if err == nil {
				wantAmount(t, "total", cart.Totals.Total, test.total)
			}
		})
	}
}

func TestGoneThingsLeaveTheCart(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 2)
	put(t, s, ann, eBookID, 1)
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "save10") })
	write(t, s, func(tx *Tx) (bool, error) {
		mug, _ := tx.Product(mugID)
		draft := *mug
		draft.Status = StatusDraft
		tx.Coupons.Delete(tx.rows, 101)
		return true, draft.Save(tx)
	})
	cart := s.Read().CartOf(ann)
	if len(cart.Items) != 1 || len(cart.Coupons) != 0 || len(cart.Errors) != 2 {
		t.Fatalf("%d items, %d coupons, errors %v", len(cart.Items), len(cart.Coupons), cart.Errors)
	}
	if cart.Errors[0].Kind != ItemRemoved || cart.Errors[1].Kind != InvalidCoupon {
		t.Errorf("got errors %v", cart.Errors)
	}
	wantAmount(t, "total", cart.Totals.Total, "4")
	put(t, s, ann, eBookID, 1)
	if cart := s.Read().CartOf(ann); len(cart.Errors) != 0 {
		t.Errorf("after a change the cart is clean, but has errors %v", cart.Errors)
	}
}

func TestEmptyCart(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 2)
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "save10") })
	cart := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.RemoveCoupon(ann, "Save10") })
	wantAmount(t, "total without coupon", cart.Totals.Total, "25")
	_, err := try(s, func(tx *Tx) (*CartQuote, error) { return tx.RemoveCoupon(ann, "save10") })
	wantFault(t, err, CouponNotApplied)
	cart = write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.EmptyCart(ann) })
	if len(cart.Items) != 0 || cart.Hash != "" || cart.NeedsPayment {
		t.Error("the cart is not empty")
	}
}
