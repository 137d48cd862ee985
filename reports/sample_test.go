package reports

// Sample reports for the tests: a believable run of about 120 specs, as passed and as failed.

import (
	_ "embed"
	"fmt"
	"strings"
	"time"
)

//go:embed testdata/specs.txt
var sampleSpecs string

// passingSample is the report of a run in which all holds; the target has no JWT.
func passingSample() *Report {
	report := &Report{
		FormatVersion: FormatVersion,
		Tool:          Tool{Name: "shopcheck", Version: "0.1.0", Seed: 1732131841},
		Environment:   Environment{Go: "go1.26", OS: "linux", Arch: "amd64", CPUs: 8, Processes: 4},
		Contract: Contract{Title: "Storefront Commerce Service", Revision: "2024-11 (sha256 7d1f0c)",
			Sections: []Section{{"Limits", "How many, how long."}}},
		Target: Target{
			URL:     "https://staging.shop.example/api",
			Dialect: "neutral",
			Profile: map[string]string{
				"target.url":                     "https://staging.shop.example/api",
				"credentials.read_write.key":     "[redacted]",
				"credentials.read_write.secret":  "[redacted]",
				"store.coupon":                   "SAVE10",
				"store.address.country":          "DE",
				"store.payment_methods":          "bacs, cheque, cod",
				"limits.requests_per_second":     "25",
				"limits.timeout":                 "10s",
				"allow_writes":                   "true",
				"waivers.0.id":                   "products.record.sample-fields",
				"features.jwt":                   "off",
				"store.address.address_1":        "Hauptstraße 12",
				"store.address.postcode":         "10115",
				"credentials.read.key":           "[redacted]",
				"credentials.revoked.key":        "[redacted]",
				"store.shippable_product":        "Stoneware mug",
				"limits.retries":                 "3",
				"store.address.additional_notes": "",
			},
		},
		StartedAt:  time.Date(2024, 11, 20, 19, 44, 1, 0, time.UTC),
		DurationMS: 1840.6,
		Verdict:    Conformant,
		Reasons:    []string{"All 109 requirements that apply hold; 2 belong to a feature that the target doesn't have."},
		Features: []Feature{
			{"management", "on", "profile", Passed}, {"store-cart", "found", "preflight", Passed},
			{"store-checkout", "found", "preflight", Passed}, {"store-catalogue", "found", "preflight", Passed},
			{"store-orders", "found", "preflight", Passed}, {"coupons", "on", "profile", Passed},
			{"legacy-namespaces", "on", "default", Passed}, {"rest-route", "found", "preflight", Passed},
			{"oauth1", "on", "profile", Passed}, {"jwt", "not_found", "preflight", NotApplicable},
		},
		Latency: []Latency{
			{"GET /shop/v3/products", 84, 6.1, 14.9, 31.4}, {"GET /shop/v3/products/{id}", 41, 2.2, 5.0, 8.7},
			{"POST /shop/v3/products", 58, 9.4, 22.0, 48.1}, {"GET /shop/store/v1/cart", 96, 3.0, 7.7, 12.9},
			{"POST /shop/store/v1/cart/add-item", 71, 8.8, 19.2, 44.0}, {"POST /shop/store/v1/checkout", 14, 31.5, 88.2, 120.7},
			{"GET /shop/v3/orders", 33, 7.0, 16.8, 19.9}, {"PUT /shop/v3/orders/{id}", 29, 8.1, 17.3, 26.0},
		},
	}
	for line := range strings.Lines(sampleSpecs) {
		if !strings.HasPrefix(line, "#") {
			addSampleSpec(report, strings.Split(strings.TrimSpace(line), " | "))
		}
	}
	for _, id := range []string{"auth.jwt.token", "auth.jwt.bearer"} {
		settle(report, id, NotApplicable, "The target offers no jwt (not found by the preflight).")
	}
	return report
}

func addSampleSpec(report *Report, field []string) {
	topic, section, feature, level, id, container, text, statement :=
		field[0], field[1], field[2], Level(field[3]), field[4], field[5], field[6], field[7]
	number := len(report.Specs)
	spec := Spec{
		ID:           slug(topic + " " + container + " " + text),
		Topic:        topic,
		Texts:        []string{container, text},
		Requirements: []string{id},
		Outcome:      Passed,
		StartedAt:    report.StartedAt.Add(time.Duration(number*10) * time.Millisecond),
		DurationMS:   2.5 + float64(number*37%90)/3,
		Attempts:     1,
		Exchanges:    sampleExchanges(topic, number),
	}
	if level == Observed {
		seen := Observation{Key: id, Value: []string{"200", "empty array", "processing", "stable", "401"}[number%5], Spec: spec.ID}
		spec.Observations = []Observation{seen}
		report.Observations = append(report.Observations, seen)
	}
	report.Specs = append(report.Specs, spec)
	requirement := requirementOf(report, id)
	if requirement == nil {
		report.Requirements = append(report.Requirements,
			Requirement{ID: id, Level: level, Section: section, Statement: statement, Feature: feature, Outcome: Passed})
		requirement = &report.Requirements[len(report.Requirements)-1]
	}
	requirement.Specs = append(requirement.Specs, spec.ID)
}

func slug(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\'' || r == ',' || r == ':' {
			return '-'
		}
		return r
	}, text))
}

func requirementOf(report *Report, id string) *Requirement {
	for i := range report.Requirements {
		if report.Requirements[i].ID == id {
			return &report.Requirements[i]
		}
	}
	return nil
}

// settle returns a requirement and all its specs an outcome that needs a reason.
func settle(report *Report, id string, outcome Outcome, reason string) {
	requirement := requirementOf(report, id)
	requirement.Outcome, requirement.Reason = outcome, reason
	for i := range report.Specs {
		if report.Specs[i].Requirements[0] == id {
			report.Specs[i].Outcome, report.Specs[i].Reason = outcome, reason
			if outcome == NotApplicable || outcome == CouldNotRun {
				report.Specs[i].Exchanges, report.Specs[i].DurationMS, report.Specs[i].Attempts = nil, 0, 0
			}
		}
	}
}

const sampleCart = `{"items":[{"key":"a5771bce93e200c36f7cd9dfd0e5deaa","id":38,"quantity":2,"name":"Stoneware ` +
	`mug","prices":{"price":"19.00","regular_price":"2400","sale_price":"1900","currency_code":"EUR","currency_minor_unit":2},` +
	`"low_stock_remaining":null}],"totals":{"total_items":"3800","total_price":"4290","currency_code":"EUR","currency_symbol":"€"},` +
	`"needs_shipping":true,"items_count":2}`

func sampleExchanges(topic string, number int) []Exchange {
	base := "https://staging.shop.example/api"
	read := Exchange{
		Method: "GET", URL: base + "/shop/v3/" + topic + "?per_page=10&page=1", Endpoint: "GET /shop/v3/" + topic,
		Request: Message{Header: []Header{{"Accept", "application/json"}, {"Authorization", "Basic [redacted]"}}},
		Status:  200,
		Response: Message{
			Header: []Header{{"Content-Type", "application/json; charset=UTF-8"}, {"X-Shop-Total", "41"}, {"X-Shop-TotalPages", "5"}},
			Body: `[{"id":41,"name":"Linen ` +
				`apron","type":"simple","price":"35.00","on_sale":false,"stock_quantity":null},{"id":38,"name":"Stoneware ` +
				`mug","price":"19.00","categories":[{"id":4,"name":"Kitchen","slug":"kitchen"}]}`,
		},
		DurationMS: 3.4,
		Curl:       "curl -s -u \"$SHOPCHECK_KEY:$SHOPCHECK_SECRET\" '" + base + "/shop/v3/" + topic + "?per_page=10&page=1'",
	}
	write := Exchange{
		Method: "POST", URL: base + "/shop/store/v1/cart/add-item", Endpoint: "POST /shop/store/v1/cart/add-item",
		Request: Message{
			Header: []Header{{"Content-Type", "application/json"}, {"Nonce", "[redacted]"},
				{"X-Request-Id", fmt.Sprintf("sc-%04d", number)}},
			Body: `{"id":38,"quantity":2}`,
		},
		Status: 201,
		Response: Message{Header: []Header{{"Content-Type", "application/json"}, {"Nonce", "[redacted]"}, {"Cart-Token", "[redacted]"}},
			Body: sampleCart, Truncated: number % 3 * 2048},
		DurationMS: 11.9,
		Retries:    number % 7 / 6,
		Curl: "curl -s -X POST -H \"Nonce: $NONCE\" -H 'Content-Type: application/json' -d '{\"id\":38,\"quantity\":2}' '" + base +
			"/shop/store/v1/cart/add-item'",
	}
	return []Exchange{read, write}
}

// failingSample is the same run against a target with faults of every kind.
func failingSample() *Report {
	report := passingSample()
	report.Verdict, report.ExitCode = NotConformant, 1
	report.DurationMS = 2271.3
	report.Reasons = []string{
		"9 requirements that the contract demands do not hold.",
		"1 waiver is stale: cart.remove-item passes again.",
		"2 requirements could not be tested: no second customer is known.",
		"1 spec broke in the harness.",
	}
	breakSpec(report, "cart.amounts.minor-units", "The price of the item is not in minor units", "items.0.prices.price",
		`"1900"`, `"19.00"`)
	breakSpec(report, "products.record.price", "The price is a number instead of a string.", "0.regular_price",
		"a string of a decimal amount, like \"35.00\"", "35 (number)")
	breakSpec(report, "auth.read-key.writes", "A read key could create a product.", "", "403", "201 Created")
	breakSpec(report, "errors.product.sku", "The error has another code.", "code", "shop_rest_product_sku_already_exists",
		"shop_rest_product_invalid_sku")
	breakSpec(report, "pagination.header.total", "X-Shop-Total doesn't count all records.", "header X-Shop-Total", "42", "41")
	breakSpec(report, "checkout.post.invalid-address", "data.params is missing.", "data.params",
		"an object that names billing_address.email", `{"status": 400}`)
	breakSpec(report, "orderstate.update.any", "The order did not take the status.", "status", `"refunded"`, `"processing"`)
	breakSpec(report, "orderlookup.other", "Another customer's order was shown.", "", "403 with an error envelope",
		"200 with the order record")
	breakSpec(report, "cart.currency.fields", "A currency field is missing.", "totals.currency_prefix",
		"currency_code\ncurrency_symbol\ncurrency_minor_unit\ncurrency_prefix\ncurrency_suffix",
		"currency_code\ncurrency_symbol\ncurrency_minor_unit\ncurrency_suffix")
	breakSpec(report, "errors.status-agrees", "data.status is not the HTTP status", "data.status", "404", "400")
	breakSpec(report, "catalogue.reviews", "The reviews root does not answer.", "", "200 with JSON", "404 rest_no_route")
	breakSpec(report, "products.record.sample-fields", "A field of the sample is missing", "0.total_sales", "an integer", "nothing")
	settle(report, "products.record.sample-fields", Waived, "")
	settle(report, "orderlookup.key", CouldNotRun, "No second customer is known: set credentials.customer in the profile.")
	settle(report, "orderlookup.nonce", CouldNotRun, "No second customer is known: set credentials.customer in the profile.")
	settle(report, "versioning.rest-route", BrokenHarness, "panic: index out of range [0] with length 0 (versioning/rest_route.go:41)")
	report.Requirements = append(report.Requirements, Requirement{
		ID: "limits.nonce.lifetime", Level: Must, Section: "Limits", Feature: "store-cart", Outcome: Untested,
		Statement: "A nonce expires after 12 to 24 hours.", Reason: "No run waits twelve hours.",
	})
	report.Specs[7].Flaky, report.Specs[7].Attempts = true, 2
	report.Waivers = []Waiver{
		{ID: "products.record.sample-fields", Reason: "total_sales comes with the next release", Link: "https://tracker.example/SHOP-1841",
			Expires: "2025-01-31", State: "used"},
		{ID: "cart.remove-item", Reason: "Item stays in the cart", Link: "https://tracker.example/SHOP-1702", Expires: "2024-12-24",
			State: "stale"},
	}
	report.Leftovers = []string{"DELETE /shop/v3/products/1284", "DELETE /shop/v3/customers/77"}
	report.Errors = []string{"The worker of topic versioning lost its connection and was started again."}
	for i, verdict := range []Outcome{Failed, Failed, Failed, Warned, Failed, Passed, Passed, BrokenHarness, Passed, NotApplicable} {
		report.Features[i].Verdict = verdict
	}
	return report
}

// breakSpec makes all specs of a requirement find the same deviation.
func breakSpec(report *Report, id, message, path, want, got string) {
	requirement := requirementOf(report, id)
	outcome := Failed
	if requirement.Level == Should {
		outcome = Warned
	}
	settle(report, id, outcome, "")
	for i := range report.Specs {
		if spec := &report.Specs[i]; spec.Requirements[0] == id {
			spec.Findings = []Finding{{
				Requirement: id, Level: requirement.Level, Message: message, Path: path, Want: want, Got: got,
				Exchange: 1, Location: "suites/" + spec.Topic + "/" + spec.Topic + ".go:" + fmt.Sprint(40+i),
			}}
		}
	}
}

// emptySample is the report of a run that selected nothing.
func emptySample() *Report {
	return &Report{FormatVersion: FormatVersion, Verdict: Errored, ExitCode: 2, Reasons: []string{"Nothing was run."}}
}

// hostileSample is a failing report with a text that no terminal must get as it is.
func hostileSample() *Report {
	r := failingSample()
	r.Specs[0].Exchanges[0].Response.Body = "\x1b[2J"
	return r
}
