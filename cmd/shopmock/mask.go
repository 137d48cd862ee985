package main

// Pseudonyms: whoever they stand for cannot be told from them.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	mathrand "math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/tidwall/gjson"

	"shopcheck/fixtures"
	"shopcheck/fixtures/seedfile"
)

// mask gives each person one pseudonym, by a key that nobody keeps: who knows an address cannot look for its pseudonym.
type mask struct{ key []byte }

func newMask() *mask {
	key := make([]byte, sha256.Size)
	rand.Read(key) //nolint:errcheck // it never fails
	return &mask{key}
}

// maskedHost is what the e-mail addresses of pseudonyms end in.
const maskedHost = "@example.test"

// person is who stands for somebody, who is told by an e-mail address or by another text.
func (m *mask) person(who string) fixtures.Address {
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(strings.ToLower(strings.TrimSpace(who))))
	sum := mac.Sum(nil)
	person := seedfile.Person(mathrand.New(mathrand.NewChaCha8([sha256.Size]byte(sum))))
	const unique = 6
	person.Email = strings.ToLower(fmt.Sprintf("%s.%s.%x%s", person.FirstName, person.LastName, sum[:unique], maskedHost))
	person.Phone = fmt.Sprintf("555-01%02d", sum[unique]%100)
	return person
}

// What is kept of an address besides its postcode: prices, taxes and shipping follow from it.
var (
	countryCode = pattern(`^[A-Z]{2}$`)
	stateCode   = pattern(`^[A-Z0-9]{1,3}(-[A-Z0-9]{1,4})?$`)
)

// address is the address of a pseudonym in the country, state and area of a real one. What that leaves empty stays empty.
func (m *mask) address(who string, real gjson.Result) map[string]any {
	person := m.person(who)
	masked := map[string]any{"company": "", "address_2": ""}
	for name, made := range map[string]string{
		"first_name": person.FirstName, "last_name": person.LastName, "company": person.LastName + " Ltd", "address_1": person.Address1,
		"city": person.City, "email": person.Email, "phone": person.Phone,
	} {
		if real.Get(name).String() != "" {
			masked[name] = made
		}
	}
	if country := real.Get("country").String(); countryCode().MatchString(country) {
		masked["country"] = country
	}
	if state := real.Get("state").String(); stateCode().MatchString(state) {
		masked["state"] = state
	}
	masked["postcode"] = postcodeArea(real.Get("postcode").String())
	return masked
}

// postcodeArea keeps the first characters of a postcode, and of the others which kind they are: "SE15 4QL" → "SE10 0AA".
func postcodeArea(postcode string) string {
	const kept, longest = 3, 10
	if len(postcode) > longest {
		return ""
	}
	at := 0
	return strings.Map(func(r rune) rune {
		at++
		switch {
		case at <= kept && (r < unicode.MaxASCII && (unicode.IsDigit(r) || unicode.IsUpper(r))):
			return r
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsLetter(r):
			return 'A'
		case r == ' ' || r == '-':
			return r
		}
		return -1
	}, postcode)
}

// pattern compiles a regular expression when it is first used: not every process needs each.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
