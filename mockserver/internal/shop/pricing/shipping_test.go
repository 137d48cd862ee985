package pricing

import (
	"strings"
	"testing"
)

func TestCostFormulas(t *testing.T) {
	for _, test := range []struct {
		formula string
		cost    string // "" for one that cannot be read
	}{
		{"5", "5"},
		{"5 + 2*[qty]", "11"},
		{"(5+2) * [qty]", "21"},
		{"[cost] / 4", "10"},
		{"2 + 4*[weight]", "8"},
		{"10 - 2 - 3", "5"},
		{"-[qty] + 10", "7"},
		{`[fee percent="10" min_fee="4"]`, "4"},
		{`[fee percent="20" min_fee="4"]`, "8"},
		{`[fee percent='50' max_fee="6.5"]`, "6.5"},
		{`3 + [fee percent="10" min_fee="" max_fee=""]`, "7"},
		{"2 - 5", "0"},
		{"", ""},
		{"five", ""},
		{"5 +", ""},
		{"5 5", ""},
		{"(5", ""},
		{"5)", ""},
		{"1 / 0", ""},
		{"1 / (2-2)", ""},
		{"[nope]", ""},
		{"[qty", ""},
		{`[fee percent=10]`, ""},
		{"1e9", ""},
		{strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200), ""},
		{strings.Repeat("-", 250) + "1", ""},
		{strings.Repeat("1+", 500) + "1", ""},
	} {
		cost, ok := evaluateCost(test.formula, load{3, amount("40"), amount("1.5")})
		if ok != (test.cost != "") || ok && !cost.Equal(amount(test.cost)) {
			t.Errorf("%.40q: got %s, %v", test.formula, cost, ok)
		}
	}
}

func FuzzCostFormula(f *testing.F) {
	f.Add(`5 + 2*[qty] / (3 - [cost]) [fee percent="10" min_fee="4"]`)
	f.Fuzz(func(t *testing.T, formula string) {
		if cost, _ := evaluateCost(formula, load{3, amount("40"), amount("1.5")}); cost.IsNegative() {
			t.Errorf("%q costs %s", formula, cost)
		}
	})
}

func TestShippingMethods(t *testing.T) {
	sums := &contents{
		load: load{3, amount("40"), amount("7")}, order: amount("40"), undiscounted: amount("50"),
		classes: []classLoad{{0, load{1, amount("10"), amount("5")}}, {7, load{2, amount("30"), amount("2")}}},
	}
	withCoupon := *sums
	withCoupon.freeByCoupon = true
	type settings map[string]string
	for _, test := range []struct {
		method   string
		settings settings
		contents *contents
		cost     string // "" if not offered
	}{
		{FlatRate, settings{"cost": "5"}, sums, "5"},
		{FlatRate, settings{}, sums, ""},
		{FlatRate, settings{"cost": "nonsense"}, sums, ""},
		{FlatRate, settings{"cost": "5", "class_cost_7": "2*[qty]", "no_class_cost": "1"}, sums, "10"},
		{FlatRate, settings{"cost": "5", "class_cost_7": "2*[qty]", "no_class_cost": "1", "type": "order"}, sums, "9"},
		{FlatRate, settings{"class_cost_7": `[fee percent="10"]`}, sums, "3"},
		{FlatRate, settings{"cost": "0.5*[weight]", "no_class_cost": "[weight]", "class_cost_7": "10*[weight]"}, sums, "28.5"},
		{LocalPickup, settings{}, sums, "0"},
		{LocalPickup, settings{"cost": "2"}, sums, "2"},
		{FreeShipping, settings{}, sums, "0"},
		{FreeShipping, settings{"requires": "coupon"}, sums, ""},
		{FreeShipping, settings{"requires": "coupon"}, &withCoupon, "0"},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "40"}, sums, "0"},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "45"}, sums, ""},
		{FreeShipping, settings{"requires": "min_amount", "min_amount": "45", "ignore_discounts": "yes"}, sums, "0"},
		{FreeShipping, settings{"requires": "either", "min_amount": "45"}, &withCoupon, "0"},
		{FreeShipping, settings{"requires": "both", "min_amount": "45"}, &withCoupon, ""},
		{FreeShipping, settings{"requires": "both", "min_amount": "40"}, &withCoupon, "0"},
		{"carrier pigeon", settings{"cost": "1"}, sums, ""},
	} {
		method := Method{MethodID: test.method, Settings: test.settings}
		cost, offered := method.costOf(test.contents)
		if offered != (test.cost != "") || offered && !cost.Equal(amount(test.cost)) {
			t.Errorf("%s %v: got %s, %v", test.method, test.settings, cost, offered)
		}
	}
}
