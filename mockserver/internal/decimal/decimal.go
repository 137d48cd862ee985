// Package decimal holds exact decimal numbers. It is github.com/shopspring/decimal with numbers that are values: those whose digits fit an
// int64, which nearly all amounts of money do, are worked out without making anything; whatever does not fit is left to that package.
package decimal

import (
	"math"
	"math/bits"
	"strconv"

	exact "github.com/shopspring/decimal"
)

// Decimal is an exact decimal number. The zero value is nought.
type Decimal struct {
	digits int64          // all digits; not used where wide is set, and never the least int64
	places int32          // how many of them are decimals, maxPlaces at the most
	wide   *exact.Decimal // the number where its digits do not fit
}

// maxPlaces is how many decimals a number without wide has at the most: the unit still fits an int64.
const maxPlaces = 18

// powers are the powers of ten that fit an int64.
var powers = func() (all [maxPlaces + 1]int64) {
	all[0] = 1
	for i := 1; i < len(all); i++ {
		all[i] = all[i-1] * 10
	}
	return all
}()

// Zero is nought.
var Zero = Decimal{}

// New returns value times ten to the power of exp.
func New(value int64, exp int32) Decimal {
	if exp <= 0 && exp >= -maxPlaces && value != math.MinInt64 {
		return Decimal{digits: value, places: -exp}
	}
	return of(exact.New(value, exp))
}

// NewFromInt returns a whole number.
func NewFromInt(value int64) Decimal { return New(value, 0) }

// NewFromFloat returns the number with the fewest digits that a float stands for.
func NewFromFloat(value float64) Decimal { return of(exact.NewFromFloat(value)) }

// NewFromString reads a number.
func NewFromString(text string) (Decimal, error) {
	if d, ok := plain(text); ok {
		return d, nil
	}
	read, err := exact.NewFromString(text)
	if err != nil {
		return Zero, err
	}
	return of(read), nil
}

// RequireFromString reads a number that is known to be one.
func RequireFromString(text string) Decimal { return of(exact.RequireFromString(text)) }

// plain reads digits with or without a sign and decimals, as most numbers are written.
func plain(text string) (d Decimal, ok bool) {
	rest, negative := text, false
	if rest != "" && rest[0] == '-' {
		rest, negative = rest[1:], true
	}
	if len(rest) == 0 || len(rest) > maxPlaces {
		return Zero, false
	}
	point := -1
	for i := range len(rest) {
		switch c := rest[i]; {
		case c >= '0' && c <= '9':
			d.digits = d.digits*10 + int64(c-'0')
		case c == '.' && point < 0 && i > 0 && i < len(rest)-1:
			point = i
		default:
			return Zero, false
		}
	}
	if point >= 0 {
		d.places = int32(len(rest) - 1 - point)
	}
	if negative {
		d.digits = -d.digits
	}
	return d, true
}

// of makes the number that another package has worked out.
func of(e exact.Decimal) Decimal {
	if exp := e.Exponent(); exp <= 0 && exp >= -maxPlaces {
		if digits := e.Coefficient(); digits.IsInt64() && digits.Int64() != math.MinInt64 {
			return Decimal{digits: digits.Int64(), places: -exp}
		}
	}
	return Decimal{wide: &e}
}

// exact is the number for another package to work with.
func (d Decimal) exact() exact.Decimal {
	if d.wide != nil {
		return *d.wide
	}
	return exact.New(d.digits, -d.places)
}

// product multiplies, if what comes out fits.
func product(a, b int64) (int64, bool) {
	high, low := bits.Mul64(size(a), size(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(low), true
	}
	return int64(low), true
}

func size(n int64) uint64 {
	if n < 0 {
		n = -n
	}
	return uint64(n)
}

// aligned gives the digits of both numbers at equally many decimals, if they fit.
func aligned(a, b Decimal) (x, y int64, places int32, ok bool) {
	if a.wide != nil || b.wide != nil {
		return 0, 0, 0, false
	}
	x, y, places, ok = a.digits, b.digits, a.places, true
	switch {
	case a.places < b.places:
		places = b.places
		x, ok = product(x, powers[b.places-a.places])
	case a.places > b.places:
		y, ok = product(y, powers[a.places-b.places])
	}
	return x, y, places, ok
}

// Add returns d + other.
func (d Decimal) Add(other Decimal) Decimal {
	if x, y, places, ok := aligned(d, other); ok {
		if sum := x + y; (sum > x) == (y > 0) && sum != math.MinInt64 {
			return Decimal{digits: sum, places: places}
		}
	}
	return of(d.exact().Add(other.exact()))
}

// Sub returns d - other.
func (d Decimal) Sub(other Decimal) Decimal { return d.Add(other.Neg()) }

// Neg returns -d.
func (d Decimal) Neg() Decimal {
	if d.wide == nil {
		d.digits = -d.digits
		return d
	}
	return of(d.exact().Neg())
}

// Abs returns d without its sign.
func (d Decimal) Abs() Decimal {
	if d.IsNegative() {
		return d.Neg()
	}
	return d
}

// Mul returns d * other.
func (d Decimal) Mul(other Decimal) Decimal {
	if places := d.places + other.places; d.wide == nil && other.wide == nil && places <= maxPlaces {
		if digits, ok := product(d.digits, other.digits); ok {
			return Decimal{digits: digits, places: places}
		}
	}
	return of(d.exact().Mul(other.exact()))
}

// Div returns d / other, rounded to 16 decimals.
func (d Decimal) Div(other Decimal) Decimal { return of(d.exact().Div(other.exact())) }

// DivRound returns d / other, rounded half away from nought.
func (d Decimal) DivRound(other Decimal, places int32) Decimal {
	return of(d.exact().DivRound(other.exact(), places))
}

// QuoRem returns how often other is in d, cut off after some decimals, and what is left.
func (d Decimal) QuoRem(other Decimal, places int32) (quotient, rest Decimal) {
	q, r := d.exact().QuoRem(other.exact(), places)
	return of(q), of(r)
}

// Shift moves the point to the right.
func (d Decimal) Shift(places int32) Decimal {
	left := d.places - places
	switch {
	case d.wide != nil || left > maxPlaces || left < -maxPlaces:
	case left >= 0:
		return Decimal{digits: d.digits, places: left}
	default:
		if digits, ok := product(d.digits, powers[-left]); ok {
			return Decimal{digits: digits}
		}
	}
	return of(d.exact().Shift(places))
}

// Round rounds half away from nought.
func (d Decimal) Round(places int32) Decimal {
	cut := d.places - places
	switch {
	case d.wide != nil || places < 0:
		return of(d.exact().Round(places))
	case cut <= 0:
		return d
	}
	unit := powers[cut]
	digits, rest := d.digits/unit, d.digits%unit
	switch { // half of a unit is whole: units are even
	case rest >= unit/2:
		digits++
	case rest <= -unit/2:
		digits--
	}
	return Decimal{digits: digits, places: places}
}

// RoundDown rounds towards nought.
func (d Decimal) RoundDown(places int32) Decimal { return of(d.exact().RoundDown(places)) }

// RoundFloor rounds down.
func (d Decimal) RoundFloor(places int32) Decimal { return of(d.exact().RoundFloor(places)) }

// Places is how many decimals the number was written with.
func (d Decimal) Places() int32 {
	if d.wide == nil {
		return d.places
	}
	return -d.wide.Exponent()
}

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.wide != nil:
		return d.wide.Sign()
	case d.digits < 0:
		return -1
	case d.digits > 0:
		return 1
	}
	return 0
}

// IsZero reports whether d is nought.
func (d Decimal) IsZero() bool { return d.Sign() == 0 }

// IsPositive reports whether d is more than nought.
func (d Decimal) IsPositive() bool { return d.Sign() > 0 }

// IsNegative reports whether d is less than nought.
func (d Decimal) IsNegative() bool { return d.Sign() < 0 }

// Cmp is -1 where d is less than other, 0 where they are equal, else 1.
func (d Decimal) Cmp(other Decimal) int {
	x, y, _, ok := aligned(d, other)
	switch {
	case !ok:
		return d.exact().Cmp(other.exact())
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// Equal reports whether d is the same number as other.
func (d Decimal) Equal(other Decimal) bool { return d.Cmp(other) == 0 }

// LessThan reports whether d < other.
func (d Decimal) LessThan(other Decimal) bool { return d.Cmp(other) < 0 }

// LessThanOrEqual reports whether d <= other.
func (d Decimal) LessThanOrEqual(other Decimal) bool { return d.Cmp(other) <= 0 }

// GreaterThan reports whether d > other.
func (d Decimal) GreaterThan(other Decimal) bool { return d.Cmp(other) > 0 }

// GreaterThanOrEqual reports whether d >= other.
func (d Decimal) GreaterThanOrEqual(other Decimal) bool { return d.Cmp(other) >= 0 }

// Max returns the largest of the numbers.
func Max(first Decimal, rest ...Decimal) Decimal {
	for _, d := range rest {
		if d.GreaterThan(first) {
			first = d
		}
	}
	return first
}

// Min returns the smallest of the numbers.
func Min(first Decimal, rest ...Decimal) Decimal {
	for _, d := range rest {
		if d.LessThan(first) {
			first = d
		}
	}
	return first
}

// Sum adds numbers up.
func Sum(first Decimal, rest ...Decimal) Decimal {
	for _, d := range rest {
		first = first.Add(d)
	}
	return first
}

// IntPart returns the digits before the point.
func (d Decimal) IntPart() int64 {
	if d.wide == nil {
		return d.digits / powers[d.places]
	}
	return d.wide.IntPart()
}

// String writes the number without noughts at its end.
func (d Decimal) String() string {
	var room [usualText]byte
	return string(d.Append(room[:0]))
}

// StringFixed writes the number rounded to so many decimals.
func (d Decimal) StringFixed(places int32) string {
	var room [usualText]byte
	return string(d.AppendFixed(room[:0], places))
}

// usualText is how long most numbers are, in bytes.
const usualText = 32

// AppendFixed appends the number as StringFixed writes it.
func (d Decimal) AppendFixed(b []byte, places int32) []byte {
	rounded := d.Round(places)
	if rounded.wide != nil || places < 0 {
		return append(b, rounded.exact().StringFixed(places)...)
	}
	b = rounded.appendPlain(b)
	if rounded.places == 0 && places > 0 {
		b = append(b, '.')
	}
	for range places - rounded.places {
		b = append(b, '0')
	}
	return b
}

// Append appends the number as String writes it.
func (d Decimal) Append(b []byte) []byte {
	if d.wide != nil {
		return append(b, d.wide.String()...)
	}
	for d.places > 0 && d.digits%10 == 0 {
		d.digits, d.places = d.digits/10, d.places-1
	}
	return d.appendPlain(b)
}

// appendPlain appends all digits of a number that is not wide.
func (d Decimal) appendPlain(b []byte) []byte {
	if d.digits < 0 {
		b = append(b, '-')
	}
	var room [maxPlaces + 1]byte
	digits := strconv.AppendUint(room[:0], size(d.digits), 10)
	if missing := int(d.places) + 1 - len(digits); missing > 0 {
		b = append(b, "0.000000000000000000"[:missing+1]...)
		return append(b, digits...)
	}
	point := len(digits) - int(d.places)
	b = append(b, digits[:point]...)
	if d.places > 0 {
		b = append(append(b, '.'), digits[point:]...)
	}
	return b
}

// AppendText appends the number. As a text in JSON no reader takes it for a float.
func (d Decimal) AppendText(b []byte) ([]byte, error) { return d.Append(b), nil }

// MarshalText writes what AppendText appends, for those who do not know that.
func (d Decimal) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalJSON reads a number or a text.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	var read exact.Decimal
	if err := read.UnmarshalJSON(text); err != nil {
		return err
	}
	*d = of(read)
	return nil
}
