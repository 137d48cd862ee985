package shop

import (
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

// set changes a setting.
func set(t testing.TB, s *Shop, group, id, value string) {
	t.Helper()
	write(t, s, func(tx *Tx) (bool, error) {
		setting, err := FindSetting(group, id)
		if err != nil {
			return false, err
		}
		return true, setting.Change(tx, value)
	})
}

// annsCart is a shop with two mugs at 10.00 in Ann's cart, at home in California, where 10 % tax is charged when it is.
func annsCart(t testing.TB) *Shop {
	t.Helper()
	s := newTestShop(t)
	write(t, s, func(tx *Tx) (bool, error) {
		if err := (&TaxRate{Country: "US", State: "CA", Rate: "10", Name: "Tax", Priority: 1}).Add(tx); err != nil {
			return false, err
		}
		return true, (&TaxRate{Country: "DE", Rate: "20", Name: "MwSt", Priority: 1}).Add(tx)
	})
	put(t, s, ann, mugID, 2)
	write(t, s, func(tx *Tx) (*CartQuote, error) {
		german := with(func(a *Address) { a.Country = "DE" })
		home := with(func(a *Address) { a.Country, a.State = "US", "CA" })
		return tx.UpdateCartAddresses(ann, home, german)
	})
	return s
}

func TestTaxSettingsAct(t *testing.T) {
	s := annsCart(t)
	total := func(step, want string) {
		t.Helper()
		wantAmount(t, step, s.Read().CartOf(ann).Totals.Total, want)
	}
	total("without taxes", "25") // 20 and shipping at 5
	set(t, s, "general", "shop_calc_taxes", "yes")
	total("taxed where it is sent", "29") // 20 % of 20
	set(t, s, "tax", "shop_tax_based_on", "billing")
	total("taxed where it is billed", "27") // 10 % of 20
	set(t, s, "tax", "shop_tax_based_on", "base")
	total("taxed where the shop is", "27")
	set(t, s, "general", "shop_default_country", "DE:BY")
	total("taxed where the shop has moved", "29")
	set(t, s, "tax", "shop_prices_include_tax", "yes")
	total("prices with tax", "25")
	set(t, s, "tax", "shop_tax_display_cart", "incl")
	if !s.Read().Config.DisplayPricesWithTax {
		t.Error("prices are not shown with tax")
	}
	set(t, s, "general", "shop_calc_taxes", "no")
	total("taxes off again", "25")
}

func TestCurrencySettingsAct(t *testing.T) {
	s := annsCart(t)
	for _, setting := range [][2]string{
		{"shop_currency", "JPY"}, {"shop_price_num_decimals", "0"}, {"shop_currency_pos", "right_space"}, {"shop_price_thousand_sep",
			"."}, {"shop_price_decimal_sep", ","},
	} {
		set(t, s, "general", setting[0], setting[1])
	}
	if got := s.Read().Config.Format(amount("12345.5")); got != "12.346 ¥" {
		t.Errorf("format: %q", got)
	}
	request := orderBy(Cheque)
	set(t, s, "general", "shop_currency", "EUR")
	if done := place(t, s, ann, request); done.Order.Currency != "EUR" || done.Order.Decimals != 0 {
		t.Errorf("order in %s with %d decimals", done.Order.Currency, done.Order.Decimals)
	}
}

func TestCouponSettingsAct(t *testing.T) {
	s := annsCart(t)
	apply := func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "save10") }
	set(t, s, "general", "shop_enable_coupons", "no")
	_, err := try(s, apply)
	wantFault(t, err, InvalidCoupon)
	set(t, s, "general", "shop_enable_coupons", "yes")
	write(t, s, apply)
	write(t, s, func(tx *Tx) (bool, error) {
		return true, (&Coupon{Code: "again10", Type: pricing.PercentCoupon, Amount: "10", Status: StatusPublish}).Add(tx)
	})
	both := write(t, s, func(tx *Tx) (*CartQuote, error) { return tx.ApplyCoupon(ann, "again10") })
	wantAmount(t, "10 % twice of 20", both.Totals.Discount, "4")
	set(t, s, "general", "shop_calc_discounts_sequentially", "yes")
	wantAmount(t, "10 % of 20, then of 18", s.Read().CartOf(ann).Totals.Discount, "3.8")
}

func TestStockSettingsAct(t *testing.T) {
	s := annsCart(t)
	many := func(tx *Tx) (*CartQuote, error) { return tx.AddToCart(ann, CartRequest{ProductID: mugID, Quantity: 4}) }
	_, err := try(s, many)
	wantFault(t, err, NotEnoughStock)
	set(t, s, "products", "shop_manage_stock", "no")
	write(t, s, many)
	set(t, s, "products", "shop_manage_stock", "yes")
	set(t, s, "products", "shop_notify_no_stock_amount", "5")
	write(t, s, func(tx *Tx) (bool, error) {
		mug, _ := tx.Product(mugID)
		same := *mug
		return true, same.Save(tx)
	})
	if mug, _ := s.Read().Product(mugID); mug.StockStatus != OutOfStock {
		t.Errorf("5 mugs with a threshold of 5 are %s", mug.StockStatus)
	}
	config := s.Read().Config
	for id, got := range map[string]func(*Config) int64{
		"shop_hold_stock_minutes":      func(c *Config) int64 { return c.HoldStockMinutes },
		"shop_notify_low_stock_amount": func(c *Config) int64 { return c.LowStockThreshold },
	} {
		set(t, s, "products", id, "17")
		if now := got(s.Read().Config); now != 17 || got(config) == 17 {
			t.Errorf("%s: %d, and %d in the version before", id, now, got(config))
		}
	}
	set(t, s, "products", "shop_weight_unit", "lbs")
	set(t, s, "products", "shop_dimension_unit", "in")
	if c := s.Read().Config; c.WeightUnit != "lbs" || c.DimensionUnit != "in" {
		t.Errorf("units: %s, %s", c.WeightUnit, c.DimensionUnit)
	}
}

func TestAccountSettingsAct(t *testing.T) {
	s := annsCart(t)
	set(t, s, "account", "shop_enable_guest_checkout", "no")
	_, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, orderBy(Cheque)) })
	wantFault(t, err, AccountRequired)
	set(t, s, "account", "shop_enable_guest_checkout", "yes")
	place(t, s, ann, orderBy(Cheque))
}

func TestPlaceSettingsAct(t *testing.T) {
	s := annsCart(t)
	where := func(step string, sells, ships map[string]bool) {
		t.Helper()
		c := s.Read().Config
		for country, want := range sells {
			if c.sellsTo(country) != want {
				t.Errorf("%s: sells to %s is %v", step, country, !want)
			}
		}
		for country, want := range ships {
			if c.shipsTo(country) != want {
				t.Errorf("%s: ships to %s is %v", step, country, !want)
			}
		}
	}
	where("at first", map[string]bool{"US": true, "DE": true}, map[string]bool{"US": true, "DE": true})
	set(t, s, "general", "shop_specific_allowed_countries", "US,FR")
	where("the list alone", map[string]bool{"DE": true}, nil)
	set(t, s, "general", "shop_allowed_countries", "specific")
	where("only some", map[string]bool{"US": true, "DE": false}, map[string]bool{"FR": true, "DE": false})
	set(t, s, "general", "shop_specific_allowed_countries", "")
	where("nobody", map[string]bool{"US": false}, map[string]bool{"US": false})
	set(t, s, "general", "shop_allowed_countries", "all_except")
	set(t, s, "general", "shop_all_except_countries", "DE")
	where("all but one", map[string]bool{"US": true, "DE": false}, map[string]bool{"DE": false})
	set(t, s, "general", "shop_ship_to_countries", "all")
	where("shipped everywhere", map[string]bool{"DE": false}, map[string]bool{"DE": true})
	set(t, s, "general", "shop_ship_to_countries", "specific")
	set(t, s, "general", "shop_specific_ship_to_countries", "FR")
	where("shipped to one", nil, map[string]bool{"FR": true, "US": false})
	if !s.Read().CartOf(ann).NeedsShipping {
		t.Error("the cart needs no shipping")
	}
	set(t, s, "general", "shop_ship_to_countries", "disabled")
	if quote := s.Read().CartOf(ann); quote.NeedsShipping || len(quote.Packages) > 0 {
		t.Error("shipping is off, and the cart needs it")
	}
}

func TestSettingsThatActOnNothingAreKeptOncePerGroup(t *testing.T) {
	s := newTestShop(t)
	before := s.Read().Config
	set(t, s, "email_new_order", "subject", "Hooray")
	first, _ := FindSetting("email_new_order", "subject")
	second, _ := FindSetting("email_failed_order", "subject")
	now := s.Read().Config
	if first.Value(now) != "Hooray" || second.Value(now) != "" || first.Value(before) != "" {
		t.Errorf("kept: %q, %q, before %q", first.Value(now), second.Value(now), first.Value(before))
	}
	version := s.Version()
	set(t, s, "email_new_order", "subject", "Hooray")
	if s.Version() != version {
		t.Error("a setting that stays as it is made a new version")
	}
}

// TestEverySettingIsDeclaredSoundly checks the table itself.
func TestEverySettingIsDeclaredSoundly(t *testing.T) {
	s := newTestShop(t)
	view := s.Read()
	seen := map[string]bool{}
	for i := range settings {
		setting := &settings[i]
		if seen[setting.key()] {
			t.Errorf("%s is declared twice", setting.key())
		}
		seen[setting.key()] = true
		if _, err := FindSetting(setting.Group, setting.ID); err != nil {
			t.Errorf("%s: %v", setting.key(), err)
		}
		chosen := setting.Type == SelectSetting || setting.Type == RadioSetting || setting.Type == MultiselectSetting
		if chosen != (setting.Options != nil) {
			t.Errorf("%s has no options, or too many", setting.key())
		}
		if value, ok := setting.accept(view, setting.Default); !ok || (value != setting.Default && setting.Type != CheckboxSetting) {
			t.Errorf("%s does not take its own default %q", setting.key(), setting.Default)
		}
		if setting.kept != nil {
			changed := *view.Config
			setting.kept.write(&changed, setting.Value(view.Config))
			if got := setting.kept.read(&changed); got != setting.Value(view.Config) {
				t.Errorf("%s reads %q after writing %q", setting.key(), got, setting.Value(view.Config))
			}
		}
	}
}
