package shop

import "shopcheck/mockserver/internal/decimal"

// Config holds the settings of the shop that act on its behaviour. It is immutable: a change of a setting
// replaces the whole value in the State.
type Config struct {
	Title string

	Currency          string // ISO 4217 code
	CurrencySymbol    string
	CurrencyPosition  CurrencyPosition
	ThousandSeparator string
	DecimalSeparator  string
	Decimals          int32 // number of decimals that amounts are rounded to and shown with

	Country  string // the shop's own country, ISO 3166-1 alpha-2; default for customers without an address
	State    string // the shop's own state or province code
	Address1 string
	Address2 string
	City     string
	Postcode string
	SellTo   []string // country codes that may buy; nil: all
	ShipTo   []string // country codes that are shipped to; nil: all that may buy; empty: nothing is shipped

	TaxesEnabled         bool
	PricesIncludeTax     bool
	TaxBasedOn           TaxBase
	TaxRoundAtSubtotal   bool   // round once per rate at the end, not per line
	ShippingTaxClass     string // "inherit": the highest class in the cart; else a class slug, "" standard
	DisplayPricesWithTax bool   // whether the store shows catalogue and cart prices with tax

	CouponsEnabled      bool
	CouponsSequentially bool // later coupons see the price that earlier ones left
	GuestCheckout       bool
	AccountCreation     bool // customers may create an account at checkout
	ManageStock         bool
	HoldStockMinutes    int64 // how long a pending order keeps its stock
	LowStockThreshold   int64
	OutOfStockThreshold int64
	HideOutOfStock      bool
	ReviewsEnabled      bool
	WeightUnit          string // kg, g, lbs, oz
	DimensionUnit       string // m, cm, mm, in, yd

	Others map[string]string // settings that act on nothing, by group and id; those that were never changed are absent
}

// CurrencyPosition tells where the currency symbol stands.
type CurrencyPosition string

// The four positions of a currency symbol.
const (
	SymbolLeft       CurrencyPosition = "left"
	SymbolRight      CurrencyPosition = "right"
	SymbolLeftSpace  CurrencyPosition = "left_space"
	SymbolRightSpace CurrencyPosition = "right_space"
)

// TaxBase tells which address decides the tax rate.
type TaxBase string

// The three addresses that tax can be based on.
const (
	TaxByShipping TaxBase = "shipping"
	TaxByBilling  TaxBase = "billing"
	TaxByShop     TaxBase = "base"
)

// Grams in a pound and in an ounce, as exactly as shops of this family know them.
var (
	gramsInPound = decimal.RequireFromString("453.592")
	gramsInOunce = decimal.RequireFromString("28.3495")
)

// Grams converts a weight from the shop's unit.
func (c *Config) Grams(weight Amount) Amount {
	switch c.WeightUnit {
	case "g":
		return weight
	case "lbs":
		return weight.Mul(gramsInPound)
	case "oz":
		return weight.Mul(gramsInOunce)
	}
	const gramsInKilogram = 1000
	return weight.Mul(decimal.NewFromInt(gramsInKilogram))
}
