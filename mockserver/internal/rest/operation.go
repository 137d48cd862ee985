package rest

// What an API offers, told to those who describe it: documents for people and programs are made from it.

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Operation describes one call: a method of an address.
type Operation struct {
	API     string // the namespace: "shop/v3"
	Method  string
	Path    string // mux syntax: "/shop/v3/products/{id:[0-9]+}"
	Summary string // one line for people
	Access  Access
	Query   []Param
	Body    *Param // nil: it takes none
	Status  int    // of a good answer; 0: 200
	Answer  *Param // the body of a good answer; nil: it has none
	Media   string // of the answer; "": JSON
	Empties bool   // the answer may be 204 without a body instead
	Pages   bool   // the answer is a list in pages, with the headers that tell how many
}

// Variables declares the variables of the operation's path.
func (o *Operation) Variables() []Param { return variablesOf(o.Path) }

// Address returns the operation's path with nothing but the names of its variables: "/shop/v3/products/{id}".
func (o *Operation) Address() string { return withoutPatterns(o.Path) }

// Shows says how the good answer of an endpoint holds records of its schema.
type Shows int

// How an answer holds records.
const (
	ARecord Shows = iota
	Records       // a list of them
	Outcome       // of a batch: lists of them under create, update and delete
	NoBody        // nothing: there is no body
)

// Operations describes the calls of the API, in the order of its endpoints, its index last.
func (api *API) Operations() []Operation {
	var all []Operation
	for _, endpoint := range append(slices.Clip(api.Endpoints()), *api.index()) {
		for _, method := range endpoint.Methods {
			all = append(all, api.operation(&endpoint, method))
		}
	}
	return all
}

// Addresses lists where the operations are, in their order.
func (api *API) Addresses() []string {
	var all []string
	for _, endpoint := range append(slices.Clip(api.Endpoints()), *api.index()) {
		all = append(all, withoutPatterns("/"+api.Namespace+endpoint.Path))
	}
	return all
}

func (api *API) operation(e *Endpoint, method string) Operation {
	o := Operation{
		API: api.Namespace, Method: method, Path: "/" + api.Namespace + e.Path, Summary: cmp.Or(e.Summary, e.summary()),
		Access: e.Access, Status: e.Status, Answer: e.answer(), Empties: e.Empties,
	}
	variables := variablesOf(e.Path)
	var fields []Param
	for _, param := range e.Params {
		switch inPath := slices.ContainsFunc(variables, func(v Param) bool { return v.Name == param.Name }); {
		case inPath || param.ReadOnly || param.Name == fieldsParam.Name:
		case method == http.MethodGet || method == http.MethodDelete || param.Name == ContextParam.Name:
			o.Query = append(o.Query, param)
			o.Pages = o.Pages || param.Name == "per_page"
		default:
			fields = append(fields, param)
		}
	}
	o.Query = append(o.Query, fieldsParam)
	if len(fields) > 0 {
		o.Body = &Param{Type: Object, Fields: fields}
	}
	return o
}

// answer describes the body of a good answer.
func (e *Endpoint) answer() *Param {
	if e.Shows == NoBody {
		return nil
	}
	record := &Param{}
	if e.Schema != nil {
		record = e.Schema().param()
	}
	list := Param{Type: Array, Items: record}
	switch e.Shows {
	case Records:
		return &list
	case Outcome:
		done := &Param{Type: Object | Array}
		for _, name := range []string{"create", "update", "delete"} {
			list.Name = name
			done.Fields = append(done.Fields, list)
		}
		return done
	}
	return record
}

// param is the schema as a parameter that holds a record.
func (s *Schema) param() *Param {
	record := &Param{Type: Object, Title: s.Title}
	for i := range s.Fields {
		record.Fields = append(record.Fields, s.Fields[i].Param)
	}
	return record
}

// summary tells in a few words what an endpoint does, by its path.
func (e *Endpoint) summary() string {
	what := strings.NewReplacer("-", " ", "_", " ").Replace(cmp.Or(lastWord(e.Path), "index"))
	if strings.HasSuffix(e.Path, "}") {
		what = "one of " + what
	}
	switch e.Methods[0] {
	case http.MethodGet:
		return "Read " + what
	case http.MethodDelete:
		return "Delete " + what
	case http.MethodPut:
		return "Change " + what
	}
	return strings.ToUpper(what[:1]) + what[1:]
}

// Described describes the values of a Go type as encoding/json writes them.
func Described[T any]() *Param { p := describedType(reflect.TypeFor[T]()); return &p }

func describedType(t reflect.Type) Param {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Param{Type: String}
	case t == reflect.TypeFor[Raw]():
		return Param{}
	case t.Kind() == reflect.Pointer:
		return describedType(t.Elem())
	case t.Kind() == reflect.Struct:
		return Param{Type: Object, Title: t.Name(), Fields: describedFields(t)}
	case t.Kind() == reflect.Slice:
		items := describedType(t.Elem())
		return Param{Type: Array, Items: &items}
	case t.Kind() == reflect.Map:
		return Param{Type: Object}
	case t.Kind() == reflect.String:
		return Param{Type: String}
	case t.Kind() == reflect.Bool:
		return Param{Type: Boolean}
	case t.Kind() == reflect.Float64:
		return Param{Type: Number}
	case t.Kind() == reflect.Interface:
		return Param{}
	}
	return Param{Type: Integer}
}

func describedFields(t reflect.Type) []Param {
	var fields []Param
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := describedType(field.Type)
		if field.Anonymous && name == "" {
			fields = append(fields, inner.Fields...)
			continue
		}
		inner.Name = cmp.Or(name, field.Name)
		fields = append(fields, inner)
	}
	return fields
}
