package advice

// The rule for amounts in the wrong unit.

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing"
)

// judgeAmounts looks at amounts that a client gives, beside those of the shop.
func (c *client) judgeAmounts(x *exchange) {
	if x.sentSize == 0 || !x.good() || x.r.Method != http.MethodPost && x.r.Method != http.MethodPut {
		return
	}
	_, within, _ := strings.Cut(strings.TrimPrefix(x.r.URL.Path, manageRoot), "/")
	switch collection, id, _ := strings.Cut(within, "/"); {
	case collection == "orders" && (id == "" || isNumber(id)):
		c.judgeLines(x)
	case collection == "products" && isNumber(id):
		c.judgePrice(x, int64(numberOf(id)))
	}
}

const mostLines = 100 // of an order that are looked at

func (c *client) judgeLines(x *exchange) {
	lines := gjson.GetBytes(x.sent, "line_items").Array()
	for _, line := range lines[:min(len(lines), mostLines)] {
		id := line.Get("variation_id").Int()
		if id == 0 {
			id = line.Get("product_id").Int()
		}
		product, err := x.before.Sellable(id)
		if err != nil || !product.Prices.Set {
			continue
		}
		usual := product.Prices.Min.Mul(decimal.NewFromInt(max(1, line.Get("quantity").Int())))
		for _, name := range []string{"subtotal", "total"} {
			if given := line.Get(name); given.Exists() {
				c.compare(x, "line_items."+name, given.String(), usual)
			}
		}
	}
}

func (c *client) judgePrice(x *exchange, id int64) {
	product, err := x.before.Product(id)
	if err != nil {
		return
	}
	usual, priced := pricing.ParseAmount(product.RegularPrice)
	if given := gjson.GetBytes(x.sent, "regular_price"); priced && given.Exists() {
		c.compare(x, "regular_price", given.String(), usual)
	}
}

// compare looks whether an amount is another one in the wrong unit. An amount that nobody can read was refused already.
func (c *client) compare(x *exchange, name, text string, usual decimal.Decimal) {
	given, err := decimal.NewFromString(text)
	if err != nil || !given.IsPositive() || !usual.IsPositive() || len(text) > maxText {
		return
	}
	c.chance(amountUnit)
	unit := x.before.Config.Decimals
	if unit > 0 && (given.Equal(usual.Shift(unit)) || usual.Equal(given.Shift(unit))) {
		c.earn(x, amountUnit, name+" is "+text+", where the shop's prices make "+usual.StringFixed(unit), x.asProof())
	}
}
