package expect

// The documented formats of strings.

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"shopcheck/suites/contract"
)

// Formatted reports whether the text has the format. Blank texts have none but Plain.
func Formatted(text string, format contract.Format) bool {
	switch format {
	case contract.Plain:
		return true
	case contract.URL:
		u, err := url.Parse(text)
		return err == nil && u.Scheme != "" && u.Host != ""
	case contract.ISO8601:
		return isDate(text, datePattern())
	case contract.UTC:
		return isDate(text, utcPattern())
	default:
		pattern, ok := formatPatterns()[format]
		return ok && pattern.MatchString(text)
	}
}

var formatPatterns = sync.OnceValue(func() map[contract.Format]*regexp.Regexp {
	return map[contract.Format]*regexp.Regexp{
		contract.DecimalMoney: regexp.MustCompile(`^-?\d+(\.\d+)?$`),
		contract.MinorMoney:   regexp.MustCompile(`^-?\d+$`),
		contract.MD5:          regexp.MustCompile(`^[0-9a-f]{32}$`),
		contract.Email:        regexp.MustCompile(`^[^@\s]+@[^@\s]+$`),
		contract.CurrencyCode: regexp.MustCompile(`^[A-Z]{3}$`),
		contract.CountryCode:  regexp.MustCompile(`^[A-Z]{2}$`),
		contract.RateID:       regexp.MustCompile(`^[^:]+:[^:]+$`),
	}
})

// datePattern is a date of ISO 8601 in its extended form, alone or with a time of the day, which may name its offset. An offset of
// minus nothing is none. utcPattern is the same in UTC.
var (
	datePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:T` + timeOfDay + `(?:Z|` + offset + `)?)?$`)
	})
	utcPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:T` + timeOfDay + `(?:Z|[+]00(?::00)?)?)?$`)
	})
)

// timeOfDay knows the leap second and the end of the day.
const timeOfDay = `(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?|(?:[01]\d|2[0-3]):59:60(?:[.,]\d+)?|24:00(?::00(?:[.,]0+)?)?)`

const offset = `[+](?:[01]\d|2[0-3])(?::[0-5]\d)?|-(?:0[1-9]|1\d|2[0-3])(?::[0-5]\d)?|-00:(?:0[1-9]|[1-5]\d)`

// isDate reports whether the text has the form and its day is in the calendar.
func isDate(text string, form *regexp.Regexp) bool {
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, parts[1])
	return err == nil
}

// example shows a format in a failure.
func example(format contract.Format) string {
	return map[contract.Format]string{
		contract.UTC:          `such as "2026-11-20T12:00:00", in UTC`,
		contract.ISO8601:      `such as "2026-11-20T12:00:00"`,
		contract.DecimalMoney: `such as "12.50"`,
		contract.MinorMoney:   `such as "1250"`,
		contract.MD5:          `32 hexadecimal digits`,
		contract.RateID:       `such as "flat_rate:1"`,
	}[format]
}

const shownValue = 300 // bytes of a value that a failure quotes

func quote(raw string) string {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return "nothing"
	}
	if len(raw) > shownValue {
		return strings.ToValidUTF8(raw[:shownValue], "") + "…"
	}
	return raw
}
