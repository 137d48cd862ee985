package shop

// Settings: what the declarations are made of – where a value lives in the Config, and which choices there are.

import (
	"slices"
	"strconv"
	"strings"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop/pricing"
)

// The values of a checkbox.
const (
	yes = "yes"
	no  = "no"
)

// Where the shop sells or ships to.
const (
	placesAll      = "all"
	placesAllBut   = "all_except"
	placesSpecific = "specific"
	placesNone     = "disabled"
)

func textIn[T ~string](at func(*Config) *T) *configText {
	return &configText{
		read:  func(c *Config) string { return string(*at(c)) },
		write: func(c *Config, value string) { *at(c) = T(value) },
	}
}

// choiceIn is a truth value under two names.
func choiceIn(at func(*Config) *bool, whenTrue, whenFalse string) *configText {
	return &configText{
		read: func(c *Config) string {
			if *at(c) {
				return whenTrue
			}
			return whenFalse
		},
		write: func(c *Config, value string) { *at(c) = value == whenTrue },
	}
}

func flagIn(at func(*Config) *bool) *configText { return choiceIn(at, yes, no) }

func numberIn[T int32 | int64](at func(*Config) *T) *configText {
	return &configText{
		read: func(c *Config) string { return strconv.FormatInt(int64(*at(c)), 10) },
		write: func(c *Config, value string) {
			n, _ := strconv.ParseInt(value, 10, 32)
			*at(c) = T(n)
		},
	}
}

// currencyIn is the currency with its symbol.
var currencyIn = &configText{
	read: func(c *Config) string { return c.Currency },
	write: func(c *Config, value string) {
		currency, _ := fixtures.Currency(value)
		c.Currency, c.CurrencySymbol = currency.Code, currency.Symbol
	},
}

// homeIn is the shop's own country with its state, "US:CA".
var homeIn = &configText{
	read: func(c *Config) string { return joinPlace(c.Country, c.State) },
	write: func(c *Config, value string) {
		c.Country, c.State, _ = strings.Cut(value, ":")
	},
}

func joinPlace(country, state string) string {
	if state == "" {
		return country
	}
	return country + ":" + state
}

// options are choices that are the same in every shop: value, label, value, label …
func options(valuesAndLabels ...string) func(View) []SettingOption {
	var choices []SettingOption
	for pair := range slices.Chunk(valuesAndLabels, 2) {
		choices = append(choices, SettingOption{pair[0], pair[1]})
	}
	return func(View) []SettingOption { return choices }
}

func currencyOptions(View) []SettingOption {
	var list []SettingOption
	for _, currency := range fixtures.Currencies() {
		list = append(list, SettingOption{currency.Code, currency.Name + " (" + currency.Symbol + ") – " + currency.Code})
	}
	return list
}

func countryOptions(View) []SettingOption {
	var list []SettingOption
	for _, country := range fixtures.Countries() {
		list = append(list, SettingOption{country.Code, country.Name})
	}
	return list
}

// homeOptions are the countries, those with states by state. A shop that has no state yet keeps its country alone.
func homeOptions(v View) []SettingOption {
	var list []SettingOption
	for _, country := range fixtures.Countries() {
		if len(country.States) == 0 || v.Config.State == "" && v.Config.Country == country.Code {
			list = append(list, SettingOption{country.Code, country.Name})
		}
		for _, state := range country.States {
			list = append(list, SettingOption{joinPlace(country.Code, state.Code), country.Name + " – " + state.Name})
		}
	}
	return list
}

// ShippingTaxClassNamed is what the Config holds for the tax class of shipping that goes by a name or slug.
func ShippingTaxClassNamed(name string) string {
	if name == pricing.InheritTaxClass {
		return name
	}
	return TaxClassNamed(name)
}

// taxClassOptions are the tax classes that shipping may have. The standard class goes without a slug.
func taxClassOptions(v View) []SettingOption {
	list := []SettingOption{{pricing.InheritTaxClass, "The class of what is in the cart"}, {"", "Standard"}}
	for class := range v.TaxClasses.All() {
		if class.Slug != StandardTaxClass {
			list = append(list, SettingOption{class.Slug, class.Name})
		}
	}
	return list
}
