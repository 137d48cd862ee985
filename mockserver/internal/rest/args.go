package rest

import (
	"slices"
	"strconv"
	"time"
)

// Args are the parameters of a request, or an object among them, validated and in canonical form: int64, float64,
// bool, string, []any, Args, nil. A name that was not sent (and has no default) is absent; none is there twice.
//
// They are a list, as most objects have few members. Whoever looks many names up in what a client has sent looks up those that are
// declared: of others there may be as many as fit into a body.
type Args []Extra

// Get returns a parameter, and whether it was sent or has a default.
func (a Args) Get(name string) (value any, has bool) {
	for i := range a {
		if a[i].Name == name {
			return a[i].Value, true
		}
	}
	return nil, false
}

// Set puts a value in the place of the one that a parameter has.
func (a *Args) Set(name string, value any) {
	for i := range *a {
		if (*a)[i].Name == name {
			(*a)[i].Value = value
			return
		}
	}
	*a = append(*a, Extra{name, value})
}

// MarshalJSON encodes them as an object.
func (a Args) MarshalJSON() ([]byte, error) { return Pairs(a).MarshalJSON() }

// Value returns a parameter, nil when absent.
func (a Args) Value(name string) any { value, _ := a.Get(name); return value }

// Has reports whether the parameter was sent or has a default.
func (a Args) Has(name string) bool { _, has := a.Get(name); return has }

// String returns a text parameter, "" when absent.
func (a Args) String(name string) string { s, _ := a.Value(name).(string); return s }

// Int returns an integer parameter, 0 when absent.
func (a Args) Int(name string) int64 { n, _ := a.Value(name).(int64); return n }

// Bool returns a truth value, false when absent.
func (a Args) Bool(name string) bool { b, _ := a.Value(name).(bool); return b }

// List returns an array, nil when absent.
func (a Args) List(name string) []any { l, _ := a.Value(name).([]any); return l }

// Object returns an object, nil when absent.
func (a Args) Object(name string) Args { o, _ := a.Value(name).(Args); return o }

// Objects returns an array of objects; other items are left out.
func (a Args) Objects(name string) []Args { return ObjectsOf(a.Value(name)) }

// ObjectsOf are the objects among the items of an array.
func ObjectsOf(value any) []Args {
	list, _ := value.([]any)
	if len(list) == 0 {
		return nil
	}
	objects := make([]Args, 0, len(list))
	for _, item := range list {
		if object, ok := item.(Args); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

// Ints returns an array of integers.
func (a Args) Ints(name string) []int64 { return intsOf(a.Value(name)) }

// Strings returns an array of texts.
func (a Args) Strings(name string) []string { return stringsOf(a.Value(name)) }

// Time returns a moment; ok is false when it is absent or empty.
func (a Args) Time(name string) (time.Time, bool) {
	text := a.String(name)
	if text == "" { // what most lists send for most of their dates
		return time.Time{}, false
	}
	return ParseTime(text)
}

func intsOf(value any) []int64 {
	list, _ := value.([]any)
	ints := make([]int64, 0, len(list))
	for _, item := range list {
		if n, ok := item.(int64); ok {
			ints = append(ints, n)
		}
	}
	return ints
}

func stringsOf(value any) []string {
	list, _ := value.([]any)
	texts := make([]string, 0, len(list))
	for _, item := range list {
		if s, ok := item.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// positional reads an object whose keys are numbers as an array, in their order: 0, 1, 2 … in a form, and with gaps what is left of a
// list in clients whose lists are maps.
func (a Args) positional() (any, bool) {
	places := make(map[string]int, len(a))
	for _, member := range a {
		place, err := strconv.Atoi(member.Name)
		if err != nil || place < 0 {
			return nil, false
		}
		places[member.Name] = place
	}
	list := make([]any, len(a))
	for i, member := range slices.SortedFunc(slices.Values(a), func(x, y Extra) int { return places[x.Name] - places[y.Name] }) {
		list[i] = member.Value
	}
	return list, true
}

// Keyed lets an object stand for a list of objects: {"12": {"quantity": 1}} for [{"id": 12, "quantity": 1}].
type Keyed struct {
	Name  string // the field that a key stands for
	Value string // the field that a value stands for which is no object; "": it may not be another
}

// list reads a value as the list that it stands for. What is no such object stays as it is.
func (k *Keyed) list(value any) any {
	object, is := value.(Args)
	if !is {
		return value
	}
	list := make([]any, len(object))
	for i, member := range object {
		item, isObject := member.Value.(Args)
		key, err := strconv.ParseInt(member.Name, 10, 64)
		if err != nil || key < 1 || !isObject && k.Value == "" { // no id is 0, the first place of a list
			return value
		}
		if !isObject {
			item = Args{{k.Value, member.Value}}
		}
		if !item.Has(k.Name) { // else the key is a place in a list
			item = slices.Concat(Args{{k.Name, key}}, item)
		}
		list[i] = item
	}
	return list
}
