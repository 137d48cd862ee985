package storeapi

import "shopcheck/mockserver/internal/shop"

// currency are the fields that say how to read and write the amounts beside them (contract, "Store API: Cart").
type currency struct {
	Code              string `json:"currency_code"`
	Symbol            string `json:"currency_symbol"`
	MinorUnit         int32  `json:"currency_minor_unit"`
	DecimalSeparator  string `json:"currency_decimal_separator"`
	ThousandSeparator string `json:"currency_thousand_separator"`
	Prefix            string `json:"currency_prefix"`
	Suffix            string `json:"currency_suffix"`
}

func (s *scene) currency() currency {
	c := s.Config
	return currency{
		c.Currency, c.CurrencySymbol, c.Decimals, c.DecimalSeparator, c.ThousandSeparator, c.Prefix(), c.Suffix(),
	}
}

// minor gives an amount as the API shows it: an integer count of the smallest unit, as a string.
func (s *scene) minor(amount shop.Amount) string { return inUnits(amount, s.Config.Decimals) }

// inUnits counts an amount in units of 10^-places.
func inUnits(amount shop.Amount, places int32) string {
	return amount.Shift(places).Round(0).String()
}
