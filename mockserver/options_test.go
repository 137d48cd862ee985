package mockserver

import (
	"log/slog"
	"maps"
	"reflect"
	"testing"
	"time"
)

// TestEveryOptionReachesTheServer sets one option at a time: the inner options differ from the usual ones in that alone.
func TestEveryOptionReachesTheServer(t *testing.T) {
	t.Parallel()
	reached := map[string]bool{}
	for _, option := range leaves("", reflect.TypeFor[Options]()) {
		t.Run(option.path, func(t *testing.T) {
			var options Options
			want := valueFor(t, option.index, &options)
			changed := changes(reflect.ValueOf(options.inner()), "")
			if got, only := changed[option.path]; len(changed) != 1 || !only || got != want {
				t.Errorf("Options.%s = %v changes the inner options to %v", option.path, want, changed)
			}
		})
		reached[option.path] = true
	}
	for _, inner := range leaves("", reflect.TypeOf(Options{}.inner())) {
		if !reached[inner.path] {
			t.Errorf("no option sets %s of the server", inner.path)
		}
	}
}

// leaf is a field that is no struct, with its path: "Webhooks.Timeout".
type leaf struct {
	path  string
	index []int
}

func leaves(prefix string, of reflect.Type) []leaf {
	var found []leaf
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Type.Kind() != reflect.Struct {
			found = append(found, leaf{prefix + field.Name, []int{i}})
			continue
		}
		for _, inner := range leaves(prefix+field.Name+".", field.Type) {
			found = append(found, leaf{inner.path, append([]int{i}, inner.index...)})
		}
	}
	return found
}

// valueFor sets the option at an index to a value that is not zero, and returns it in the form that changes gives it.
func valueFor(t *testing.T, index []int, options *Options) any {
	field := reflect.ValueOf(options).Elem().FieldByIndex(index)
	switch field.Kind() {
	case reflect.String:
		field.SetString("some text")
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Int, reflect.Int64:
		field.SetInt(7)
	case reflect.Uint64:
		field.SetUint(7)
	case reflect.Float64:
		field.SetFloat(0.25)
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 1, 1))
	case reflect.Func:
		field.Set(reflect.ValueOf(time.Now))
	case reflect.Pointer:
		field.Set(reflect.ValueOf(slog.Default()))
	case reflect.Interface:
		field.Set(reflect.ValueOf(Storage(noStorage{})))
	default:
		t.Fatalf("this test has no value of kind %s", field.Kind())
	}
	return comparableOf(field)
}

// changes returns the fields that are not zero, by path.
func changes(value reflect.Value, prefix string) map[string]any {
	found := map[string]any{}
	for i := range value.NumField() {
		path, field := prefix+value.Type().Field(i).Name, value.Field(i)
		switch {
		case field.Kind() == reflect.Struct:
			maps.Copy(found, changes(field, path+"."))
		case !field.IsZero():
			found[path] = comparableOf(field)
		}
	}
	return found
}

// comparableOf returns what == can compare, whatever the named type: the address of functions and of what is pointed to.
func comparableOf(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Func, reflect.Pointer, reflect.Slice:
		return value.Pointer()
	case reflect.String:
		return value.String()
	default:
		return value.Interface()
	}
}

// noStorage keeps nothing.
type noStorage struct{ Storage }
