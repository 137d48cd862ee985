package shop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
)

func TestPlaceOrder(t *testing.T) {
	for _, test := range []struct {
		method string
		data   []PaymentDetail
		status OrderStatus
		result PaymentStatus
		stock  int64 // of the mug afterwards
		items  int   // left in the cart
	}{
		{BankTransfer, nil, OnHold, PaymentSuccess, 3, 0},
		{Cheque, nil, OnHold, PaymentSuccess, 3, 0},
		{CashOnDelivery, nil, Processing, PaymentSuccess, 3, 0},
		{MockPay, nil, Processing, PaymentSuccess, 3, 0},
		{MockPay, []PaymentDetail{{"result", "pending"}}, Pending, PaymentPending, 5, 0},
		{MockPay, []PaymentDetail{{"result", "redirect"}}, Pending, PaymentPending, 5, 0},
		{MockPay, []PaymentDetail{{"result", "decline"}}, Failed, PaymentFailure, 5, 1},
		{MockPay, []PaymentDetail{{"result", "error"}}, Failed, PaymentError, 5, 1},
	} {
		t.Run(fmt.Sprint(test.method, test.data), func(t *testing.T) {
			s := newTestShop(t)
			put(t, s, ann, mugID, 2)
			request := orderBy(test.method)
			request.PaymentData = test.data
			done := place(t, s, ann, request)
			if done.Order.Status != test.status || done.Payment.Status != test.result {
				t.Errorf("order %s, payment %s", done.Order.Status, done.Payment.Status)
			}
			if declined := test.result == PaymentFailure; declined != (done.Refusal != nil) {
				t.Errorf("refusal %v", done.Refusal)
			}
			if got := s.stockOf(t, mugID); got != test.stock {
				t.Errorf("stock %d, want %d", got, test.stock)
			}
			if cart := s.Read().CartOf(ann); len(cart.Items) != test.items {
				t.Errorf("%d items left in the cart", len(cart.Items))
			}
			wantAmount(t, "total", done.Order.Totals.Total, "25")
			kept, err := s.Read().FindOrder(done.Order.ID)
			if err != nil || kept.Status != test.status || kept.Via != ViaCheckout || len(kept.ShippingLines) != 1 {
				t.Errorf("kept %+v, %v", kept, err)
			}
			if mug, _ := s.Read().Product(mugID); (mug.TotalSales == 2) != kept.SalesCounted {
				t.Errorf("total sales %d", mug.TotalSales)
			}
			if paid := kept.Paid != nil; paid != (test.method == MockPay && test.result == PaymentSuccess) {
				t.Errorf("paid %v", kept.Paid)
			}
		})
	}
}

func TestPlaceOrderRules(t *testing.T) {
	without := func(change func(*CheckoutRequest)) CheckoutRequest {
		request := orderBy(Cheque)
		change(&request)
		return request
	}
	for _, test := range []struct {
		name    string
		request CheckoutRequest
		config  func(*Config)
		fault   Kind
		params  []string
	}{
		{"no payment method", orderBy(""), nil, NoPaymentMethod, nil},
		{"unknown payment method", orderBy("nope"), nil, PaymentUnavailable, nil},
		{"no e-mail", without(func(r *CheckoutRequest) { r.Billing.Email = "" }), nil, InvalidAddress, []string{"billing_address.email"}},
		{"bad e-mail", without(func(r *CheckoutRequest) { r.Billing.Email = "nope" }), nil, InvalidAddress,
			[]string{"billing_address.email"}},
		{"no names", without(func(r *CheckoutRequest) { r.Billing.FirstName, r.Shipping.LastName = "", "" }), nil,
			InvalidAddress, []string{"billing_address.first_name", "shipping_address.last_name"}},
		{"no countries", without(func(r *CheckoutRequest) { r.Billing.Country, r.Shipping.Country = "", "" }), nil,
			InvalidAddress, []string{"billing_address.country", "shipping_address.country"}},
		{"no state", without(func(r *CheckoutRequest) { r.Billing.State = "" }), nil, InvalidAddress, []string{"billing_address.state"}},
		{"bad state", without(func(r *CheckoutRequest) { r.Billing.State = "ZZ" }), nil, InvalidAddress, []string{"billing_address.state"}},
		{"bad postcode", without(func(r *CheckoutRequest) { r.Shipping.Postcode = "1" }), nil, InvalidAddress,
			[]string{"shipping_address.postcode"}},
		{"bad phone", without(func(r *CheckoutRequest) { r.Billing.Phone = "x" }), nil, InvalidAddress, []string{"billing_address.phone"}},
		{"unserved country", orderBy(Cheque), func(c *Config) { c.SellTo = []string{"DE"} }, InvalidAddress,
			[]string{"billing_address.country", "shipping_address.country"}},
		{"no guests", orderBy(Cheque), func(c *Config) { c.GuestCheckout = false }, AccountRequired, nil},
		{"bad payment data", without(func(r *CheckoutRequest) {
			r.PaymentMethod = MockPay
			r.PaymentData = []PaymentDetail{{"result", "x"}}
		}), nil,
			InvalidParam, []string{"payment_data"}},
		{"bad additional field", without(func(r *CheckoutRequest) { r.AdditionalFields = map[string]string{"x": "y"} }), nil, InvalidParam,
			[]string{"additional_fields"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTestShop(t, func(c *Config) {
				if test.config != nil {
					test.config(c)
				}
			})
			put(t, s, ann, mugID, 2)
			_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, test.request) })
			wantFault(t, err, test.fault)
			params := slices.Sorted(maps.Keys(asFault(err).Params))
			if !slices.Equal(params, test.params) {
				t.Errorf("got params %v, want %v", params, test.params)
			}
			if s.stockOf(t, mugID) != 5 || s.Read().Orders.Len() != 0 {
				t.Error("a refused order left something behind")
			}
		})
	}
}

func TestEmptyCartCannotCheckOut(t *testing.T) {
	s := newTestShop(t)
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, orderBy(Cheque)) })
	wantFault(t, err, CartEmpty)
	_, err = try(s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) })
	wantFault(t, err, CartEmpty)
}

func TestStateMayBeGivenByName(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	request := orderBy(Cheque)
	request.Billing.State = "california"
	if state := place(t, s, ann, request).Order.Billing.State; state != "CA" {
		t.Errorf("got state %q", state)
	}
}

func TestVirtualOrderTakesTheBillingAddress(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, eBookID, 1)
	request := orderBy(CashOnDelivery)
	request.Shipping = nil
	if got, want := place(t, s, ann, request).Order.Shipping, annsAddress().withoutEmail(); got != want {
		t.Errorf("got shipping address %+v", got)
	}
}

func TestNothingToPay(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "all") })
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, 0, "free_shipping:2") })
	done := place(t, s, ann, orderBy(""))
	if done.Order.Status != Processing || done.Payment.Status != PaymentSuccess || done.Order.PaymentMethod != "" {
		t.Errorf("order %s, payment %+v", done.Order.Status, done.Payment)
	}
}

func TestDraftOrder(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 2)
	draft := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order
	if draft.Status != CheckoutDraft || draft.PaymentMethod != "" || !strings.HasPrefix(draft.Key, "order_") {
		t.Errorf("got draft %+v", draft)
	}
	again := write(t, s, func(tx *Tx) (*Checkout, error) {
		return tx.UpdateCheckout(ann, CheckoutChange{
			PaymentMethod: ptr(Cheque), Note: ptr("ring twice"), AdditionalFields: map[string]string{"shop/gift": "yes"},
		})
	}).Order
	if again.ID != draft.ID || again.Lines[0].ID != draft.Lines[0].ID || again.CustomerNote != "ring twice" ||
		again.AdditionalFields["shop/gift"] != "yes" {
		t.Errorf("got draft %+v", again)
	}
	put(t, s, ann, mugID, 1)
	changed := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order
	if changed.ID != draft.ID || changed.Lines[0].Quantity != 3 {
		t.Errorf("got draft %+v", changed)
	}
	placed := place(t, s, ann, orderBy(Cheque)).Order
	if placed.ID != draft.ID || placed.Key != draft.Key || placed.CustomerNote != "ring twice" {
		t.Errorf("got order %+v", placed)
	}
	put(t, s, ann, mugID, 1)
	if next := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order; next.ID == draft.ID {
		t.Error("a placed order is not a draft any more")
	}
}

// TestADraftFollowsTheShippingRate: another rate at the same price is another way to ship.
func TestADraftFollowsTheShippingRate(t *testing.T) {
	s := newTestShop(t)
	write(t, s, func(tx *Tx) (bool, error) {
		return true, tx.Methods.Put(tx.rows, &ShippingMethod{ID: 3, MethodID: pricing.LocalPickup, Title: "Pick up", Enabled: true,
			Settings: map[string]string{"cost": "0"}})
	})
	put(t, s, ann, mugID, 1)
	for _, rate := range []string{"free_shipping:2", "local_pickup:3"} {
		write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, 0, rate) })
		draft := write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) }).Order
		if line := draft.ShippingLines[0]; line.MethodID+":"+line.InstanceID != rate {
			t.Errorf("%s was chosen, the draft has %s:%s", rate, line.MethodID, line.InstanceID)
		}
	}
}

func TestADraftHoldsNoStock(t *testing.T) {
	s := newTestShop(t)
	bob := Shopper{Session: "bob"}
	put(t, s, ann, mugID, 3)
	put(t, s, bob, mugID, 3)
	write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) })
	if errors := s.Read().CartOf(bob).Errors; len(errors) > 0 {
		t.Errorf("while another only looks: %v", errors)
	}
	place(t, s, bob, orderBy(Cheque))
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, orderBy(Cheque)) })
	wantFault(t, err, CartInvalid)
	if errors := s.Read().CartOf(ann).Errors; len(errors) != 1 || errors[0].Kind != NotEnoughStock {
		t.Errorf("after another has bought: %v", errors)
	}
	if left := s.stockOf(t, mugID); left != 2 {
		t.Errorf("stock %d", left)
	}
}

func TestAnOrderThatIsNotPaidInTimeIsCancelled(t *testing.T) {
	now := testNow
	var events []Event
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return now },
		Publish: func(_ View, e []Event) { events = append(events, e...) }})
	minutes := s.Read().Config.HoldStockMinutes
	bob := Shopper{Session: "bob"}
	put(t, s, ann, mugID, 3)
	put(t, s, bob, mugID, 3)
	request := orderBy(MockPay)
	request.PaymentData = []PaymentDetail{{"result", "pending"}}
	waiting := place(t, s, ann, request).Order
	other := write(t, s, func(tx *Tx) (*Order, error) { // made by staff: it waits as long as they like
		order := tx.NewOrder()
		order.Status = Pending
		return order, order.Create(tx, OrderEdit{})
	})
	events = nil
	now = now.Add(time.Duration(minutes)*time.Minute - time.Second)
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(bob, orderBy(Cheque)) })
	wantFault(t, err, CartInvalid)
	version := s.Version()
	if order, _ := s.Read().FindOrder(waiting.ID); order.Status != Pending || s.Version() != version {
		t.Fatalf("before its time the order is %s", order.Status)
	}
	now = now.Add(time.Second)
	cancelled, _ := s.Read().FindOrder(waiting.ID)
	if cancelled.Status != Cancelled || cancelled.StockTaken || !cancelled.StockHeldUntil.IsZero() || s.stockOf(t, mugID) != 5 {
		t.Errorf("in the end it is %+v, stock %d", cancelled, s.stockOf(t, mugID))
	}
	if !slices.Equal(events, []Event{{"order", "updated", waiting.ID}}) {
		t.Errorf("got events %v", events)
	}
	if !slices.ContainsFunc(s.Read().NotesOf(waiting.ID), func(n *Note) bool { return strings.Contains(n.Text, "not paid in time") }) {
		t.Error("no note says why")
	}
	if order, _ := s.Read().FindOrder(other.ID); order.Status != Pending {
		t.Errorf("the other order is %s", order.Status)
	}
	_, err = try(s, func(tx *Tx) (*Checkout, error) {
		return tx.PayOrder(ann, waiting.ID, waiting.Key, "", orderBy(Cheque))
	})
	wantFault(t, err, NotPayable)
	place(t, s, bob, orderBy(Cheque))
}

func TestAPaidOrderIsNotCancelled(t *testing.T) {
	for name, prepare := range map[string]func(*Config){
		"paid in time":             func(*Config) {},
		"no limit":                 func(c *Config) { c.HoldStockMinutes = 0 },
		"nobody counts the pieces": func(c *Config) { c.ManageStock = false },
	} {
		now := testNow
		state := newTestShop(t).Snapshot()
		config := *state.Config
		prepare(&config)
		state.Config = &config
		s := New(state, Options{Clock: func() time.Time { return now }})
		put(t, s, ann, mugID, 3)
		request := orderBy(MockPay)
		request.PaymentData = []PaymentDetail{{"result", "pending"}}
		order := place(t, s, ann, request).Order
		want := Pending
		if name == "paid in time" {
			want = OnHold
			write(t, s, func(tx *Tx) (*Checkout, error) { return tx.PayOrder(ann, order.ID, order.Key, "", orderBy(Cheque)) })
		}
		now = now.AddDate(0, 0, 2)
		if got, _ := s.Read().FindOrder(order.ID); got.Status != want {
			t.Errorf("%s: %s, want %s", name, got.Status, want)
		}
	}
}

func TestDeclinedPaymentCanBeTriedAgain(t *testing.T) {
	var events []Event
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return testNow },
		Publish: func(_ View, e []Event) { events = append(events, e...) }})
	put(t, s, ann, mugID, 1)
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "once") })
	write(t, s, func(tx *Tx) (*Checkout, error) { return tx.DraftCheckout(ann) })
	if len(events) != 0 {
		t.Errorf("a draft fires nothing, but got %v", events)
	}
	request := orderBy(MockPay)
	request.PaymentData = []PaymentDetail{{"result", "decline"}}
	declined := place(t, s, ann, request)
	if declined.Refusal == nil || declined.Refusal.Kind != PaymentFailed {
		t.Fatalf("got refusal %v", declined.Refusal)
	}
	paid := place(t, s, ann, orderBy(MockPay)).Order
	if paid.ID != declined.Order.ID || paid.Status != Processing || paid.TransactionID == "" || len(paid.CouponLines) != 1 {
		t.Errorf("got order %+v", paid)
	}
	wanted := []Event{{"order", "created", paid.ID}, {"product", "updated", mugID}, {"order", "updated", paid.ID}}
	if !slices.Equal(events, wanted) {
		t.Errorf("got events %v, want %v", events, wanted)
	}
	coupon, _ := s.Read().FindCoupon("once")
	if coupon.UsageCount != 1 || !slices.Equal(coupon.UsedBy, []string{"ann@shopper.example"}) {
		t.Errorf("coupon used %d times by %v", coupon.UsageCount, coupon.UsedBy)
	}
}

func TestCouponLimitsAtCheckout(t *testing.T) {
	for _, code := range []string{"once", "each"} {
		s := newTestShop(t)
		bob := Shopper{Session: "bob"}
		for _, who := range []Shopper{ann, bob} {
			put(t, s, who, mugID, 1)
			write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(who, code) })
		}
		place(t, s, ann, orderBy(Cheque))
		refused := place(t, s, bob, orderBy(Cheque))
		if refused.Refusal == nil || refused.Refusal.Kind != InvalidCoupon || refused.Order != nil {
			t.Fatalf("%s: got %+v", code, refused)
		}
		wantAmount(t, "bob's order without the coupon", place(t, s, bob, orderBy(Cheque)).Order.Totals.Total, "15")
	}
}

func TestEmailRestrictedCoupon(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	write(t, s, func(tx *Tx) (*CartQuote, error) {
		return tx.UpdateCartAddresses(ann, with(func(a *Address) { a.Email = "Ann@Members.example" }), nil)
	})
	write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "members") })
	if refused := place(t, s, ann, orderBy(Cheque)); refused.Refusal == nil || refused.Refusal.Kind != InvalidCoupon {
		t.Errorf("another e-mail at checkout: got %+v", refused)
	}
}

func TestGoneGoodsAtCheckout(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	put(t, s, ann, eBookID, 1)
	remove := func(id int64) {
		write(t, s, func(tx *Tx) (bool, error) {
			p, _ := tx.Product(id)
			return true, p.Delete(tx)
		})
	}
	remove(mugID)
	refused := place(t, s, ann, orderBy(Cheque))
	if refused.Refusal == nil || refused.Refusal.Kind != CartInvalid || len(refused.Cart.Errors) != 1 {
		t.Fatalf("got %+v", refused)
	}
	remove(eBookID)
	if refused := place(t, s, ann, orderBy(Cheque)); refused.Refusal == nil || refused.Refusal.Kind != CartEmpty {
		t.Errorf("got %+v", refused)
	}
}

func TestAccounts(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.GuestCheckout = false })
	put(t, s, ann, mugID, 1)
	request := orderBy(MockPay)
	request.CreateAccount, request.PasswordHash = true, "hash"
	order := place(t, s, ann, request).Order
	customer, known := s.Read().Customers.Get(order.CustomerID)
	if !known || customer.Email != "ann@shopper.example" || customer.Username != "ann" || !customer.Paying ||
		customer.PasswordHash != "hash" {
		t.Fatalf("got customer %+v", customer)
	}
	put(t, s, ann, mugID, 1)
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, request) })
	wantFault(t, err, EmailTaken)
	loggedIn := Shopper{Session: "ann", CustomerID: customer.ID}
	second := place(t, s, loggedIn, orderBy(Cheque)).Order
	if second.CustomerID != customer.ID {
		t.Errorf("got order of customer %d", second.CustomerID)
	}
	_, err = s.Read().OrderForCustomer(second.ID, second.Key, "", 0)
	wantFault(t, err, OtherCustomersOrder)
	_, err = s.Read().OrderForCustomer(second.ID, "order_nope", "", customer.ID)
	wantFault(t, err, WrongOrderKey)
	if _, err = s.Read().OrderForCustomer(second.ID, second.Key, "", customer.ID); err != nil {
		t.Error(err)
	}
}

func TestPayAnOrder(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	request := orderBy(MockPay)
	request.PaymentData = []PaymentDetail{{"result", "redirect"}}
	order := place(t, s, ann, request).Order
	if left, _ := mugOf(s).available(s.Read(), nil, 0); left != 4 {
		t.Errorf("an unpaid order must hold its stock: %d left", left)
	}
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PayOrder(ann, order.ID, "x", "", orderBy(Cheque)) })
	wantFault(t, err, WrongOrderKey)
	_, err = try(s, func(tx *Tx) (*Order, error) { return tx.CompletePayment(order.ID, "x") })
	wantFault(t, err, WrongOrderKey)
	paid := write(t, s, func(tx *Tx) (*Order, error) { return tx.CompletePayment(order.ID, order.Key) })
	if paid.Status != Processing || s.stockOf(t, mugID) != 4 {
		t.Errorf("status %s, stock %d", paid.Status, s.stockOf(t, mugID))
	}
	_, err = try(s, func(tx *Tx) (*Checkout, error) { return tx.PayOrder(ann, order.ID, order.Key, "", orderBy(Cheque)) })
	wantFault(t, err, NotPayable)

	put(t, s, ann, mugID, 1)
	request.PaymentData = []PaymentDetail{{"result", "pending"}}
	waiting := place(t, s, ann, request).Order
	done := write(t, s, func(tx *Tx) (*Checkout, error) {
		return tx.PayOrder(ann, waiting.ID, waiting.Key, "Ann@shopper.example", orderBy(Cheque))
	})
	if done.Order.Status != OnHold || s.stockOf(t, mugID) != 3 {
		t.Errorf("status %s, stock %d", done.Order.Status, s.stockOf(t, mugID))
	}
}

func TestPageOfTheTestGateway(t *testing.T) {
	s := newTestShop(t)
	request := orderBy(MockPay)
	request.PaymentData = []PaymentDetail{{"result", "redirect"}}
	unpaid := func() *Order {
		put(t, s, ann, mugID, 1)
		return place(t, s, ann, request).Order
	}
	order := unpaid()
	answers := map[string]func(*Tx, int64, string) (*Order, error){
		"complete": (*Tx).CompletePayment, "decline": (*Tx).DeclinePayment, "cancel": (*Tx).CancelUnpaid,
	}
	press := func(answer, key string) (*Order, error) {
		return try(s, func(tx *Tx) (*Order, error) { return answers[answer](tx, order.ID, key) })
	}
	for answer := range answers {
		_, err := press(answer, "")
		wantFault(t, err, WrongOrderKey)
	}
	declined, err := press("decline", order.Key)
	if err != nil || declined.Status != Failed {
		t.Fatalf("declined: %+v, %v", declined, err)
	}
	write(t, s, func(tx *Tx) (bool, error) { return true, mugOf(s).setStock(tx, 0) })
	_, err = press("complete", order.Key)
	wantFault(t, err, NotEnoughStock)
	write(t, s, func(tx *Tx) (bool, error) { return true, mugOf(s).setStock(tx, 5) })
	paid, err := press("complete", order.Key)
	if err != nil || paid.Status != Processing || paid.TransactionID == "" || s.stockOf(t, mugID) != 4 {
		t.Fatalf("paid: %+v, %v, stock %d", paid, err, s.stockOf(t, mugID))
	}
	for answer := range answers {
		_, err := press(answer, order.Key)
		wantFault(t, err, NotPayable)
	}

	order = unpaid()
	cancelled, err := press("cancel", order.Key)
	if err != nil || cancelled.Status != Cancelled {
		t.Errorf("cancelled: %+v, %v", cancelled, err)
	}
	if left, _ := mugOf(s).available(s.Read(), nil, 0); left != 4 {
		t.Errorf("a cancelled order must hold no stock: %d left", left)
	}
}

func TestAnOrderOfAnyMethodCanBePaidOnThePage(t *testing.T) {
	s := newTestShop(t)
	put(t, s, ann, mugID, 1)
	order := place(t, s, ann, orderBy(Cheque)).Order
	write(t, s, func(tx *Tx) (*Order, error) { return tx.SetOrderStatus(order.ID, Pending) })
	paid := write(t, s, func(tx *Tx) (*Order, error) { return tx.CompletePayment(order.ID, order.Key) })
	if paid.Status != Processing || paid.PaymentMethod != MockPay {
		t.Errorf("paid: %s by %s", paid.Status, paid.PaymentMethod)
	}
	if _, err := s.Read().OrderByKey(order.ID, order.Key); err != nil {
		t.Error(err)
	}
	write(t, s, func(tx *Tx) (*Order, error) { return tx.TrashOrder(order.ID) })
	_, err := s.Read().OrderByKey(order.ID, order.Key)
	wantFault(t, err, NoSuchOrder)
}

func mugOf(s *Shop) *Product {
	mug, _ := s.Read().Product(mugID)
	return mug
}

// TestLastPiece lets two hundred buyers race for one piece.
func TestLastPiece(t *testing.T) {
	const buyers = 200
	s := newTestShop(t)
	for i := range buyers {
		put(t, s, Shopper{Session: fmt.Sprint(i)}, mugID, 1)
	}
	write(t, s, func(tx *Tx) (bool, error) { return true, mugOf(s).setStock(tx, 1) })
	faults := make([]error, buyers)
	var race sync.WaitGroup
	for i := range buyers {
		race.Go(func() {
			_, faults[i] = s.Write(func(tx *Tx) error {
				_, err := tx.PlaceOrder(Shopper{Session: fmt.Sprint(i)}, orderBy(CashOnDelivery))
				return err
			})
		})
	}
	race.Wait()
	sold := 0
	for _, err := range faults {
		if err == nil {
			sold++
			continue
		}
		wantFault(t, err, CartInvalid)
	}
	if sold != 1 || s.stockOf(t, mugID) != 0 {
		t.Errorf("sold %d times, stock %d", sold, s.stockOf(t, mugID))
	}
	v := s.Read()
	if processing := Orders.Status.Count(&v.Orders, string(Processing)); processing != 1 || v.Orders.Len() != 1 {
		t.Errorf("%d orders, %d of them processing", v.Orders.Len(), processing)
	}
}
