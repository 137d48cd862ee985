package shop

import (
	"strings"
	"testing"
)

func TestCostFormulas(t *testing.T) {
	for _, test := range []struct {
		formula string
		cost    string // "" for one that cannot be read
	}{
		{"5", "5"},
		{"5 + 2*[qty]", "11"},
		{"(5+2) * [qty]", "21"},
		{"[cost] / 4", "10"},
		{"2 + 4*[weight]", "8"},
		{"10 - 2 - 3", "5"},
		{"-[qty] + 10", "7"},
		{`[fee percent="10" min_fee="4"]`, "4"},
		{`[fee percent="20" min_fee="4"]`, "8"},
		{`[fee percent='50' max_fee="6.5"]`, "6.5"},
		{`3 + [fee percent="10" min_fee="" max_fee=""]`, "7"},
		{"2 - 5", "0"},
		{"", ""},
		{"five", ""},
		{"5 +", ""},
		{"5 5", ""},
		{"(5", ""},
		{"5)", ""},
		{"1 / 0", ""},
		{"1 / (2-2)", ""},
		{"[nope]", ""},
		{"[qty", ""},
		{`[fee percent=10]`, ""},
		{"1e9", ""},
		{strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200), ""},
		{strings.Repeat("-", 250) + "1", ""},
		{strings.Repeat("1+", 500) + "1", ""},
	} {
		cost, ok := evaluateCost(test.formula, load{3, amount("40"), amount("1.5")})
		if ok != (test.cost != "") || ok && !cost.Equal(amount(test.cost)) {
			t.Errorf("%.40q: got %s, %v", test.formula, cost, ok)
		}
	}
}

func FuzzCostFormula(f *testing.F) {
	f.Add(`5 + 2*[qty] / (3 - [cost]) [fee percent="10" min_fee="4"]`)
	f.Fuzz(func(t *testing.T, formula string) {
		if cost, _ := evaluateCost(formula, load{3, amount("40"), amount("1.5")}); cost.IsNegative() {
			t.Errorf("%q costs %s", formula, cost)
		}
	})
}

func TestZones(t *testing.T) {
	zones := []Zone{
		{ID: 4, Order: 1, Locations: []Location{{"US:CA", "state"}, {"90210", "postcode"}, {"94000...94999", "postcode"}}},
		{ID: 3, Order: 2, Locations: []Location{{"US", "country"}, {"CA", "country"}}},
		{ID: 2, Order: 3, Locations: []Location{{"EU", "continent"}}},
		{ID: 1, Order: 4, Locations: []Location{{"SW*", "postcode"}}},
		{ID: 0, Order: 0, Locations: []Location{{"US", "country"}}},
	}
	built, err := Build(NewState(testConfig()), testNow, 1, func(tx *Tx) error {
		for i := range zones {
			if err := tx.Zones.Put(tx.rows, &zones[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	v := View{State: &built, Now: testNow}
	for _, test := range []struct {
		destination Address
		zone        int64
	}{
		{Address{Country: "US", State: "CA", Postcode: "90210"}, 4},
		{Address{Country: "US", State: "CA", Postcode: "94103"}, 4},
		{Address{Country: "US", State: "CA", Postcode: "10001"}, 3},
		{Address{Country: "US", State: "NY"}, 3},
		{Address{Country: "DE"}, 2},
		{Address{Country: "AU", Postcode: "sw1 1"}, 1},
		{Address{Country: "JP"}, 0},
	} {
		if got := v.ZoneFor(test.destination); got != test.zone {
			t.Errorf("%+v: got zone %d", test.destination, got)
		}
	}
}

func TestShippingMethods(t *testing.T) {
	contents := &parcel{
		load: load{3, amount("40"), amount("7")}, order: amount("40"), undiscounted: amount("50"),
		classes: map[int64]*load{0: {1, amount("10"), amount("5")}, 7: {2, amount("30"), amount("2")}},
	}
	withCoupon := *contents
	withCoupon.freeByCoupon = true
	type settings map[string]string
	for _, test := range []struct {
		method   string
		settings settings
		contents *parcel
		cost     string // "" if not offered
	}{
		{FlatRate, settings{"cost": "5"}, contents, "5"},
		{FlatRate, settings{}, contents, ""},
		{FlatRate, settings{"cost": "nonsense"}, contents, ""},
		{FlatRate, settings{"cost": "5", "class_cost_7": "2*[qty]", "no_class_cost": "1"}, contents, "10"},
		{FlatRate, settings{"cost": "5", "class_cost_7": "2*[qty]", "no_class_cost": "1", "type": "order"}, contents, "9"},
		{FlatRate, settings{"class_cost_7": `[fee percent="10"]`}, contents, "3"},
		{FlatRate, settings{"cost": "0.5*[weight]", "no_class_cost": "[weight]", "class_cost_7": "10*[weight]"}, contents, "28.5"},
		{LocalPickup, settings{}, contents, "0"},
		{LocalPickup, settings{"cost": "2"}, contents, "2"},
		{FreeShipping, settings{}, contents, "0"},
		{FreeShipping, settings{"requires": "coupon"}, contents, ""},
		{FreeShipping, settings{"requires": "coupon"}, &withCoupon, "0"},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "40"}, contents, "0"},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "45"}, contents, ""},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "45", "ignore_discounts": "yes"}, contents, "0"},
		{FreeShipping, settings{"requires": "either", "min_amount": "45"}, &withCoupon, "0"},
		{FreeShipping, settings{"requires": "both", "min_amount": "45"}, &withCoupon, ""},
		{FreeShipping, settings{"requires": "both", "min_amount": "40"}, &withCoupon, "0"},
		{"carrier pigeon", settings{"cost": "1"}, contents, ""},
	} {
		method := ShippingMethod{MethodID: test.method, Settings: test.settings}
		cost, offered := method.costOf(test.contents)
		if offered != (test.cost != "") || offered && !cost.Equal(amount(test.cost)) {
			t.Errorf("%s %v: got %s, %v", test.method, test.settings, cost, offered)
		}
	}
}

func TestShippingTax(t *testing.T) {
	rates := []TaxRate{
		{Country: "US", Rate: "10", Name: "Standard", Shipping: true},
		{Country: "US", Rate: "5", Name: "Reduced", Class: "reduced", Shipping: true},
		{Country: "US", Rate: "2", Name: "Goods only", Priority: 2},
	}
	for _, test := range []struct {
		class string // the setting
		line  string // the line's class
		tax   string
	}{
		{"inherit", "", "0.5"}, {"inherit", "reduced", "0.25"}, {"reduced", "", "0.25"}, {"", "reduced", "0.5"},
	} {
		v := taxView(t, rates, func(c *Config) { c.ShippingTaxClass = test.class })
		q := v.Quote(&Basket{
			Decimals: 2, Shipments: []Charge{{MethodID: FlatRate, Amount: amount("5"), Taxable: true}},
			Lines: []BasketLine{{Quantity: 1, Price: amount("1"), Taxable: true, TaxClass: test.line}},
		})
		wantAmount(t, test.class+"/"+test.line, q.Totals.ShippingTax, test.tax)
	}
	v := taxView(t, rates)
	q := v.Quote(&Basket{Decimals: 2, Shipments: []Charge{{Amount: amount("5")}}})
	wantAmount(t, "untaxed", q.Totals.ShippingTax, "0")
}

// A clock weighs 2.5, a mug nothing; a variation weighs what its product weighs.
func TestShippingByWeight(t *testing.T) {
	s := newTestShop(t)
	write(t, s, func(tx *Tx) (bool, error) {
		shirt, _ := tx.Products.Get(shirtID)
		heavy := *shirt
		heavy.Weight = "0.25"
		if err := tx.Products.Put(tx.rows, &heavy); err != nil {
			return false, err
		}
		method, _ := tx.Methods.Get(1)
		byWeight := *method
		byWeight.Settings = map[string]string{"cost": "1 + 2*[weight]"}
		return true, tx.Methods.Put(tx.rows, &byWeight)
	})
	put(t, s, ann, clockID, 1)
	put(t, s, ann, mugID, 1)
	put(t, s, ann, largeID, 4, ChosenAttribute{"Colour", "Red"})

	cart := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.SelectRate(ann, 0, "flat_rate:1") })

	wantAmount(t, "weight", cart.Weight, "3.5")
	wantAmount(t, "shipping", cart.Totals.Shipping, "8")
}
