package contract_test

// The catalogue compared with what the contract's own tables and lists document: a field that is missing in the catalogue's tables
// would be invisible to the specs and to the defects alike, since both are made from them.

import (
	"slices"
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/contract/documented"
)

func shapes() []*contract.Shape {
	return []*contract.Shape{contract.Product(), contract.Variation(), contract.Order(), contract.Customer(), contract.CustomerDownload(),
		contract.Cart(), contract.CartItem(), contract.ShippingPackage(), contract.ShippingRate(), contract.Checkout(),
		contract.StoreProduct(), contract.LoginToken(), contract.ErrorEnvelope()}
}

// apart lists fields of which text and catalogue differ on purpose, and why.
func apart() map[string]string {
	return map[string]string{
		"variation.id":                         "the address of a variation needs it, although the contract's list of its fields does not",
		"shipping-package.destination.company": "a destination is without names, and a company's is one",
		"error.data.params":                    "only of some codes: errors.params checks it",
		"error.data.resource_id":               "only of a duplicate SKU: errors.resource-id checks it",
		"error.data.cart":                      "only of a 409: errors.cart-on-conflict checks it",
		"checkout.__experimentalCart.items":    "named in the notes: at least items and totals",
		"checkout.__experimentalCart.totals":   "named in the notes: at least items and totals",
	}
}

func TestEveryDocumentedFieldIsInItsShape(t *testing.T) {
	records := documented.Load().Records
	for _, shape := range shapes() {
		t.Run(shape.ID, func(t *testing.T) {
			want := map[string]documented.Field{}
			for _, f := range records[shape.ID] {
				want[f.Path] = f
			}
			if len(want) == 0 {
				t.Fatal("the contract documents no such record")
			}
			got := map[string]bool{}
			shape.Walk(func(p contract.Place) {
				if p.Owner != shape {
					return
				}
				got[p.Path] = true
				f, known := want[p.Path]
				switch {
				case !known && p.Field.Absent: // named in the notes, of what the record does not have
				case !known && shape == contract.StoreProduct() && strings.Contains(p.Path, ".#."): // documented of other records
				case !known && apart()[shape.ID+"."+p.Path] == "":
					t.Errorf("%s is in the catalogue, and not documented", p.Path)
				case known:
					compareField(t, shape, p.Field, f)
				}
				if item, ok := want[p.Path+".#"]; ok {
					got[item.Path] = true
					if string(p.Field.Items) != item.Type {
						t.Errorf("the items of %s are documented as %q, the catalogue has %q", p.Path, item.Type, p.Field.Items)
					}
				}
			})
			for path := range want {
				if !got[path] && apart()[shape.ID+"."+path] == "" {
					t.Errorf("%s is documented, and not in the catalogue", path)
				}
			}
		})
	}
}

func compareField(t *testing.T, shape *contract.Shape, got contract.Field, want documented.Field) {
	t.Helper()
	if want.Type != "" && string(got.Kind) != want.Type {
		t.Errorf("%s is documented as %q, the catalogue has %q", want.Path, want.Type, got.Kind)
	}
	if want.Nullable && !got.Nullable {
		t.Errorf("%s may be null, says the contract", want.Path)
	}
	level := reports.Must
	if want.Sample || shape == contract.StoreProduct() {
		level = reports.Should
	}
	if got.Level != level {
		t.Errorf("%s is %s in the catalogue, the contract says %s", want.Path, got.Level, level)
	}
	for _, value := range want.Values {
		if len(got.Enum) == 0 || !slices.Contains(got.Enum, value) {
			t.Errorf("%s may be %q, the catalogue has %q", want.Path, value, got.Enum)
		}
	}
}

func TestEveryDocumentedParameterIsInItsList(t *testing.T) {
	for _, c := range contract.ManagementLists() {
		t.Run(c.ID, func(t *testing.T) {
			want := documented.Load().Lists[c.ID]
			for _, f := range want {
				p := c.Parameter(f.Path)
				if p.Name == "" {
					t.Errorf("%s is documented, and not in the catalogue", f.Path)
					continue
				}
				if f.Type != "" && string(p.Kind) != f.Type {
					t.Errorf("%s is documented as %s, the catalogue has %s", f.Path, f.Type, p.Kind)
				}
				if p.Default != f.Default || p.Max != f.Max {
					t.Errorf("%s has the default %q and the maximum %d, the catalogue has %q and %d", f.Path, f.Default, f.Max,
						p.Default, p.Max)
				}
				// A draft of a checkout is "not yet a real order": whether a list can be narrowed to drafts is left open.
				values := slices.DeleteFunc(slices.Clone(f.Values), func(v string) bool { return v == "checkout-draft" })
				if len(values) > 0 && !slices.Equal(sorted(values), sorted(p.Enum)) {
					t.Errorf("%s may be %q, the catalogue has %q", f.Path, values, p.Enum)
				}
			}
			for _, p := range c.Parameters {
				if !slices.ContainsFunc(want, func(f documented.Field) bool { return f.Path == p.Name }) {
					t.Errorf("%s is in the catalogue, and not documented", p.Name)
				}
			}
		})
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func TestEveryDocumentedCodeIsInTheTable(t *testing.T) {
	want := documented.Load().Codes
	for _, code := range want {
		got, known := contract.ErrorCodeFor(code.Code)
		if !known || !slices.Equal(got.Statuses, code.Statuses) {
			t.Errorf("%s is answered with %v, the catalogue has %v", code.Code, code.Statuses, got.Statuses)
		}
	}
	for _, got := range contract.ErrorCodes() {
		if !slices.ContainsFunc(want, func(c documented.Code) bool { return c.Code == got.Code }) {
			t.Errorf("%s is in the catalogue, and not documented", got.Code)
		}
	}
}

// What a client may write has a requirement that it is stored.
func TestEveryDocumentedInputHasARequirement(t *testing.T) {
	elsewhere := map[string]string{
		"POST /shop/v3/orders set_paid":     "orders.create.set-paid",
		"POST /shop/v3/orders coupon_lines": "orders.create.coupon-lines",
		"POST /shop/v3/customers password":  "customers.password-accepted",
	}
	for _, collection := range []string{"products", "orders", "customers"} {
		endpoint := "POST /shop/v3/" + collection
		for _, f := range documented.Load().Inputs[endpoint] {
			if strings.Contains(f.Path, ".") {
				continue
			}
			id := collection + ".create.field." + f.Path
			if other := elsewhere[endpoint+" "+f.Path]; other != "" {
				id = other
			}
			if r, known := contract.All().Get(id); !known || r.Level == reports.Should {
				t.Errorf("%s takes %s: the catalogue has no binding %s", endpoint, f.Path, id)
			}
		}
	}
}

func TestEveryDocumentedHeaderHasARequirement(t *testing.T) {
	sentByClients := []string{"Authorization"}
	for _, name := range documented.Load().Headers {
		if !slices.Contains(sentByClients, name) &&
			!stated(func(statement string) bool { return slices.Contains(words(statement), name) }) {
			t.Errorf("no requirement is about the header %s", name)
		}
	}
}

func TestEveryDocumentedEndpointHasARequirement(t *testing.T) {
	known := map[string]bool{}
	for _, o := range contract.Operations() {
		known[o.Endpoint] = true
	}
	d := documented.Load()
	for _, o := range contract.Operations() {
		if !slices.Contains(d.Endpoints, o.Endpoint) {
			t.Errorf("%s is in the catalogue, and not documented", o.Endpoint)
		}
	}
	for _, endpoint := range d.Endpoints {
		if !known[endpoint] && len(contract.Sightings(endpoint)) == 0 && !addressed(endpoint) {
			t.Errorf("no requirement is about %s", endpoint)
		}
	}
	for _, root := range d.Roots {
		if !addressed("GET " + root) {
			t.Errorf("no requirement is about the root %s", root)
		}
	}
}

// addressed reports whether a requirement names the endpoint, whole or below its namespace.
func addressed(endpoint string) bool {
	method, path, _ := strings.Cut(endpoint, " ")
	short := method + " " + strings.TrimPrefix(path, "/shop/store/v1/")
	return stated(func(statement string) bool {
		return slices.Contains(words(statement), path) || strings.Contains(statement+" ", short+" ") ||
			strings.Contains(statement, short+"?")
	})
}

func stated(test func(statement string) bool) bool {
	return slices.ContainsFunc(contract.All().List(), func(r contract.Requirement) bool { return test(r.Statement) })
}

func words(statement string) []string {
	return strings.FieldsFunc(statement, func(r rune) bool { return strings.ContainsRune(" ,:;().", r) })
}
