package pricing

// Formulas for shipping costs: "5 + 2*[qty]", "0.8*[weight]", "[fee percent=\"10\" min_fee=\"4\"]".

import (
	"strings"

	"shopcheck/mockserver/internal/decimal"
)

const (
	maxFormulaLength = 300
	maxFormulaDepth  = 20
)

// ValidCost reports whether a text can be read as a shipping cost: a number or a formula. Empty is not valid.
func ValidCost(formula string) bool {
	one := decimal.NewFromInt(1)
	_, ok := evaluateCost(formula, load{pieces: 1, cost: one, weight: one})
	return ok
}

// evaluateCost works a formula out for what is shipped. It is never negative.
func evaluateCost(formula string, shipped load) (Amount, bool) {
	if len(formula) > maxFormulaLength {
		return Zero, false
	}
	r := formulaReader{text: formula, shipped: shipped}
	value := r.sum(0)
	r.space()
	if r.bad || r.text != "" {
		return Zero, false
	}
	return decimal.Max(value, Zero), true
}

// formulaReader reads a formula from left to right. bad is set at the first thing that it does not understand.
type formulaReader struct {
	text    string // what is not read yet
	shipped load
	bad     bool
}

func (r *formulaReader) fail() Amount {
	r.bad = true
	return Zero
}

func (r *formulaReader) space() { r.text = strings.TrimLeft(r.text, " \t") }

// take reads the sign if it comes next.
func (r *formulaReader) take(sign string) bool {
	r.space()
	rest, found := strings.CutPrefix(r.text, sign)
	r.text = rest
	return found
}

func (r *formulaReader) sum(depth int) Amount {
	value := r.product(depth)
	for !r.bad {
		switch {
		case r.take("+"):
			value = value.Add(r.product(depth))
		case r.take("-"):
			value = value.Sub(r.product(depth))
		default:
			return value
		}
	}
	return Zero
}

func (r *formulaReader) product(depth int) Amount {
	value := r.factor(depth)
	for !r.bad {
		switch {
		case r.take("*"):
			value = value.Mul(r.factor(depth))
		case r.take("/"):
			divisor := r.factor(depth)
			if divisor.IsZero() {
				return r.fail()
			}
			value = value.Div(divisor)
		default:
			return value
		}
	}
	return Zero
}

func (r *formulaReader) factor(depth int) Amount {
	if depth > maxFormulaDepth {
		return r.fail()
	}
	switch {
	case r.take("-"):
		return r.factor(depth + 1).Neg()
	case r.take("("):
		value := r.sum(depth + 1)
		if !r.take(")") {
			return r.fail()
		}
		return value
	case r.take("["):
		return r.placeholder()
	}
	return r.number()
}

func (r *formulaReader) number() Amount {
	end := strings.IndexFunc(r.text, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end < 0 {
		end = len(r.text)
	}
	value, ok := ParseAmount(r.text[:end])
	if !ok {
		return r.fail()
	}
	r.text = r.text[end:]
	return value
}

// placeholder reads what stands between brackets; the opening one is read.
func (r *formulaReader) placeholder() Amount {
	inside, rest, closed := strings.Cut(r.text, "]")
	if !closed {
		return r.fail()
	}
	r.text = rest
	name, settings, _ := strings.Cut(strings.TrimSpace(inside), " ")
	switch name {
	case "qty":
		return decimal.NewFromInt(r.shipped.pieces)
	case "cost":
		return r.shipped.cost
	case "weight":
		return r.shipped.weight
	case "fee":
		return r.fee(settings)
	}
	return r.fail()
}

// fee is a percentage of the cost with a least and a most.
func (r *formulaReader) fee(settings string) Amount {
	values, ok := readSettings(settings)
	if !ok {
		return r.fail()
	}
	fee := r.shipped.cost.Mul(values["percent"]).Shift(-2)
	if least, given := values["min_fee"]; given {
		fee = decimal.Max(fee, least)
	}
	if most, given := values["max_fee"]; given && most.IsPositive() {
		fee = decimal.Min(fee, most)
	}
	return fee
}

// readSettings reads name="number" pairs; an empty number counts as not given.
func readSettings(text string) (map[string]Amount, bool) {
	values := map[string]Amount{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		name, rest, found := strings.Cut(text, "=")
		if !found || len(rest) < 2 || (rest[0] != '"' && rest[0] != '\'') {
			return nil, false
		}
		value, rest, found := strings.Cut(rest[1:], rest[:1])
		if !found {
			return nil, false
		}
		if value != "" {
			amount, ok := ParseAmount(value)
			if !ok {
				return nil, false
			}
			values[strings.TrimSpace(name)] = amount
		}
		text = rest
	}
	return values, true
}
