package shop

import (
	"html"
	"strings"
)

// Format writes an amount as customers see it: "$1,234.50".
func (c *Config) Format(amount Amount) string {
	whole, fraction, split := strings.Cut(amount.Abs().StringFixed(c.Decimals), ".")
	sign, separator := "", ""
	if amount.IsNegative() {
		sign = "-"
	}
	if split {
		separator = c.DecimalSeparator
	}
	return sign + c.Prefix() + group(whole, c.ThousandSeparator) + separator + fraction + c.Suffix()
}

func group(digits, separator string) string {
	if separator == "" || len(digits) <= 3 {
		return digits
	}
	head := len(digits) % 3
	var parts []string
	if head > 0 {
		parts = append(parts, digits[:head])
	}
	for ; head < len(digits); head += 3 {
		parts = append(parts, digits[head:head+3])
	}
	return strings.Join(parts, separator)
}

// Prefix is what stands before the digits of an amount.
func (c *Config) Prefix() string {
	switch c.CurrencyPosition {
	case SymbolLeft:
		return c.CurrencySymbol
	case SymbolLeftSpace:
		return c.CurrencySymbol + " "
	}
	return ""
}

// Suffix is what stands behind the digits of an amount.
func (c *Config) Suffix() string {
	switch c.CurrencyPosition {
	case SymbolRight:
		return c.CurrencySymbol
	case SymbolRightSpace:
		return " " + c.CurrencySymbol
	}
	return ""
}

// PriceHTML shows a price span on a page; a product without a price shows nothing.
func (c *Config) PriceHTML(span PriceSpan) string {
	price := func(amount Amount) string {
		return `<span class="shop-price">` + html.EscapeString(c.Format(amount)) + `</span>`
	}
	switch {
	case !span.Set:
		return ""
	case !span.Min.Equal(span.Max):
		return price(span.Min) + " – " + price(span.Max)
	case span.OnSale && span.Min.LessThan(span.RegularMin):
		return "<del>" + price(span.RegularMin) + "</del> <ins>" + price(span.Min) + "</ins>"
	}
	return price(span.Min)
}
