package storeapi_test

import (
	"net/http"
	"slices"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

// set changes a setting of the shop, as staff do through the management API.
func (s *store) set(group, id, value string) {
	s.T.Helper()
	s.Write(func(tx *shop.Tx) error {
		setting, err := shop.FindSetting(group, id)
		if err != nil {
			return err
		}
		return setting.Change(tx, value)
	})
}

func TestSettingsOfMoney(t *testing.T) {
	t.Parallel()
	s := open(t)
	product := path("/products/%d", s.goods.plain)
	s.Get(product).Want(http.StatusOK).Has("prices.price", "3500", "prices.currency_code", "USD", "prices.currency_prefix", "$")
	for id, value := range map[string]string{
		"shop_currency": "KWD", "shop_price_num_decimals": "3", "shop_currency_pos": "right_space", "shop_price_thousand_sep": "'",
		"shop_price_decimal_sep": ",",
	} {
		s.set("general", id, value)
	}
	symbol := s.Read().Config.CurrencySymbol
	s.Get(product).Want(http.StatusOK).Has(
		"prices.price", "35000", "prices.currency_code", "KWD", "prices.currency_symbol", symbol, "prices.currency_minor_unit", 3,
		"prices.currency_prefix", "", "prices.currency_suffix", " "+symbol, "prices.currency_decimal_separator", ",",
		"prices.currency_thousand_separator", "'",
	)
	s.Get("/cart").Want(http.StatusOK).Has("totals.currency_code", "KWD", "totals.currency_minor_unit", 3)
}

func TestASettingHidesWhatIsSoldOut(t *testing.T) {
	t.Parallel()
	s := open(t)
	shown := func() bool {
		return slices.Contains(ids(s.Get("/products?per_page=100").Want(http.StatusOK)), s.goods.gone)
	}
	if !shown() {
		t.Error("what is sold out is hidden before it is asked for")
	}
	s.set("products", "shop_hide_out_of_stock_items", "yes")
	if shown() {
		t.Error("what is sold out is still shown")
	}
}
