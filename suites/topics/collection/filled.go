package collection

// Records of which all is set that can be.

import (
	"context"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// filledProduct are values of a product that are no defaults.
func filledProduct(env *Env) func(ctx context.Context) Fields {
	return func(ctx context.Context) Fields {
		category, _ := env.SharedTerms(ctx, "categories")
		tag, _ := env.SharedTerms(ctx, "tags")
		return Fields{"regular_price": "20.50", "sale_price": "15.25", "description": "Long text of shopcheck",
			"short_description": "Short text of shopcheck", "manage_stock": true, "stock_quantity": 7, "featured": true,
			"catalog_visibility": "search", "weight": "1.5", "dimensions": Fields{"length": "1", "width": "2", "height": "3"},
			"menu_order": 7, "sold_individually": true, "status": "private", "tax_status": "none",
			"categories": []Fields{{"id": category.ID}}, "tags": []Fields{{"id": tag.ID}}}
	}
}

// filledOrder are values of an order that are no defaults.
func filledOrder(env *Env) func(ctx context.Context) Fields {
	return func(ctx context.Context) Fields {
		method := OtherThan(env.PaymentMethod(), append(env.Profile().PaymentMethods, "bacs", "cod")...)
		filled := Fields{"payment_method": method, "payment_method_title": "By cheque", "status": "completed",
			"billing": Moved(env.Billing()), "shipping": Moved(env.Shipping()), "customer_note": "By the back door",
			"transaction_id": "sc-1234", "shipping_lines": ShippedTwice(), "fee_lines": Fees()}
		if env.Offers(contract.FeatureCustomers) {
			filled["customer_id"] = env.SharedCustomer(ctx).ID()
		}
		return filled
	}
}

// couponLines are the coupon lines of an order. Batches go without: not every shop makes such orders by them.
func couponLines(env *Env) func() Fields {
	return func() Fields {
		code := env.Profile().Coupon.Code
		if code == "" {
			return nil
		}
		return Fields{"coupon_lines": []Fields{{"code": code}}}
	}
}

// filledCustomer are values of a customer that are no defaults.
func filledCustomer(env *Env) func(ctx context.Context) Fields {
	return func(context.Context) Fields {
		return Fields{"first_name": "Ada", "last_name": "Lovelace", "billing": env.Billing(), "shipping": env.Shipping()}
	}
}

// ShippedTwice are two shipping lines, told apart in all that a body may say of them; one costs more than a thousand, where shops may
// separate digits.
func ShippedTwice() []Fields {
	return []Fields{{"method_id": "flat_rate", "method_title": "By courier", "total": "1205.00"},
		{"method_id": "local_pickup", "method_title": "By bicycle", "total": "2.25"}}
}

// Fees are two fees.
func Fees() []Fields {
	return []Fields{{"name": "Wrapping", "total": "2.00"}, {"name": "Ribbon", "total": "1.50"}}
}
