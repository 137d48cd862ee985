package management

import (
	"net/http"
	"slices"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

type (
	taxRateRow  = shop.TaxRate
	taxClassRow = shop.TaxClass
)

// Tax rates (the contract names the collection; its fields are those of a live shop).
var taxRates = &rest.Resource[taxRateRow]{
	Path:    "/taxes",
	Record:  taxRateFields,
	Name:    func(t *taxRateRow) string { return rest.IDText(t.ID) },
	Filters: taxRateFilters,
	Select:  selectTaxRates,
	Find:    rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*taxRateRow, error) { return v.TaxRateByID(id) }),
	New: func(*shop.Tx, *rest.Request) (*taxRateRow, error) {
		return &taxRateRow{Priority: 1, Shipping: true}, nil
	},
	Create: func(tx *shop.Tx, t *taxRateRow, _ rest.Args) error { return t.Create(tx) },
	Save:   func(tx *shop.Tx, t, _ *taxRateRow, _ rest.Args) error { return t.Save(tx) },
	Delete: func(tx *shop.Tx, t *taxRateRow, _ rest.Args) error { return t.Delete(tx) },
}

var taxRateFields = rest.Lazily(func() *rest.Record[taxRateRow] {
	return &rest.Record[taxRateRow]{Fields: []rest.Field[taxRateRow]{
		rest.Int("id", func(t *taxRateRow) *int64 { return &t.ID }, rest.ReadOnly),
		rest.Text("country", func(t *taxRateRow) *string { return &t.Country }, rest.About("ISO 3166-1 alpha-2 code; empty: everywhere.")),
		rest.Text("state", func(t *taxRateRow) *string { return &t.State }),
		joined("postcode", func(t *taxRateRow) *[]string { return &t.Postcodes }),
		joined("city", func(t *taxRateRow) *[]string { return &t.Cities }),
		rest.NewField(rest.Param{Name: "rate", Type: rest.String, Description: "Percent."},
			func(_ *rest.Encoding, b []byte, t *taxRateRow) []byte {
				return appendMoney(b, pricing.AmountOf(t.Rate), ratePlaces)
			},
			func(_ *rest.Decoding, t *taxRateRow, value any) error { t.Rate = value.(string); return nil }),
		rest.Text("name", func(t *taxRateRow) *string { return &t.Name }),
		rest.Int(
			"priority",
			func(t *taxRateRow) *int64 { return &t.Priority },
			rest.Default(int64(1)),
			rest.About("One matching rate of each priority applies."),
		),
		rest.Flag("compound", func(t *taxRateRow) *bool { return &t.Compound }, rest.Default(false)),
		rest.Flag("shipping", func(t *taxRateRow) *bool { return &t.Shipping }, rest.Default(true)),
		rest.Int("order", func(t *taxRateRow) *int64 { return &t.Order }),
		rest.NewField(rest.Param{Name: "class", Type: rest.String, Default: shop.StandardTaxClass}, encodeRateClass,
			func(_ *rest.Decoding, t *taxRateRow, value any) error { t.Class = value.(string); return nil }),
		rest.Texts("postcodes", func(t *taxRateRow) *[]string { return &t.Postcodes }),
		rest.Texts("cities", func(t *taxRateRow) *[]string { return &t.Cities }),
	}}
})

// ratePlaces is how many decimals percentages are shown with.
const ratePlaces = 4

// joined is a list as one text with semicolons between its items: the older form of postcodes and cities.
func joined(name string, at func(*taxRateRow) *[]string) rest.Field[taxRateRow] {
	return rest.NewField(rest.Param{Name: name, Type: rest.String},
		func(_ *rest.Encoding, b []byte, t *taxRateRow) []byte {
			return rest.AppendString(b, strings.Join(*at(t), ";"))
		},
		func(_ *rest.Decoding, t *taxRateRow, value any) error {
			*at(t) = strings.FieldsFunc(value.(string), func(r rune) bool { return r == ';' })
			return nil
		})
}

func encodeRateClass(_ *rest.Encoding, b []byte, t *taxRateRow) []byte {
	if t.Class == "" {
		return rest.AppendString(b, shop.StandardTaxClass)
	}
	return rest.AppendString(b, t.Class)
}

func taxRateFilters() []rest.Param {
	return []rest.Param{
		rest.Direction("asc"),
		{Name: "orderby", Type: rest.String, Default: "order", Enum: []string{"id", "order", "priority"}},
		{Name: "class", Type: rest.String, Description: "Only rates of the tax class."},
	}
}

var taxRateOrders = map[string]*state.Ordered[*taxRateRow]{"order": shop.TaxRates.ByOrder, "priority": shop.TaxRates.ByPriority}

func selectTaxRates(v shop.View, r *rest.Request) ([]*taxRateRow, int, error) {
	c := conditions[*taxRateRow]{args: r.Args}
	c.taxClass("class", shop.TaxRates.Class)
	return listed(r, &v.TaxRates, taxRateOrders[r.Args.String("orderby")], c.where)
}

// Tax classes go by their slug, and are made and deleted only. They do not link to themselves.
var taxClasses = &rest.Resource[taxClassRow]{
	Path:   "/taxes/classes",
	Key:    `[^/]+`,
	NoSelf: true,
	Name:   func(c *taxClassRow) string { return c.Slug },
	Record: rest.Lazily(func() *rest.Record[taxClassRow] {
		return &rest.Record[taxClassRow]{Fields: []rest.Field[taxClassRow]{
			rest.Text("slug", func(c *taxClassRow) *string { return &c.Slug }, rest.ReadOnly),
			rest.Text("name", func(c *taxClassRow) *string { return &c.Name }, rest.Required),
		}}
	}),
	Select: func(v shop.View, r *rest.Request) ([]*taxClassRow, int, error) {
		rows := slices.Collect(v.TaxClasses.All())
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find:   func(v shop.View, _ *rest.Request, slug string) (*taxClassRow, error) { return v.TaxClassBySlug(slug) },
	New:    func(*shop.Tx, *rest.Request) (*taxClassRow, error) { return new(taxClassRow), nil },
	Create: func(tx *shop.Tx, c *taxClassRow, _ rest.Args) error { return c.Create(tx) },
	Delete: func(tx *shop.Tx, c *taxClassRow, _ rest.Args) error { return c.Delete(tx) },
}

// taxClassEndpoints are those of the resource, but that, as live shops do, one class is shown as a list of one, and that one
// which is made or deleted shows its name first.
func taxClassEndpoints() []rest.Endpoint {
	endpoints := taxClasses.Endpoints()
	changing := recorded(taxClasses, taxClasses.Record.Pick(nil, "name", "slug")).Endpoints()
	for i := range endpoints {
		switch reads := endpoints[i].Methods[0] == http.MethodGet; {
		case !reads:
			endpoints[i] = changing[i]
		case strings.Contains(endpoints[i].Path, "{id:"):
			endpoints[i].Do = asList(endpoints[i].Do)
		}
	}
	return endpoints
}

// asList shows a record as a list of one.
func asList(retrieve func(*rest.Request) (rest.Answer, error)) func(*rest.Request) (rest.Answer, error) {
	return func(r *rest.Request) (rest.Answer, error) {
		answer, err := retrieve(r)
		if err != nil {
			return answer, err
		}
		return rest.OK([]any{answer.Body})
	}
}
