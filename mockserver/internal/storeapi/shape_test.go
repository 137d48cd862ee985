package storeapi_test

// The shapes that answers must have: testdata/*.types list every field of a record in its order, with its JSON types.
// They are facts taken from a live shop, changed where the contract says otherwise.

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// shape is the documented form of a record: the fields of each object in their order, and the types of each field.
type shape struct {
	fields map[string][]string // path of an object → names
	types  map[string][]string // path of a field → types
}

func readShape(t *testing.T, name string) shape {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".types")
	if err != nil {
		t.Fatal(err)
	}
	s := shape{map[string][]string{}, map[string][]string{}}
	for line := range strings.Lines(string(text)) {
		path, types, _ := strings.Cut(strings.TrimSpace(line), ": ")
		s.types[path] = strings.Split(types, "|")
		for path != "" {
			parent, name := splitPath(path)
			if !slices.Contains(s.fields[parent], name) {
				s.fields[parent] = append(s.fields[parent], name)
			}
			path = strings.TrimSuffix(parent, "[]")
		}
	}
	return s
}

func splitPath(path string) (parent, name string) {
	path = strings.TrimSuffix(path, "[]")
	if at := strings.LastIndex(path, "."); at >= 0 {
		return path[:at], path[at+1:]
	}
	return "", path
}

// wantShape compares a record with its documented form: exactly its fields, in its order, of its types.
func wantShape(t *testing.T, name string, record gjson.Result) {
	t.Helper()
	if !record.IsObject() {
		t.Fatalf("not an object: %.200s", record.Raw)
	}
	readShape(t, name).compare(t, "", record)
}

func (s shape) compare(t *testing.T, path string, value gjson.Result) {
	t.Helper()
	switch {
	case value.IsObject():
		s.compareObject(t, path, value)
	case value.IsArray():
		for _, item := range value.Array() {
			s.compare(t, path+"[]", item)
		}
	}
	if types, known := s.types[path]; known && !slices.ContainsFunc(types, func(kind string) bool { return isOf(kind, value) }) {
		t.Errorf("%s must be of type %s, is %.100s", path, strings.Join(types, " or "), value.Raw)
	}
}

func (s shape) compareObject(t *testing.T, path string, object gjson.Result) {
	t.Helper()
	var names []string
	object.ForEach(func(key, _ gjson.Result) bool { names = append(names, key.Str); return true })
	if want := s.fields[path]; want != nil && !slices.Equal(names, want) {
		t.Errorf("%q has the fields\n%v, want\n%v", path, names, want)
	}
	prefix := path + "."
	if path == "" {
		prefix = ""
	}
	object.ForEach(func(key, member gjson.Result) bool { s.compare(t, prefix+key.Str, member); return true })
}

func isOf(kind string, value gjson.Result) bool {
	switch kind {
	case "null":
		return value.Type == gjson.Null
	case "string":
		return value.Type == gjson.String
	case "bool":
		return value.IsBool()
	case "int":
		return value.Type == gjson.Number && !strings.ContainsAny(value.Raw, ".eE")
	case "float":
		return value.Type == gjson.Number
	case "object":
		return value.IsObject()
	case "{}":
		return value.Raw == "{}"
	case "[]":
		return value.Raw == "[]"
	case "array":
		return value.IsArray()
	}
	return false
}
