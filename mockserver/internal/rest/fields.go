package rest

import (
	"strings"

	"github.com/tidwall/gjson"
)

// fieldsParam chooses fields. Every endpoint takes it, so that none lists it.
var fieldsParam = Param{
	Name:        "_fields",
	Type:        String | Array,
	Items:       &Param{Type: String},
	Unlisted:    true,
	Description: "The fields to show, by dotted names.",
}

// fieldsOf reads fieldsParam.
func fieldsOf(args Args) *FieldSet {
	if list := args.Strings(fieldsParam.Name); len(list) > 0 {
		return ParseFields(strings.Join(list, ","))
	}
	return ParseFields(args.String(fieldsParam.Name))
}

// FieldSet is a choice of fields by dotted names (_fields=id,billing.email). The nil set holds all.
type FieldSet struct {
	below map[string]*FieldSet
	names []string // of what is in below, in the order asked for
}

// ParseFields reads the value of _fields; an empty one chooses everything.
func ParseFields(text string) *FieldSet {
	var root *FieldSet
	for _, name := range splitList(text) {
		if root == nil {
			root = &FieldSet{}
		}
		root.add(strings.Split(name.(string), "."))
	}
	return root
}

func (s *FieldSet) add(path []string) {
	if len(path) > maxNesting {
		path = path[:maxNesting]
	}
	at := s
	for i, name := range path {
		if at.below == nil {
			at.below = map[string]*FieldSet{}
		}
		child, known := at.below[name]
		if known && child == nil {
			return // the whole field is chosen already
		}
		if !known {
			at.names = append(at.names, name)
		}
		if last := i == len(path)-1; last {
			at.below[name] = nil
			return
		}
		if !known {
			child = &FieldSet{}
			at.below[name] = child
		}
		at = child
	}
}

// Has reports whether a field, or something in it, is chosen.
func (s *FieldSet) Has(name string) bool {
	if s == nil {
		return true
	}
	_, chosen := s.below[name]
	return chosen
}

// misses reports whether what is chosen in a field is not there: dotted names do not reach into lists, as in live shops.
func (s *FieldSet) misses(name string, value []byte) bool {
	return s != nil && s.below[name] != nil && value[0] == '['
}

// trim cuts the value of the field, encoded from start on, down to what is chosen in it.
func (s *FieldSet) trim(name string, b []byte, start int) []byte {
	if s == nil || s.below[name] == nil {
		return b
	}
	return s.below[name].appendChosen(b[:start], gjson.ParseBytes(append([]byte(nil), b[start:]...)))
}

// cut trims a whole answer: a record, or each of a list.
func (s *FieldSet) cut(body any) any {
	if s == nil {
		return body
	}
	return Raw(s.appendChosen(nil, gjson.ParseBytes(AppendAny(nil, body))))
}

func (s *FieldSet) appendChosen(b []byte, value gjson.Result) []byte {
	switch {
	case value.IsObject():
		return s.appendMembers(b, value)
	case value.IsArray():
		b = append(b, '[')
		for i, item := range value.Array() {
			if i > 0 {
				b = append(b, ',')
			}
			b = s.appendChosen(b, item)
		}
		return append(b, ']')
	}
	return append(b, value.Raw...)
}

func (s *FieldSet) appendMembers(b []byte, object gjson.Result) []byte {
	b = append(b, '{')
	first := true
	object.ForEach(func(key, member gjson.Result) bool {
		inner, chosen := s.below[key.Str]
		if !chosen || inner != nil && member.IsArray() {
			return true
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, key.Raw...), ':')
		if inner == nil {
			b = append(b, member.Raw...)
		} else {
			b = inner.appendChosen(b, member)
		}
		return true
	})
	return append(b, '}')
}
