package trigger

// Setting fields of a record by their places, as far as clients may write them.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// setting is a value and its place in a record: ["line_items", "0", "quantity"].
type setting struct {
	place []string
	value any
}

// inOrder sorts settings by their places: the entries of a list by their numbers.
func inOrder(a, b setting) int {
	return slices.CompareFunc(a.place, b.place, func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a, b)
	})
}

// applied is a body with the plan's settings.
func (p *plan) applied(body map[string]any) (map[string]any, error) {
	for _, set := range p.withTotal() {
		place := strings.Join(set.place, ".")
		_, writable := field(p.writable, set.place[0])
		_, known := field(p.shown, set.place[0])
		wrong := derivedField
		if writable || !known {
			_, wrong = put(body, p.writable, set.place, set.value)
		}
		switch wrong {
		case "":
		case derivedField:
			return nil, p.derived(place)
		default:
			return nil, rest.InvalidParamf("set."+place, "%s cannot be set: %s", place, wrong)
		}
	}
	p.withExcess(body)
	return body, nil
}

// declared returns what may be written to the record, and what it shows.
func (p *plan) declared() (writable, shown *rest.Param) {
	path := "/" + p.shop.API.Namespace + "/" + p.kind.collection
	if p.event.Action == "updated" {
		path += "/{id:[0-9]+}"
	}
	for _, operation := range p.shop.API.Operations() {
		if operation.Path == path && operation.Body != nil {
			return operation.Body, operation.Answer
		}
	}
	panic("nothing can be written to " + path)
}

func field(object *rest.Param, name string) (*rest.Param, bool) {
	i := slices.IndexFunc(object.Fields, func(p rest.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return &object.Fields[i], true
}

// derivedField is why a field that clients cannot write cannot be set.
const derivedField = "it follows from the rest"

// put puts a value into a place of a tree, and returns the tree, or why it cannot be there.
func put(in any, declared *rest.Param, place []string, value any) (any, string) {
	if len(place) == 0 {
		return read(declared, value), ""
	}
	list, isList := in.([]any)
	switch {
	case declared.Type&rest.Array != 0 && (isList || declared.Type&rest.Object == 0):
		return putInList(list, declared, place, value)
	case declared.Type&rest.Object != 0 || declared.Type == 0:
		return putInObject(in, declared, place, value)
	}
	return nil, "there is nothing below a value that is no object and no list."
}

func putInList(list []any, declared *rest.Param, place []string, value any) (any, string) {
	at, err := strconv.Atoi(place[0])
	if err != nil || at < 0 || at > len(list) {
		return nil, fmt.Sprintf("it is in a list of %[1]d, whose entries have the numbers from 0 on; %[1]d is a new one.", len(list))
	}
	if at == len(list) {
		list = append(list, nil)
	}
	var wrong string
	list[at], wrong = put(list[at], cmp.Or(declared.Items, &rest.Param{Type: rest.Object}), place[1:], value)
	return list, wrong
}

func putInObject(in any, declared *rest.Param, place []string, value any) (any, string) {
	name := place[0]
	inner := &rest.Param{}
	if declared.Fields != nil {
		var known bool
		if inner, known = field(declared, name); !known {
			return nil, unknown(name, declared)
		} else if inner.ReadOnly {
			return nil, derivedField
		}
	}
	object, some := in.(map[string]any)
	if !some {
		object = map[string]any{}
	}
	var wrong string
	object[name], wrong = put(object[name], inner, place[1:], value)
	return object, wrong
}

// read reads a text that stands for a list or an object as JSON. What else text stands for, the API knows.
func read(declared *rest.Param, value any) any {
	text, isText := value.(string)
	var tree any
	isTree := declared.Type&rest.String == 0 && declared.Type&(rest.Array|rest.Object) != 0
	if isText && isTree && json.Unmarshal([]byte(text), &tree) == nil {
		return tree
	}
	return value
}

func writableIn(object *rest.Param) (names []string) {
	for i := range object.Fields {
		if !object.Fields[i].ReadOnly {
			names = append(names, object.Fields[i].Name)
		}
	}
	return names
}

func unknown(name string, in *rest.Param) string {
	known := writableIn(in)
	if near := rest.Nearest(known, name); len(near) > 0 {
		return fmt.Sprintf("there is no field %.80q; did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Sprintf("there is no field %.80q; known are %s.", name, strings.Join(known, ", "))
}

// derived refuses to set what follows from other fields, and says which.
func (p *plan) derived(place string) *rest.Error {
	instead := insteadOf(p.event.Resource, place)
	if instead == "" {
		instead = "what can be set are " + strings.Join(writableIn(p.writable), ", ")
	}
	return rest.InvalidParamf("set."+place, "%s cannot be set, %s: %s.", place, derivedField, instead)
}

// insteadOf says what to set instead of a field that follows from others, "" where nothing else brings it about.
func insteadOf(resource, place string) string {
	last := place[strings.LastIndex(place, ".")+1:]
	switch resource + " " + last {
	case "order shipping_total":
		return "set shipping_lines.0.method_id and shipping_lines.0.total"
	case "order discount_total":
		return "set coupon_lines.0.code, or line_items.0.subtotal above line_items.0.total"
	case "order price", "order subtotal_tax", "order total_tax", "order cart_tax", "order discount_tax", "order shipping_tax",
		"order taxes", "order tax_lines":
		return "set line_items.0.total, which is without tax, and billing.country, or the total of the whole order"
	case "order date_paid", "order date_paid_gmt", "order needs_payment":
		return "set set_paid to true"
	case "order date_completed", "order date_completed_gmt":
		return "set status to completed"
	case "order discount", "order discount_type", "order nominal_amount":
		return "set coupon_lines.0.code to a coupon of the shop"
	case "order refunds":
		return "POST /shop/v3/orders/ID/refunds makes one"
	case "product price":
		return "set regular_price, or sale_price"
	case "product on_sale", "product price_html":
		return "set sale_price below regular_price"
	case "product average_rating", "product rating_count":
		return "POST /shop/v3/products/reviews makes a review"
	case "customer role", "customer is_paying_customer":
		return "who orders and pays becomes a paying customer: trigger order.created with set_paid"
	}
	return ""
}
