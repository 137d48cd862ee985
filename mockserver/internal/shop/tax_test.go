package shop

import (
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop/pricing"
)

// taxView is a shop with these rates and nothing else. Ids and orders follow the list.
func taxView(t *testing.T, rates []TaxRate, change ...func(*Config)) View {
	t.Helper()
	config := testConfig()
	for _, c := range change {
		c(config)
	}
	built, err := Build(NewState(config), testNow, 1, func(tx *Tx) error {
		for i := range rates {
			rate := rates[i]
			rate.ID, rate.Order = int64(i+1), int64(i)
			if rate.Priority == 0 {
				rate.Priority = 1
			}
			if err := tx.TaxRates.Put(tx.rows, &rate); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return New(built, Options{Clock: func() time.Time { return testNow }}).Read()
}

func TestMatchingRates(t *testing.T) {
	rates := []TaxRate{
		{Name: "world", Rate: "1"},
		{Name: "US", Country: "US", Rate: "2"},
		{Name: "CA", Country: "US", State: "CA", Rate: "3"},
		{Name: "94103", Country: "US", State: "CA", Postcodes: []string{"94103"}, Rate: "4"},
		{Name: "902*", Country: "US", State: "CA", Postcodes: []string{"902*"}, Rate: "5"},
		{Name: "range", Country: "US", State: "CA", Postcodes: []string{"95000...95999"}, Rate: "6"},
		{Name: "Oakland", Country: "US", State: "CA", Cities: []string{"OAKLAND"}, Rate: "7"},
		{Name: "county", Country: "US", State: "CA", Rate: "8", Priority: 2},
		{Name: "GB", Country: "GB", Postcodes: []string{"CB2*"}, Rate: "9"},
		{Name: "books", Country: "US", Rate: "10", Class: "reduced"},
		{Name: "second", Country: "US", Rate: "11"},
	}
	v := taxView(t, rates)
	for _, test := range []struct {
		place taxPlace
		class string
		names string
	}{
		{taxPlace{country: "DE"}, "", "world"},
		{taxPlace{country: "US", state: "NY"}, "", "US"},
		{taxPlace{country: "US", state: "CA", postcode: "10000"}, "", "CA county"},
		{taxPlace{country: "US", state: "CA", postcode: "94103"}, "", "94103 county"},
		{taxPlace{country: "US", state: "CA", postcode: "90210"}, "", "902* county"},
		{taxPlace{country: "US", state: "CA", postcode: "95014"}, "", "range county"},
		{taxPlace{country: "US", state: "CA", postcode: "96000", city: "OAKLAND"}, "", "Oakland county"},
		{placeOf(Address{Country: "GB", Postcode: "cb2 1tn"}), "", "GB"},
		{taxPlace{country: "GB", postcode: "SW1A1AA"}, "", "world"},
		{taxPlace{country: "US"}, "reduced", "books"},
		{taxPlace{country: "DE"}, "reduced", ""},
	} {
		var names []string
		for _, rate := range v.ratesAt(test.class, test.place) {
			names = append(names, rate.Name)
		}
		if got := strings.Join(names, " "); got != test.names {
			t.Errorf("%+v %q: got %q, want %q", test.place, test.class, got, test.names)
		}
	}
}

func TestTaxPlace(t *testing.T) {
	de, fr, none := Address{Country: "DE"}, Address{Country: "FR"}, Address{}
	for _, test := range []struct {
		basis             TaxBase
		billing, shipping Address
		pickedUp          bool
		country           string
	}{
		{TaxByShipping, de, fr, false, "FR"},
		{TaxByBilling, de, fr, false, "DE"},
		{TaxByShop, de, fr, false, "US"},
		{TaxByShipping, de, fr, true, "US"},
		{TaxByShipping, de, none, false, "DE"},
		{TaxByBilling, none, fr, false, "FR"},
		{TaxByShipping, none, none, false, "US"},
	} {
		config := testConfig()
		config.TaxBasedOn = test.basis
		if got := config.taxPlaceFor(test.billing, test.shipping, test.pickedUp).country; got != test.country {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

func TestTaxOnPrices(t *testing.T) {
	state := TaxRate{Country: "US", State: "CA", Rate: "7.25", Name: "State"}
	vat := TaxRate{Country: "US", Rate: "20", Name: "VAT"}
	german := TaxRate{Country: "DE", Rate: "19", Name: "MwSt"}
	local := TaxRate{Country: "US", Rate: "5", Name: "Local", Priority: 2}
	compound := TaxRate{Country: "US", Rate: "10", Name: "On top", Priority: 2, Compound: true}
	included := func(c *Config) { c.PricesIncludeTax = true }
	atSubtotal := func(c *Config) { c.TaxRoundAtSubtotal = true }
	off := func(c *Config) { c.TaxesEnabled = false }
	yen := func(c *Config) { c.Decimals = 0 }
	dinar := func(c *Config) { c.Decimals = 3 }
	for _, test := range []struct {
		name    string
		rates   []TaxRate
		change  []func(*Config)
		country string
		prices  []string
		net     string // of all lines
		tax     string
	}{
		{"added", []TaxRate{state}, nil, "US", []string{"19.99"}, "19.99", "1.45"},                           // 1.449275
		{"added, two rates", []TaxRate{state, local}, nil, "US", []string{"19.99"}, "19.99", "2.45"},         // + 0.9995 → 1.00
		{"compound", []TaxRate{vat, compound}, nil, "US", []string{"10"}, "10", "3.2"},                       // 2 + 10 % of 12
		{"taxes off", []TaxRate{state}, []func(*Config){off}, "US", []string{"19.99"}, "19.99", "0"},         //
		{"elsewhere", []TaxRate{state}, nil, "DE", []string{"19.99"}, "19.99", "0"},                          //
		{"included", []TaxRate{vat}, []func(*Config){included}, "US", []string{"12"}, "10", "2"},             //
		{"included, odd", []TaxRate{vat}, []func(*Config){included}, "US", []string{"9.99"}, "8.32", "1.67"}, // 1.665
		{"included, compound", []TaxRate{vat, compound}, []func(*Config){included}, "US", []string{"13.2"}, "10", "3.2"},
		{"included, sent abroad", []TaxRate{vat, german}, []func(*Config){included}, "DE", []string{"12"}, "10", "1.9"},
		{"included, sent where no tax is", []TaxRate{vat}, []func(*Config){included}, "FR", []string{"12"}, "10", "0"},
		// 3 × 0.0746 → 0.07
		{"rounded by line", []TaxRate{state}, nil, "US", []string{"1.03", "1.03", "1.03"}, "3.09", "0.21"},
		// 0.2240
		{"rounded at the subtotal", []TaxRate{state}, []func(*Config){atSubtotal}, "US", []string{"1.03", "1.03", "1.03"}, "3.09", "0.22"},
		// 0.495
		{"included, at the subtotal", []TaxRate{vat}, []func(*Config){included, atSubtotal}, "US", []string{"0.99", "0.99", "0.99"},
			"2.47", "0.5"},
		{"no decimals", []TaxRate{state}, []func(*Config){yen}, "US", []string{"1999"}, "1999", "145"},
		{"three decimals", []TaxRate{state}, []func(*Config){dinar}, "US", []string{"19.999"}, "19.999", "1.45"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := taxView(t, test.rates, test.change...)
			basket := &Basket{Decimals: v.Config.Decimals, PricesIncludeTax: v.Config.PricesIncludeTax,
				Shipping: Address{Country: test.country, State: "CA"}}
			for _, price := range test.prices {
				basket.Lines = append(basket.Lines, BasketLine{Product: &Product{Virtual: true},
					Line: pricing.Line{Quantity: 1, Price: amount(price), Taxable: true}})
			}
			q := basket.Quote(v)
			wantAmount(t, "net", q.Totals.Items, test.net)
			wantAmount(t, "tax", q.Totals.Tax, test.tax)
			wantAmount(t, "total", q.Totals.Total, amount(test.net).Add(amount(test.tax)).String())
		})
	}
}

func TestRateCode(t *testing.T) {
	rate := TaxRate{Country: "US", State: "CA", Name: "CA Tax", Priority: 1}
	if got := rate.Code(); got != "US-CA-CA TAX-1" {
		t.Errorf("got %q", got)
	}
}
