package management

import (
	"net/http"
	"slices"
	"strings"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Data: countries with their states, currencies and continents, as the embedded data has them. They are no records of the
// shop: the lists come whole.

type (
	country   = fixtures.CountryInfo
	currency  = fixtures.CurrencyInfo
	continent = fixtures.ContinentInfo
)

const dataCode = `[A-Za-z0-9_-]+`

var dataCountries = &rest.Resource[country]{
	Path: "/data/countries", Key: dataCode, Unpaged: true,
	Name: func(c *country) string { return strings.ToLower(c.Code) },
	Record: rest.Lazily(func() *rest.Record[country] {
		return &rest.Record[country]{Fields: []rest.Field[country]{
			dataText("code", func(c *country) string { return c.Code }),
			dataText("name", func(c *country) string { return c.Name }),
			rest.Computed(rest.Param{Name: "states", Type: rest.Array}, func(_ *rest.Encoding, c *country) any { return statesOf(c) }),
		}}
	}),
	Select: func(shop.View, *rest.Request) ([]*country, int, error) { return whole(fixtures.Countries()) },
	Find: func(_ shop.View, _ *rest.Request, code string) (*country, error) {
		if found, known := fixtures.Country(code); known {
			return found, nil
		}
		return nil, noLocation(code)
	},
}

var dataCurrencies = &rest.Resource[currency]{
	Path: "/data/currencies", Key: dataCode, Unpaged: true,
	Name: func(c *currency) string { return c.Code },
	Record: rest.Lazily(func() *rest.Record[currency] {
		return &rest.Record[currency]{Fields: []rest.Field[currency]{
			dataText("code", func(c *currency) string { return c.Code }),
			dataText("name", func(c *currency) string { return c.Name }),
			dataText("symbol", func(c *currency) string { return c.Symbol }),
		}}
	}),
	Select: func(shop.View, *rest.Request) ([]*currency, int, error) {
		return whole(pointers(fixtures.Currencies()))
	},
	Find: findCurrency,
}

// currentCurrency is the name under which the shop's own currency is found.
const currentCurrency = "current"

func findCurrency(v shop.View, _ *rest.Request, code string) (*currency, error) {
	if code == currentCurrency {
		code = v.Config.Currency
	}
	if found, known := fixtures.Currency(code); known {
		return &found, nil
	}
	return nil, rest.Errorf(http.StatusNotFound, "shop_rest_data_invalid_currency", "There is no currency %q.", code)
}

var dataContinents = &rest.Resource[continent]{
	Path: "/data/continents", Key: dataCode, Unpaged: true,
	Name: func(c *continent) string { return strings.ToLower(c.Code) },
	Record: rest.Lazily(func() *rest.Record[continent] {
		return &rest.Record[continent]{Fields: []rest.Field[continent]{
			dataText("code", func(c *continent) string { return c.Code }),
			dataText("name", func(c *continent) string { return c.Name }),
			rest.Computed(rest.Param{Name: "countries", Type: rest.Array}, func(_ *rest.Encoding, c *continent) any {
				countries := []rest.Pairs{}
				for _, inside := range c.Countries() {
					countries = append(countries, localeOf(inside))
				}
				return countries
			}),
		}}
	}),
	Select: func(shop.View, *rest.Request) ([]*continent, int, error) {
		return whole(pointers(fixtures.Continents()))
	},
	Find: func(_ shop.View, _ *rest.Request, code string) (*continent, error) {
		for _, found := range fixtures.Continents() {
			if strings.EqualFold(found.Code, code) {
				return &found, nil
			}
		}
		return nil, noLocation(code)
	},
}

func noLocation(code string) error {
	return rest.Errorf(http.StatusNotFound, "shop_rest_data_invalid_location", "There is no place %q.", code)
}

func dataText[T any](name string, text func(*T) string) rest.Field[T] {
	return rest.TextOf(name, func(_ *rest.Encoding, row *T) string { return text(row) })
}

func whole[T any](rows []*T) ([]*T, int, error) { return rows, len(rows), nil }

func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

func statesOf(c *country) []rest.Pairs {
	states := []rest.Pairs{}
	for _, state := range c.States {
		states = append(states, rest.Pairs{{Name: "code", Value: state.Code}, {Name: "name", Value: state.Name}})
	}
	return states
}

// localeOf is a country with its habits of money and measure. One without legal tender of its own has no currency.
func localeOf(c *country) rest.Pairs {
	money, _ := fixtures.Currency(c.Currency)
	length, weight := "cm", "kg"
	if c.Imperial {
		length, weight = "in", "lbs"
	}
	return rest.Pairs{
		{Name: "code", Value: c.Code}, {Name: "name", Value: c.Name}, {Name: "currency_code", Value: c.Currency},
		{Name: "currency_pos", Value: c.Format.Position},
		{Name: "decimal_sep", Value: c.Format.Decimal}, {Name: "dimension_unit", Value: length},
		{Name: "num_decimals", Value: money.Digits},
		{Name: "thousand_sep", Value: c.Format.Thousand}, {Name: "weight_unit", Value: weight}, {Name: "states", Value: statesOf(c)},
	}
}

func dataEndpoints() []rest.Endpoint {
	index := root("/data",
		entry{"continents", "Continents with their countries: states, currency and how amounts and measures are written.",
			"/data/continents"},
		entry{"countries", "Countries with their states.", "/data/countries"},
		entry{"currencies", "Currencies with their symbols.", "/data/currencies"})
	return slices.Concat([]rest.Endpoint{index}, dataCountries.Endpoints(), dataCurrencies.Endpoints(), dataContinents.Endpoints())
}
