package expect

// The documented formats of strings.

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

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
	default:
		pattern, ok := formatPatterns()[format]
		return ok && pattern.MatchString(text)
	}
}

var formatPatterns = sync.OnceValue(func() map[contract.Format]*regexp.Regexp {
	return map[contract.Format]*regexp.Regexp{
		contract.ISO8601: regexp.MustCompile(
			`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d|:60)?([.,]\d+)?(Z|[+-]\d{2}(:?\d{2})?)?)?$`),
		contract.DecimalMoney: regexp.MustCompile(`^-?\d+(\.\d+)?$`),
		contract.MinorMoney:   regexp.MustCompile(`^-?\d+$`),
		contract.MD5:          regexp.MustCompile(`^[0-9a-f]{32}$`),
		contract.Email:        regexp.MustCompile(`^[^@\s]+@[^@\s]+$`),
		contract.CurrencyCode: regexp.MustCompile(`^[A-Z]{3}$`),
		contract.CountryCode:  regexp.MustCompile(`^[A-Z]{2}$`),
		contract.RateID:       regexp.MustCompile(`^[^:]+:[^:]+$`),
	}
})

// example shows a format in a failure.
func example(format contract.Format) string {
	return map[contract.Format]string{
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
