package seed

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop"
)

func TestOrdersAreThoseOfTheSeed(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	data, err := fixtures.Demo()
	if err != nil {
		t.Fatal(err)
	}
	orders := slices.Collect(v.Orders.All())
	if len(orders) != len(data.Orders) {
		t.Fatalf("%d orders, want %d", len(orders), len(data.Orders))
	}
	for i, order := range orders {
		wanted := data.Orders[i]
		if via := cmp.Or(wanted.Via, shop.ViaCheckout); order.Via != via || len(order.FeeLines) != len(wanted.Fees) ||
			len(order.Refunds) != len(wanted.Refunds) {
			t.Errorf("order %d came by %s with %d fees and %d refunds", order.ID, order.Via, len(order.FeeLines), len(order.Refunds))
		}
		if string(order.Status) != wanted.Status || order.PaymentMethod != wanted.Payment || order.CustomerNote != wanted.Note ||
			len(order.Lines) != len(wanted.Lines) || len(order.CouponLines) != len(wanted.Coupons) {
			t.Errorf("order %d is not as the seed has it: %+v", order.ID, order)
		}
		if (len(order.ShippingLines) == 1) != (wanted.Delivery != "") || len(order.ShippingLines) == 1 &&
			order.ShippingLines[0].MethodTitle != wanted.Delivery {
			t.Errorf("order %d: shipping %+v, want %q", order.ID, order.ShippingLines, wanted.Delivery)
		}
		for k, line := range order.Lines {
			if line.SKU != wanted.Lines[k].SKU || line.Quantity != wanted.Lines[k].Quantity {
				t.Errorf("order %d: line %+v, want %+v", order.ID, line, wanted.Lines[k])
			}
		}
		if ago := int(noon.Sub(order.Created).Hours() / 24); ago > wanted.DaysAgo || ago < wanted.DaysAgo-1 {
			t.Errorf("order %d is %d days old, want %d", order.ID, ago, wanted.DaysAgo)
		}
	}
	if v.Carts.Len() != 0 {
		t.Errorf("%d carts were left behind", v.Carts.Len())
	}
}

func TestOrderTotalsAddUp(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	keys := map[string]bool{}
	for order := range v.Orders.All() {
		sum := decimal.Zero
		discount := decimal.Zero
		for _, line := range order.Lines {
			sum = sum.Add(line.Total).Add(line.TotalTax)
			discount = discount.Add(line.Subtotal).Sub(line.Total)
		}
		for _, shipping := range order.ShippingLines {
			sum = sum.Add(shipping.Total).Add(shipping.TotalTax)
		}
		for _, fee := range order.FeeLines {
			sum = sum.Add(fee.Total).Add(fee.TotalTax)
		}
		if !sum.Equal(order.Totals.Total) || !discount.Equal(order.Totals.Discount) || !sum.IsPositive() {
			t.Errorf("order %d: total %s and discount %s, but its lines come to %s and %s", order.ID, order.Totals.Total,
				order.Totals.Discount, sum, discount)
		}
		if keys[order.Key] {
			t.Errorf("order key %s comes twice", order.Key)
		}
		keys[order.Key] = true
	}
}

func TestOrdersHaveTheDatesOfTheirStatus(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for order := range v.Orders.All() {
		paid := slices.Contains([]shop.OrderStatus{shop.Completed, shop.Refunded}, order.Status) || order.Status == shop.Processing &&
			order.PaymentMethod != shop.CashOnDelivery
		if paid != (order.Paid != nil) {
			t.Errorf("order %d is %s, paid %v", order.ID, order.Status, order.Paid)
		}
		completed := order.Status == shop.Completed || order.Status == shop.Refunded
		if completed != (order.CompletedAt != nil) {
			t.Errorf("order %d is %s, completed %v", order.ID, order.Status, order.CompletedAt)
		}
		for _, moment := range []time.Time{order.Created, order.Modified} {
			if moment.After(noon) {
				t.Errorf("order %d lies in the future: %s", order.ID, moment)
			}
		}
		if order.Modified.Before(order.Created) {
			t.Errorf("order %d was changed before it was made", order.ID)
		}
	}
}

func TestRefundsAreOfTheirOrders(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for order := range v.Orders.All() {
		whole := order.Refunded().Equal(order.Totals.Total)
		if whole != (order.Status == shop.Refunded) {
			t.Errorf("order %d is %s, refunded %s of %s", order.ID, order.Status, order.Refunded(), order.Totals.Total)
		}
	}
	if back := find(t, v, "FH-TEE-CLAY-M"); *back.StockQuantity != 20 {
		t.Errorf("the refunded shirts did not come back: %d", *back.StockQuantity)
	}
}

func TestOrdersLeaveTheirMarks(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	mug := find(t, v, "FH-MUG")
	if *mug.StockQuantity != 113 || mug.TotalSales != 7 {
		t.Errorf("mugs: %d left, %d sold; want 113 and 7", *mug.StockQuantity, mug.TotalSales)
	}
	if tent := find(t, v, "TC-TENT"); *tent.StockQuantity != 0 {
		t.Errorf("the cancelled tent is not back: %d", *tent.StockQuantity)
	}
	if coupon, _ := v.FindCoupon("SAVE10"); coupon == nil || coupon.UsageCount != 4 || len(coupon.UsedBy) != 4 {
		t.Errorf("save10: %+v", coupon)
	}
	buyer, _ := shop.Customers.Username.Find(&v.Customers, "maya.torres")
	idle, _ := shop.Customers.Username.Find(&v.Customers, "new.customer")
	if !buyer.Paying || idle.Paying {
		t.Error("who has bought something is paying, and nobody else")
	}
	if !buyer.HasPassword("password") {
		t.Error("maya.torres cannot sign in")
	}
}
