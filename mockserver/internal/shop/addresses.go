package shop

// Addresses: partial changes, defaults, and what is wrong with one.

import (
	"net/mail"
	"net/url"
	"strings"

	"shopcheck/fixtures"
)

// AddressChange sets some fields of an address, whatever they held; nil sets none. It may be run again.
type AddressChange func(*Address) error

// applyTo returns the address with the changes. A new country makes the old state and postcode void.
func (change AddressChange) applyTo(old Address) (Address, error) {
	if change == nil {
		return old, nil
	}
	changed := old
	err := change(&changed)
	if err == nil && !strings.EqualFold(strings.TrimSpace(changed.Country), old.Country) {
		changed = old
		changed.State, changed.Postcode = "", ""
		err = change(&changed)
	}
	return changed, err
}

// withoutEmail is a shipping address.
func (a Address) withoutEmail() Address {
	a.Email = ""
	return a
}

// normal is the address without blanks around what it says, with the codes of country and state, as far as they are known, and with the
// postcode as the country's post writes it.
func (a Address) normal() Address {
	for _, field := range []*string{
		&a.FirstName, &a.LastName, &a.Company, &a.Address1, &a.Address2, &a.City, &a.State, &a.Postcode, &a.Country, &a.Email, &a.Phone,
	} {
		*field = strings.TrimSpace(*field)
	}
	a.Country = strings.ToUpper(a.Country)
	a.Postcode = fixtures.FormatPostcode(a.Country, a.Postcode)
	if code, known := fixtures.NormaliseState(a.Country, a.State); known && a.State != "" {
		a.State = code
	}
	return a
}

// addressCheck gathers what is wrong with the addresses of one request, by field: "billing_address.email".
type addressCheck struct {
	config *Config
	params map[string]string
}

func (c *addressCheck) wrong(prefix, field, what string) {
	if c.params == nil {
		c.params = map[string]string{}
	}
	if _, known := c.params[prefix+"."+field]; !known {
		c.params[prefix+"."+field] = what
	}
}

// fault is nil if nothing is wrong.
func (c *addressCheck) fault(kind Kind, message string) error {
	if len(c.params) == 0 {
		return nil
	}
	return &Fault{Kind: kind, Message: message, Params: c.params}
}

// form checks the fields that are filled in. The address must be in its normal form.
func (c *addressCheck) form(prefix string, a Address, allowed func(country string) bool) {
	country, known := fixtures.Country(a.Country)
	switch {
	case a.Country == "":
	case !known:
		c.wrong(prefix, "country", "This is not the two-letter code of a country.")
	case !allowed(a.Country):
		c.wrong(prefix, "country", "The shop does not serve "+country.Name+".")
	}
	if known && a.State != "" {
		if _, valid := fixtures.NormaliseState(a.Country, a.State); !valid {
			c.wrong(prefix, "state", country.Name+" has no such state.")
		}
	}
	if known && a.Postcode != "" && !fixtures.ValidPostcode(a.Country, a.Postcode) {
		c.wrong(prefix, "postcode", "This is not a postcode of "+country.Name+".")
	}
	if a.Phone != "" && !validPhone(a.Phone) {
		c.wrong(prefix, "phone", "This is not a phone number.")
	}
	if a.Email != "" && !ValidEmail(a.Email) {
		c.wrong(prefix, "email", "This is not an e-mail address.")
	}
}

// complete checks that the fields that an order needs are filled in.
func (c *addressCheck) complete(prefix string, a Address) {
	needed := []struct{ field, value, name string }{
		{"first_name", a.FirstName, "first name"}, {"last_name", a.LastName, "last name"},
		{"address_1", a.Address1, "street address"}, {"country", a.Country, "country"},
	}
	if country, known := fixtures.Country(a.Country); known {
		for _, rule := range []struct {
			rule               fixtures.FieldRule
			field, value, name string
		}{
			{country.City, "city", a.City, "city"},
			{country.State, "state", a.State, "state or province"},
			{country.Postcode, "postcode", a.Postcode, "postcode"},
		} {
			if rule.rule == fixtures.Required {
				needed = append(needed, struct{ field, value, name string }{rule.field, rule.value, rule.name})
			}
		}
	}
	for _, field := range needed {
		if field.value == "" {
			c.wrong(prefix, field.field, "The "+field.name+" is missing.")
		}
	}
}

// ValidEmail reports whether a text is one plain e-mail address with a domain that has a dot.
func ValidEmail(text string) bool {
	const longest = 254
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > longest {
		return false
	}
	_, domain, _ := strings.Cut(text, "@")
	return strings.Contains(strings.Trim(domain, "."), ".")
}

// MaxWebAddress is how long a web address may be, in bytes.
const MaxWebAddress = 2048

// ValidWebAddress reports whether text is a whole http or https address. Everything that a browser, or the shop itself, is sent to
// must be one: other schemes run scripts or read files.
func ValidWebAddress(text string) bool {
	if isPlainLink(text) {
		return true
	}
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != "" && plainAddress(text)
}

// isPlainLink reports whether text is a whole web address of a host and a path without any sign that has a meaning of its own: most
// are, and parsing one takes longer than all else that is checked of a picture.
func isPlainLink(text string) bool {
	scheme, below, _ := strings.Cut(text, "://")
	host, _, _ := strings.Cut(below, "/")
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/", r))
	}
	return (scheme == "https" || scheme == "http") && host != "" && len(text) <= MaxWebAddress && !strings.ContainsFunc(below, special)
}

// ValidLink reports whether text is a whole web address, or a path below the shop's own.
func ValidLink(text string) bool {
	if !strings.HasPrefix(text, "/") {
		return ValidWebAddress(text)
	}
	_, err := url.Parse(text)
	return err == nil && !strings.HasPrefix(text, "//") && plainAddress(text) // "//host" is an address elsewhere
}

// plainAddress reports whether text is short enough and means to every browser what it means here: some take \ for /, and leave blanks out.
func plainAddress(text string) bool {
	outside := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }
	return len(text) <= MaxWebAddress && !strings.ContainsFunc(text, outside)
}

// validPhone accepts digits and the signs that people put between them.
func validPhone(text string) bool {
	digits := 0
	for _, sign := range text {
		switch {
		case sign >= '0' && sign <= '9':
			digits++
		case !strings.ContainsRune("+-. ()/#", sign):
			return false
		}
	}
	return digits > 0
}
