package shop

import (
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

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
		q := (&Basket{
			Decimals: 2, Shipments: []pricing.Charge{{MethodID: pricing.FlatRate, Amount: amount("5"), Taxable: true}},
			Lines: []BasketLine{{Line: pricing.Line{Quantity: 1, Price: amount("1"), Taxable: true, TaxClass: test.line}}},
		}).Quote(v)
		wantAmount(t, test.class+"/"+test.line, q.Totals.ShippingTax, test.tax)
	}
	v := taxView(t, rates)
	q := (&Basket{Decimals: 2, Shipments: []pricing.Charge{{Amount: amount("5")}}}).Quote(v)
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
