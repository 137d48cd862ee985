package storeapi

import (
	"sync/atomic"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// currency are the fields that say how to read and write the amounts beside them (contract, "Store API: Cart").
func currency[T any]() []rest.Field[T] {
	text := func(name string, of func(*shop.Config) string) rest.Field[T] {
		return rest.TextOf(name, func(e *rest.Encoding, _ *T) string { return of(e.Config) })
	}
	return rest.Joined(currencyOf, fields(
		text("currency_code", func(c *shop.Config) string { return c.Currency }),
		text("currency_symbol", func(c *shop.Config) string { return c.CurrencySymbol }),
		rest.IntOf("currency_minor_unit", func(e *rest.Encoding, _ *T) int64 { return int64(e.Config.Decimals) }),
		text("currency_decimal_separator", func(c *shop.Config) string { return c.DecimalSeparator }),
		text("currency_thousand_separator", func(c *shop.Config) string { return c.ThousandSeparator }),
		text("currency_prefix", (*shop.Config).Prefix),
		text("currency_suffix", (*shop.Config).Suffix),
	))
}

// shownCurrency is the currency of the settings that were asked for last, as it is shown.
type shownCurrency struct {
	config *shop.Config
	fields []byte
}

var lastCurrency atomic.Pointer[shownCurrency]

// currencyOf gives the fields of a currency as they were encoded for the same settings: a cart shows them half a dozen times.
func currencyOf(e *rest.Encoding, encode func() []byte) []byte {
	last := lastCurrency.Load()
	if last == nil || last.config != e.Config {
		last = &shownCurrency{e.Config, encode()}
		lastCurrency.Store(last)
	}
	return last.fields
}

// amountOf is an amount as the API shows it: an integer count of the currency's smallest unit, as a string.
func amountOf[T any](name string, amount func(*T) shop.Amount) rest.Field[T] {
	return unitsOf(name, amount, func(e *rest.Encoding) int32 { return e.Config.Decimals })
}

// unitsOf is an amount counted in units of 10^-places, rounded half away from zero, as a string.
func unitsOf[T any](name string, amount func(*T) shop.Amount, places func(*rest.Encoding) int32) rest.Field[T] {
	encode := func(e *rest.Encoding, b []byte, row *T) []byte {
		return append(amount(row).Shift(places(e)).Round(0).Append(append(b, '"')), '"')
	}
	return rest.NewField(rest.Param{Name: name, Type: rest.String}, encode, nil, rest.ReadOnly)
}
