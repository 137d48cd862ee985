package expect

// What is checked on every answer.

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/sjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

func TestPassingInspectsEverything(t *testing.T) {
	cases := []struct {
		name, endpoint, requirement string
		answer                      *client.Answer
	}{
		{"list that is none", "GET /shop/v3/products", "general.collections-are-arrays",
			answered(200, `{}`, "X-Shop-Total", "0", "X-Shop-TotalPages", "0")},
		{"list without total", "GET /shop/v3/orders", "pagination.orders.total", answered(200, `[]`, "X-Shop-TotalPages", "0")},
		{"list with a total in words", "GET /shop/v3/orders", "pagination.orders.total",
			answered(200, `[]`, "X-Shop-Total", "many", "X-Shop-TotalPages", "0")},
		{"no JSON", "GET /shop/v3/anything", "general.json-answers", answered(200, `<html>`)},
		{"cart without nonce", "GET /shop/store/v1/cart", "nonce.on-cart", answered(200, sampleCart(), "Cart-Token", "t")},
		{"error without a code", "GET /shop/v3/products", "error.field.code", answered(400, `{"message":"m","data":{"status":400}}`)},
		{"error that says nothing", "GET /shop/v3/products", "errors.message-told",
			answered(400, `{"code":"c","message":" ","data":{"status":400}}`)},
		{"error that lies about its status", "GET /shop/v3/products", "errors.status-repeated", answered(400, notFound)},
	}
	for _, c := range cases {
		got := InspectAnswer(c.answer, c.endpoint, nil)
		if len(got.Findings) != 1 || got.Findings[0].Requirement != c.requirement || got.Findings[0].Exchange != 3 {
			t.Errorf("%s: %+v", c.name, got.Findings)
		}
	}
	if got := InspectAnswer(answered(200, `[]`, "X-Shop-Total", "0", "X-Shop-TotalPages", "0"),
		"GET /shop/v3/products", nil); len(got.Findings) > 0 {
		t.Errorf("a good list: %+v", got.Findings)
	}
	for _, status := range []int{200, 404} {
		for _, header := range []string{"", "text/html"} {
			a := answered(status, `{"code":"c","message":"m","data":{"status":404}}`)
			a.Header.Set("Content-Type", header)
			if got := InspectAnswer(a, "GET /shop/v3/anything", nil); len(got.Findings) != 1 ||
				got.Findings[0].Requirement != "general.json-answers" {
				t.Errorf("status %d with Content-Type %q: %+v", status, header, got.Findings)
			}
		}
	}
}

// sampleCart is a cart whose total is that of its parts.
func sampleCart() string {
	cart, _ := sjson.Set(sampleOf(contract.Cart()), "totals.total_price", "300")
	return cart
}

// What a cart says of all that is in it is compared with its parts, wherever one passes by.
func TestACartThatContradictsItself(t *testing.T) {
	for path, c := range map[string]struct {
		value             any
		requirement, told string
	}{
		"items_count":                       {7, "cart.items-count", "items_count"},
		"items.0.quantity":                  {7.5, "cart-item.field.quantity", "items.0.quantity"},
		"needs_shipping":                    {false, "cart.unshipped-no-package", "shipping_rates"},
		"totals.total_price":                {"400", "cart.total-adds-up", "totals.total_price"},
		"shipping_rates.0.items.0.quantity": {9, "cart.packages-hold-items", "shipping_rates"},
	} {
		cart, err := sjson.Set(sampleCart(), path, c.value)
		if err != nil {
			t.Fatal(err)
		}
		found := InspectAnswer(answered(200, cart, "Nonce", "n", "Cart-Token", "t"), "GET /shop/store/v1/cart", nil).Findings
		if len(found) != 1 || found[0].Requirement != c.requirement || found[0].Path != c.told {
			t.Errorf("%s: %+v", path, found)
		}
	}
}

// What a checkout tells of its payment fits its state, and a looked-up order counts the smallest units.
func TestCheckoutsAndLookupsThatContradictThemselves(t *testing.T) {
	const checkout, lookup = "PUT /shop/store/v1/checkout", "GET /shop/store/v1/order/{id}"
	paid := func(status, redirect string) string {
		return `{"status":"` + status + `","payment_result":{"payment_status":"success","redirect_url":` + redirect + `}}`
	}
	order := func(amount string) string {
		return `{"items":[{"totals":{"line_total":` + amount + `,"currency_code":"EUR"}}]}`
	}
	for name, c := range map[string]struct{ endpoint, body, requirement string }{
		"paid draft":             {checkout, paid("checkout-draft", `"/thanks"`), "checkout.result-after-post"},
		"sent nowhere":           {checkout, paid("processing", `""`), "checkout.redirect-after-success"},
		"paid":                   {checkout, paid("processing", `"/thanks"`), ""},
		"decimal amount":         {lookup, order(`"12.50"`), "orderlookup.money"},
		"amount as a number":     {lookup, order("1250"), "orderlookup.money"},
		"amount":                 {lookup, order(`"1250"`), ""},
		"no amount":              {lookup, order(`""`), ""},
		"order of the other API": {lookup, `{"total":"12.50","line_items":[{"price":12.5,"subtotal":"12.50"}]}`, ""},
	} {
		var told []string
		for _, f := range InspectAnswer(answered(200, c.body, "Nonce", "n"), c.endpoint, nil).Findings {
			if f.Requirement == "orderlookup.money" || strings.HasPrefix(f.Requirement, "checkout.re") {
				told = append(told, f.Requirement)
			}
		}
		if strings.Join(told, " ") != c.requirement {
			t.Errorf("%s: %q, want %q", name, told, c.requirement)
		}
	}
}

// A page of the Store API holds ten records unless asked otherwise, and a hundred at most.
func TestPagesThatAreTooLong(t *testing.T) {
	list := func(n int) *client.Answer { return answered(200, "["+strings.Repeat("{},", n-1)+"{}]", "Nonce", "n") }
	for name, c := range map[string]struct {
		records int
		query   url.Values
		told    int
	}{
		"ten":                 {10, nil, 0},
		"eleven":              {11, nil, 1},
		"eleven as asked":     {11, url.Values{"per_page": {"20"}}, 0},
		"more than a hundred": {101, url.Values{"per_page": {"200"}}, 1},
	} {
		found := InspectAnswer(list(c.records), "GET /shop/store/v1/products/categories", c.query).Findings
		if len(found) != c.told || c.told == 1 && found[0].Requirement != "limits.store-per-page.categories" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// What holds of all answers: what is read comes with 200, errors name their parameters, and those of the Store API carry its headers.
func TestHeadersAndStatusesOfAnswers(t *testing.T) {
	const refused = `{"code":"shop_rest_cart_invalid_key","message":"m","data":{"status":409}}`
	for name, c := range map[string]struct {
		endpoint, requirement string
		answer                *client.Answer
	}{
		"read as created":        {"GET /shop/v3/anything", "general.method-get", answered(201, `{}`)},
		"parameters as a list":   {"GET /shop/v3/anything", "errors.params", answered(400, badParams(`["page"]`))},
		"no parameters":          {"GET /shop/v3/anything", "errors.params", answered(400, badParams(`{}`))},
		"parameters":             {"GET /shop/v3/anything", "", answered(400, badParams(`{"page":"too small"}`))},
		"refusal without nonce":  {"POST /shop/store/v1/cart/update-item", "nonce.on-refusals", answered(409, refused, "Cart-Token", "t")},
		"refusal without token":  {"POST /shop/store/v1/cart/update-item", "carttoken.issued", answered(409, refused, "Nonce", "n")},
		"checkout without nonce": {"POST /shop/store/v1/checkout", "nonce.on-refusals", answered(409, refused)},
		"product without nonce":  {"GET /shop/store/v1/products/{id}", "nonce.on-products", answered(404, notFound)},
		"no address of the store": {"GET /shop/store/v1/nothing", "",
			answered(404, `{"code":"rest_no_route","message":"m","data":{"status":404}}`)},
	} {
		found := InspectAnswer(c.answer, c.endpoint, nil).Findings
		if c.requirement == "" && len(found) > 0 ||
			c.requirement != "" && !slices.ContainsFunc(found, func(f reports.Finding) bool { return f.Requirement == c.requirement }) {
			t.Errorf("%s: %+v, want %q", name, found, c.requirement)
		}
	}
}

func badParams(params string) string {
	return `{"code":"rest_invalid_param","message":"m","data":{"status":400,"params":` + params + `}}`
}

func TestPassingLooksAtTheRecordsOfAnAnswer(t *testing.T) {
	product, cart := sampleOf(contract.Product()), sampleCart()
	badProduct, _ := sjson.SetRaw(product, "name", "7")
	badCart, _ := sjson.SetRaw(cart, "items", "7")
	const conflict = `{"code":"c","message":"m","data":{"status":409,"cart":%s}}`
	for name, c := range map[string]struct {
		endpoint, path string
		answer         *client.Answer
	}{
		"record":        {"GET /shop/v3/products/{id}", "", answered(200, product)},
		"broken record": {"GET /shop/v3/products/{id}", "name", answered(200, badProduct)},
		"list":          {"GET /shop/v3/products", "", answered(200, "["+product+"]", "X-Shop-Total", "1", "X-Shop-TotalPages", "1")},
		"broken in a list": {"GET /shop/v3/products", "1.name",
			answered(200, "["+product+","+badProduct+"]", "X-Shop-Total", "2", "X-Shop-TotalPages", "1")},
		"batch": {"POST /shop/v3/products/batch", "",
			answered(200, `{"create":[`+product+`,{"id":0,"error":{}},{"note":1}]}`)},
		"broken in a batch": {"POST /shop/v3/products/batch", "update.1.name", answered(200, `{"update":[`+product+`,`+badProduct+`]}`)},
		"conflict":          {"POST /shop/store/v1/cart/add-item", "", answered(409, fmt.Sprintf(conflict, cart), "Nonce", "n")},
		"conflict, bad cart": {"POST /shop/store/v1/cart/add-item", "data.cart.items",
			answered(409, fmt.Sprintf(conflict, badCart), "Nonce", "n")},
	} {
		found := InspectAnswer(c.answer, c.endpoint, nil).Findings
		if c.path == "" && len(found) > 0 || c.path != "" && (len(found) != 1 || found[0].Path != c.path) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// What was asked for without a body, or was not answered, says nothing about bodies.
func TestPassingLeavesAnswersWithoutBodiesAlone(t *testing.T) {
	head, options := answered(200, `nonsense`), answered(200, `nonsense`)
	head.Method, options.Method = "HEAD", "OPTIONS"
	unanswered := answered(200, `nonsense`)
	unanswered.Err = errors.New("connection reset")
	for _, a := range []*client.Answer{head, options, unanswered, answered(0, `nonsense`)} {
		if got := InspectAnswer(a, "GET /shop/v3/products", nil); len(got.Findings) > 0 || len(got.Checked.IDs()) > 0 {
			t.Errorf("%s, status %d, %v: %+v", a.Method, a.Status, a.Err, got)
		}
	}
}

func TestPassingTellsWhatItChecked(t *testing.T) {
	good := InspectAnswer(answered(200, "["+sampleOf(contract.Product())+"]", "X-Shop-Total", "1", "X-Shop-TotalPages", "1"),
		"GET /shop/v3/products", nil)
	refused := InspectAnswer(answered(404, notFound), "GET /shop/v3/products/{id}", nil)
	checked := append(good.Checked.IDs(), refused.Checked.IDs()...)
	for _, id := range []string{"general.json-answers", "general.collections-are-arrays", "pagination.products.total", "product.field.name",
		"errors.status-repeated", "error.field.code"} {
		if !slices.Contains(checked, id) {
			t.Errorf("%s was not checked", id)
		}
	}
}
