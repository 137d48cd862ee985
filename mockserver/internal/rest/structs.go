package rest

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SchemaOf describes a record whose wire form is a struct with JSON tags.
func SchemaOf(title string, record any) *Schema {
	schema := &Schema{Title: title}
	for _, field := range structParams(reflect.TypeOf(record)) {
		schema.Fields = append(schema.Fields, SchemaField{Param: field})
	}
	return schema
}

// structParams are the fields of a struct, those of embedded structs among them.
func structParams(t reflect.Type) []Param {
	var params []Param
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, tagged := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			params = append(params, structParams(pointedTo(field.Type))...)
			continue
		}
		param := typeParam(field.Type)
		if tagged && options == "omitempty" {
			param.Type &^= Null // it is left out instead
		}
		param.Name, param.ReadOnly = name, true
		params = append(params, param)
	}
	return params
}

func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// scalarTypes are the JSON types of the kinds of Go values that are neither lists nor objects.
var scalarTypes = map[reflect.Kind]Type{
	reflect.String: String, reflect.Bool: Boolean, reflect.Int: Integer, reflect.Int32: Integer, reflect.Int64: Integer,
}

// typeParam describes the values of a type. An interface may hold anything: it is described by no type.
func typeParam(t reflect.Type) Param {
	switch t.Kind() {
	case reflect.Pointer:
		param := typeParam(t.Elem())
		param.Type |= Null
		return param
	case reflect.Slice:
		items := typeParam(t.Elem())
		items.Type &^= Null // pointers in a list are no nulls
		return Param{Type: Array, Items: &items}
	case reflect.Struct:
		return Param{Type: Object, Fields: structParams(t)}
	case reflect.Map:
		return Param{Type: Object}
	}
	if t == reflect.TypeFor[json.Number]() {
		return Param{Type: Number}
	}
	return Param{Type: scalarTypes[t.Kind()]}
}
