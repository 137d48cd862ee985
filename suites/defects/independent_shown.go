package defects

// Independent defects of what one operation shows: a field that is blank in its answers only, links that forget a filter, dates that
// count by the day.

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"shopcheck/reports"
)

// shown: the answers of one operation show a field as if it had no value, while the shop keeps it.
func (l *independents) shown() {
	for _, c := range collections() {
		for word, endpoint := range map[string]string{"created": "POST /shop/v3/" + c, "updated": "PUT /shop/v3/" + c + "/{id}",
			"read": "GET /shop/v3/" + c + "/{id}", "listed": "GET /shop/v3/" + c} {
			prefix := map[string]string{"listed": "#."}[word]
			for _, field := range l.writable(c) {
				if !strings.Contains(field, "#") && field != "billing" && field != "shipping" {
					l.blank(c+"."+word, field, at(endpoint), prefix)
				}
			}
		}
	}
	for word, endpoint := range map[string]string{"read": "GET /shop/store/v1/checkout", "changed": "PUT /shop/store/v1/checkout",
		"done": "POST /shop/store/v1/checkout"} {
		for _, f := range l.doc.Records["checkout"] {
			if _, _, part := strings.Cut(f.Path, "_address."); part {
				l.blank("checkout."+word, f.Path, at(endpoint), "")
			}
		}
	}
	for _, field := range []string{"id", "src", "thumbnail", "name"} { // a text in place of a picture may be none
		l.blank("cart.items.images", field, below(storeCart), "items.#.images.#.")
	}
	for _, field := range []string{"attribute", "value"} { // by which variations are chosen; how items show them is left open
		l.blank("cart.items.variation", field, below(storeCart), "items.#.variation.#.").Level = reports.Should
	}
	for word, list := range map[string]string{"read": "", "listed": "#."} {
		endpoint := "GET /shop/store/v1/products" + map[string]string{"read": "/{id}"}[word]
		for _, field := range []string{"images", "categories", "sku", "description", "short_description"} {
			l.blank("catalogue."+word, field, at(endpoint), list)
		}
		for _, field := range []string{"images.#.src", "images.#.thumbnail", "categories.#.id", "categories.#.name"} {
			l.add("shown-other", "catalogue."+word+"."+field, "In catalogue."+word+" "+field+" is of another type.",
				succeeded(at(endpoint), func(a *answer) { a.set(list+field, func(any) any { return true }) })).Level = reports.Should
		}
	}
}

// carts: where the cart is a part of an answer, or is shown at another address, something of it is another than it is.
func (l *independents) carts() {
	conflict := func(edit func(a *answer)) bend {
		return answered(below(storeCart), func(_ *http.Request, a *answer) {
			if a.Status == http.StatusConflict {
				edit(a)
			}
		})
	}
	for _, field := range []string{"items.#.name", "items.#.prices.price", "items.#.quantity_limits.maximum", "totals.total_price",
		"totals.currency_code", "billing_address.last_name", "shipping_address.address_2", "shipping_rates.#.destination.city"} {
		edit := func(prefix string) func(a *answer) {
			return func(a *answer) { a.set(prefix+field, altered) }
		}
		l.add("cart-copy", "cart.conflict."+field, "The cart of a conflict has another "+field+".", conflict(edit("data.cart.")))
		l.add("cart-copy", "checkout."+field, "The cart in a draft has another "+field+".",
			succeeded(at("PUT /shop/store/v1/checkout"), edit("__experimentalCart.")))
		l.add("cart-copy", "versioning."+field, "Without a version the cart has another "+field+".",
			succeeded(below("/shop/store/cart"), edit("")))
	}
}

// altered is another value of the same form.
func altered(old any) any {
	if text, ok := old.(string); ok && strings.Trim(text, "0123456789.") != "" {
		return text + "x"
	}
	return plusOne(old)
}

// blank: a field without a value in the answers of one operation.
func (l *independents) blank(topic, field string, here match, prefix string) *Independent {
	return l.add("shown-blank", topic+"."+field, "In "+topic+" "+field+" has no value.",
		succeeded(here, func(a *answer) { a.set(prefix+field, withoutValue) }))
}

// withoutValue is what a field shows that has no value.
func withoutValue(old any) any {
	switch old.(type) {
	case string:
		return ""
	case bool:
		return false
	case json.Number:
		return 0
	case []any:
		return []any{}
	}
	return old
}

// links: the links to other pages of a list forget one parameter of the request.
func (l *independents) links() {
	for _, c := range collections() {
		for _, f := range l.doc.Lists[c] {
			name := f.Path
			if name == "page" || name == "email" || name == "sku" { // which one record at most has: there is no other page
				continue
			}
			l.add("link", c+"."+name, "The links of the list of "+c+" forget "+name+".", succeeded(at("GET /shop/v3/"+c), func(a *answer) {
				a.Header.Set("Link", linkAddress.ReplaceAllStringFunc(a.Header.Get("Link"), func(link string) string {
					return withoutParameter(link, name)
				}))
			}))
		}
	}
}

var linkAddress = regexp.MustCompile(`<[^>]*>`)

func withoutParameter(link, name string) string {
	address, err := url.Parse(strings.Trim(link, "<>"))
	if err != nil {
		return link
	}
	query := address.Query()
	query.Del(name)
	address.RawQuery = query.Encode()
	return "<" + address.String() + ">"
}

// days: after and before count by the day, whatever the time.
func (l *independents) days() {
	for _, c := range []string{"products", "orders"} {
		for _, name := range []string{"after", "before"} {
			l.add("day", c+"."+name, "The list of "+c+" sees only the day of "+name+".",
				queried(at("GET /shop/v3/"+c), func(q map[string][]string) {
					if given := url.Values(q).Get(name); given != "" {
						day, _, _ := strings.Cut(given, "T")
						q[name] = []string{day + "T00:00:00"}
					}
				}))
		}
	}
}

// lineIDs: the ids of an order's lines are no ids.
func (l *independents) lineIDs() {
	for _, lines := range []string{"line_items", "shipping_lines", "coupon_lines"} {
		both := at("POST /shop/v3/orders", "GET /shop/v3/orders/{id}")
		for name, change := range map[string]func(any) any{"one": func(any) any { return 1 }, "zero": func(any) any { return 0 }} {
			l.add("line", "orders."+lines+".id-"+name, "Each of an order's "+lines+" has the id "+name+".",
				succeeded(both, func(a *answer) { a.set(lines+".#.id", change) }))
		}
		l.add("line", "orders."+lines+".id-changes", "The ids of an order's "+lines+" are others where it is read.",
			succeeded(at("GET /shop/v3/orders/{id}"), func(a *answer) { a.set(lines+".#.id", plusOne) }))
		if lines == "coupon_lines" { // of which the contract shows no change
			continue
		}
		l.add("line", "orders."+lines+".id-of-update", "The ids of an order's "+lines+" are others after an update.",
			succeeded(at("PUT /shop/v3/orders/{id}"), func(a *answer) { a.set(lines+".#.id", plusOne) }))
	}
}

// roots: the collections of which only the address is documented, in what holds for every request.
func (l *independents) roots() {
	k := l.keys
	for _, root := range l.doc.Roots {
		managed := strings.HasPrefix(root, "/shop/v3/")
		here, id := at("GET "+root), "auth"+strings.ReplaceAll(strings.TrimPrefix(root, "/shop"), "/", "-")
		level := reports.Should
		if root == "/shop/store/v1/products" {
			level = reports.Must
		}
		add := func(what, sentence string, b bend) {
			l.add("root", id+"."+what, root+" "+sentence+".", b).Level = level
		}
		for name, body := range map[string]string{"empty": "", "html": "<html></html>"} {
			add("body-"+name, "answers the body "+name, succeeded(here, func(a *answer) { a.Body = []byte(body) }))
		}
		for _, status := range []int{http.StatusCreated, http.StatusAccepted, http.StatusPartialContent} {
			add("status-"+strconv.Itoa(status), "answers "+http.StatusText(status), withStatus(here, success, status))
		}
		if !managed {
			continue
		}
		level = reports.Must // that every request is authenticated is plain, and how it is refused
		add("wrong-secret", "takes any secret", k.lent(here.and(func(r *http.Request) bool {
			return byBasic(r) && k.knows(keyOf(r).Key) && !k.good(keyOf(r))
		})))
		add("write-key", "lets in a Write key", k.lent(here.and(bearerOf(k.Write))))
		add("refusal-text", "refuses in text", answered(here, func(_ *http.Request, a *answer) {
			if !a.ok() {
				a.Body = []byte("no")
			}
		}))
		add("refusal-bare", "refuses without a code", answered(here, func(_ *http.Request, a *answer) {
			if !a.ok() {
				a.setTree(map[string]any{"message": "no"})
			}
		}))
	}
}
