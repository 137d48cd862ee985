package main

import (
	"strings"
	"testing"
)

func TestAShellIsOfferedWhatAWordMayBe(t *testing.T) {
	for want, args := range map[string][]string{
		"cleanup\t":                      {"cle"},
		"--allow-writes\t":               {"run", "--allow"},
		"cart\n":                         {"run", "--label", "ca"},
		"cart && !orders\n":              {"run", "--label", "cart && !ord"},
		"req:cart.remove-item\n":         {"list", "--label", "req:cart.remove-i"},
		"feature:coupons\n":              {"run", "--label", "feature:cou"},
		"products.create.needs-a-name\n": {"run", "--spec", "products.create.needs-a"},
		"cart.remove-item\n":             {"explain", "cart.remove-i"},
		"webhooks.listen=\n":             {"run", "--set", "webhooks.l"},
		"features.coupons=\n":            {"doctor", "--set", "features.cou"},
		"features.coupons=off\n":         {"run", "--set", "features.coupons=of"},
		"baseline=woocommerce-10\n":      {"run", "--set", "baseline="},
		"woocommerce\n":                  {"run", "--dialect", "woo"},
		"dialect=woocommerce\n":          {"run", "--set", "dialect=w"},
		"sarif,tap\n":                    {"run", "--format", "sarif,ta"},
		"github\n":                       {"merge", "--format", "gi"},
		"markdown\n":                     {"compare", "--format", "ma"},
		"html\n":                         {"matrix", "--format", "h"},
		"target\n":                       {"matrix", "--by", "t"},
		"kubernetes\n":                   {"init", "ci", "ku"},
		"auto\n":                         {"run", "--procs", "a"},
		"cart.add-item\n":                {"selftest", "--only", "cart.add-i"},
		"checkout.empty-cart:taken\n":    {"selftest", "--only", "checkout.empty-cart:"},
		"fair.currency-jpy\n":            {"selftest", "--fair", "--only", "fair.currency-j"},
		"create-field.products.sku\n":    {"selftest", "--independent", "--only", "create-field.products.sk"},
	} {
		code, out, errors := command(t, append([]string{"__complete"}, args...)...)
		if code != 0 || !strings.Contains("\n"+out, "\n"+want) {
			t.Errorf("%v: exit code %d, without %q\n%.600s%s", args, code, want, out, errors)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, out, errors := command(t, "completion", shell); code != 0 ||
			!strings.Contains(out, "__complete") {
			t.Errorf("%s: exit code %d %s%.300s", shell, code, errors, out)
		}
	}
}
