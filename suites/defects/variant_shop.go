package defects

// Variants of the shop itself: its settings, what it sells by, what is in it already, and what others do in it meanwhile.

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"shopcheck/suites/profile"
)

func shopVariants() []Variant {
	return []Variant{
		{ID: "fair.currency-jpy", What: "Prices are in yen, which has no smaller unit.", prepare: priced("JPY", "0")},
		{ID: "fair.currency-kwd", What: "Prices are in Kuwaiti dinars, which have three decimals.", prepare: priced("KWD", "3")},
		{ID: "fair.currency-eur", What: "Prices are in euros, written as in France.", prepare: setTo(
			"general/shop_currency", "EUR", "general/shop_currency_pos", "right_space", "general/shop_price_thousand_sep", " ",
			"general/shop_price_decimal_sep", ",")},
		{ID: "fair.no-taxes", What: "No taxes are charged.", prepare: setTo("general/shop_calc_taxes", "no")},
		{ID: "fair.prices-include-tax", What: "Prices include taxes.",
			prepare: setTo("general/shop_calc_taxes", "yes", "tax/shop_prices_include_tax", "yes")},
		{ID: "fair.prices-shown-with-tax", What: "Prices are kept without taxes and shown with them.",
			prepare: setTo("general/shop_calc_taxes", "yes", "tax/shop_tax_display_cart", "incl")},
		{ID: "fair.taxes-inclusive-yen", What: "Prices are in yen, with taxes in them and shown with them.",
			prepare: inTurn(priced("JPY", "0"),
				setTo("general/shop_calc_taxes", "yes", "tax/shop_prices_include_tax", "yes", "tax/shop_tax_display_cart", "incl"))},
		{ID: "fair.taxes-rounded-once", What: "Taxes follow the shop's own address and are rounded once.",
			prepare: setTo("general/shop_calc_taxes", "yes", "tax/shop_tax_based_on", "base", "tax/shop_tax_round_at_subtotal", "yes")},
		{ID: "fair.country-de", What: "The shop is in Germany, and new customers are taken to be there.",
			prepare: setTo("general/shop_default_country", "DE:BE", "general/shop_default_customer_address", "base")},
		{ID: "fair.one-country", What: "Only customers in the United States may buy.",
			prepare: setTo("general/shop_allowed_countries", "specific", "general/shop_specific_allowed_countries", "US")},
		{ID: "fair.units", What: "Weights are in pounds, lengths in inches.",
			prepare: setTo("products/shop_weight_unit", "lbs", "products/shop_dimension_unit", "in")},
		{ID: "fair.sold-out-hidden", What: "What is sold out is not shown, and stock is held for no time.",
			prepare: setTo("products/shop_hide_out_of_stock_items", "yes", "products/shop_hold_stock_minutes", "0")},
		{ID: "fair.coupons-in-turn", What: "Later coupons see what earlier ones left.",
			prepare: setTo("general/shop_calc_discounts_sequentially", "yes")},
		{ID: "fair.no-reviews", What: "The shop shows no reviews.", prepare: setTo("products/shop_enable_reviews", "no")},
		{ID: "fair.payment-cash-only", What: "Customers pay cash on delivery only.", prepare: payable("cod"), adapt: payingBy("cod")},
		{ID: "fair.payment-gateway-only", What: "Customers pay by a gateway only.", prepare: payable("mockpay"),
			adapt: func(p *profile.Profile) {
				p.PaymentMethods = []string{"mockpay"}
			}},
		{ID: "fair.free-shipping-only", What: "Shipping is free, always.", prepare: freeShipping},
		{ID: "fair.webhooks", What: "Others have webhooks that nobody answers.", prepare: withWebhooks},
		{ID: "fair.many-records", What: "There are 10 000 products and 50 000 orders already.", prepare: crowded(10_000, 50_000)},
		{ID: "fair.other-people", What: "Other people buy, and others change the catalogue meanwhile.", around: otherPeople},
		{ID: "fair.base-path", What: "The API's root is below /api.", base: "/api"},
		{ID: "fair.base-path-deep", What: "The API's root is several levels down.", base: "/en-gb/shop.test/api"},
	}
}

// inTurn prepares one thing after the other.
func inTurn(steps ...func(manager) error) func(manager) error {
	return func(m manager) error {
		for _, step := range steps {
			if err := step(m); err != nil {
				return err
			}
		}
		return nil
	}
}

// setTo changes settings: path below /settings and value in turn.
func setTo(pairs ...string) func(manager) error {
	return func(m manager) error {
		for i := 0; i < len(pairs); i += 2 {
			if _, err := m.ask(http.MethodPut, "/settings/"+pairs[i], map[string]any{"value": pairs[i+1]}); err != nil {
				return err
			}
		}
		return nil
	}
}

func priced(currency, decimals string) func(manager) error {
	return setTo("general/shop_currency", currency, "general/shop_price_num_decimals", decimals)
}

// payable leaves one payment method on.
func payable(method string) func(manager) error {
	return func(m manager) error {
		for _, other := range []string{"bacs", "cheque", "cod", "mockpay"} {
			if _, err := m.ask(http.MethodPut, "/payment_gateways/"+other, map[string]any{"enabled": other == method}); err != nil {
				return err
			}
		}
		return nil
	}
}

// payingBy knows the method, and of none that fails.
func payingBy(method string) func(*profile.Profile) {
	return func(p *profile.Profile) {
		p.PaymentMethods, p.FailingPayment = []string{method}, profile.FailingPayment{}
	}
}

// freeShipping leaves one free method in every zone.
func freeShipping(m manager) error {
	zones, err := m.ask(http.MethodGet, "/shipping/zones", nil)
	if err != nil {
		return err
	}
	for _, zone := range ids(zones) {
		at := "/shipping/zones/" + zone + "/methods"
		methods, err := m.ask(http.MethodGet, at, nil)
		if err != nil {
			return err
		}
		for _, method := range idsOf(methods, "instance_id") {
			if _, err := m.ask(http.MethodDelete, at+"/"+method+"?force=true", nil); err != nil {
				return err
			}
		}
		if _, err := m.ask(http.MethodPost, at, map[string]any{"method_id": "free_shipping"}); err != nil {
			return err
		}
	}
	return nil
}

func ids(list *answer) []string { return idsOf(list, "id") }

func idsOf(list *answer, name string) []string {
	var out []string
	records, _ := list.tree().([]any)
	for _, record := range records {
		if object, ok := record.(map[string]any); ok {
			out = append(out, textOf(object[name]))
		}
	}
	return out
}

func withWebhooks(m manager) error {
	for _, topic := range []string{"order.created", "order.updated", "product.created", "product.updated", "customer.created",
		"coupon.created"} {
		if _, err := m.ask(http.MethodPost, "/webhooks",
			map[string]any{"topic": topic, "name": "of others", "delivery_url": "http://127.0.0.1:9/"}); err != nil {
			return err
		}
	}
	return nil
}

const batchSize = 100

// crowded fills the shop with records of others.
func crowded(products, orders int) func(manager) error {
	fill := func(m manager, path string, count int, record func(n int) map[string]any) error {
		for n := 0; n < count; n += batchSize {
			var records []any
			for i := n; i < min(count, n+batchSize); i++ {
				records = append(records, record(i))
			}
			if _, err := m.ask(http.MethodPost, path+"/batch", map[string]any{"create": records}); err != nil {
				return err
			}
		}
		return nil
	}
	return func(m manager) error {
		err := fill(m, "/products", products, func(n int) map[string]any {
			return map[string]any{"name": fmt.Sprintf("Stock item %d", n), "sku": fmt.Sprintf("STOCK-%d", n),
				"regular_price": fmt.Sprintf("%d.50", n%90+1)}
		})
		if err != nil {
			return err
		}
		statuses := []string{"pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed"}
		return fill(m, "/orders", orders, func(n int) map[string]any {
			return map[string]any{"status": statuses[n%len(statuses)],
				"billing":    map[string]any{"email": fmt.Sprintf("buyer%d@example.test", n)},
				"line_items": []any{map[string]any{"product_id": n%40 + 1, "quantity": 1}}}
		})
	}
}

// otherPeople are a shopper and a shop keeper who know nothing of the run.
func otherPeople(m manager) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var others sync.WaitGroup
	busy := func(act func(n int)) {
		others.Go(func() {
			tick := time.NewTicker(4 * time.Millisecond)
			defer tick.Stop()
			for n := 0; ctx.Err() == nil; n++ {
				act(n)
				<-tick.C
			}
		})
	}
	busy(func(n int) {
		// refused or not: it is only noise
		_, _ = m.ask(http.MethodPost, "/orders", map[string]any{"status": "processing", "customer_id": 1,
			"line_items": []any{map[string]any{"product_id": n%40 + 1, "quantity": 1}}})
	})
	busy(func(n int) {
		// as above
		_, _ = m.ask(http.MethodPost, "/products", map[string]any{"name": fmt.Sprintf("From elsewhere %d", n), "regular_price": "3.00"})
	})
	busy(func(n int) {
		_, _ = m.ask(http.MethodPut, fmt.Sprintf("/products/%d", n%40+1), map[string]any{"menu_order": n}) // as above
	})
	return func() {
		cancel()
		others.Wait()
	}
}
