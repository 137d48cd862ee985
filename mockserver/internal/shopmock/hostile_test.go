package shopmock_test

// Hostile input: values of the right type that reach the domain – huge, negative, empty, absurd – at records that exist. Whatever
// comes of them, the shop answers in JSON, never fails itself, and what it refuses changes nothing.

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/rest/resttest"
	"shopcheck/mockserver/internal/storeapi"
)

func hostileTexts() []any {
	return []any{
		"", " ", "-1", "-0.01", "0", "1e1000000000", "NaN", "0x10", "99999999999999999999999999", strings.Repeat("9", 400),
		"0." + strings.Repeat("3", 400),
		strings.Repeat("x", 20000), "\x00", "\u202e", "a,b,,c", "../../etc/passwd", "<script>alert(1)</script>", "{{7*7}}", "%s%n",
		"[qty] * (", "0000-00-00", "9999-12-31T23:59:59",
	}
}

var hostileNumbers = []any{0, -1, 1 << 31, -(1 << 31), 1 << 53, -(1 << 53)}

// hostile lists values that the declaration of a parameter takes, and no sane client sends. Those of lists and objects are
// made from what they hold.
func hostile(p rest.Param) []any {
	var values []any
	if p.Type&rest.String != 0 && len(p.Enum) == 0 && (p.Format == "" || p.Format == rest.URI || p.Format == rest.Email) {
		values = append(values, hostileTexts()...)
	}
	if p.Type&(rest.Integer|rest.Number) != 0 {
		values = append(values, hostileNumbers...)
	}
	if p.Type&rest.Number != 0 {
		values = append(values, 1e300, -1e-300)
	}
	if p.Type&rest.Null != 0 {
		values = append(values, nil)
	}
	if p.Type&rest.Array != 0 && p.Items != nil {
		values = append(values, []any{})
		for _, item := range hostile(*p.Items) {
			values = append(values, []any{item}, []any{item, item})
		}
	}
	if p.Type&rest.Object != 0 {
		values = append(values, resttest.Object{})
		for _, field := range p.Fields {
			if field.ReadOnly {
				continue
			}
			for _, value := range hostile(field) {
				object := resttest.Required(p.Fields)
				object[field.Name] = value
				values = append(values, object)
			}
		}
	}
	return values
}

func TestNoValueBreaksTheShop(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of requests: the race detector, which CI runs with -short, makes that a minute")
	}
	test := newBadInput(t)
	test.fillCart()
	test.registerWebhook()
	pending := test.Get("/shop/v3/orders?status=pending").Get("0")
	addresses := resolver{shop: test, known: map[string][]string{
		"/shop/store/v1/checkout": {pending.Get("id").String()}, "/shop/store/v1/order": {pending.Get("id").String()},
	}}
	payment := resttest.Object{"key": pending.Get("order_key").Str, "billing_email": pending.Get("billing.email").Str,
		"payment_method": "bacs"}
	sane := map[string]resttest.Object{ // what a good call has to send by the rules of the domain
		"shop/v3/products": {"name": "Thing"}, "shop/store/v1/checkout": gjson.Parse(checkoutBody).Value().(resttest.Object),
		"shop/store/v1/checkout/{id:[0-9]+}": payment, "shop/store/v1/order/{id:[0-9]+}": payment,
	}
	start := test.Snapshot()
	for _, api := range []*rest.API{management.APIs(nil)[0], storeapi.API(nil, nil)} {
		for i := range api.Endpoints() {
			endpoint := &api.Endpoints()[i]
			address := addresses.find("/" + api.Namespace + endpoint.Path)
			for _, param := range endpoint.Params {
				if param.ReadOnly {
					continue
				}
				for _, value := range hostile(param) {
					sent := resttest.Required(endpoint.Params)
					maps.Copy(sent, sane[api.Namespace+endpoint.Path])
					sent[param.Name] = value
					test.survives(endpoint.Methods[0], address, sent, param.Name)
					test.Restore(start)
				}
			}
		}
	}
	const atLeast = 10000
	if test.sent < atLeast {
		t.Errorf("only %d requests were sent: are the endpoints still found?", test.sent)
	}
}

// fillCart gives the test a session with something in its cart.
func (b *badInput) fillCart() {
	b.Client = b.With("Cart-Token", b.Get("/shop/store/v1/cart").Header.Get("Cart-Token"))
	if answer := b.Post("/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`); answer.Status != http.StatusCreated {
		b.T.Fatalf("add-item: %d %s", answer.Status, answer.Body)
	}
}

func (b *badInput) registerWebhook() {
	body := `{"topic":"coupon.deleted","delivery_url":"http://127.0.0.1:9/","status":"paused"}`
	if answer := b.Post("/shop/v3/webhooks", body); answer.Status != http.StatusCreated {
		b.T.Fatalf("webhooks: %d %s", answer.Status, answer.Body)
	}
}

// survives sends a value, and then looks at what it was written to, and at the cart, whose totals follow from much of the rest.
func (b *badInput) survives(method, address string, sent resttest.Object, param string) {
	b.sent++
	if method == http.MethodGet {
		query := url.Values{}
		for name, value := range sent {
			maps.Copy(query, resttest.Query(name, value))
		}
		b.answers(method, address+"?"+query.Encode(), "", param)
		return
	}
	body := resttest.JSON(sent)
	if written := b.answers(method, address, body, param); written < http.StatusBadRequest {
		b.answers(http.MethodGet, address, "", "after "+body)
		b.answers(http.MethodGet, "/shop/store/v1/cart", "", "after "+address+" "+body)
	}
}

// answers checks that a request is answered as the contract says, whatever the answer is. It gives the status.
func (b *badInput) answers(method, target, body, about string) int {
	before := b.Version()
	answer := b.Call(method, target, body)
	text := answer.Body
	complain := func(what string) {
		b.T.Errorf("%s %.300s %.300s: %.300s: %s: %d %.300s", method, target, body, about, what, answer.Status, text)
	}
	switch {
	case answer.Status >= http.StatusInternalServerError && answer.Status != http.StatusNotImplemented:
		complain("the shop failed")
	case answer.Status != http.StatusNoContent && !gjson.Valid(text):
		complain("no JSON")
	case answer.Status >= http.StatusBadRequest && !isEnvelope(answer.Status, text):
		complain("no envelope")
	case answer.Status >= http.StatusBadRequest && b.Version() != before && !changesWhenRefused(text):
		complain("refused, but something changed")
	}
	return answer.Status
}

func isEnvelope(status int, text string) bool {
	envelope := gjson.Parse(text)
	return envelope.Get("code").Str != "" && envelope.Get("message").Str != "" && envelope.Get("data.status").Int() == int64(status)
}

// changesWhenRefused says of an error that the shop remembers it: an order whose payment failed is kept as failed, and what can
// no longer be bought leaves the cart.
func changesWhenRefused(envelope string) bool {
	code := gjson.Get(envelope, "code").Str
	return code == "shop_rest_checkout_payment_error" || code == "shop_rest_checkout_invalid_cart"
}

// resolver puts existing records in the place of the variables of paths.
type resolver struct {
	shop  *badInput
	known map[string][]string // names of the records of a collection
}

// find gives an address that exists for a pattern, as far as the shop has such records.
func (r resolver) find(pattern string) string {
	if address, found := r.walk("", segmentsOf(pattern)); found {
		return address
	}
	return resttest.Path(pattern, "1")
}

// segmentsOf splits a pattern at its slashes, except at those in the patterns of variables.
func segmentsOf(pattern string) []string {
	depth := 0
	return strings.FieldsFunc(pattern, func(char rune) bool {
		switch char {
		case '{':
			depth++
		case '}':
			depth--
		}
		return char == '/' && depth == 0
	})
}

func (r resolver) walk(address string, segments []string) (string, bool) {
	for i, segment := range segments {
		if !strings.HasPrefix(segment, "{") {
			address += "/" + segment
			continue
		}
		for _, name := range r.names(address) {
			if found, ok := r.walk(address+"/"+name, segments[i+1:]); ok {
				return found, true
			}
		}
		return "", false
	}
	return address, true
}

// names lists how the records of a collection are called in addresses.
func (r resolver) names(collection string) []string {
	if names, known := r.known[collection]; known {
		return names
	}
	var names []string
	if answer := r.shop.Call(http.MethodGet, collection+"?per_page=100", ""); answer.Status == http.StatusOK {
		for _, record := range answer.Array() {
			names = append(names, namesOf(record)...)
		}
	}
	const enough = 60
	r.known[collection] = slices.Clip(names[:min(len(names), enough)])
	return r.known[collection]
}

// namesOf lists what may name a record. The zone 0 cannot be changed, and stands for no other record.
func namesOf(record gjson.Result) []string {
	var names []string
	for _, key := range []string{"key", "id", "code", "slug"} {
		if name := record.Get(key).String(); name != "" && name != "0" && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}
