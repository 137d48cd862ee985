package collection

// Fields of records: those that a create body may set, and those that nobody can.

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Value is what a create body sets a field to, and how the record shows it.
type Value struct {
	Sent  any
	With  Fields // what else the body needs for it
	Path  string // where the record shows it, as gjson path; empty: under the field's name
	Shown any    // a value or matcher; nil: as it was sent
	// Made makes the value where that takes requests; all else is then left out.
	Made func(ctx SpecContext) Value
}

// Writable declares that a create body may set the fields: one spec for each that there is a value for.
func (c Collection) Writable(fields []contract.WritableField, values map[string]Value) {
	for _, field := range fields {
		value, ok := values[field.Name]
		if !ok {
			continue
		}
		It("keeps "+field.Name, Req(c.ID+".create.field."+field.Name), func(ctx SpecContext) { c.keeps(ctx, field.Name, value) })
	}
}

// keeps creates a record with a field and looks for it in the answer and in the stored record.
func (c Collection) keeps(ctx SpecContext, name string, value Value) {
	if value.Made != nil {
		value = value.Made(ctx)
	}
	body := c.body(ctx)
	With(value.With)(body)
	body[name] = value.Sent
	if value.Path == "" {
		value.Path = name
	}
	if value.Shown == nil {
		value.Shown = value.Sent
	}

	made := c.Resource.Create(ctx, body)

	Expect(made).To(HaveJSON(value.Path, value.Shown))
	Expect(c.Resource.Get(ctx, made.ID())).To(HaveJSON(value.Path, value.Shown))
}

// Address is an address that is shown as it was sent: who and where people are, and how they can be reached by the given
// fields.
func Address(sent Fields, field string, contact ...string) Value {
	names := append([]string{"first_name", "last_name", "address_1", "city", "state", "postcode", "country"}, contact...)
	shown := Fields{}
	for _, name := range names {
		shown[name] = sent[name]
	}
	return Value{Sent: sent, Path: field + ".{" + strings.Join(names, ",") + "}", Shown: shown}
}

// ReadOnly declares that no client can set the fields. values are such as no record has by itself.
func (c Collection) ReadOnly(fields []string, values map[string]any) {
	for _, field := range fields {
		It("does not let "+field+" be set", Req(c.ID+".read-only."+field), func(ctx SpecContext) {
			id := c.Family(ctx, 1).IDs[0]

			c.Resource.Update(ctx, id, Fields{field: values[field]})

			stored := c.Resource.Get(ctx, id)
			Expect(stored).To(HaveStatus(200))
			Expect(stored).NotTo(HaveJSON(field, values[field]))
		})
	}
}

// LongAgo is a date on which no record of a test was made.
const LongAgo = "2001-02-03T04:05:06"

// UniqueIDs declares that no two records have one id.
func (c Collection) UniqueIDs() {
	It("has an id of its own", Req(c.ID+".id-unique"), func(ctx SpecContext) {
		ids := IDs(c.Resource.List(ctx, c.Family(ctx, 2).Query))

		Expect(ids).To(HaveLen(2))
		Expect(ids[0]).NotTo(Equal(ids[1]))
	})
}
