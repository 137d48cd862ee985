package collection

// Fields of records: those that a create body may set, and those that nobody can.

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Value is what a create body sets a field to, and how the record shows it.
type Value struct {
	Sent  any
	With  Fields // what else the body needs for it
	Path  string // where the record shows it, as gjson path; empty: under the field's name
	Shown any    // a value or matcher; nil: as it was sent
	// Made makes the value where it is another one each time; all else is then left out.
	Made func(ctx SpecContext) Value
	// Alone keeps the value out of the record that has many: it takes what the target may not have, or changes what others mean.
	Alone bool
}

// Writable declares that a create body may set the fields: one spec for each that there is a value for.
func (c Collection) Writable(fields []contract.WritableField, values map[string]Value) {
	for _, field := range fields {
		value, ok := values[field.Name]
		if !ok {
			continue
		}
		It("keeps "+field.Name, Req(c.ID+".create.field."+field.Name), func(ctx SpecContext) {
			if value.Alone || !c.withMany(ctx, values).keeps(field.Name) {
				c.keeps(ctx, field.Name, value)
			}
		})
		if field.Updatable() {
			It("changes "+field.Name+" alone", Req(c.ID+".update.field."+field.Name, c.ID+".create"), Needs(c.Creating),
				func(ctx SpecContext) { c.changes(ctx, field.Name, value) })
		}
	}
}

// Together declares that one update, single or by a batch, changes as many fields as it names, and keeps what a later one does not name.
func (c Collection) Together(fields []contract.WritableField, values map[string]Value) {
	several := map[string]Value{}
	ids := []string{c.ID + ".create", c.ID + ".batch.update"}
	for _, field := range fields {
		if value, ok := values[field.Name]; ok && field.Updatable() && !value.Alone {
			several[field.Name] = value
			ids = append(ids, c.ID+".update.field."+field.Name)
		}
	}
	change := func(ctx SpecContext, update func(id int64, body Fields) *client.Answer) many {
		made := c.Resource.Create(ctx, c.Body(ctx))
		c.For(c.ID + ".create").Expect(made).To(BeSuccess())
		values, body := together(ctx, several)
		update(made.ID(), body)
		first := slices.Min(slices.Collect(maps.Keys(values)))
		update(made.ID(), Fields{first: values[first].Sent}) // the others keep what they have
		stored := c.Resource.Get(ctx, made.ID())
		return many{values, stored, stored}
	}

	It("changes many at once", Req(ids...), Needs(c.Creating), func(ctx SpecContext) {
		single := change(ctx, func(id int64, body Fields) *client.Answer { return c.Resource.Update(ctx, id, body) })
		batch := change(ctx, func(id int64, body Fields) *client.Answer {
			body["id"] = id
			return c.Resource.Batch(ctx, Fields{"update": []Fields{body}})
		})

		for name, value := range single.values {
			c.For(c.ID + ".update.field." + name).Expect(single.stored).To(HaveJSON(value.Path, value.Shown))
			if single.keeps(name) {
				c.For(c.ID + ".batch.update").Expect(batch.stored).To(HaveJSON(value.Path, batch.values[name].Shown))
			}
		}
	})
}

// changes updates a field of a record that was created without it, and looks for it in the answer and in the stored record.
func (c Collection) changes(ctx SpecContext, name string, value Value) {
	value = value.of(ctx, name)
	left := "" // out of the body, for nothing would change else
	if text, isText := value.Sent.(string); isText && c.Body(ctx)[name] == text {
		left = name
	}
	made := c.Given(ctx, c.Resource, c.ID+".create", []any{left, value.With}, func() Fields {
		body := c.Body(ctx)
		delete(body, left)
		With(value.With)(body)
		return body
	})

	changed := c.Resource.Update(ctx, made.ID(), Fields{name: value.Sent})

	Expect(changed).To(HaveJSON(value.Path, value.Shown))
	Expect(c.Resource.Get(ctx, made.ID())).To(HaveJSON(value.Path, value.Shown))
}

// of is the value, complete.
func (v Value) of(ctx SpecContext, name string) Value {
	if v.Made != nil {
		v = v.Made(ctx)
	}
	if v.Path == "" {
		v.Path = name
	}
	if v.Shown == nil {
		v.Shown = v.Sent
	}
	return v
}

// keeps creates a record with a field and looks for it in the answer and in the stored record.
func (c Collection) keeps(ctx SpecContext, name string, value Value) {
	value = value.of(ctx, name)
	body := c.Body(ctx)
	With(value.With)(body)
	body[name] = value.Sent

	made := c.Resource.Create(ctx, body)

	Expect(made).To(HaveJSON(value.Path, value.Shown))
	Expect(c.Resource.Get(ctx, made.ID())).To(HaveJSON(value.Path, value.Shown))
}

// many is a record that was created with many values at once, as it was answered and as it is stored. What it shows of them need not be
// tried one by one.
type many struct {
	values       map[string]Value
	made, stored *client.Answer
}

// Moved implements Movable.
func (m many) Moved(by int) many {
	return many{m.values, m.made.Moved(by), m.stored.Moved(by)}
}

// withMany is a record with those of the values that go together. Specs only look at it.
func (c Collection) withMany(ctx SpecContext, values map[string]Value) many {
	return Share(c.Env, c.ID+" with many values", func() many {
		together, sent := together(ctx, values)
		m, body := many{values: together}, c.Body(ctx)
		With(sent)(body)
		if m.made = c.Resource.Create(ctx, body); m.made.OK() {
			m.stored = c.Resource.Get(ctx, m.made.ID())
		}
		return m
	})
}

// together are those of the values that go together, and what a body sends for them. A value that another one needs to be different is
// sent so, and is none of them.
func together(ctx SpecContext, values map[string]Value) (complete map[string]Value, body Fields) {
	complete, body = map[string]Value{}, Fields{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if value := values[name]; !value.Alone {
			value = value.of(ctx, name)
			for other, needed := range value.With {
				if !reflect.DeepEqual(complete[other].Sent, needed) {
					delete(complete, other)
				}
			}
			With(value.With)(body)
			body[name], complete[name] = value.Sent, value
		}
	}
	return complete, body
}

// keeps reports whether the record shows a value.
func (m many) keeps(name string) bool {
	value, among := m.values[name]
	return among && m.made.OK() && shows(m.made, value.Path, value.Shown) && shows(m.stored, value.Path, value.Shown)
}

func shows(answer *client.Answer, path string, value any) bool {
	shown, err := HaveJSON(path, value).Match(answer)
	return shown && err == nil
}

// Moved is an address in all of whose parts it differs from the one given and from what shops take for granted.
func Moved(address Fields) Fields {
	moved := Fields{"first_name": "Alan", "last_name": "Mover", "company": "Shopcheck Moving", "address_1": "9 Bank Street",
		"address_2": "Hut 8", "city": "Ottawa", "state": "ON", "postcode": "K1A 0B1", "country": "CA", "phone": "613-555-0142"}
	if email, given := address["email"]; given {
		moved["email"] = email
	}
	return moved
}

// AddressParts are the fields that all addresses have.
func AddressParts() []string {
	return []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country"}
}

// EmptyAddress is an address of which all parts are empty, and what else is given.
func EmptyAddress(contact Fields) Fields {
	address := Fields{}
	for _, part := range AddressParts() {
		address[part] = ""
	}
	With(contact)(address)
	return address
}

// Address is an address that is shown as it was sent: who and where people are, and how they can be reached by the given
// fields.
func Address(sent Fields, field string, contact ...string) Value {
	names := append(AddressParts(), contact...)
	shown := Fields{}
	for _, name := range names {
		shown[name] = sent[name]
	}
	return Value{Sent: sent, Path: field + ".{" + strings.Join(names, ",") + "}", Shown: shown}
}

// PartialAddresses declares that an update of an address leaves those of its fields alone that it does not name.
func (c Collection) PartialAddresses(requirement string) {
	for _, address := range []string{"billing", "shipping"} {
		It("changes only the given keys of "+address, Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
			before := c.Given(ctx, c.Resource, c.ID+".create", "with addresses", func() Fields {
				body := c.Body(ctx)
				With(Fields{"billing": Moved(c.Billing()), "shipping": Moved(c.Shipping())})(body)
				return body
			})

			answer := c.Resource.Update(ctx, before.ID(), Fields{address: Fields{"company": "Shopcheck Works"}})

			Expect(answer).To(HaveStatus(200))
			stored := c.Resource.Get(ctx, before.ID())
			Expect(stored).To(HaveJSON(address+".company", "Shopcheck Works"))
			KeepsAllBut("company", stored, before.Get(address), address)
			c.Resource.Update(ctx, before.ID(), Fields{address: Fields{"city": "Elsewhere"}})
			Expect(c.Resource.Get(ctx, before.ID())).To(HaveJSON(address+".company", "Shopcheck Works"))
		})
	}
}

// KeepsAllBut expects that a record shows the fields of an address as they were, but for one.
func KeepsAllBut(changed string, stored *client.Answer, before gjson.Result, address string) {
	before.ForEach(func(key, value gjson.Result) bool {
		if key.Str != changed {
			Expect(stored).To(HaveJSON(address+"."+key.Str, value.Value()))
		}
		return true
	})
}

// ReadOnly declares that no client can set the fields. values are such as no record has by itself.
func (c Collection) ReadOnly(fields []string, values map[string]any) {
	for _, field := range fields {
		It("does not let "+field+" be set", Req(c.ID+".read-only."+field), func(ctx SpecContext) {
			if field != "id" && c.forged(ctx, values).withstands(values, field) {
				return
			}
			id := c.createdWith(ctx, field, values[field])

			c.Resource.Update(ctx, id, Fields{field: values[field]})

			stored := c.Resource.Get(ctx, id)
			Expect(stored).To(HaveStatus(200))
			Expect(stored).NotTo(HaveJSON(field, values[field]))
		})
	}
}

// forged is a record whose creation and update named many values that nobody can set. Where a target refuses that, or shows one of them,
// each is tried by itself.
type forged []*client.Answer

// Moved implements Movable.
func (f forged) Moved(by int) forged {
	moved := make(forged, len(f))
	for i, answer := range f {
		moved[i] = answer.Moved(by)
	}
	return moved
}

func (c Collection) forged(ctx SpecContext, values map[string]any) forged {
	return Share(c.Env, c.ID+" with forged values", func() forged {
		if !c.Offers(c.Creating) {
			return nil
		}
		forgeries := Fields(maps.Clone(values))
		delete(forgeries, "id") // which would be about another record
		body := c.Body(ctx)
		With(forgeries)(body)
		made := c.Resource.Create(ctx, body)
		if !made.OK() {
			return nil
		}
		return forged{made, c.Resource.Get(ctx, made.ID()), c.Resource.Update(ctx, made.ID(), forgeries), c.Resource.Get(ctx, made.ID())}
	})
}

// withstands reports whether the record was created, updated and read without a forged value.
func (f forged) withstands(values map[string]any, field string) bool {
	return f != nil && !slices.ContainsFunc(f, func(answer *client.Answer) bool {
		return !answer.OK() || !answer.IsJSON() || shows(answer, field, values[field])
	})
}

// createdWith tries to create a record with a value that nobody can set. Where that is refused, the record comes without.
func (c Collection) createdWith(ctx context.Context, field string, value any) int64 {
	if c.Offers(c.Creating) {
		body := c.Body(ctx)
		body[field] = value
		if made := c.Resource.Create(ctx, body); made.OK() {
			Expect(made).NotTo(HaveJSON(field, value))
			Expect(c.Resource.Get(ctx, made.ID())).NotTo(HaveJSON(field, value))
			return made.ID()
		}
	}
	return c.Family(ctx, 1).IDs[0]
}

// LongAgo is a date on which no record of a test was made.
const LongAgo = "2001-02-03T04:05:06"

// UniqueIDs declares that no two records have one id.
func (c Collection) UniqueIDs() {
	It("has an id of its own", Req(c.ID+".id-unique"), func(ctx SpecContext) {
		ids := IDs(c.Lists().List(ctx, c.Shared(ctx, 3).Query))

		Expect(ids).To(HaveLen(3))
		Expect(slices.Compact(slices.Sorted(slices.Values(ids)))).To(HaveLen(3), "different ids among %v", ids)
	})
}
