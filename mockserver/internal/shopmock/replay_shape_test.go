package shopmock_test

// Shapes: what a JSON value looks like – its fields and their types, without a single value of it.

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// shape is what one value, or several at the same place, look like.
type shape struct {
	scalars map[string]bool // null, bool, int, float, string, and object for a map that is not looked into
	fields  []field         // of an object, in their order
	object  bool            // an object was here; {} has no fields
	list    *shape          // what the elements of a list look like together
	empty   bool            // a list without elements was here
}

type field struct {
	name  string
	shape *shape
}

// The maps whose keys are data, not fields: they differ from shop to shop. Of those that are closed only their being there counts.
var (
	openMaps   = map[string]bool{"options": true, "item_data": true}
	closedMaps = map[string]bool{"routes": true, "schema": true}
	dateKey    = regexp.MustCompile(`^\d{4}-\d\d(-\d\d)?$`)
)

// anyKey stands for every key of an open map.
const anyKey = "*"

// shapeOf looks at a value; name is the field that it is in.
func shapeOf(value gjson.Result, name string) *shape {
	s := &shape{scalars: map[string]bool{}}
	switch {
	case value.IsObject() && closedMaps[name]:
		s.scalars["object"] = true
	case value.IsObject():
		s.object = true
		value.ForEach(func(key, inner gjson.Result) bool {
			s.addField(fieldName(name, key.String()), memberOf(name, inner, key.String()))
			return true
		})
	case value.IsArray():
		s.lookIntoList(value)
	default:
		s.scalars[scalarType(value)] = true
	}
	return s
}

// memberOf looks at a member of an object. Of each parameter that OPTIONS describes it keeps only that it is there; what is inside an
// open map is one too.
func memberOf(parent string, value gjson.Result, name string) *shape {
	switch {
	case parent == "args":
		return &shape{scalars: map[string]bool{"object": true}}
	case openMaps[parent]:
		return shapeOf(value, parent)
	}
	return shapeOf(value, name)
}

func fieldName(parent, key string) string {
	if openMaps[parent] || dateKey.MatchString(key) {
		return anyKey
	}
	return key
}

func (s *shape) lookIntoList(value gjson.Result) {
	s.empty = true
	value.ForEach(func(_, element gjson.Result) bool {
		s.empty = false
		s.list = merge(s.list, shapeOf(element, ""))
		return true
	})
}

func scalarType(value gjson.Result) string {
	switch value.Type {
	case gjson.Null:
		return "null"
	case gjson.String:
		return "string"
	case gjson.Number:
		if strings.ContainsAny(value.Raw, ".eE") {
			return "float"
		}
		return "int"
	default:
		return "bool"
	}
}

// addField adds what is in a field to what was seen there before.
func (s *shape) addField(name string, inner *shape) {
	for i, known := range s.fields {
		if known.name == name {
			s.fields[i].shape = merge(known.shape, inner)
			return
		}
	}
	s.fields = append(s.fields, field{name, inner})
}

// merge is what two values at the same place look like together. Neither is changed.
func merge(a, b *shape) *shape {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	both := &shape{scalars: maps.Clone(a.scalars), fields: slices.Clone(a.fields), object: a.object || b.object,
		list: merge(a.list, b.list), empty: a.empty || b.empty}
	maps.Copy(both.scalars, b.scalars)
	for _, f := range b.fields {
		both.addField(f.name, f.shape)
	}
	return both
}

func (s *shape) field(name string) *shape {
	for _, f := range s.fields {
		if f.name == name {
			return f.shape
		}
	}
	return nil
}

func (s *shape) fieldNames() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

// types names what the value may be: "int|null", "[]", "object".
func (s *shape) types() string {
	types := slices.Sorted(maps.Keys(s.scalars))
	if s.object {
		types = append(types, "object")
	}
	if s.empty {
		types = append(types, "[]")
	}
	if s.list != nil {
		types = append(types, "list")
	}
	return strings.Join(types, "|")
}

// comparison collects how an answer differs from the recorded one.
type comparison struct{ found []difference }

// difference is one way in which an answer differs: where, what was recorded, what the mock gives.
type difference struct {
	At   string
	Live string
	Mock string
}

func (d difference) String() string { return fmt.Sprintf("%s: live %s, mock %s", d.At, d.Live, d.Mock) }

func (c *comparison) differ(at, live, mock string) {
	c.found = append(c.found, difference{at, live, mock})
}

const absent = "absent"

// cutShort is the type of a recorded body that breaks off: nothing can be said of its fields.
const cutShort = "cut short"

// bodies compares two whole bodies, the order of their top-level fields included. nil is no JSON at all.
func (c *comparison) bodies(live, mock *shape) {
	if live == nil || mock == nil {
		if live != mock {
			c.differ("body", bodyKind(live), bodyKind(mock))
		}
		return
	}
	if live.scalars[cutShort] {
		return
	}
	c.values("body", live, mock)
}

func bodyKind(s *shape) string {
	if s == nil {
		return "no JSON"
	}
	return s.types()
}

// order compares the order of the fields that both have.
func (c *comparison) order(place string, live, mock *shape) {
	common := func(of, other *shape) []string {
		return slices.DeleteFunc(of.fieldNames(), func(name string) bool { return other.field(name) == nil })
	}
	want, got := common(live, mock), common(mock, live)
	if !slices.Equal(want, got) {
		at := firstDifference(want, got)
		c.differ("order of "+place, strings.Join(want[at:min(at+3, len(want))], ", "), strings.Join(got[at:min(at+3, len(got))], ", "))
	}
}

func firstDifference(a, b []string) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return 0
}

// values compares what is at one place.
func (c *comparison) values(at string, live, mock *shape) {
	if !sameKind(live, mock) {
		c.differ(at, live.types(), mock.types())
		return
	}
	if live.object && mock.object {
		c.objects(at, live, mock)
	}
	if live.list != nil && mock.list != nil {
		c.values(at+"[]", live.list, mock.list)
	}
}

// sameKind reports whether the same JSON types are at a place. Whole and broken numbers are one type; an empty list never stands for
// one with elements.
func sameKind(live, mock *shape) bool {
	return maps.Equal(live.kinds(), mock.kinds()) && (mock.list == nil) == (live.list == nil)
}

// kinds are the JSON types of a shape.
func (s *shape) kinds() map[string]bool {
	kinds := maps.Clone(s.scalars)
	if kinds["float"] {
		delete(kinds, "float")
		kinds["int"] = true
	}
	if s.object {
		kinds["object"] = true
	}
	if s.list != nil || s.empty {
		kinds["list"] = true
	}
	return kinds
}

func (c *comparison) objects(at string, live, mock *shape) {
	for _, f := range live.fields {
		place := at + "." + f.name
		inner := mock.field(f.name)
		if inner == nil {
			c.differ(place, f.shape.types(), absent)
			continue
		}
		c.values(place, f.shape, inner)
	}
	for _, f := range mock.fields {
		if live.field(f.name) == nil {
			c.differ(at+"."+f.name, absent, f.shape.types())
		}
	}
	if !strings.HasSuffix(at, ".args") { // parameters have no order
		c.order(at, live, mock)
	}
}
