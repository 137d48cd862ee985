package expect

// Comparing a record with its documented shape: every difference, not just the first.

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/contract"
)

// maxShapeFindings bounds what one answer may report: a hundred equal lines tell no more than fifty.
const maxShapeFindings = 50

// Inspection is the result of looking at records: what deviates, and which requirements could be checked at all.
type Inspection struct {
	Findings []reports.Finding
	Checked  contract.Set
}

// inspector walks one answer. A requirement is reported once, at the first place where it does not hold.
type inspector struct {
	Inspection
	reported map[string]bool
	faults   int            // also those that were reported before
	known    *Known         // nil: all records are compared
	room     []gjson.Result // for the values of the objects that are being looked at, one in another
}

func newInspector() *inspector { return &inspector{reported: map[string]bool{}} }

// InspectRecord compares one record with its shape. at is the record's own place in the body.
func InspectRecord(record gjson.Result, shape *contract.Shape, at string) Inspection {
	i := newInspector()
	i.record(record, shape, at)
	return i.Inspection
}

// record compares a record with its shape, unless it is known.
func (i *inspector) record(record gjson.Result, shape *contract.Shape, at string) {
	if i.known == nil {
		i.compare(record, shape, at)
		return
	}
	checked, known := i.known.find(record, shape)
	if !known {
		before, faults := i.Checked, i.faults
		i.Checked = contract.Set{}
		i.compare(record, shape, at)
		if i.Checked, checked = before, i.Checked; i.faults == faults {
			i.known.add(record, shape, checked)
		}
	}
	i.Checked.AddAll(checked)
}

func (i *inspector) compare(record gjson.Result, shape *contract.Shape, at string) {
	if !record.IsObject() {
		i.report(firstRequirement(shape), at, "an object is missing", shape.Called()+" as an object", describe(record))
		return
	}
	i.members(shape.Places(), record, func(values []gjson.Result) {
		if isForeign(values) {
			i.report(firstRequirement(shape), at, "something else stands in place of the record", shape.Called(), describe(record))
			return
		}
		i.fields(shape.Places(), values, at)
	})
}

// foreignFields is from how many fields on a record without any of them is no such record at all: one finding says more
// than one for each field.
const foreignFields = 3

func isForeign(values []gjson.Result) bool {
	return len(values) >= foreignFields && !slices.ContainsFunc(values, gjson.Result.Exists)
}

func firstRequirement(shape *contract.Shape) contract.Requirement {
	r, _ := contract.All().Get(shape.ID + ".field." + shape.Fields[0].Name)
	return r
}

// members passes on the members of an object that stand at the places, in their order. They are to be looked at only meanwhile.
func (i *inspector) members(places []contract.Place, object gjson.Result, look func(values []gjson.Result)) {
	begin := len(i.room)
	i.room = slices.Grow(i.room, len(places))[:begin+len(places)]
	values := i.room[begin:]
	clear(values)
	takeValues(values, places, object)
	look(values)
	i.room = i.room[:begin]
}

// takeValues finds the values at the places of an object. Of members with one name the last one counts.
func takeValues(values []gjson.Result, places []contract.Place, object gjson.Result) {
	next := 0
	object.ForEach(func(key, value gjson.Result) bool {
		if n := placeOf(places, key.Str, next); n >= 0 {
			values[n], next = value, n+1
		}
		return true
	})
}

// placeOf looks for a name from the next place on: most shops write members in the documented order.
func placeOf(places []contract.Place, name string, next int) int {
	for n := next; n < len(places); n++ {
		if places[n].Field.Name == name {
			return n
		}
	}
	for n := range places[:next] {
		if places[n].Field.Name == name {
			return n
		}
	}
	return -1
}

func (i *inspector) fields(places []contract.Place, values []gjson.Result, at string) {
	for n := range places {
		i.field(&places[n], values[n], at)
	}
}

// field looks at a field of the record at a place.
func (i *inspector) field(p *contract.Place, value gjson.Result, at string) {
	if p.Field.Absent {
		i.Checked.AddPlace(p)
		if value.Exists() {
			i.reportField(p, at, "the field is there", describe(value))
		}
		return
	}
	if !value.Exists() {
		if !p.Field.Optional {
			i.reportField(p, at, "the field is missing", "no such field")
		}
		return
	}
	i.Checked.AddPlace(p)
	if value.Type == gjson.Null {
		if !p.Field.Nullable {
			i.reportField(p, at, "the field is null", "null")
		}
		return
	}
	if !isKind(value, p.Field.Kind) {
		i.reportField(p, at, "the field has another type", describe(value))
		return
	}
	i.content(p, value, at)
}

// content looks inside a value whose type is right.
func (i *inspector) content(p *contract.Place, value gjson.Result, at string) {
	switch p.Field.Kind {
	case contract.String:
		i.text(p, value, at)
	case contract.Object:
		if p.Field.Shape != nil {
			i.inner(p, value, contract.JoinPath(at, p.Field.Name))
		}
	case contract.Array:
		i.items(p, value, contract.JoinPath(at, p.Field.Name))
	}
}

// inner looks at the fields of an object that is the value at a place, or one of its items.
func (i *inspector) inner(p *contract.Place, object gjson.Result, at string) {
	i.members(p.Inner, object, func(values []gjson.Result) { i.fields(p.Inner, values, at) })
}

func (i *inspector) text(p *contract.Place, value gjson.Result, at string) {
	f := &p.Field
	if value.Str == "" && f.Blank {
		return
	}
	if len(f.Enum) > 0 && !f.Open && !slices.Contains(f.Enum, value.Str) {
		i.reportField(p, at, "the value is not one of the documented ones", quote(value.Raw))
	}
	if !Formatted(value.Str, f.Format) {
		i.reportField(p, at, "the value has another format", quote(value.Raw))
	}
}

// items looks at each item of the array at a place.
func (i *inspector) items(p *contract.Place, array gjson.Result, at string) {
	for n, item := range itemsOf(array) {
		place := contract.JoinPath(at, strconv.Itoa(n))
		switch f := &p.Field; {
		case f.Shape != nil && !item.IsObject():
			i.reportAt(p, place, "an item of the array is no object", describe(item))
		case f.Shape != nil:
			i.inner(p, item, place)
		case f.Items != "" && !isKind(item, f.Items):
			i.reportAt(p, place, "an item of the array has another type", describe(item))
		}
	}
}

// itemsOf are the items of an array, without a list of them.
func itemsOf(array gjson.Result) iter.Seq2[int, gjson.Result] {
	return func(yield func(int, gjson.Result) bool) {
		n := -1
		array.ForEach(func(_, item gjson.Result) bool {
			n++
			return yield(n, item)
		})
	}
}

// reportField reports a field of the record at a place.
func (i *inspector) reportField(p *contract.Place, at, message, got string) {
	i.reportAt(p, contract.JoinPath(at, p.Field.Name), message, got)
}

func (i *inspector) reportAt(p *contract.Place, at, message, got string) {
	r, known := contract.All().Get(p.Requirement)
	if !known { // every field of every shape has its requirement: a test holds that
		r = contract.Requirement{ID: p.Requirement, Level: p.Field.Level}
	}
	want := p.Field.Describe()
	if hint := example(p.Field.Format); hint != "" {
		want += ", " + hint
	}
	i.report(r, at, message, want, got)
}

func (i *inspector) report(r contract.Requirement, at, message, want, got string) {
	i.Checked.Add(r.ID)
	i.faults++
	if i.reported[r.ID] || len(i.Findings) >= maxShapeFindings {
		return
	}
	i.reported[r.ID] = true
	i.Findings = append(i.Findings, reports.Finding{Requirement: r.ID, Level: r.Level, Message: message,
		Path: at, Want: want, Got: got, Exchange: NoExchange})
}

func isKind(value gjson.Result, kind contract.Kind) bool {
	switch kind {
	case contract.String:
		return value.Type == gjson.String
	case contract.Integer:
		return value.Type == gjson.Number && !strings.ContainsAny(value.Raw, ".eE")
	case contract.Number:
		return value.Type == gjson.Number
	case contract.Boolean:
		return value.IsBool()
	case contract.Object:
		return value.IsObject()
	case contract.Array:
		return value.IsArray()
	}
	return false
}

// describe names a value's type beside the value.
func describe(value gjson.Result) string {
	if !value.Exists() {
		return "nothing"
	}
	return fmt.Sprintf("%s %s", typeName(value), quote(value.Raw))
}

func typeName(value gjson.Result) string {
	switch {
	case value.IsObject():
		return "the object"
	case value.IsArray():
		return "the array"
	case value.IsBool():
		return "the boolean"
	case value.Type == gjson.String:
		return "the string"
	case value.Type == gjson.Number:
		return "the number"
	default:
		return "the value"
	}
}
