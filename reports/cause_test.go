package reports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seen is a finding of a spec of its own, with the answer that shows it.
func seen(requirement, path, want, got string, shown Exchange) Spec {
	message := "the field has another value"
	if strings.HasPrefix(got, "status ") {
		message = "it is answered with another status"
	}
	return Spec{
		ID: "spec of " + requirement + " " + path + " " + shown.Endpoint, Outcome: Failed, Exchanges: []Exchange{shown},
		Findings: []Finding{{Requirement: requirement, Level: Must, Message: message, Path: path, Want: want, Got: got}},
	}
}

func answered(endpoint string, status int, body string) Exchange {
	method, _, _ := strings.Cut(endpoint, " ")
	return Exchange{Method: method, Endpoint: endpoint, Status: status, Response: Message{Body: body},
		Request: Message{Header: []Header{{"Authorization", "[redacted]"}}}}
}

func after(spec Spec, before Exchange) Spec {
	spec.Exchanges = append([]Exchange{before}, spec.Exchanges...)
	spec.Findings[0].Exchange = 1
	return spec
}

func comparing(requirement, what string, shown Exchange) Spec {
	spec := seen(requirement, "", "to be < 12", "12", shown)
	spec.Findings[0].Message = what
	return spec
}

func noArray(shown Exchange) Spec {
	spec := seen("general.arrays", "", "a JSON array", "the object {}", shown)
	spec.Findings[0].Message = NoArray
	return spec
}

func TestCausesGroupWhatHasOneCause(t *testing.T) {
	order, orders := answered("GET /shop/v3/orders/{id}", 200, `{"id":1}`), answered("GET /shop/v3/orders", 200, `[{"id":1}]`)
	refused := answered("POST /shop/v3/products", 403, `{"code":"shop_rest_cannot_create"}`)
	created := answered("POST /shop/v3/orders", 201, `{"id":1}`)
	empty := answered("GET /shop/v3/customers", 200, `[]`)
	for name, test := range map[string]struct {
		specs []Spec
		want  [][]string // the requirements of each finding, the most specific first
	}{
		"a field wherever it is": {[]Spec{
			seen("orders.create", "currency", `"EUR"`, "no such field", order),
			seen("order.field.currency", "3.currency", "a string", "no such field", orders),
			seen("order.field.currency", "create.0.currency", "a string", "no such field",
				answered("POST /shop/v3/orders/batch", 200, `{}`)),
		}, [][]string{{"order.field.currency", "orders.create"}}},
		"a text that is wrong wherever it is copied to": {[]Spec{
			seen("cart.get", "items.0.name", `"Lamp"`, `"forgotten"`, answered("GET /shop/store/v1/cart", 200, `{}`)),
			seen("products.create.field.name", "name", `"Chair"`, `"forgotten"`, answered("POST /shop/v3/products", 201, `{}`)),
			seen("order.field.status", "status", `"pending"`, `"forgotten"`, order),
		}, [][]string{{"products.create.field.name", "cart.get"}, {"order.field.status"}}},
		"a header that is missing, whatever was asked of it": {[]Spec{
			seen("pagination.orders.total", "X-Shop-Total", "a header X-Shop-Total", "none", orders),
			seen("orders.list.per_page", "X-Shop-Total", "11", "nothing", orders),
			seen("pagination.customers.total", "X-Shop-Total", "0", "none", empty),
			seen("pagination.link-keeps-filters", "X-Shop-Total", "a header X-Shop-Total", "none", orders),
		}, [][]string{{"orders.list.per_page", "pagination.customers.total", "pagination.orders.total", "pagination.link-keeps-filters"}}},
		"errors without data": {[]Spec{
			seen("errors.params", "data.params", "an object", "nothing", answered("POST /shop/v3/orders", 400, `{"code":"a"}`)),
			seen("error.field.data", "data", "an object", "no such field", answered("GET /shop/v3/orders/{id}", 404, `{"code":"b"}`)),
		}, [][]string{{"error.field.data", "errors.params"}}},
		"one code with another status": {[]Spec{
			seen("nonce.invalid", "", "status 403", "status 500 with code bad_nonce",
				answered("GET /shop/store/v1/checkout", 500, `{"code":"bad_nonce"}`)),
			seen("errors.code.bad_nonce", "", "status 403", "status 500 with code bad_nonce",
				answered("POST /shop/store/v1/cart/add-item", 500, `{"code":"bad_nonce"}`)),
		}, [][]string{{"errors.code.bad_nonce", "nonce.invalid"}}},
		"strangers who are let in, or turned away with another status": {[]Spec{
			seen("auth.wrong-secret", "", "status 401", "status 200", answered("GET /shop/v3/orders", 200, `[]`)),
			seen("auth.wrong-secret", "", "status 401", "status 201", created),
			seen("auth.unknown-key", "", "status 401", "status 403 with code a", answered("GET /shop/v3/orders", 403, `{"code":"a"}`)),
			seen("auth.unknown-key", "", "status 401", "status 403 with code b", answered("GET /shop/v3/orders", 403, `{"code":"b"}`)),
		}, [][]string{{"auth.wrong-secret"}, {"auth.unknown-key"}}},
		"a comparison that says of what": {[]Spec{
			seen("cart.field.totals.total_price", "totals.total_price", "an integer", `"12.50"`,
				answered("GET /shop/store/v1/cart", 200, `{}`)),
			comparing("cart.apply-coupon", "total_price with a coupon", answered("POST /shop/store/v1/cart/apply-coupon", 200, `{}`)),
		}, [][]string{{"cart.field.totals.total_price", "cart.apply-coupon"}}},
		"two fields": {[]Spec{
			seen("order.field.currency", "currency", "a string", "null", order),
			seen("order.field.status", "status", "a string", "null", order),
		}, [][]string{{"order.field.currency"}, {"order.field.status"}}},
		"a refusal, whatever was wanted": {[]Spec{
			seen("products.create", "", "status 201", "status 403 with code shop_rest_cannot_create", refused),
			seen("products.create.field.sku", "sku", `"a"`, "no such field", refused),
			seen("errors.code.sku", "code", "shop_rest_sku", `"shop_rest_cannot_create"`, refused),
		}, [][]string{{"products.create", "errors.code.sku", "products.create.field.sku"}}},
		"an answer that is missing": {[]Spec{
			seen("orders.list", "", "an answer", "none: no answer in 10s", answered("GET /shop/v3/orders", 0, "")),
			seen("cart.get", "", "an answer", "none: no answer in 12s", answered("GET /shop/store/v1/cart", 0, "")),
		}, [][]string{{"cart.get", "orders.list"}}},
		"errors of two resources": {[]Spec{
			seen("orders.list", "", "status 200", "status 500", answered("GET /shop/v3/orders", 500, "")),
			seen("products.list", "", "status 200", "status 500", answered("GET /shop/v3/products", 500, "")),
		}, [][]string{{"orders.list"}, {"products.list"}}},
		"a key that may too much": {[]Spec{
			seen("permission.orders", "", "status 403", "status 200", withCurl(order, "-u $SHOPCHECK_CREDENTIALS_READ_SECRET")),
			seen("permission.products", "", "status 403", "status 201",
				withCurl(answered("POST /shop/v3/products", 201, "{}"), "$SHOPCHECK_CREDENTIALS_READ_SECRET")),
		}, [][]string{{"permission.orders", "permission.products"}}},
		"inputs of one endpoint that are not checked": {[]Spec{
			seen("orders.create.email-valid", "", "status 400", "status 201", withBody(created, `{"billing":{}}`)),
			seen("orders.create.set-paid-valid", "", "status 400", "status 201", withBody(created, `{"set_paid":7}`)),
		}, [][]string{{"orders.create.email-valid"}, {"orders.create.set-paid-valid"}}},
		"an empty list": {[]Spec{
			seen("customers.list.search", "", "[12]", "[]", empty),
			seen("customers.paging", "X-Shop-Total", "1", "0", empty),
		}, [][]string{{"customers.list.search", "customers.paging"}}},
		"what a wrong value leads to": {[]Spec{
			seen("order.field.discount_total", "discount_total", "an amount", "null", order),
			after(seen("checkout.total-adds-up", "total", `"12" (without the discount)`, `"14"`,
				answered("GET /shop/store/v1/checkout", 200, "{}")), order),
		}, [][]string{{"order.field.discount_total", "checkout.total-adds-up"}}},
		"a spec that met no wrong value": {[]Spec{
			seen("order.field.discount_total", "discount_total", "an amount", "null", order),
			seen("checkout.total-adds-up", "total", `"12" (without the discount)`, `"14"`,
				answered("GET /shop/store/v1/checkout", 200, "{}")),
		}, [][]string{{"checkout.total-adds-up"}, {"order.field.discount_total"}}},
		"what follows from two wrong values": {[]Spec{
			seen("order.field.discount_total", "discount_total", "an amount", "null", order),
			seen("order.field.shipping_total", "shipping_total", "an amount", "null", order),
			after(seen("checkout.total-adds-up", "total", `"12" (without the discount, with shipping)`, `"14"`,
				answered("GET /shop/store/v1/checkout", 200, "{}")), order),
		}, [][]string{{"checkout.total-adds-up"}, {"order.field.discount_total"}, {"order.field.shipping_total"}}},
		"parts of a value that is wrong as a whole": {[]Spec{
			seen("customers.one-record", "billing.city", `"Paris"`, `""`, answered("GET /shop/v3/customers/{id}", 200, "{}")),
			seen("customers.one-record", "billing.first_name", `"Ada"`, `""`, answered("GET /shop/v3/customers/{id}", 200, "{}")),
			seen("customers.update.partial", "billing", `{"city":"Paris"}`, "{}", answered("PUT /shop/v3/customers/{id}", 200, "{}")),
		}, [][]string{{"customers.update.partial", "customers.one-record"}}},
		"what is not in a collection that is no array": {[]Spec{
			noArray(answered("GET /shop/store/v1/products", 200, `{"records":[]}`)),
			seen("catalogue.search", "", "0", "no such field", answered("GET /shop/store/v1/products", 200, `{"records":[]}`)),
			seen("catalogue.page", "[].id", "[7]", "no such field", answered("GET /shop/store/v1/products", 200, `{"records":[]}`)),
			seen("store-product.field.type", "0.type", "a string", "null", answered("GET /shop/store/v1/products", 200, `[{"id":7}]`)),
		}, [][]string{{"general.arrays", "catalogue.page", "catalogue.search"}, {"store-product.field.type"}}},
		"lists that are wrapped alike": {[]Spec{
			noArray(answered("GET /shop/v3/products", 200, `{"records":[]}`)),
			seen("orders.list.search", "", "2", "no such field", answered("GET /shop/v3/orders", 200, `{"records":[]}`)),
			seen("order.field.status", "status", "a string", "null", answered("GET /shop/v3/orders/{id}", 200, `{"id":1}`)),
		}, [][]string{{"general.arrays", "orders.list.search"}, {"order.field.status"}}},
		"a parameter that does not work, alone and among others": {[]Spec{
			seen("orders.list.order", "", "[1 2]", "[2 1 5]", asked(orders, "order=asc&product=3")),
			seen("orders.list.product", "", "[1]", "[1 5]", asked(orders, "product=3")),
			seen("orders.list.filters-together", "", "[1]", "[1 5]", asked(orders, "order=asc&product=3&page=1")),
			seen("orders.list.search", "", "[1]", "[1 5]", asked(orders, "order=asc&search=a")),
			seen("orders.batch.create", "", "3", "10", asked(orders, "product=3")),
		}, [][]string{{"orders.batch.create", "orders.list.filters-together", "orders.list.order", "orders.list.product"},
			{"orders.list.search"}}},
		"a parameter that was tried within a search": {[]Spec{
			seen("products.list.tag", "", "[1]", "[1 5]", asked(orders, "orderby=id&search=a&tag=3")),
			seen("products.list.filters-together", "", "[1]", "[1 5]", asked(orders, "category=2&status=publish&tag=3&featured=true")),
		}, [][]string{{"products.list.filters-together", "products.list.tag"}}},
		"a field in all webhooks of a resource": {[]Spec{
			seen("webhooks.records", "id", "an integer", `the string "7"`, answered("webhook product.created", 200, "{}")),
			seen("webhooks.records", "id", "an integer", `the string "7"`, answered("webhook product.updated", 200, "{}")),
			seen("webhooks.records", "id", "an integer", `the string "7"`, answered("webhook order.updated", 200, "{}")),
		}, [][]string{{"webhooks.records"}, {"webhooks.records"}}},
		"one thing that is refused everywhere": {[]Spec{
			seen("general.options", "", "a 2xx status", "status 405", answered("OPTIONS /shop/v3/products/{id}", 405, "")),
			seen("general.options", "", "a 2xx status", "status 405", answered("OPTIONS /shop/v3/orders/{id}", 405, "")),
			seen("general.options", "", "a 2xx status", "status 405", answered("OPTIONS /shop/v3/customers/{id}", 405, "")),
			seen("customers.downloads", "", "a 2xx status", "status 405", answered("GET /shop/v3/customers/{id}/downloads", 405, "")),
		}, [][]string{{"general.options"}, {"customers.downloads"}}},
		"an update that keeps nothing": {[]Spec{
			seen("customers.update.field.email", "email", `"a"`, `"b"`, answered("PUT /shop/v3/customers/{id}", 200, "{}")),
			seen("customers.update.field.first_name", "first_name", `"a"`, `""`, answered("PUT /shop/v3/customers/{id}", 200, "{}")),
			seen("customers.update.field.last_name", "last_name", `"a"`, `""`, answered("PUT /shop/v3/customers/{id}", 200, "{}")),
		}, [][]string{{"customers.update.field.email", "customers.update.field.first_name", "customers.update.field.last_name"}}},
		"an answer that shows another record": {[]Spec{
			seen("cart.one-record", "needs_payment", "false", "true", answered("GET /shop/store/v1/cart", 200, "{}")),
			seen("cart.one-record", "needs_shipping", "false", "true", answered("GET /shop/store/v1/cart", 200, "{}")),
			seen("cart.one-record", "totals.total_price", `"0"`, `"5"`, answered("GET /shop/store/v1/cart", 200, "{}")),
		}, [][]string{{"cart.one-record"}}},
		"a rule that two broken fields break": {[]Spec{
			seen("order.field.currency", "currency", "a string", "null", order),
			seen("orders.update.partial", "currency", `"EUR"`, "null", order),
			seen("order.field.number", "number", "a string", "null", order),
			seen("orders.update.partial", "number", `"12"`, "null", order),
		}, [][]string{{"order.field.currency", "orders.update.partial"}, {"order.field.number", "orders.update.partial"}}},
		"a rule that shows at two fields": {[]Spec{
			seen("orders.update.partial", "currency", `"EUR"`, "null", order),
			seen("orders.update.partial", "number", `"12"`, "null", order),
		}, [][]string{{"orders.update.partial"}}},
		"a field called status, and one of HTTP": {[]Spec{
			seen("order.field.status", "status", "a string", "null", order),
			after(seen("customers.list", "", "a 2xx status", "status 500", answered("GET /shop/v3/customers", 500, "")), order),
		}, [][]string{{"customers.list"}, {"order.field.status"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got [][]string
			for _, cause := range Causes(&Report{Specs: test.specs}) {
				got = append(got, cause.Requirements)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func withCurl(e Exchange, line string) Exchange {
	e.Curl = line
	return e
}

func asked(e Exchange, query string) Exchange {
	e.URL = "http://127.0.0.1/orders?" + query
	return e
}

func withBody(e Exchange, body string) Exchange {
	e.Request.Body = body
	return e
}

// What is one finding today must be the same one tomorrow, with other ids in it.
func TestACauseKeepsItsIDAcrossRuns(t *testing.T) {
	run := func(path, got string) Cause {
		return Causes(&Report{Specs: []Spec{seen("order.field.status", path, `"pending"`, got,
			answered("GET /shop/v3/orders/{id}", 200, "{}"))}})[0]
	}
	if a, b := run("0.status", `"open"`), run("17.status", `"closed"`); a.ID != b.ID {
		t.Errorf("%s is %s in the next run", a.ID, b.ID)
	}
	if a, b := run("status", "null"), run("date_paid", "null"); a.ID == b.ID {
		t.Errorf("two fields have one id %s", a.ID)
	}
}

func TestCausesHoldEverySpecThatEndedBadly(t *testing.T) {
	sample := failingSample()
	worst := map[string]Outcome{}
	for _, cause := range Causes(sample) {
		for _, found := range sample.Found(cause) {
			worst[found.Spec.ID] = cause.Outcome
		}
	}
	for _, spec := range sample.Specs {
		if want := spec.Outcome; worst[spec.ID] != want && isDeviation(want) {
			t.Errorf("spec %s is %s, and in a finding that is %q", spec.ID, want, worst[spec.ID])
		}
		if !isDeviation(spec.Outcome) && worst[spec.ID] != "" {
			t.Errorf("spec %s is %s and in a finding", spec.ID, spec.Outcome)
		}
	}
}

// A shop that refuses all is one finding of many hundred specs: it must not take long to say so.
func TestCausesOfARunThatFailsThroughout(t *testing.T) {
	refused := answered("POST /shop/v3/products", 403, `{"code":"shop_rest_cannot_create"}`)
	report := &Report{}
	for i := range 800 {
		spec := seen("products.create", "", "status 201", "status 403 with code shop_rest_cannot_create", refused)
		spec.ID += strings.Repeat("x", i%7) + string(rune('a'+i%26))
		report.Specs = append(report.Specs, spec)
	}
	if causes := Causes(report); len(causes) != 1 || len(causes[0].Deviations) != 800 {
		t.Errorf("got %d findings", len(causes))
	}
}
