package documented

// The parser of the contract's text. It knows the headings of the text and how its tables and lists are written, and nothing of
// the catalogue.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// parser reads one contract. What it looks for and does not find is a problem: a text that is written otherwise is not
// silently read as less.
type parser struct {
	text     string
	problems []string
}

func (p *parser) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// section is the text below a heading, up to the next one of the same or a higher level.
func (p *parser) section(heading string) string {
	_, rest, found := strings.Cut(p.text, "\n"+heading+"\n")
	if !found {
		p.problem("no heading %q", heading)
		return ""
	}
	level := strings.Index(heading, " ")
	end := regexp.MustCompile(`(?m)^#{1,` + strconv.Itoa(level) + `} `).FindStringIndex(rest)
	if end != nil {
		rest = rest[:end[0]]
	}
	return rest
}

// between is the text after one phrase and before the next.
func (p *parser) between(text, from, to string) string {
	_, rest, found := strings.Cut(text, from)
	inner, _, ended := strings.Cut(rest, to)
	if !found || !ended {
		p.problem("no text between %q and %q", from, to)
		return ""
	}
	return inner
}

// table returns the rows of the first table in the text whose header begins with the column.
func (p *parser) table(text, column string) [][]string {
	_, rest, found := strings.Cut("\n"+text, "\n| "+column+" |")
	if !found {
		p.problem("no table of %q", column)
		return nil
	}
	var rows [][]string
	for _, line := range strings.Split(rest, "\n")[2:] {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

var (
	quoted     = regexp.MustCompile("`([^`]+)`")
	defaults   = regexp.MustCompile("default `?([^`; ,)]+)`?")
	defaultTag = regexp.MustCompile(`^\s*\(([0-9]+)[,)]`)
	maximum    = regexp.MustCompile(`max (\d+)`)
	required   = regexp.MustCompile(`(^|, )required`)
	typeWords  = regexp.MustCompile(`^(string|integer|number|boolean|object|array)\b`)
	reference  = regexp.MustCompile("^`([^`]+)`(?:\\s*\\(((?:[^()]|\\([^()]*\\))*)\\))?")
)

func names(text string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// list reads `name` (notes), `name` …; a name in braces is several: `{a, b: type}`.
func list(prefix, text string) []Field {
	var out []Field
	for text != "" {
		start := strings.Index(text, "`")
		if start < 0 {
			break
		}
		m := reference.FindStringSubmatch(text[start:])
		if m == nil {
			break
		}
		out = append(out, noted(prefix, m[1], m[2])...)
		text = text[start+len(m[0]):]
	}
	return out
}

// noted is a field with what its notes in brackets say, and those inside of it.
func noted(prefix, name, notes string) []Field {
	if strings.HasPrefix(name, "{") {
		return braced(prefix, name)
	}
	f := Field{Path: prefix + name}
	f.Type = typeWords.FindString(strings.TrimPrefix(notes, "null or "))
	f.Nullable = strings.HasPrefix(notes, "null or ")
	f.describe(notes)
	out := []Field{f}
	if inner := quoted.FindStringSubmatch(notes); inner != nil && strings.HasPrefix(inner[1], "{") {
		switch {
		case strings.HasPrefix(notes, "array of"), strings.HasPrefix(notes, "items"):
			out[0].Type = "array"
			out = append(out, braced(f.Path+".#.", inner[1])...)
		default:
			out[0].Type = "object"
			out = append(out, braced(f.Path+".", inner[1])...)
		}
	}
	return out
}

// braced reads {a, b: integer, c: {…}}.
func braced(prefix, text string) []Field {
	var out []Field
	for _, member := range strings.Split(strings.Trim(text, "{}"), ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(member), ":")
		if name == "" || name == "..." {
			continue
		}
		out = append(out, Field{Path: prefix + name, Type: strings.TrimSpace(kind)})
	}
	return out
}

// describe takes default, values and marks out of the words beside a field.
func (f *Field) describe(notes string) {
	words, _, _ := strings.Cut(notes, "; on ")
	f.ReadOnly = strings.HasPrefix(words, "RO")
	f.WriteOnly = strings.HasPrefix(words, "write-only")
	f.Sample = strings.HasPrefix(words, "sample ")
	f.Required = f.Required || required.MatchString(words)
	if m := defaults.FindStringSubmatch(words); m != nil {
		f.Default = m[1]
	}
	if m := maximum.FindStringSubmatch(words); m != nil {
		f.Max, _ = strconv.Atoi(m[1])
	}
	if _, allowed, found := strings.Cut(words, "allowed "); found {
		f.Values = names(allowed)
	}
}

// fieldTable reads a table of Field, Type, Notes.
func (p *parser) fieldTable(text string) []Field {
	var out []Field
	for _, row := range p.table(text, "Field") {
		kind, nullable := strings.CutSuffix(row[1], " or null")
		items := ""
		if rest, of := strings.CutPrefix(kind, "array of "); of {
			kind, items = "array", rest
		}
		notes := row[len(row)-1]
		for _, name := range strings.Split(row[0], ", ") {
			f := Field{Path: name, Type: kind, Nullable: nullable}
			if len(row) == 4 {
				f.Required = row[2] == "yes"
			}
			f.describe(notes)
			out = append(out, f)
			if items != "" {
				out = append(out, Field{Path: name + ".#", Type: items})
			}
			out = append(out, inside(f, notes)...)
		}
	}
	return out
}

// inside are the members that the notes of an object or array name.
func inside(f Field, notes string) []Field {
	notes, _, _ = strings.Cut(notes, "; on ")
	switch {
	case f.Type == "array" && strings.HasPrefix(notes, "items"):
		own, _, _ := strings.Cut(notes, "; ")
		return list(f.Path+".#.", own)
	case strings.HasPrefix(notes, "`{"):
		own := braced(f.Path+".", names(notes)[0])
		if strings.HasSuffix(notes, " strings") {
			for i := range own {
				own[i].Type = "string"
			}
		}
		return own
	case f.Type == "object" && strings.HasPrefix(notes, "`"):
		own, _, _ := strings.Cut(notes, " plus the currency")
		return list(f.Path+".", own)
	}
	return nil
}

// parse reads the whole contract.
func parse(text string) (*Document, []string) {
	p := &parser{text: text}
	d := &Document{Records: p.records(), Lists: p.lists(), Inputs: p.inputs()}
	d.Endpoints, d.Roots = p.endpoints()
	for _, row := range p.table(p.section("## Errors"), "Code") {
		d.Codes = append(d.Codes, Code{row[0], numbers(row[1])})
	}
	for _, row := range p.table(p.section("## Errors"), "Status") {
		d.Statuses = append(d.Statuses, numbers(row[0])...)
	}
	for _, row := range p.table(p.section("### Order status values"), "State") {
		d.OrderStatuses = append(d.OrderStatuses, names(row[0])...)
	}
	for _, row := range p.table(p.section("## Versioning"), "Namespace") {
		d.Namespaces = append(d.Namespaces, names(row[0])...)
	}
	values, _, _ := strings.Cut(p.section("### Payment result status"), ".")
	d.PaymentStatuses = names(values)
	d.Headers = p.headers()
	return d, p.problems
}

func numbers(text string) []int {
	var out []int
	for _, m := range regexp.MustCompile(`\b[1-5]\d\d\b`).FindAllString(text, -1) {
		n, _ := strconv.Atoi(m)
		out = append(out, n)
	}
	return out
}

// headers are what the text calls a header, in backquotes.
func (p *parser) headers() []string {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile("`(X-[A-Za-z-]+)`").FindAllStringSubmatch(p.text, -1) {
		found[m[1]] = true
	}
	for _, m := range regexp.MustCompile("`([A-Z][A-Za-z-]+)` (?:response |request )?header").FindAllStringSubmatch(p.text, -1) {
		found[m[1]] = true
	}
	for _, m := range regexp.MustCompile("headers? (`[^.;|]+)").FindAllStringSubmatch(p.text, -1) {
		for _, name := range names(m[1]) {
			name, _, _ = strings.Cut(name, ":")
			if regexp.MustCompile(`^[A-Z][a-z]*(-[A-Z][A-Za-z]+)*$`).MatchString(name) {
				found[name] = true
			}
		}
	}
	var out []string
	for name := range found {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// records reads every documented record.
func (p *parser) records() map[string][]Field {
	product, order := p.section("### Management API: Product"), p.section("### Management API: Order")
	customer, cart := p.section("### Management API: Customer"), p.section("### Store API: Cart")
	checkout, failures := p.section("### Store API: Checkout"), p.section("## Errors")
	address := func(prefix string) []Field {
		return asText(list(prefix, p.between(order, "shared by all address objects): ", ". Billing adds")))
	}
	contact := func(prefix string) []Field {
		return asText(list(prefix, p.between(order, "Billing adds ", ".")))
	}
	currency := func(prefix string) []Field {
		return asText(list(prefix, p.between(cart, "shipping rates): ", ". Shipping rates carry")))
	}
	short := func(prefix string) []Field { return currency(prefix)[:3] } // code, symbol and minor unit come first

	return map[string][]Field{
		"product":   p.fieldTable(product),
		"variation": list("", p.between(product, "create accepts ", ". Other variation")),
		"order": slices.Concat(p.fieldTable(order),
			address("billing."), contact("billing."), address("shipping.")),
		"customer": slices.Concat(p.fieldTable(customer),
			address("billing."), contact("billing."), address("shipping.")),
		"customer-download": list("", p.between(customer, "downloads sub-resource): ", ".\n")),
		"cart": slices.Concat(p.fieldTable(cart), address("shipping_address."), asText([]Field{{Path: "shipping_address.phone"}}),
			address("billing_address."), contact("billing_address."), currency("totals."),
			list("coupons.#.totals.", p.between(cart, "totals hold ", " plus the currency")), currency("coupons.#.totals.")),
		"cart-item": slices.Concat(list("", p.between(cart, "Cart item: ", ".\n")),
			list("prices.", p.between(cart, "Cart item `prices`: ", ", currency fields")), currency("prices."),
			list("prices.", p.between(cart, "currency fields, ", ".\n")),
			list("totals.", p.between(cart, "Cart item `totals`: ", " plus")), currency("totals.")),
		"shipping-package": slices.Concat(list("", p.between(cart, "Shipping package (entry of `shipping_rates`): ", ".\n")),
			address("destination.")[2:]), // without names
		"shipping-rate": slices.Concat(list("", p.between(cart, "Shipping rate: ", ", currency fields")), short("")),
		"checkout": slices.Concat(p.fieldTable(checkout), address("billing_address."), contact("billing_address."),
			address("shipping_address.")),
		"store-product": slices.Concat(list("", p.between(checkout, "product record holding ", " (price, regular_price")),
			list("prices.", ticked(p.between(checkout, "`prices` (", ", currency code"))), short("prices."),
			list("", p.between(checkout, "minor unit), ", ". Categories"))),
		"error": slices.Concat([]Field{{Path: "code", Type: "string"}, {Path: "message", Type: "string"}, {Path: "data", Type: "object"},
			{Path: "data.status", Type: "integer"}}, list("data.", p.between(failures, "Optional extra `data` keys: ", ".\n"))),
		"login-token": list("", p.between(p.text, "form fields `username` and `password` returns ", ". Then send")),
	}
}

// ticked writes a plain list as one of names.
func ticked(text string) string { return "`" + strings.ReplaceAll(text, ", ", "`, `") + "`" }

// asText gives fields without a type that of a string: parts of an address and names of a currency are text.
func asText(list []Field) []Field {
	for i, f := range list {
		if f.Type == "" {
			list[i].Type = "string"
		}
	}
	return list
}

// lists reads the parameters of the three documented lists.
func (p *parser) lists() map[string][]Field {
	products := p.section("### Products")
	var out []Field
	for _, row := range p.table(products, "Parameter") {
		for _, name := range strings.Split(row[0], ", ") {
			f := Field{Path: name, Type: row[1], Default: strings.Trim(row[2], "`"), Values: names(row[3])}
			f.describe(row[3])
			out = append(out, f)
		}
	}
	return map[string][]Field{
		"products":  out,
		"orders":    p.queryList(p.section("### Orders")),
		"customers": p.queryList(p.section("### Customers")),
	}
}

// queryList reads "List query: `page` (1), `order` (default `desc`) …".
func (p *parser) queryList(text string) []Field {
	line := p.between(text, "List query: ", ".\n")
	var out []Field
	for line != "" {
		start := strings.Index(line, "`")
		if start < 0 {
			break
		}
		m := reference.FindStringSubmatch(line[start:])
		f := Field{Path: m[1], Type: typeWords.FindString(m[2])}
		f.describe(m[2])
		if tag := defaultTag.FindStringSubmatch("(" + m[2] + ")"); tag != nil {
			f.Default, f.Type = tag[1], "integer"
		}
		_, allowed, _ := strings.Cut(m[2], ";")
		f.Values = names(allowed)
		if strings.Contains(allowed, "any order status") {
			for _, row := range p.table(p.section("### Order status values"), "State") {
				f.Values = append(f.Values, names(row[0])...)
			}
		}
		out = append(out, f)
		line = line[start+len(m[0]):]
	}
	return out
}

// inputs reads what requests take.
func (p *parser) inputs() map[string][]Field {
	out := map[string][]Field{}
	products, orders, customers := p.section("### Products"), p.section("### Orders"), p.section("### Customers")
	out["POST /shop/v3/products"] = list("", p.between(products, "Create body: ", ". Response"))
	out["POST /shop/v3/products/{id}/variations"] = list("", p.between(p.text, "create accepts ", ". Other variation"))
	out["POST /shop/v3/orders"] = list("", p.between(orders, "Accepted: ", ". Response"))
	out["POST /shop/v3/orders/{id}/notes"] = list("", p.between(p.section("### Management API: Order"),
		"Order note: create accepts ", ". Order note response"))
	out["POST /shop/v3/customers"] = list("", p.between(customers, "Create body: ", ".\n"))
	out["DELETE /shop/v3/customers/{id}"] = list("", p.between(customers, "Delete query: ", ".\n"))
	for _, row := range p.table(p.section("### Store API: cart"), "Method") {
		out[row[0]+" "+row[1]] = list("", row[2])
	}
	out["POST /shop/store/v1/batch"] = append([]Field{{Path: "requests", Type: "array"}},
		braced("requests.#.", p.between(p.text, "`{requests: [{", "}]}"))...)
	checkout := p.section("### Store API: checkout")
	for _, row := range p.table(checkout, "Method") {
		out[row[0]+" "+row[1]] = list("", row[2])
	}
	out["POST /shop/store/v1/checkout"] = p.fieldTable(checkout)
	for _, part := range strings.Split(p.between(checkout, "| billing_address | object | yes | required: ", "|"), ";") {
		_, named, _ := strings.Cut(" "+part, ":")
		required := named == ""
		if required {
			named = part
		}
		for _, f := range list("billing_address.", ticked(strings.TrimSpace(named))) {
			f.Required, f.Type = required, "string"
			out["POST /shop/store/v1/checkout"] = append(out["POST /shop/store/v1/checkout"], f)
		}
	}
	for endpoint, fields := range out {
		if len(fields) == 0 {
			delete(out, endpoint)
		}
	}
	return out
}

// endpoints reads the rows of all tables of methods and paths, and the collections of which only the address is named.
func (p *parser) endpoints() (endpoints, roots []string) {
	text := p.section("## Endpoints")
	for _, m := range regexp.MustCompile(`(?m)^\| (GET|POST|PUT|DELETE) \| (/\S+) \|`).FindAllStringSubmatch(text, -1) {
		endpoints = append(endpoints, m[1]+" "+m[2])
	}
	for _, m := range regexp.MustCompile("`(GET|POST) (/\\S+?)(?:\\?\\S*)?`").FindAllStringSubmatch(p.text, -1) {
		endpoints = append(endpoints, m[1]+" "+m[2])
	}
	for _, heading := range []string{"### Other management resources", "### Store API: product endpoints"} {
		for _, name := range names(p.section(heading)) {
			if strings.HasPrefix(name, "/shop/") {
				roots = append(roots, name)
			}
		}
	}
	return endpoints, roots
}
