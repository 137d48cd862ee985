package trigger

// What records are made from.

import (
	"net/http"
	"net/url"
	"strconv"
)

// kind says how records of a resource are made, and what is changed of them where nobody says what.
type kind struct {
	collection string
	fresh      func(*run) (map[string]any, error)
	changed    map[string]any
	restored   string // the status that brings one back from the trash
}

func kindOf(resource string) kind {
	switch resource {
	case "order":
		return kind{"orders", (*run).freshOrder, map[string]any{"customer_note": "Please ring twice."}, "pending"}
	case "product":
		return kind{"products", (*run).freshProduct, map[string]any{"regular_price": "21.00"}, "publish"}
	case "customer":
		return kind{"customers", (*run).freshCustomer, map[string]any{"first_name": "Anna"}, ""}
	}
	return kind{"coupons", (*run).freshCoupon, map[string]any{"amount": "15"}, "publish"}
}

// freshOrder is an order of a customer for a product: those that come first in the shop, or new ones where it has none.
func (r *run) freshOrder() (map[string]any, error) {
	customer, err := r.first("customer", url.Values{"role": {"customer"}})
	if err != nil {
		return nil, err
	}
	product, err := r.first("product", url.Values{
		"type": {"simple"}, "status": {"publish"}, "stock_status": {"instock"}, "min_price": {"0.01"},
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"customer_id": customer["id"], "billing": customer["billing"], "shipping": customer["shipping"],
		"payment_method": "bacs", "payment_method_title": "Bank transfer",
		"line_items": []any{map[string]any{"product_id": product["id"], "quantity": 1}},
	}, nil
}

// first returns the oldest record that is meant, or makes one.
func (r *run) first(resource string, meant url.Values) (map[string]any, error) {
	kind := kindOf(resource)
	for name, value := range map[string]string{"orderby": "id", "order": "asc", "per_page": "1"} {
		meant.Set(name, value)
	}
	found, err := r.staff(http.MethodGet, kind.collection+"?"+meant.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if record, some := found.Get("0").Value().(map[string]any); some {
		return record, nil
	}
	body, err := kind.fresh(r)
	if err != nil {
		return nil, err
	}
	made, err := r.make(resource, body)
	record, _ := made.Value().(map[string]any)
	return record, err
}

func (r *run) freshProduct() (map[string]any, error) {
	return map[string]any{"name": "Product " + next(r.shop.View.LastID.Post), "regular_price": "19.00"}, nil
}

func (r *run) freshCustomer() (map[string]any, error) {
	address := map[string]any{"first_name": "Ann", "last_name": "Example", "address_1": "1 Main Street", "city": "Springfield",
		"postcode": "12345", "country": r.shop.View.Config.Country, "state": r.shop.View.Config.State, "phone": "555-0100"}
	email := "customer-" + next(r.shop.View.LastID.Customer) + "@example.test"
	billing := map[string]any{"email": email}
	for name, value := range address {
		billing[name] = value
	}
	return map[string]any{"email": email, "first_name": "Ann", "last_name": "Example", "billing": billing, "shipping": address}, nil
}

func (r *run) freshCoupon() (map[string]any, error) {
	return map[string]any{"code": "coupon-" + next(r.shop.View.LastID.Post), "discount_type": "percent", "amount": "10"}, nil
}

// next makes names that are free: by the id that the next record gets.
func next(last int64) string { return strconv.FormatInt(last+1, 10) }
