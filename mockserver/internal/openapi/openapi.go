// Package openapi describes what is served, in forms that others read: an OpenAPI document, and collections made from it.
package openapi

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shopcheck/mockserver/internal/rest"
)

// Document returns an OpenAPI 3.1 document of operations that are served at an address.
func Document(site string, operations []rest.Operation) ([]byte, error) {
	d := document{schemas: object{}, titled: map[string][]titled{}}
	paths, order := map[string]rest.Pairs{}, []string(nil)
	for _, o := range distinct(operations) {
		d.api = o.API
		address := o.Address()
		if paths[address] == nil {
			order = append(order, address)
		}
		paths[address] = append(paths[address], rest.Extra{Name: strings.ToLower(o.Method), Value: d.operation(o)})
	}
	served := rest.Pairs{}
	for _, address := range order {
		served = append(served, rest.Extra{Name: address, Value: paths[address]})
	}
	return json.Marshal(rest.Pairs{
		{Name: "openapi", Value: "3.1.0"},
		{Name: "info", Value: object{"title": "shopmock", "version": "3", "description": about}},
		{Name: "servers", Value: []object{{"url": site}}},
		{Name: "tags", Value: tagsOf(operations)},
		{Name: "paths", Value: served},
		{Name: "components", Value: object{"schemas": d.schemas, "securitySchemes": securitySchemes,
			"responses": object{"refused": refused}, "headers": headers}},
	})
}

const about = `The reference shop: its management API (shop/v3, with the older shop/v2 and shop/v1), its Store API
(shop/store/v1), and under /_mock the mock's own API.

Every address takes OPTIONS too, and HEAD where it takes GET. With _envelope=1 status and headers come in the body. Parameters of a body
are taken from the query and from a form as well; text stands for numbers and truth values there. Answers may hold more fields than are
described, and fewer with _fields.`

// object is a JSON object whose order does not matter.
type object = map[string]any

// document is what becomes one.
type document struct {
	schemas object
	titled  map[string][]titled // by the title
	bodies  []titled
	api     string // of the operation that is described just now
}

// titled is an object that is described once for all.
type titled struct {
	name   string
	fields []rest.Param
}

func (d *document) operation(o *rest.Operation) rest.Pairs {
	shown := rest.Pairs{
		{Name: "operationId", Value: OperationID(o)}, {Name: "summary", Value: o.Summary}, {Name: "tags", Value: []string{Tag(o)}},
	}
	if IsDeprecated(o) {
		shown = append(shown, rest.Extra{Name: "deprecated", Value: true})
	}
	if choices := security(o.Access); choices != nil {
		shown = append(shown, rest.Extra{Name: "security", Value: choices})
	}
	if parameters := d.parameters(o); len(parameters) > 0 {
		shown = append(shown, rest.Extra{Name: "parameters", Value: parameters})
	}
	if o.Body != nil {
		content := object{"schema": d.body(o)}
		body := object{"content": object{"application/json": content, "application/x-www-form-urlencoded": content}}
		if len(requiredOf(o.Body.Fields)) > 0 {
			body["required"] = true
		}
		shown = append(shown, rest.Extra{Name: "requestBody", Value: body})
	}
	return append(shown, rest.Extra{Name: "responses", Value: d.responses(o)})
}

// body describes the body of an operation. Equal ones are described once for all.
func (d *document) body(o *rest.Operation) object {
	for _, known := range d.bodies {
		if reflect.DeepEqual(known.fields, o.Body.Fields) {
			return reference("schemas", known.name)
		}
	}
	name := "body-of-" + OperationID(o)
	d.bodies = append(d.bodies, titled{name, o.Body.Fields})
	d.schemas[name] = d.schema(o.Body, sent)
	return reference("schemas", name)
}

// distinct leaves out operations at addresses that differ from an earlier one in the names of variables only: a document cannot have both.
// The variables of what is left are texts: they may be either.
func distinct(operations []rest.Operation) []*rest.Operation {
	var left []*rest.Operation
	byShape := map[string]*rest.Operation{}
	for i := range operations {
		o := &operations[i]
		shape := o.Method + variable().ReplaceAllString(o.Address(), "{}")
		if earlier := byShape[shape]; earlier != nil {
			earlier.Path = earlier.Address()
			earlier.Summary += ", or by " + o.Variables()[len(o.Variables())-1].Name
			continue
		}
		own := *o
		byShape[shape] = &own
		left = append(left, &own)
	}
	return left
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^}]*\}`) })

// OperationID is a name of the operation that no other has: "get-shop-v3-products-id".
func OperationID(o *rest.Operation) string {
	words := strings.FieldsFunc(strings.ToLower(o.Address()), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
	})
	return strings.ToLower(o.Method) + "-" + strings.Join(words, "-")
}

// Tag groups operations: by their API, and what they are about.
func Tag(o *rest.Operation) string {
	about, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(o.Path, "/"+o.API), "/"), "/")
	about, _, _ = strings.Cut(about, ".")
	return o.API + " " + cmp.Or(about, "index")
}

func tagsOf(operations []rest.Operation) []object {
	var tags []object
	seen := map[string]bool{}
	for i := range operations {
		if tag := Tag(&operations[i]); !seen[tag] {
			seen[tag] = true
			tags = append(tags, object{"name": tag})
		}
	}
	return tags
}

// IsDeprecated reports whether new clients should use a newer version (contract, "Versioning").
func IsDeprecated(o *rest.Operation) bool { return o.API == "shop/v1" || o.API == "shop/v2" }

func (d *document) parameters(o *rest.Operation) []object {
	var parameters []object
	for _, variable := range o.Variables() {
		parameters = append(parameters, object{"name": variable.Name, "in": "path", "required": true, "schema": d.schema(&variable, sent)})
	}
	for i := range o.Query {
		param := &o.Query[i]
		shown := object{"name": param.Name, "in": "query", "schema": d.schema(param, sent)}
		if param.Required {
			shown["required"] = true
		}
		if param.Description != "" {
			shown["description"] = param.Description
		}
		if param.Type&rest.Array != 0 {
			shown["style"], shown["explode"] = "form", false
		}
		parameters = append(parameters, shown)
	}
	return parameters
}

func (d *document) responses(o *rest.Operation) object {
	good := object{"description": http.StatusText(cmp.Or(o.Status, http.StatusOK))}
	if o.Answer != nil {
		good["content"] = object{cmp.Or(o.Media, "application/json"): object{"schema": d.schema(o.Answer, answered)}}
	}
	if o.Pages {
		good["headers"] = object{"X-Shop-Total": reference("headers", "total"), "X-Shop-TotalPages": reference("headers", "pages"),
			"Link": reference("headers", "link")}
	}
	all := object{strconv.Itoa(cmp.Or(o.Status, http.StatusOK)): good, "default": reference("responses", "refused")}
	if o.Empties {
		all[strconv.Itoa(http.StatusNoContent)] = object{"description": http.StatusText(http.StatusNoContent)}
	}
	return all
}

func reference(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// direction says whether a schema describes what clients send or what they are answered.
type direction int

const (
	sent direction = iota
	answered
)

// schema describes the values of a parameter or field. Objects that have a title, and are answered, are described once for all.
func (d *document) schema(p *rest.Param, way direction) object {
	if p.Title == "" || way == sent {
		return d.inline(p, way)
	}
	for _, known := range d.titled[p.Title] {
		if reflect.DeepEqual(known.fields, p.Fields) {
			return reference("schemas", known.name)
		}
	}
	name := p.Title
	if d.schemas[name] != nil {
		name += "-" + strings.ReplaceAll(strings.TrimPrefix(d.api, "shop/"), "/", "-")
	}
	for d.schemas[name] != nil {
		name += "-other"
	}
	d.titled[p.Title] = append(d.titled[p.Title], titled{name, p.Fields})
	d.schemas[name] = d.inline(p, way)
	return reference("schemas", name)
}

func (d *document) inline(p *rest.Param, way direction) object {
	schema := object{}
	switch names := p.Type.Names(); len(names) {
	case 0: // anything
	case 1:
		schema["type"] = names[0]
	default:
		schema["type"] = names
	}
	if p.Description != "" {
		schema["description"] = p.Description
	}
	if way == sent {
		limits(schema, p)
	} else if p.ReadOnly {
		schema["readOnly"] = true
	}
	if p.Items != nil {
		schema["items"] = d.schema(p.Items, way)
	}
	if len(p.Fields) > 0 {
		schema["properties"] = d.properties(p.Fields, way)
	}
	if required := requiredOf(p.Fields); way == sent && len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

func (d *document) properties(fields []rest.Param, way direction) rest.Pairs {
	properties := rest.Pairs{}
	for i := range fields {
		if way == answered || !fields[i].ReadOnly {
			properties = append(properties, rest.Extra{Name: fields[i].Name, Value: d.schema(&fields[i], way)})
		}
	}
	return properties
}

func requiredOf(fields []rest.Param) []string {
	var names []string
	for _, field := range fields {
		if field.Required && !field.ReadOnly {
			names = append(names, field.Name)
		}
	}
	slices.Sort(names)
	return names
}

// limits adds what a value must keep to.
func limits(schema object, p *rest.Param) {
	if len(p.Enum) > 0 {
		schema["enum"] = p.Enum
	}
	if p.Format == rest.Day {
		schema["format"] = string(p.Format)
	}
	if p.Default != nil {
		schema["default"] = p.Default
	}
	least, most := "minLength", "maxLength"
	switch {
	case p.Type&(rest.Integer|rest.Number) != 0:
		least, most = "minimum", "maximum"
	case p.Type == rest.Array:
		least, most = "minItems", "maxItems"
	}
	if p.Min != nil {
		schema[least] = *p.Min
	}
	if p.Max != nil {
		schema[most] = *p.Max
	}
}

// refused is the answer to what is wrong (contract, "Errors").
var refused = object{
	"description": "What is wrong",
	"content": object{"application/json": object{"schema": object{
		"type": "object", "required": []string{"code", "message", "data"},
		"properties": object{
			"code": object{"type": "string"}, "message": object{"type": "string"},
			"data": object{"type": "object", "required": []string{"status"}, "properties": object{"status": object{"type": "integer"}}},
		},
	}}},
}

var headers = object{
	"total": object{"description": "How many records there are in all", "schema": object{"type": "integer"}},
	"pages": object{"description": "How many pages there are", "schema": object{"type": "integer"}},
	"link":  object{"description": "The pages before and after this one", "schema": object{"type": "string"}},
}

// securitySchemes are the ways to say who calls (contract, "Authentication").
var securitySchemes = object{
	"key":        object{"type": "http", "scheme": "basic", "description": "An API key and its secret, or a user's name and password."},
	"key_id":     object{"type": "apiKey", "in": "query", "name": "consumer_key"},
	"key_secret": object{"type": "apiKey", "in": "query", "name": "consumer_secret"},
	"oauth": object{"type": "http", "scheme": "OAuth",
		"description": "OAuth 1.0a, HMAC-SHA256 or -SHA1; in the query or a form as well."},
	"token": object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
	"nonce": object{"type": "apiKey", "in": "header", "name": "Nonce", "description": "The newest one: each answer carries one."},
	"cart": object{"type": "apiKey", "in": "header", "name": "Cart-Token",
		"description": "From the answer to any request about the cart."},
}

// security lists the ways of which one is enough; nil where none is needed.
func security(access rest.Access) []object {
	none := []string{}
	switch access {
	case rest.Public:
		return nil
	case rest.Guarded:
		return []object{{"nonce": none}, {"cart": none}}
	}
	return []object{{"key": none}, {"token": none}, {"oauth": none}, {"key_id": none, "key_secret": none}}
}
