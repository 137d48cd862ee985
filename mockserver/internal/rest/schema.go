package rest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"shopcheck/mockserver/internal/shop"
)

// Type is a set of JSON types.
type Type uint8

// The JSON types.
const (
	String Type = 1 << iota
	Integer
	Number
	Boolean
	Array
	Object
	Null
)

// types says of each type how it is called, and reads a value as one of it.
var types = []struct {
	bit     Type
	name    string
	convert func(any) (any, bool)
}{
	{String, "string", toText}, {Integer, "integer", toInteger}, {Number, "number", toNumber}, {Boolean, "boolean", toBoolean},
	{Array, "array", toArray}, {Object, "object", toObject}, {Null, "null", toNull},
}

// Names lists the types by their JSON schema names.
func (t Type) Names() []string {
	var names []string
	for _, known := range types {
		if t&known.bit != 0 {
			names = append(names, known.name)
		}
	}
	return names
}

// Format narrows a string.
type Format string

// The formats that are checked.
const (
	DateTime Format = "date-time" // ISO 8601
	Day      Format = "date"      // YYYY-MM-DD
	Email    Format = "email"
	URI      Format = "uri" // http or https, or a path
)

// Param declares one parameter of an endpoint, or one field of a record: it is what routing, validation and
// OPTIONS are made from.
type Param struct {
	Name        string
	Type        Type
	Description string
	Format      Format
	Enum        []string
	Default     any
	Min, Max    *int64  // of numbers; of the characters of a text; Max of the items of an array
	Items       *Param  // of arrays
	Keyed       *Keyed  // of arrays of objects that may be written as an object; nil: this one may not
	Fields      []Param // of objects
	Required    bool
	ReadOnly    bool
	Unlisted    bool // OPTIONS does not name it among the parameters

	late bool // a new row is given the default; the arguments go without it, because copying all of them is dear

	Title string // of objects: what one is called; those of equal titles and fields are described once
}

// Bound is a helper for Min and Max.
func Bound(n int64) *int64 { return &n }

// check validates a value against the declaration and returns it in canonical form: int64, float64, bool, string,
// []any or Args. name is how the value is called in the reason. What is inside lists and objects becomes canonical where it is, and
// fields of theirs that do not count are taken out; what is canonical already stays so.
func (p *Param) check(name string, value any) (any, *Invalid) {
	if value == nil {
		if p.Type&Null != 0 {
			return nil, nil
		}
		return nil, p.wrongType(name)
	}
	if p.Keyed != nil {
		value = p.Keyed.list(value)
	}
	canonical, ok := p.convert(value)
	if !ok {
		return nil, p.wrongType(name)
	}
	switch v := canonical.(type) {
	case string:
		return canonical, p.checkText(name, v)
	case int64:
		return canonical, p.checkBounds(name, float64(v))
	case float64:
		return canonical, p.checkBounds(name, v)
	case []any:
		return canonical, p.checkItems(name, v)
	case Args:
		declared, fault := p.checkFields(name, v)
		if len(declared) != len(v) {
			canonical = declared
		}
		return canonical, fault
	}
	return canonical, nil
}

const wrongTypeCode = "rest_invalid_type"

func (p *Param) wrongType(name string) *Invalid {
	return &Invalid{name, wrongTypeCode, name + " must be of type " + strings.Join(p.Type.Names(), " or ") + "."}
}

// convert finds the first declared type that the value can be read as. Text stands for numbers and truth values, as
// it comes from a query string; numbers never stand for text.
func (p *Param) convert(value any) (any, bool) {
	for i := range types {
		known := &types[i]
		if p.Type&known.bit == 0 {
			continue
		}
		if canonical, ok := known.convert(value); ok {
			return canonical, true
		}
	}
	return nil, false
}

func toText(value any) (any, bool) {
	_, ok := value.(string)
	return value, ok
}

func toNull(value any) (any, bool) { return nil, value == "" }

func toInteger(value any) (any, bool) {
	switch v := value.(type) {
	case int64:
		return value, true
	case float64:
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return nil, false
		}
		return int64(v), true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil && n <= 1<<53 && n >= -(1<<53)
	}
	return nil, false
}

func toNumber(value any) (any, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
	}
	return nil, false
}

func toBoolean(value any) (any, bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case float64:
		return v == 1, v == 0 || v == 1
	case string:
		switch strings.ToLower(v) {
		case "true", "1":
			return true, true
		case "false", "0":
			return false, true
		}
	}
	return nil, false
}

func toArray(value any) (any, bool) {
	switch v := value.(type) {
	case []any:
		return value, true // see toObject
	case string:
		return splitList(v), true
	case Args:
		return v.positional()
	}
	return nil, false
}

func splitList(text string) []any {
	list := []any{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		list = append(list, part)
	}
	return list
}

func toObject(value any) (any, bool) {
	switch v := value.(type) {
	case Args:
		return value, true // as it is: another interface would be another object
	case []any:
		return Args{}, len(v) == 0 // an empty list is how some clients write an empty object
	}
	return nil, false
}

func (p *Param) checkText(name, text string) *Invalid {
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, text) {
		return &Invalid{name, "rest_not_in_enum", name + " must be one of " + strings.Join(p.Enum, ", ") + "."}
	}
	if p.Format != "" && !formatHolds(p.Format, text) {
		return &Invalid{name, "rest_invalid_" + strings.ReplaceAll(string(p.Format), "-", "_"),
			name + " is not a valid " + string(p.Format) + "."}
	}
	if p.Min != nil && int64(len(text)) < *p.Min {
		return &Invalid{name, "rest_too_short", name + " must not be shorter than " + strconv.FormatInt(*p.Min, 10) + " characters."}
	}
	if p.Max != nil && int64(utf8.RuneCountInString(text)) > *p.Max {
		return &Invalid{name, "rest_too_long", name + " must not be longer than " + strconv.FormatInt(*p.Max, 10) + " characters."}
	}
	return nil
}

func formatHolds(format Format, text string) bool {
	switch format {
	case DateTime:
		_, ok := ParseTime(text)
		return ok
	case Day:
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case Email:
		return text == "" || shop.ValidEmail(text) // whether one may be left out is up to the resource
	case URI:
		return text == "" || shop.ValidLink(text)
	}
	return true
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", time.DateOnly}

// ParseTime reads an ISO 8601 date or moment; without a zone it is UTC. A moment whose year in UTC has not four digits is
// none: it could not be written as ISO 8601.
func ParseTime(text string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if moment, err := time.Parse(layout, text); err == nil {
			moment = moment.UTC()
			return moment, moment.Year() >= 0 && moment.Year() <= 9999
		}
	}
	return time.Time{}, false
}

func (p *Param) checkBounds(name string, n float64) *Invalid {
	tooSmall := p.Min != nil && n < float64(*p.Min)
	tooLarge := p.Max != nil && n > float64(*p.Max)
	if !tooSmall && !tooLarge {
		return nil
	}
	return &Invalid{name, "rest_out_of_bounds", name + " must be " + p.bounds() + "."}
}

func (p *Param) bounds() string {
	switch {
	case p.Max == nil:
		return "at least " + strconv.FormatInt(*p.Min, 10)
	case p.Min == nil:
		return "at most " + strconv.FormatInt(*p.Max, 10)
	}
	return "between " + strconv.FormatInt(*p.Min, 10) + " and " + strconv.FormatInt(*p.Max, 10)
}

func (p *Param) checkItems(name string, list []any) *Invalid {
	if p.Max != nil && int64(len(list)) > *p.Max {
		return &Invalid{name, "rest_too_many_items", name + " must hold at most " + strconv.FormatInt(*p.Max, 10) + " items."}
	}
	if p.Items == nil {
		return nil
	}
	for i, item := range list {
		canonical, fault := p.Items.check("", item)
		if fault != nil { // whose name is made for it alone
			_, fault = p.Items.check(name+"["+strconv.Itoa(i)+"]", item)
			return fault
		}
		list[i] = canonical
	}
	return nil
}

// checkFields checks the fields of an object in their declared order, and returns those that count.
func (p *Param) checkFields(name string, object Args) (Args, *Invalid) {
	if p.Fields == nil {
		return object, nil
	}
	for i := range p.Fields {
		if fault := p.Fields[i].checkIn(object, name); fault != nil {
			return nil, fault
		}
	}
	return slices.DeleteFunc(object, func(member Extra) bool {
		at := slices.IndexFunc(p.Fields, func(field Param) bool { return field.Name == member.Name })
		return at < 0 || p.Fields[at].ReadOnly
	}), nil
}

// checkIn checks a field of an object that is called name.
func (p *Param) checkIn(object Args, name string) *Invalid {
	at := slices.IndexFunc(object, func(member Extra) bool { return member.Name == p.Name })
	switch {
	case p.ReadOnly:
		return nil
	case at < 0 && p.Required:
		return &Invalid{name, "rest_property_required", p.Name + " is a required property of " + name + "."}
	case at < 0:
		return nil
	}
	canonical, fault := p.check("", object[at].Value)
	if fault != nil { // see checkItems
		_, fault = p.check(name+"["+p.Name+"]", object[at].Value)
		return fault
	}
	object[at].Value = canonical
	return nil
}
