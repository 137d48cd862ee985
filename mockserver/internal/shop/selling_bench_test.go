package shop

import (
	"fmt"
	"testing"
)

// benchShop is the test shop with taxes on.
func benchShop(b *testing.B) *Shop {
	s := newTestShop(b, func(c *Config) { c.TaxesEnabled = true })
	write(b, s, func(tx *Tx) (bool, error) {
		rate := &TaxRate{ID: 1, Country: "US", State: "CA", Rate: "7.25", Name: "State", Priority: 1, Shipping: true}
		return true, tx.TaxRates.Put(tx.rows, rate)
	})
	return s
}

// BenchmarkQuote prices a basket of ten lines with taxes, a coupon and shipping.
func BenchmarkQuote(b *testing.B) {
	v := benchShop(b).Read()
	coupon, _ := v.FindCoupon("save10")
	mug, _ := v.Product(mugID)
	basket := &Basket{Packed: true, Decimals: 2, Shipping: *annsAddress(), Billing: *annsAddress(), Coupons: []*Coupon{coupon}}
	for i := range int64(10) {
		basket.Lines = append(basket.Lines, goods{product: mug}.line(i+1))
	}
	b.ReportAllocs()
	for b.Loop() {
		basket.Quote(v)
	}
}

// BenchmarkAddToCart adds to carts of one line.
func BenchmarkAddToCart(b *testing.B) {
	s := benchShop(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		put(b, s, Shopper{Session: fmt.Sprint(i)}, eBookID, 1)
	}
}

// BenchmarkCheckout adds goods to a new cart and places the order.
func BenchmarkCheckout(b *testing.B) {
	s := benchShop(b)
	request := orderBy(CashOnDelivery)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		who := Shopper{Session: fmt.Sprint(i)}
		put(b, s, who, clockID, 1)
		place(b, s, who, request)
	}
}
