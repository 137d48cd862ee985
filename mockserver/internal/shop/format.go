package shop

import (
	"bytes"
	"html"
)

// Format writes an amount as customers see it: "$1,234.50".
func (c *Config) Format(amount Amount) string {
	var number, room [64]byte
	whole, fraction, split := bytes.Cut(amount.Abs().AppendFixed(number[:0], c.Decimals), []byte("."))
	b := room[:0]
	if amount.IsNegative() {
		b = append(b, '-')
	}
	b = appendGrouped(append(b, c.Prefix()...), whole, c.ThousandSeparator)
	if split {
		b = append(b, c.DecimalSeparator...)
	}
	return string(append(append(b, fraction...), c.Suffix()...))
}

// appendGrouped appends digits with a separator before each three of them, but the first ones.
func appendGrouped(b, digits []byte, separator string) []byte {
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b = append(b, separator...)
		}
		b = append(b, digit)
	}
	return b
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
