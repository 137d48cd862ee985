package expect

// Carts: what each says of all that is in it must fit what it says of its parts.

import (
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
)

// cart compares the sums of a cart with its parts. Where a part is missing or no number, its own requirement says so.
func (i *inspector) cart(cart gjson.Result, at string) {
	if !cart.Get("items").IsArray() || !cart.Get("totals").IsObject() {
		return
	}
	pieces, count, counted := piecesOf(cart.Get("items"))
	if counted && i.comes(cart, at, "cart.items-count", "items_count", count, 0, "the pieces of all items") {
		i.packages(cart, at, pieces)
	}
	i.unshipped(cart, at)
	sum, slack, parts := TotalPrice(cart.Get("totals"))
	i.comes(cart, at, "cart.total-adds-up", "totals.total_price", sum, slack, parts)
}

// piecesOf counts the pieces of items, by key and together, if each has a whole number of them.
func piecesOf(items gjson.Result) (pieces map[string]int64, count int64, counted bool) {
	pieces = map[string]int64{}
	for _, item := range items.Array() {
		quantity, err := strconv.ParseInt(item.Get("quantity").Raw, 10, 64)
		if err != nil {
			return nil, 0, false
		}
		pieces[item.Get("key").String()] += quantity
		count += quantity
	}
	return pieces, count, true
}

// packages compares the items in the packages of a cart with its items. Those that are not shipped are in none.
func (i *inspector) packages(cart gjson.Result, at string, pieces map[string]int64) {
	packed := map[string]int64{}
	for _, item := range cart.Get("shipping_rates.#.items|@flatten").Array() {
		packed[item.Get("key").String()] += item.Get("quantity").Int()
	}
	for key, count := range packed {
		if count != pieces[key] {
			i.miscalculated("cart.packages-hold-items", contract.JoinPath(at, "shipping_rates"),
				"the packages hold other items than the cart", fmt.Sprintf("%d pieces of %q", pieces[key], key),
				strconv.FormatInt(count, 10))
		}
	}
}

// unshipped: what is not shipped is in no package.
func (i *inspector) unshipped(cart gjson.Result, at string) {
	if cart.Get("needs_shipping").Type != gjson.False || !cart.Get("items.0").Exists() {
		return
	}
	i.Checked.Add("cart.unshipped-no-package")
	if count := cart.Get("shipping_rates.#").Int(); count > 0 {
		i.miscalculated("cart.unshipped-no-package", contract.JoinPath(at, "shipping_rates"), "a cart that needs no shipping has packages",
			"none", strconv.FormatInt(count, 10))
	}
}

// comes compares a number with what it is to come to, and reports whether it does, as far as it is one.
func (i *inspector) comes(cart gjson.Result, at, requirement, path string, want, slack int64, parts string) bool {
	shown := cart.Get(path)
	got, err := strconv.ParseInt(shown.String(), 10, 64)
	if err != nil {
		return true
	}
	i.Checked.Add(requirement)
	if got >= want-slack && got <= want+slack {
		return true
	}
	i.miscalculated(requirement, contract.JoinPath(at, path), "the number is not what its parts come to",
		fmt.Sprintf("%d (%s)", want, parts), shown.Raw)
	return false
}

func (i *inspector) miscalculated(requirement, at, message, want, got string) {
	r, _ := contract.All().Get(requirement)
	i.report(r, at, message, want, got)
}

// TotalPrice is what the totals of a cart come to, how many units its total_price may be off, and what it is made of.
func TotalPrice(totals gjson.Result) (sum, slack int64, parts string) {
	of := func(name string) int64 { return totals.Get(name).Int() }
	items, fees, shipping, discount, tax := of("total_items"), of("total_fees"), of("total_shipping"), of("total_discount"), of("total_tax")
	return items + fees + shipping - discount + tax, Roundings(totals),
		fmt.Sprintf("items %d + fees %d + shipping %d - discount %d + tax %d", items, fees, shipping, discount, tax)
}

// Roundings is how many units a sum of a cart's amounts may be off: where there are taxes, they are rounded each for itself, and the
// contract does not say how.
func Roundings(totals gjson.Result) int64 {
	if totals.Get("total_tax").Int() == 0 {
		return 0
	}
	return 2
}
