package expect

// Comparing a record with its documented shape: every difference, not just the first.

import (
	"fmt"
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
	Checked  []string
}

// inspector walks one answer. A requirement is reported once, at the first place where it does not hold.
type inspector struct {
	checked  map[string]bool
	reported map[string]bool
	findings []reports.Finding
}

func newInspector() *inspector {
	return &inspector{checked: map[string]bool{}, reported: map[string]bool{}}
}

func (i *inspector) result() Inspection {
	ids := make([]string, 0, len(i.checked))
	for id := range i.checked {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return Inspection{Findings: i.findings, Checked: ids}
}

// InspectRecord compares one record with its shape. at is the record's own place in the body.
func InspectRecord(record gjson.Result, shape *contract.Shape, at string) Inspection {
	i := newInspector()
	i.record(record, shape, at)
	return i.result()
}

func (i *inspector) record(record gjson.Result, shape *contract.Shape, at string) {
	if !record.IsObject() {
		i.report(firstRequirement(shape), at, "an object is missing", shape.Called()+" as an object", describe(record))
		return
	}
	if isForeign(record, shape) {
		i.report(firstRequirement(shape), at, "something else stands in place of the record", shape.Called(), describe(record))
		return
	}
	i.members(record, shape, shape.ID+".field", at)
}

// foreignFields is from how many fields on a record without any of them is no such record at all: one finding says more
// than one for each field.
const foreignFields = 3

func isForeign(record gjson.Result, shape *contract.Shape) bool {
	if len(shape.Fields) < foreignFields {
		return false
	}
	return !slices.ContainsFunc(shape.Fields, func(f contract.Field) bool { return record.Get(gjson.Escape(f.Name)).Exists() })
}

func firstRequirement(shape *contract.Shape) contract.Requirement {
	r, _ := contract.All().Get(shape.ID + ".field." + shape.Fields[0].Name)
	return r
}

func (i *inspector) members(object gjson.Result, shape *contract.Shape, prefix, at string) {
	members := map[string]gjson.Result{}
	object.ForEach(func(key, value gjson.Result) bool {
		members[key.Str] = value
		return true
	})
	for _, field := range shape.Fields {
		value, present := members[field.Name]
		i.field(field, value, present, prefix+"."+field.Name, joinPath(at, field.Name))
	}
}

func (i *inspector) field(f contract.Field, value gjson.Result, present bool, id, at string) {
	if !present {
		if !f.Optional {
			i.reportField(id, at, f, "the field is missing", "no such field")
		}
		return
	}
	i.checked[id] = true
	if value.Type == gjson.Null {
		if !f.Nullable {
			i.reportField(id, at, f, "the field is null", "null")
		}
		return
	}
	if !isKind(value, f.Kind) {
		i.reportField(id, at, f, "the field has another type", describe(value))
		return
	}
	i.content(f, value, id, at)
}

// content looks inside a value whose type is right.
func (i *inspector) content(f contract.Field, value gjson.Result, id, at string) {
	switch f.Kind {
	case contract.String:
		i.text(f, value, id, at)
	case contract.Object:
		if f.Shape != nil {
			i.members(value, f.Shape, f.Shape.Scope(id), at)
		}
	case contract.Array:
		i.items(f, value, id, at)
	}
}

func (i *inspector) text(f contract.Field, value gjson.Result, id, at string) {
	if value.Str == "" && f.Blank {
		return
	}
	if len(f.Enum) > 0 && !f.Open && !slices.Contains(f.Enum, value.Str) {
		i.reportField(id, at, f, "the value is not one of the documented ones", quote(value.Raw))
	}
	if !Formatted(value.Str, f.Format) {
		i.reportField(id, at, f, "the value has another format", quote(value.Raw))
	}
}

func (i *inspector) items(f contract.Field, array gjson.Result, id, at string) {
	for n, item := range array.Array() {
		place := joinPath(at, strconv.Itoa(n))
		switch {
		case f.Shape != nil && !item.IsObject():
			i.reportField(id, place, f, "an item of the array is no object", describe(item))
		case f.Shape != nil:
			i.members(item, f.Shape, f.Shape.Scope(id), place)
		case f.Items != "" && !isKind(item, f.Items):
			i.reportField(id, place, f, "an item of the array has another type", describe(item))
		}
	}
}

func (i *inspector) reportField(id, at string, f contract.Field, message, got string) {
	r, known := contract.All().Get(id)
	if !known { // every field of every shape has its requirement: a test holds that
		r = contract.Requirement{ID: id, Level: f.Level}
	}
	want := f.Describe()
	if hint := example(f.Format); hint != "" {
		want += ", " + hint
	}
	i.report(r, at, message, want, got)
}

func (i *inspector) report(r contract.Requirement, at, message, want, got string) {
	i.checked[r.ID] = true
	if i.reported[r.ID] || len(i.findings) >= maxShapeFindings {
		return
	}
	i.reported[r.ID] = true
	i.findings = append(i.findings, reports.Finding{Requirement: r.ID, Level: r.Level, Message: message,
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

func joinPath(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
