package shop

import (
	"slices"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

// create makes an order of the management API.
func create(s *Shop, status OrderStatus, edit OrderEdit) (*Order, error) {
	return try(s, func(tx *Tx) (*Order, error) {
		order := tx.NewOrder()
		order.Status = status
		order.Billing, order.Shipping = *annsAddress(), annsAddress().withoutEmail()
		return order, order.Create(tx, edit)
	})
}

func mugs(quantity int64) OrderEdit {
	return OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(mugID)), Quantity: &quantity}}}
}

func mustCreate(t *testing.T, s *Shop, status OrderStatus, edit OrderEdit) *Order {
	t.Helper()
	order, err := create(s, status, edit)
	if err != nil {
		t.Fatal(err)
	}
	return order
}

func TestOrderStatusesAndStock(t *testing.T) {
	for _, test := range []struct {
		way   []OrderStatus
		stock int64
		sales int64
		paid  bool
		done  bool
		notes int // stock and status
	}{
		{[]OrderStatus{Pending}, 5, 0, false, false, 0},
		{[]OrderStatus{Processing}, 3, 2, true, false, 2},
		{[]OrderStatus{OnHold}, 3, 2, false, false, 2},
		{[]OrderStatus{Completed}, 3, 2, true, true, 2},
		{[]OrderStatus{Processing, Completed}, 3, 2, true, true, 3},
		{[]OrderStatus{Processing, Cancelled}, 5, 0, true, false, 4},
		{[]OrderStatus{Processing, Cancelled, Completed}, 3, 2, true, true, 6},
		{[]OrderStatus{OnHold, Pending}, 5, 2, false, false, 4},
		{[]OrderStatus{OnHold, Failed}, 5, 2, false, false, 4},
		{[]OrderStatus{Processing, Refunded}, 3, 2, true, false, 3},
		{[]OrderStatus{Processing, Processing}, 3, 2, true, false, 2},
	} {
		s := newTestShop(t)
		order := mustCreate(t, s, test.way[0], mugs(2))
		for _, status := range test.way[1:] {
			order = write(t, s, func(tx *Tx) (*Order, error) { return tx.SetOrderStatus(order.ID, status) })
		}
		if got := s.stockOf(t, mugID); got != test.stock {
			t.Errorf("%v: stock %d, want %d", test.way, got, test.stock)
		}
		if got := mugOf(s).TotalSales; got != test.sales {
			t.Errorf("%v: total sales %d, want %d", test.way, got, test.sales)
		}
		if (order.Paid != nil) != test.paid || (order.CompletedAt != nil) != test.done {
			t.Errorf("%v: paid %v, completed %v", test.way, order.Paid, order.CompletedAt)
		}
		if got := len(s.Read().NotesOf(order.ID)); got != test.notes {
			t.Errorf("%v: %d notes, want %d", test.way, got, test.notes)
		}
	}
}

func TestTrashRestoreDelete(t *testing.T) {
	var events []string
	s := New(newTestShop(t).Snapshot(), Options{Clock: newTestShop(t).clock, Publish: func(_ View, published []Event) {
		for _, e := range published {
			if e.Resource == "order" {
				events = append(events, e.Action)
			}
		}
	}})
	order := mustCreate(t, s, Processing, OrderEdit{Lines: mugs(2).Lines, Coupons: &[]string{"save10"}})
	write(t, s, func(tx *Tx) (*Order, error) { return tx.TrashOrder(order.ID) })
	_, err := try(s, func(tx *Tx) (*Order, error) { return tx.TrashOrder(order.ID) })
	wantFault(t, err, AlreadyTrashed)
	if coupon, _ := s.Read().FindCoupon("save10"); coupon.UsageCount != 0 || mugOf(s).TotalSales != 0 {
		t.Errorf("in the trash: coupon used %d times, %d sold", coupon.UsageCount, mugOf(s).TotalSales)
	}
	restored := write(t, s, func(tx *Tx) (*Order, error) {
		trashed, err := tx.FindOrder(order.ID)
		if err != nil {
			return nil, err
		}
		changed := trashed.clone()
		changed.Status = Processing
		return changed, changed.Save(tx, trashed, OrderEdit{})
	})
	if restored.Status != Processing || s.stockOf(t, mugID) != 3 {
		t.Errorf("restored: %s, stock %d", restored.Status, s.stockOf(t, mugID))
	}
	if coupon, _ := s.Read().FindCoupon("save10"); coupon.UsageCount != 1 || mugOf(s).TotalSales != 2 {
		t.Errorf("restored: coupon used %d times, %d sold", coupon.UsageCount, mugOf(s).TotalSales)
	}
	write(t, s, func(tx *Tx) (*Order, error) { return tx.DeleteOrder(order.ID) })
	_, err = s.Read().FindOrder(order.ID)
	wantFault(t, err, NoSuchOrder)
	v := s.Read()
	if len(v.NotesOf(order.ID)) != 0 {
		t.Error("the notes of a deleted order are still there")
	}
	if want := []string{"created", "deleted", "restored", "deleted"}; !slices.Equal(events, want) {
		t.Errorf("got events %v, want %v", events, want)
	}
}

func TestCreateOrder(t *testing.T) {
	fee := func(total string) []FeeEdit { return []FeeEdit{{Name: ptr("Fee"), Total: ptr(amount(total))}} }
	for _, test := range []struct {
		name   string
		status OrderStatus
		edit   OrderEdit
		fault  Kind
		total  string
		result OrderStatus
	}{
		{"empty", Pending, OrderEdit{}, 0, "0", Pending},
		{"at the product's price", Pending, mugs(2), 0, "20", Pending},
		{"at given amounts", Pending, OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(mugID)), Quantity: ptr(int64(2)),
			Subtotal: ptr(amount("8")), Total: ptr(amount("7"))}}}, 0, "7", Pending},
		{"with shipping and a fee", Pending, OrderEdit{Lines: mugs(2).Lines, Fees: fee("2.50"),
			Shipping: []ShippingEdit{{MethodID: ptr(pricing.FlatRate), Total: ptr(amount("10"))}}}, 0, "32.5", Pending},
		{"with a coupon", Pending, OrderEdit{Lines: mugs(2).Lines, Coupons: &[]string{"SAVE10"}}, 0, "18", Pending},
		{"with a rebate above the price", Pending, OrderEdit{Lines: mugs(2).Lines, Fees: fee("-50")}, 0, "0", Pending},
		{"paid", Pending, OrderEdit{Lines: mugs(1).Lines, SetPaid: true}, 0, "10", Processing},
		{"a variation", Pending, OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(shirtID)), VariationID: ptr(int64(largeID))}}}, 0,
			"15", Pending},
		{"unknown product", Pending, OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(999))}}}, InvalidProduct, "", ""},
		{"unknown variation", Pending, OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(shirtID)), VariationID: ptr(int64(999))}}},
			InvalidProduct, "", ""},
		{"a variation of another product", Pending,
			OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(mugID)), VariationID: ptr(int64(largeID))}}}, InvalidProduct, "", ""},
		{"unknown SKU", Pending, OrderEdit{Lines: []LineEdit{{SKU: ptr("NOPE")}}}, InvalidProduct, "", ""},
		{"no product", Pending, OrderEdit{Lines: []LineEdit{{Quantity: ptr(int64(1))}}}, ProductReference, "", ""},
		{"no quantity", Pending, mugs(0), InvalidQuantity, "", ""},
		{"negative quantity", Pending, mugs(-1), InvalidQuantity, "", ""},
		{"absurd quantity", Pending, mugs(1 << 62), InvalidQuantity, "", ""},
		{"more than the stock", Pending, mugs(6), NotEnoughStock, "", ""},
		{"negative amount", Pending, OrderEdit{Lines: []LineEdit{{ProductID: ptr(int64(mugID)), Total: ptr(amount("-1"))}}},
			InvalidAmount, "", ""},
		{"shipping without a method", Pending, OrderEdit{Shipping: []ShippingEdit{{Total: ptr(amount("1"))}}}, InvalidItem, "", ""},
		{"a fee without a name", Pending, OrderEdit{Fees: []FeeEdit{{Total: ptr(amount("1"))}}}, InvalidItem, "", ""},
		{"unknown coupon", Pending, OrderEdit{Lines: mugs(1).Lines, Coupons: &[]string{"nope"}}, InvalidCoupon, "", ""},
		{"a coupon without a code", Pending, OrderEdit{Lines: mugs(1).Lines, Coupons: &[]string{""}}, InvalidCoupon, "", ""},
		{"a line of another order", Pending, OrderEdit{Lines: []LineEdit{{ID: 999}}}, InvalidLine, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTestShop(t)
			order, err := create(s, test.status, test.edit)
			wantFault(t, err, test.fault)
			if err != nil {
				return
			}
			wantAmount(t, "total", order.Totals.Total, test.total)
			if order.Status != test.result || order.ID == 0 || !strings.HasPrefix(order.Key, "order_") {
				t.Errorf("got order %+v", order)
			}
		})
	}
}

func TestOrderTaxesAndCoupons(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.TaxesEnabled = true })
	write(t, s, func(tx *Tx) (bool, error) {
		return true, tx.TaxRates.Put(tx.rows, &TaxRate{ID: 3, Country: "US", State: "CA", Rate: "10", Name: "CA Tax", Priority: 1,
			Shipping: true})
	})
	order := mustCreate(t, s, Pending, OrderEdit{
		Lines: mugs(3).Lines, Coupons: &[]string{"save10"},
		Shipping: []ShippingEdit{{MethodID: ptr(pricing.FlatRate), MethodTitle: ptr("Flat"), Total: ptr(amount("10"))}},
	})
	for what, pair := range map[string][2]any{
		"discount": {order.Totals.Discount, "3"}, "discount tax": {order.Totals.DiscountTax, "0.3"},
		"shipping tax": {order.Totals.ShippingTax, "1"}, "cart tax": {order.Totals.CartTax, "2.7"},
		"tax": {order.Totals.Tax, "3.7"}, "total": {order.Totals.Total, "40.7"},
		"line": {order.Lines[0].Total, "27"}, "line tax": {order.Lines[0].TotalTax, "2.7"},
		"coupon": {order.CouponLines[0].Discount, "3"}, "rate": {order.TaxLines[0].Tax, "2.7"},
	} {
		wantAmount(t, what, pair[0].(Amount), pair[1].(string))
	}
	if order.TaxLines[0].RateCode != "US-CA-CA TAX-1" {
		t.Errorf("got rate code %q", order.TaxLines[0].RateCode)
	}
}

func TestSaveOrder(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Processing, OrderEdit{Lines: mugs(2).Lines, Fees: []FeeEdit{{Name: ptr("Fee"), Total: ptr(amount("2"))}}})
	save := func(change func(*Order), edit OrderEdit) (*Order, error) {
		return try(s, func(tx *Tx) (*Order, error) {
			old, err := tx.FindOrder(order.ID)
			if err != nil {
				return nil, err
			}
			changed := old.Copy()
			change(changed)
			return changed, changed.Save(tx, old, edit)
		})
	}
	same := func(*Order) {}
	line, fee := order.Lines[0].ID, order.FeeLines[0].ID
	for _, step := range []struct {
		name   string
		change func(*Order)
		edit   OrderEdit
		fault  Kind
		total  string
		stock  int64
	}{
		{"the quantity alone leaves the amounts", same, OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(3))}}}, 0, "22", 2},
		{"more than the stock", same, OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(6))}}}, NotEnoughStock, "", 2},
		{"other amounts", same, OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(1)), Subtotal: ptr(amount("30")),
			Total: ptr(amount("30"))}}}, 0, "32", 4},
		{"a coupon", same, OrderEdit{Coupons: &[]string{"save10"}}, 0, "29", 4},
		{"no coupon", same, OrderEdit{Coupons: &[]string{}}, 0, "32", 4},
		{"no fee", same, OrderEdit{Fees: []FeeEdit{{ID: fee, Remove: true}}}, 0, "30", 4},
		{"no such fee", same, OrderEdit{Fees: []FeeEdit{{ID: fee, Remove: true}}}, InvalidLine, "", 4},
		{"unknown customer", func(o *Order) { o.CustomerID = 77 }, OrderEdit{}, InvalidCustomer, "", 4},
		{"another product at the same price", same,
			OrderEdit{Lines: []LineEdit{{ID: line, ProductID: ptr(int64(shirtID)), VariationID: ptr(int64(largeID))}}}, 0, "30", 5},
		{"the same product sent back", same, OrderEdit{Lines: []LineEdit{{ID: line, ProductID: ptr(int64(shirtID)),
			VariationID: ptr(int64(largeID)), SKU: ptr("old")}}}, 0, "30", 5},
		{"an unknown product", same, OrderEdit{Lines: []LineEdit{{ID: line, ProductID: ptr(int64(999))}}}, InvalidProduct, "", 5},
		{"the first product again", same, OrderEdit{Lines: []LineEdit{{ID: line, ProductID: ptr(int64(mugID))}}}, 0, "30", 4},
		{"another line", same, mugs(1), 0, "40", 3},
		{"no first line", same, OrderEdit{Lines: []LineEdit{{ID: line, Remove: true}}}, 0, "10", 4},
		{"cancelled", func(o *Order) { o.Status = Cancelled }, OrderEdit{}, 0, "10", 5},
		{"paid again", func(o *Order) { o.Status = Pending }, OrderEdit{SetPaid: true}, 0, "10", 4},
	} {
		changed, err := save(step.change, step.edit)
		if kindOf(err) != step.fault {
			t.Fatalf("%s: got %v", step.name, err)
		}
		if err == nil && !changed.Totals.Total.Equal(amount(step.total)) {
			t.Errorf("%s: total %s, want %s", step.name, changed.Totals.Total, step.total)
		}
		if got := s.stockOf(t, mugID); got != step.stock {
			t.Errorf("%s: stock %d, want %d", step.name, got, step.stock)
		}
	}
	last, _ := s.Read().FindOrder(order.ID)
	if sold := mugOf(s).TotalSales; last.Status != Processing || sold != 1 {
		t.Errorf("at last %s, %d sold", last.Status, sold)
	}
}

func TestTaxesFollowTheAddress(t *testing.T) {
	s := newTestShop(t, func(c *Config) { c.TaxesEnabled = true })
	write(t, s, func(tx *Tx) (bool, error) {
		return true, (&TaxRate{Country: "US", Rate: "10", Name: "Tax", Priority: 1}).Add(tx)
	})
	order := mustCreate(t, s, Processing, mugs(1))
	for _, step := range []struct{ country, tax string }{{"US", "1"}, {"DE", "0"}, {"US", "1"}} {
		order = write(t, s, func(tx *Tx) (*Order, error) {
			changed := order.Copy()
			changed.Billing.Country, changed.Shipping.Country = step.country, step.country
			return changed, changed.Save(tx, order, OrderEdit{})
		})
		wantAmount(t, "tax in "+step.country, order.Totals.Tax, step.tax)
	}
	write(t, s, func(tx *Tx) (bool, error) {
		return true, (&TaxRate{Country: "US", Rate: "10", Name: "New", Priority: 2}).Add(tx)
	})
	order = write(t, s, func(tx *Tx) (*Order, error) {
		changed := order.Copy()
		changed.Billing.FirstName = "Anna"
		return changed, changed.Save(tx, order, OrderEdit{})
	})
	wantAmount(t, "tax after a change of the name", order.Totals.Tax, "1")
}

func TestEditingWhatIsSoldOut(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Pending, mugs(2))
	write(t, s, func(tx *Tx) (bool, error) {
		mug, _ := tx.Product(mugID)
		gone := *mug
		gone.StockQuantity = ptr(int64(0))
		return true, gone.Save(tx)
	})
	save := func(edit OrderEdit) error {
		_, err := try(s, func(tx *Tx) (*Order, error) {
			changed := order.Copy()
			return changed, changed.Save(tx, order, edit)
		})
		return err
	}
	wantFault(t, save(OrderEdit{Fees: []FeeEdit{{Name: ptr("Fee"), Total: ptr(amount("2"))}}}), 0)
	wantFault(t, save(OrderEdit{Lines: []LineEdit{{ID: order.Lines[0].ID, Quantity: ptr(int64(1))}}}), NotEnoughStock)
}

func TestRefunds(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Processing, mugs(3))
	line := order.Lines[0].ID
	for _, step := range []struct {
		name   string
		input  RefundInput
		fault  Kind
		amount string
		status OrderStatus
		stock  int64
	}{
		{"an amount", RefundInput{Amount: ptr(amount("10")), Reason: "broken"}, 0, "10", Processing, 2},
		{"nothing", RefundInput{}, 0, "0", Processing, 2},
		{"negative", RefundInput{Amount: ptr(amount("-1"))}, InvalidAmount, "", Processing, 2},
		{"a line, restocked", RefundInput{Restock: true, Lines: []RefundLine{{ID: line, Quantity: 1, Total: amount("5")}}}, 0, "5",
			Processing, 3},
		{"more pieces than sold", RefundInput{Lines: []RefundLine{{ID: line, Quantity: 3, Total: amount("1")}}}, InvalidQuantity, "",
			Processing, 3},
		{"more than the line came to", RefundInput{Amount: ptr(amount("1")), Lines: []RefundLine{{ID: line, Total: amount("30.01")}}},
			InvalidAmount, "", Processing, 3},
		{"tax that the line has not", RefundInput{Amount: ptr(amount("1")),
			Lines: []RefundLine{{ID: line, Taxes: map[int64]Amount{7: amount("1")}}}}, InvalidAmount, "", Processing, 3},
		{"unknown line", RefundInput{Lines: []RefundLine{{ID: 999}}}, InvalidLine, "", Processing, 3},
		{"more than is left", RefundInput{Amount: ptr(amount("15.01"))}, InvalidAmount, "", Processing, 3},
		{"the rest", RefundInput{Amount: ptr(amount("15"))}, 0, "15", Refunded, 3},
	} {
		refund, err := try(s, func(tx *Tx) (*Refund, error) { return tx.CreateRefund(order.ID, step.input) })
		if kindOf(err) != step.fault {
			t.Fatalf("%s: got %v", step.name, err)
		}
		if err == nil {
			wantAmount(t, step.name, refund.Amount, step.amount)
		}
		kept, _ := s.Read().FindOrder(order.ID)
		if got := s.stockOf(t, mugID); got != step.stock || kept.Status != step.status {
			t.Errorf("%s: stock %d, status %s", step.name, got, kept.Status)
		}
	}
	kept, _ := s.Read().FindOrder(order.ID)
	first := kept.Refunds[0].ID
	write(t, s, func(tx *Tx) (*Refund, error) { return tx.DeleteRefund(order.ID, first) })
	_, err := s.Read().FindRefund(order.ID, first)
	wantFault(t, err, NoSuchRefund)
}

// TestADeletedRefundLeavesItsPiecesOnTheShelf sells three of five mugs.
func TestADeletedRefundLeavesItsPiecesOnTheShelf(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Processing, mugs(3))
	line := order.Lines[0].ID
	var last int64
	refund := func(pieces int64) func() {
		return func() {
			last = write(t, s, func(tx *Tx) (*Refund, error) {
				return tx.CreateRefund(order.ID, RefundInput{Restock: true, Lines: []RefundLine{{ID: line, Quantity: pieces}}})
			}).ID
		}
	}
	undo := func() { write(t, s, func(tx *Tx) (*Refund, error) { return tx.DeleteRefund(order.ID, last) }) }
	enter := func(status OrderStatus) func() {
		return func() { write(t, s, func(tx *Tx) (*Order, error) { return tx.SetOrderStatus(order.ID, status) }) }
	}
	buy := func(quantity int64) func() {
		return func() {
			write(t, s, func(tx *Tx) (*Order, error) {
				before, err := tx.FindOrder(order.ID)
				if err != nil {
					return nil, err
				}
				changed := before.Copy()
				return changed, changed.Save(tx, before, OrderEdit{Lines: []LineEdit{{ID: line, Quantity: &quantity}}})
			})
		}
	}
	for i, step := range []struct {
		name  string
		do    func()
		stock int64
	}{
		{"one is refunded", refund(1), 3},
		{"the refund is deleted", undo, 3},
		{"the same one is refunded again", refund(1), 3},
		{"that refund is deleted too", undo, 3},
		{"two are refunded, one of them again", refund(2), 4},
		{"and deleted", undo, 4},
		{"one more is ordered", buy(4), 3},
		{"the order is cancelled", enter(Cancelled), 5},
		{"and goes on", enter(Processing), 1},
	} {
		step.do()
		if got := s.stockOf(t, mugID); got != step.stock {
			t.Errorf("step %d, %s: stock %d, want %d", i, step.name, got, step.stock)
		}
	}
}

func TestRestockedPiecesAreNotTakenAgain(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Processing, mugs(3))
	line := order.Lines[0].ID
	write(t, s, func(tx *Tx) (*Refund, error) {
		return tx.CreateRefund(order.ID, RefundInput{Restock: true, Lines: []RefundLine{{ID: line, Quantity: 1}}})
	})
	for _, step := range []struct {
		name  string
		edit  OrderEdit
		stock int64
	}{
		{"the same quantity", OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(3))}}}, 3},
		{"one more", OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(4))}}}, 2},
		{"two fewer", OrderEdit{Lines: []LineEdit{{ID: line, Quantity: ptr(int64(2))}}}, 4},
	} {
		write(t, s, func(tx *Tx) (*Order, error) {
			found, err := tx.FindOrder(order.ID)
			if err != nil {
				return nil, err
			}
			changed := found.clone()
			return changed, changed.Save(tx, found, step.edit)
		})
		if got := s.stockOf(t, mugID); got != step.stock {
			t.Errorf("%s: stock %d, want %d", step.name, got, step.stock)
		}
	}
	write(t, s, func(tx *Tx) (*Order, error) { return tx.SetOrderStatus(order.ID, Cancelled) })
	if got := s.stockOf(t, mugID); got != 5 {
		t.Errorf("cancelled: stock %d, want 5", got)
	}
}

func TestNotes(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Pending, OrderEdit{})
	other := mustCreate(t, s, Pending, OrderEdit{})
	note := write(t, s, func(tx *Tx) (*Note, error) { return tx.AddNote(order.ID, "admin", "hello", true) })
	_, err := try(s, func(tx *Tx) (*Note, error) { return tx.AddNote(order.ID, "admin", " ", false) })
	wantFault(t, err, InvalidParam)
	_, err = try(s, func(tx *Tx) (*Note, error) { return tx.AddNote(999, "admin", "hello", false) })
	wantFault(t, err, NoSuchOrder)
	_, err = s.Read().FindNote(other.ID, note.ID)
	wantFault(t, err, NoSuchNote)
	write(t, s, func(tx *Tx) (*Note, error) { return tx.DeleteNote(order.ID, note.ID) })
	if notes := s.Read().NotesOf(order.ID); len(notes) != 0 {
		t.Errorf("got notes %v", notes)
	}
}

func fees(count int) OrderEdit {
	edit := OrderEdit{Fees: make([]FeeEdit, count)}
	for i := range edit.Fees {
		edit.Fees[i].Name = ptr("Gift wrap")
	}
	return edit
}

func TestAnOrderHoldsOnlySoManyLines(t *testing.T) {
	s := newTestShop(t)
	order := mustCreate(t, s, Pending, fees(maxOrderLines))
	change := func(edit OrderEdit) error {
		_, err := try(s, func(tx *Tx) (*Order, error) {
			changed := order.Copy()
			return changed, changed.Save(tx, order, edit)
		})
		return err
	}
	wantParam := func(name string, err error) {
		t.Helper()
		if fault := asFault(err); fault == nil || fault.Kind != InvalidParam || fault.Params[name] == "" {
			t.Errorf("want a fault of %s, got %v", name, err)
		}
	}
	wantParam("fee_lines", change(fees(1)))
	whole := fees(maxOrderLines)
	for i := range whole.Fees {
		whole.Fees[i].ID = order.FeeLines[i].ID
	}
	if err := change(whole); err != nil {
		t.Errorf("a whole order cannot be sent back: %v", err)
	}
	_, err := create(s, Pending, OrderEdit{Lines: make([]LineEdit, maxOrderLines+1)})
	wantParam("line_items", err)
	_, err = create(s, Pending, OrderEdit{Shipping: []ShippingEdit{{MethodID: ptr("flat_rate"), Meta: make([]LineMeta, maxOrderLines+1)}}})
	wantParam("shipping_lines", err)
	_, err = try(s, func(tx *Tx) (*Refund, error) {
		return tx.CreateRefund(order.ID, RefundInput{Lines: make([]RefundLine, maxOrderLines+1)})
	})
	wantParam("line_items", err)
}

func TestOfSeveralWrongAmountsOfACouponTheFirstIsTold(t *testing.T) {
	for range 20 {
		if err := (&Coupon{Code: "x", Amount: "-1", MinimumAmount: "y",
			MaximumAmount: "-1"}).check(); asFault(err).Kind != NegativeDiscount {
			t.Fatal(err)
		}
	}
}

func TestTheOwnerOfTheLastKeyStays(t *testing.T) {
	s := newTestShop(t)
	robot := &Customer{Email: "robot@shop.example", Role: "shop_manager"}
	spare := &APIKey{Key: "ck_spare", Secret: "cs_spare", Permission: ReadWrite}
	must := func(change func(*Tx) error) {
		t.Helper()
		if _, err := s.Write(change); err != nil {
			t.Fatal(err)
		}
	}
	must(func(tx *Tx) error {
		if err := robot.Create(tx); err != nil {
			return err
		}
		for _, key := range []*APIKey{
			{Key: "ck_robot", Secret: "cs_robot", UserID: robot.ID, Permission: ReadWrite},
			{Key: "ck_read", Secret: "cs_read", Permission: ReadOnly},
			{Key: "ck_old", Secret: "cs_old", Permission: ReadWrite, Revoked: true},
		} {
			if err := key.Add(tx); err != nil {
				return err
			}
		}
		return nil
	})
	wantFault(t, tryWrite(s, func(tx *Tx) error { return robot.Delete(tx, 0) }), ProtectedUser)
	must(func(tx *Tx) error { return spare.Add(tx) })
	must(func(tx *Tx) error { return robot.Delete(tx, 0) })
	view := s.Read()
	if _, kept := Keys.Key.Find(&view.Keys, "ck_robot"); kept {
		t.Error("the key outlives its user")
	}
}

// TestCouponUsesFollowAnOrder hands an order over and then cancels it: the use of its coupon is taken back from whoever has it.
func TestCouponUsesFollowAnOrder(t *testing.T) {
	s := newTestShop(t)
	ann, bea := &Customer{Email: "ann@shop.example"}, &Customer{Email: "bea@shop.example"}
	if _, err := s.Write(func(tx *Tx) error {
		if err := ann.Create(tx); err != nil {
			return err
		}
		return bea.Create(tx)
	}); err != nil {
		t.Fatal(err)
	}
	order := write(t, s, func(tx *Tx) (*Order, error) {
		order := tx.NewOrder()
		order.CustomerID, order.Status = ann.ID, Processing
		edit := mugs(1)
		edit.Coupons = &[]string{"save10"}
		return order, order.Create(tx, edit)
	})
	usedBy := func() []string {
		coupon, _ := s.Read().FindCoupon("save10")
		return coupon.UsedBy
	}
	if _, err := s.Write(func(tx *Tx) error { return ann.Delete(tx, bea.ID) }); err != nil {
		t.Fatal(err)
	}
	if got := usedBy(); !slices.Equal(got, []string{"2"}) {
		t.Errorf("used by %v, want the user who has the order now", got)
	}
	write(t, s, func(tx *Tx) (*Order, error) { return tx.SetOrderStatus(order.ID, Cancelled) })
	if got := usedBy(); len(got) != 0 {
		t.Errorf("used by %v after the order was cancelled", got)
	}
}
