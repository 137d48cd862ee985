package reports

// A deep copy of a report: without nil lists, and with each text passed through a function.

import (
	"reflect"
	"time"
)

// Rewritten returns a deep copy of a report or a part of one in which every string went through text and every nil list or map is
// an empty one: a reader in any language then finds an array where the schema promises one.
func Rewritten[T any](r *T, text func(string) string) *T {
	result := new(T)
	rewrite(reflect.ValueOf(result).Elem(), reflect.ValueOf(r).Elem(), text)
	return result
}

func rewrite(to, from reflect.Value, text func(string) string) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(text(from.String()))
	case reflect.Slice:
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			rewrite(to.Index(i), from.Index(i), text)
		}
	case reflect.Map:
		rewriteMap(to, from, text)
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			rewrite(to.Elem(), from.Elem(), text)
		}
	case reflect.Struct:
		rewriteStruct(to, from, text)
	default:
		to.Set(from)
	}
}

func rewriteMap(to, from reflect.Value, text func(string) string) {
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for entries := from.MapRange(); entries.Next(); {
		key := reflect.New(from.Type().Key()).Elem()
		value := reflect.New(from.Type().Elem()).Elem()
		rewrite(key, entries.Key(), text)
		rewrite(value, entries.Value(), text)
		to.SetMapIndex(key, value)
	}
}

func rewriteStruct(to, from reflect.Value, text func(string) string) {
	if from.Type() == reflect.TypeFor[time.Time]() {
		to.Set(from)
		return
	}
	for i := range from.NumField() {
		rewrite(to.Field(i), from.Field(i), text)
	}
}
