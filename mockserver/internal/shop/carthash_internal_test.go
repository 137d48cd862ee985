package shop

import (
	"reflect"
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

// TestTheHashCoversWhatTheLinesOfAnOrderAreMadeFrom changes each field of all that a cart costs, also those that are added one day.
func TestTheHashCoversWhatTheLinesOfAnOrderAreMadeFrom(t *testing.T) {
	t.Parallel()
	taxes := func() []pricing.LineTax { return []pricing.LineTax{{RateID: 1}} }
	q := &CartQuote{
		Items: []CartItemQuote{{Key: "k", Product: &Product{Name: "Shirt", SKU: "s"}, Quantity: 1,
			QuotedLine: &pricing.QuotedLine{Taxes: taxes()}}},
		Quote: &Quote{
			Quote: &pricing.Quote{Packages: []pricing.Package{
				{Rates: []pricing.ShippingRate{{ID: "flat:1", Taxes: taxes(), Selected: true}}},
			}},
			Taxes: []TaxLine{{RateID: 1}}, Coupons: []QuotedCoupon{{Coupon: &Coupon{Code: "c"}}},
		},
	}
	item, rate := &q.Items[0], &q.Packages[0].Rates[0]
	for name, c := range map[string]struct {
		of     any
		ignore []string // Selected chooses the rate, and a quote's taxes have no ids yet
	}{
		"line": {item.QuotedLine, nil}, "tax of a line": {&item.Taxes[0], nil},
		"rate": {rate, []string{"Selected"}}, "tax of a rate": {&rate.Taxes[0], nil},
		"tax": {&q.Taxes[0], []string{"ID"}}, "discount": {&q.Coupons[0], nil},
	} {
		for field, value := range reflect.ValueOf(c.of).Elem().Fields() {
			before, was := q.hash(), reflect.New(value.Type()).Elem()
			was.Set(value)
			if !changeValue(value) || len(c.ignore) > 0 && c.ignore[0] == field.Name {
				value.Set(was)
				continue
			}
			if q.hash() == before {
				t.Errorf("the hash does not change with the %s of a %s", field.Name, name)
			}
			value.Set(was)
		}
	}
	for name, value := range map[string]any{"key": &item.Key, "quantity": &item.Quantity, "name": &item.Product.Name,
		"SKU": &item.Product.SKU, "total": &q.Totals.Total, "code of the coupon": &q.Coupons[0].Coupon.Code} {
		before := q.hash()
		if changeValue(reflect.ValueOf(value).Elem()); q.hash() == before {
			t.Errorf("the hash does not change with the %s", name)
		}
	}
}

// changeValue makes another value of one, and reports whether it could.
func changeValue(value reflect.Value) bool {
	switch old := value.Interface().(type) {
	case Amount:
		value.Set(reflect.ValueOf(old.Add(pricing.AmountOf("0.01"))))
	case string:
		value.SetString(old + "x")
	case int64:
		value.SetInt(old + 1)
	case bool:
		value.SetBool(!old)
	default:
		return false
	}
	return true
}
