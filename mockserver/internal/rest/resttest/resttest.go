// Package resttest makes test inputs from the declarations of endpoints: what a parameter takes, and what it must refuse.
package resttest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// Object is a JSON object.
type Object = map[string]any

// Sample is a value that the parameter takes.
func Sample(p rest.Param) any {
	switch {
	case len(p.Enum) > 0:
		return p.Enum[0]
	case p.Format != "":
		return wellFormed(p.Format)
	case p.Type&rest.Array != 0:
		if p.Items == nil {
			return []any{}
		}
		return []any{Sample(*p.Items)}
	case p.Type&rest.Object != 0:
		return Samples(p.Fields)
	case p.Type&rest.Boolean != 0:
		return true
	case p.Type&(rest.Integer|rest.Number) != 0:
		return sampleNumber(p)
	}
	return "1"
}

func wellFormed(format rest.Format) string {
	return map[rest.Format]string{
		rest.Email: "x@shop.example", rest.DateTime: "2026-01-02T03:04:05", rest.Day: "2026-01-02", rest.URI: "https://shop.example/x",
	}[format]
}

func malformed(format rest.Format) (text string, ok bool) {
	text, ok = map[rest.Format]string{
		rest.Email: "@@", rest.DateTime: "yesterday", rest.Day: "2026-13-45", rest.URI: "nowhere",
	}[format]
	return text, ok
}

func sampleNumber(p rest.Param) int64 {
	if p.Min != nil && *p.Min > 1 {
		return *p.Min
	}
	return 1
}

// Samples holds a value for every parameter that can be written.
func Samples(params []rest.Param) Object {
	return samples(params, func(p rest.Param) bool { return !p.ReadOnly })
}

// Required holds a value for every parameter that must be sent.
func Required(params []rest.Param) Object {
	return samples(params, func(p rest.Param) bool { return p.Required })
}

func samples(params []rest.Param, wanted func(rest.Param) bool) Object {
	object := Object{}
	for _, p := range params {
		if wanted(p) {
			object[p.Name] = Sample(p)
		}
	}
	return object
}

// JSON encodes a value.
func JSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Query writes a value as parameters of a query or form: a[b][]=c.
func Query(name string, value any) url.Values {
	values := url.Values{}
	addQuery(values, name, value)
	return values
}

func addQuery(values url.Values, name string, value any) {
	switch v := value.(type) {
	case nil:
		values.Add(name, "")
	case []any:
		for i, item := range v {
			addQuery(values, name+"["+strconv.Itoa(i)+"]", item)
		}
	case Object:
		for key, member := range v {
			addQuery(values, name+"["+key+"]", member)
		}
	default:
		values.Add(name, fmt.Sprint(v))
	}
}

// pathVariable is {name} or {name:pattern}; a pattern may end with how often it repeats: {key:[a-z]{32}}.
var pathVariable = regexp.MustCompile(`\{\w+(?::[^{}]*(?:\{(\d+)\})?)?\}`)

// Path puts a character in the place of each variable of an endpoint's path, as often as the variable's pattern repeats.
func Path(pattern, character string) string {
	return pathVariable.ReplaceAllStringFunc(pattern, func(variable string) string {
		times, err := strconv.Atoi(pathVariable.FindStringSubmatch(variable)[1])
		if err != nil {
			times = 1
		}
		return strings.Repeat(character, times)
	})
}

// Bad is a value that a parameter must refuse.
type Bad struct {
	What  string // "null", "above the maximum", "items: text"
	Value any
	Text  bool // a query string can say it: it is refused as text too
}

// Refused lists what the parameter must refuse: every wrong type, what is out of range, huge, not in the enum, or malformed – of
// itself, of its items, and of the fields of objects, which must refuse null, too. A parameter that is null is one that is not given.
//
// What is taken besides the declared types (see package rest) is left out.
func Refused(p rest.Param) []Bad {
	return slices.DeleteFunc(refused(p), func(b Bad) bool { return b.Value == nil })
}

// refused is Refused of a value that may stand inside another one.
func refused(p rest.Param) []Bad {
	bad := append(wrongTypes(p), outOfRange(p)...)
	if p.Type&rest.Array != 0 && p.Items != nil {
		for _, item := range refused(*p.Items) {
			bad = append(bad, Bad{"item: " + item.What, []any{item.Value}, item.Text})
		}
	}
	if p.Type&rest.Object != 0 {
		bad = append(bad, badFields(p)...)
	}
	return bad
}

func badFields(p rest.Param) []Bad {
	var bad []Bad
	for _, field := range p.Fields {
		if field.ReadOnly {
			continue
		}
		for _, inner := range refused(field) {
			object := Required(p.Fields)
			object[field.Name] = inner.Value
			bad = append(bad, Bad{field.Name + ": " + inner.What, object, inner.Text})
		}
		if field.Required {
			object := Required(p.Fields)
			delete(object, field.Name)
			bad = append(bad, Bad{"without " + field.Name, object, len(object) > 0})
		}
	}
	return bad
}

func wrongTypes(p rest.Param) []Bad {
	var bad []Bad
	refuse := func(takenBy rest.Type, what string, value any, text bool) {
		if p.Type&takenBy == 0 {
			bad = append(bad, Bad{what, value, text})
		}
	}
	refuse(rest.Null, "null", nil, p.Type&(rest.String|rest.Array) == 0)
	refuse(rest.Boolean, "a truth value", true, p.Type&(rest.String|rest.Array) == 0)
	refuse(rest.Number, "a fraction", 1.5, p.Type&(rest.String|rest.Array) == 0)
	refuse(rest.String|rest.Array, "a word", "neither here nor there", true)
	refuse(rest.Array, "a list", []any{Object{"x": "y"}}, p.Type&rest.Object == 0)
	refuse(rest.Object, "an object", Object{"x": "y"}, true)
	return bad
}

func outOfRange(p rest.Param) []Bad {
	var bad []Bad
	if len(p.Enum) > 0 {
		bad = append(bad, Bad{"not in the enum", "no such choice", p.Type&rest.Array == 0})
	}
	if text, ok := malformed(p.Format); ok {
		bad = append(bad, Bad{"malformed", text, true})
	}
	asText := p.Type&rest.String == 0
	switch {
	case p.Type&rest.Array != 0:
		if p.Max != nil {
			bad = append(bad, Bad{"too many items", repeated(p, int(*p.Max)+1), false})
		}
	case p.Type&rest.Integer != 0:
		bad = append(
			bad,
			Bad{"huge", 1e300, asText},
			Bad{"huge and negative", -1e300, asText},
			Bad{"beyond what a double holds", math.Ldexp(1, 62), asText},
		)
		fallthrough
	case p.Type&rest.Number != 0:
		if p.Min != nil {
			bad = append(bad, Bad{"below the minimum", *p.Min - 1, asText})
		}
		if p.Max != nil {
			bad = append(bad, Bad{"above the maximum", *p.Max + 1, asText})
		}
	case p.Type&rest.String != 0:
		if p.Min != nil {
			bad = append(bad, Bad{"too short", strings.Repeat("x", int(*p.Min)-1), true})
		}
		if p.Max != nil {
			bad = append(bad, Bad{"too long", strings.Repeat("ö", int(*p.Max)+1), *p.Max < 5000})
		}
	}
	return bad
}

func repeated(p rest.Param, times int) []any {
	list := make([]any, times)
	for i := range list {
		if p.Items != nil {
			list[i] = Sample(*p.Items)
		}
	}
	return list
}
