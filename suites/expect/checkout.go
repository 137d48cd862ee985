package expect

// Checkouts and orders that are looked up: what they tell of a payment, and how they write amounts.

import (
	"strconv"

	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
)

// payment compares what a checkout record tells of its payment with the state that it is in.
func (i *inspector) payment(checkout gjson.Result) {
	paid := checkout.Get("payment_result.payment_status").String() == "success"
	if checkout.Get("status").String() == "checkout-draft" {
		i.Checked.Add("checkout.result-after-post")
		if paid {
			i.tells("checkout.result-after-post", "payment_result.payment_status", "nobody has paid for a draft", "no success", "success")
		}
		return
	}
	if redirect := checkout.Get("payment_result.redirect_url"); paid && redirect.Exists() {
		i.Checked.Add("checkout.redirect-after-success")
		if redirect.String() == "" {
			i.tells("checkout.redirect-after-success", "payment_result.redirect_url", "after success the customer is sent nowhere",
				"an address", redirect.Raw)
		}
	}
}

// lookup looks at the amounts of an order that was looked up. Its form is not documented: they are known by the objects that hold them.
func (i *inspector) lookup(order gjson.Result, at string) {
	order.ForEach(func(key, value gjson.Result) bool {
		path := contract.JoinPath(at, key.String())
		switch {
		case value.IsObject() && (key.Str == "prices" || key.Str == "totals"):
			i.amounts(value, path)
		case value.IsObject(), value.IsArray():
			i.lookup(value, path)
		}
		return true
	})
}

// amounts looks at those amounts of an object whose names are documented of a cart.
func (i *inspector) amounts(object gjson.Result, at string) {
	i.Checked.Add("orderlookup.money")
	for _, name := range contract.StoreAmounts() {
		amount := object.Get(name)
		if !amount.Exists() || amount.Type == gjson.Null || amount.Raw == `""` { // it shows none
			continue
		}
		if _, err := strconv.ParseInt(amount.Str, 10, 64); err != nil {
			i.tells("orderlookup.money", contract.JoinPath(at, name), "the amount is no count of the smallest unit",
				"a string that holds an integer", describe(amount))
		}
	}
}

// tells reports a value that contradicts what is beside it.
func (i *inspector) tells(requirement, at, message, want, got string) {
	r, _ := contract.All().Get(requirement)
	i.report(r, at, message, want, got)
}
