package shop

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

// goodsLine is a line of a product of its own.
func goodsLine(id, quantity int64, price string) BasketLine {
	return BasketLine{Product: &Product{ID: id, Virtual: true}, Line: pricing.Line{Quantity: quantity, Price: amount(price), Taxable: true}}
}

func TestDiscounts(t *testing.T) {
	onSale := goodsLine(3, 1, "10")
	onSale.OnSale = true
	variation := BasketLine{Product: &Product{ID: 41, Virtual: true}, Parent: &Product{ID: 40, CategoryIDs: []int64{12}},
		Line: pricing.Line{Quantity: 1, Price: amount("10")}}
	inCategory := goodsLine(5, 1, "10")
	inCategory.Product.CategoryIDs = []int64{12}
	sequentially := func(c *Config) { c.CouponsSequentially = true }
	for _, test := range []struct {
		name    string
		lines   []BasketLine
		coupons []Coupon
		change  []func(*Config)
		off     string // of each line
		each    string // by each coupon
	}{
		{"percent", []BasketLine{goodsLine(1, 2, "10"), goodsLine(2, 1, "5")}, []Coupon{{Type: pricing.PercentCoupon, Amount: "10"}}, nil,
			"2 0.5", "2.5"},
		{"percent rounds once", []BasketLine{goodsLine(1, 1, "0.33"), goodsLine(2, 1, "0.33"), goodsLine(3, 1, "0.33")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "50"}}, nil, "0.17 0.17 0.16", "0.5"},
		{"percent over a hundred", []BasketLine{goodsLine(1, 1, "7")}, []Coupon{{Type: pricing.PercentCoupon, Amount: "150"}},
			nil, "7", "7"},
		{"percent of a few items, the dearest first", []BasketLine{goodsLine(1, 3, "10"), goodsLine(2, 2, "20")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", LimitToItems: ptr(int64(3))}}, nil, "1 4", "5"},
		{"fixed on products", []BasketLine{goodsLine(1, 3, "10"), goodsLine(2, 2, "1.5")},
			[]Coupon{{Type: pricing.FixedProductCoupon, Amount: "2"}}, nil, "6 3", "9"},
		{"fixed on named products", []BasketLine{goodsLine(1, 3, "10"), goodsLine(2, 2, "10")},
			[]Coupon{{Type: pricing.FixedProductCoupon, Amount: "2", ProductIDs: []int64{2}}}, nil, "0 4", "4"},
		{"fixed on a few items", []BasketLine{goodsLine(1, 3, "10")},
			[]Coupon{{Type: pricing.FixedProductCoupon, Amount: "2", LimitToItems: ptr(int64(1))}}, nil, "2", "2"},
		{"fixed on the cart, evenly over the pieces", []BasketLine{goodsLine(1, 2, "35"), goodsLine(2, 1, "5")},
			[]Coupon{{Type: pricing.FixedCartCoupon, Amount: "10"}}, nil, "6.67 3.33", "10"},
		{"fixed on the cart, more than a line has", []BasketLine{goodsLine(1, 1, "35"), goodsLine(2, 1, "2")},
			[]Coupon{{Type: pricing.FixedCartCoupon, Amount: "10"}}, nil, "8 2", "10"},
		{"fixed on the cart, more than there is", []BasketLine{goodsLine(1, 1, "3"), goodsLine(2, 1, "2")},
			[]Coupon{{Type: pricing.FixedCartCoupon, Amount: "500"}}, nil, "3 2", "5"},
		{"two of the same price", []BasketLine{goodsLine(1, 1, "100")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10"}, {Type: pricing.PercentCoupon, Amount: "20"}}, nil, "30", "10 20"},
		{"two, one after the other", []BasketLine{goodsLine(1, 1, "100")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10"}, {Type: pricing.PercentCoupon, Amount: "20"}},
			[]func(*Config){sequentially}, "28", "10 18"},
		{"together more than the price", []BasketLine{goodsLine(1, 1, "100")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "60"}, {Type: pricing.PercentCoupon, Amount: "60"}}, nil, "100", "60 40"},
		{"not what is on sale", []BasketLine{goodsLine(1, 1, "10"), onSale},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", ExcludeSaleItems: true}}, nil, "1 0", "1"},
		{"not excluded products", []BasketLine{goodsLine(1, 1, "10"), goodsLine(2, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", ExcludedProductIDs: []int64{2}}}, nil, "1 0", "1"},
		{"variations of a product", []BasketLine{variation, goodsLine(1, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", ProductIDs: []int64{40}}}, nil, "1 0", "1"},
		{"one variation", []BasketLine{variation, goodsLine(1, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", ProductIDs: []int64{41}}}, nil, "1 0", "1"},
		{"a category", []BasketLine{variation, inCategory, goodsLine(1, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", CategoryIDs: []int64{12}}}, nil, "1 1 0", "2"},
		{"a category above", []BasketLine{inCategory, goodsLine(1, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", CategoryIDs: []int64{11}}}, nil, "1 0", "1"},
		{"not a category", []BasketLine{inCategory, goodsLine(1, 1, "10")},
			[]Coupon{{Type: pricing.PercentCoupon, Amount: "10", ExcludedCategoryIDs: []int64{11}}}, nil, "0 1", "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := categoryView(t, append(test.change, func(c *Config) { c.TaxesEnabled = false })...)
			basket := &Basket{Decimals: 2, Lines: test.lines}
			for i := range test.coupons {
				basket.Coupons = append(basket.Coupons, &test.coupons[i])
			}
			q := basket.Quote(v)
			var off, each []string
			for _, line := range q.Lines {
				off = append(off, line.Subtotal.Sub(line.Total).String())
			}
			for _, coupon := range q.Coupons {
				each = append(each, coupon.Discount.String())
			}
			if got := strings.Join(off, " "); got != test.off {
				t.Errorf("lines lost %s, want %s", got, test.off)
			}
			if got := strings.Join(each, " "); got != test.each {
				t.Errorf("coupons took %s, want %s", got, test.each)
			}
		})
	}
}

// categoryView is a shop with category 12 below category 11.
func categoryView(t *testing.T, change ...func(*Config)) View {
	t.Helper()
	config := testConfig()
	for _, c := range change {
		c(config)
	}
	built, err := Build(NewState(config), testNow, 1, func(tx *Tx) error {
		if err := tx.Terms.Put(tx.rows, &Term{ID: 11, Taxonomy: TaxonomyCategory, Slug: "clothes"}); err != nil {
			return err
		}
		return tx.Terms.Put(tx.rows, &Term{ID: 12, Taxonomy: TaxonomyCategory, Slug: "shirts", ParentID: 11})
	})
	if err != nil {
		t.Fatal(err)
	}
	return View{State: &built, Now: testNow}
}

func TestDiscountOnPricesWithTax(t *testing.T) {
	v := taxView(t, []TaxRate{{Country: "US", Rate: "20", Name: "VAT"}}, func(c *Config) { c.PricesIncludeTax = true })
	q := (&Basket{
		Decimals: 2, PricesIncludeTax: true, Lines: []BasketLine{goodsLine(1, 1, "24")},
		Coupons: []*Coupon{{Type: pricing.FixedCartCoupon, Amount: "12"}},
	}).Quote(v)
	wantAmount(t, "total", q.Totals.Total, "12")
	wantAmount(t, "discount", q.Coupons[0].Discount, "10")
	wantAmount(t, "discounted tax", q.Coupons[0].DiscountTax, "2")
}

func TestCouponFitsProducts(t *testing.T) {
	lines := []BasketLine{goodsLine(1, 1, "10"), goodsLine(2, 1, "10")}
	lines[1].OnSale = true
	v := categoryView(t)
	for _, test := range []struct {
		coupon Coupon
		fits   bool
	}{
		{Coupon{Type: pricing.FixedCartCoupon}, true},
		{Coupon{Type: pricing.FixedCartCoupon, ProductIDs: []int64{9}}, false},
		{Coupon{Type: pricing.FixedCartCoupon, ExcludedProductIDs: []int64{1}}, false},
		{Coupon{Type: pricing.FixedCartCoupon, ExcludeSaleItems: true}, false},
		{Coupon{Type: pricing.PercentCoupon, ExcludeSaleItems: true}, true},
		{Coupon{Type: pricing.PercentCoupon, ExcludedProductIDs: []int64{1, 2}}, false},
		{Coupon{Type: pricing.PercentCoupon, ProductIDs: []int64{2}, ExcludeSaleItems: true}, false},
	} {
		if err := v.checkProducts(&test.coupon, lines, Buyer{}); (err == nil) != test.fits {
			t.Errorf("%+v: got %v", test.coupon, err)
		}
	}
}

func TestEmailPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern, email string
		matches        bool
	}{
		{"ann@shop.example", "Ann@Shop.example", true},
		{"ann@shop.example", "ann@shop.example.org", false},
		{"*@shop.example", "ann@shop.example", true},
		{"*@shop.example", "ann@other.example", false},
		{"a*@*.example", "ann@shop.example", true},
		{"a*n@*.example", "ann@shop.test", false},
		{"*", "x@y.z", true},
		{"ab*ab", "ab", false},
		{"", "x@y.z", false},
	} {
		if got := emailMatches(test.pattern, test.email); got != test.matches {
			t.Errorf("%q, %q: got %v", test.pattern, test.email, got)
		}
	}
}
