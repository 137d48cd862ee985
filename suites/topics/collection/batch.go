package collection

// Batches: what {create, update, delete} do. What a batch answers is not documented, so what was done is looked for where
// the records are.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Change is a change of one text of a record.
type Change struct {
	Field  string
	Value  string
	Beside Fields // another change, which leaves that text alone
}

// Batches declares what a batch of the collection does.
func (c Collection) Batches(change Change) {
	prefix, creating := c.ID+".batch.", Needs(c.Creating)
	update := func(id int64) []Fields { return []Fields{{"id": id, change.Field: change.Value}} }

	It("creates", Req(prefix+"create", prefix+"optional-keys", c.Shape.ID+".field.id"), creating, func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 3)

		answer := c.Resource.Batch(ctx, Fields{"create": bodies})

		Expect(answer).To(BeSuccess())
		list := c.Resource.List(ctx, query)
		Expect(list).To(HaveJSON("#", len(bodies)))
		for _, field := range c.Names {
			Expect(list).To(HaveJSON("#."+field, BeInAnyOrder(valuesOf(bodies, field)...)))
		}
		c.tells(answer, "create.#.id", IDs(list))
	})

	It("creates with the defaults of a single creation", Req(prefix+"create"), creating, func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 2)
		for _, body := range bodies {
			for _, field := range c.Defaults {
				delete(body, field)
			}
		}
		single := c.Resource.Create(ctx, bodies[0])

		Expect(c.Resource.Batch(ctx, Fields{"create": bodies[1:]})).To(BeSuccess())

		list := c.Resource.List(ctx, query)
		for _, field := range c.Defaults {
			if usual := single.Get(field); usual.Exists() {
				Expect(list).To(HaveJSON(fmt.Sprintf("#(id!=%d).%s", single.ID(), field), usual.Value()))
			}
		}
	})

	It("updates, and leaves all other fields alone", Req(prefix+"update", prefix+"optional-keys", c.ID+".create",
		c.Shape.ID+".field.id"), creating,
		func(ctx SpecContext) {
			body := c.Body(ctx)
			With(c.Filled(ctx))(body)
			made := c.Resource.Create(ctx, body)
			c.For(c.ID + ".create").Expect(made).To(BeSuccess())

			answer := c.Resource.Batch(ctx, Fields{"update": update(made.ID())})

			Expect(answer).To(BeSuccess())
			c.tells(answer, "update.#.id", []int64{made.ID()})
			stored := c.Resource.Get(ctx, made.ID())
			Expect(stored).To(HaveJSON(change.Field, ContainSubstring(change.Value)))
			c.Agree(prefix+"update", stored, "", made.JSON(), c.Shape, change.Field)
			beside := Fields{"id": made.ID()}
			With(change.Beside)(beside)
			Expect(c.Resource.Batch(ctx, Fields{"update": []Fields{beside}})).To(BeSuccess())
			Expect(c.Resource.Get(ctx, made.ID())).To(HaveJSON(change.Field, ContainSubstring(change.Value)))
		})

	It("changes and deletes all that it names", Req(prefix+"update", prefix+"delete"), func(ctx SpecContext) {
		family := c.Family(ctx, 6)
		changed, gone := family.IDs[:3], family.IDs[3:]
		var updates []Fields
		for _, id := range changed {
			updates = append(updates, update(id)...)
		}

		Expect(c.Resource.Batch(ctx, Fields{"update": updates})).To(BeSuccess())
		Expect(c.Resource.Batch(ctx, Fields{"delete": gone})).To(BeSuccess())

		list := c.Resource.List(ctx, family.Narrowed(Query{"per_page": "100"}))
		for _, id := range changed {
			Expect(list).To(HaveJSON(fmt.Sprintf("#(id==%d).%s", id, change.Field), ContainSubstring(change.Value)))
		}
		for _, id := range gone {
			c.For(prefix+"delete").Expect(c.isThere(ctx, family, id)).To(BeFalse(), "whether the deleted record is still there")
		}
	})

	It("deletes", Req(prefix+"delete", prefix+"optional-keys"), func(ctx SpecContext) {
		family := c.Family(ctx, 2)

		Expect(c.Resource.Batch(ctx, Fields{"delete": family.IDs[:1]})).To(BeSuccess())

		Expect(c.isThere(ctx, family, family.IDs[0])).To(BeFalse(), "whether the deleted record is still there")
		Expect(c.isThere(ctx, family, family.IDs[1])).To(BeTrue(), "whether the other record is still there")
	})

	It("needs no more than one of its keys", Req(prefix+"optional-keys"), creating, func(ctx SpecContext) {
		bodies, _ := c.Bodies(ctx, 1)
		id := c.Family(ctx, 1).IDs[0]

		Expect(c.Resource.Batch(ctx, Fields{"create": bodies})).To(BeSuccess())
		Expect(c.Resource.Batch(ctx, Fields{"update": update(id)})).To(BeSuccess())
		Expect(c.Resource.Batch(ctx, Fields{"delete": []int64{id}})).To(BeSuccess())
	})

	It("does all three at once", Req(prefix+"update", prefix+"create", prefix+"delete"), creating, func(ctx SpecContext) {
		family, filled := c.Family(ctx, 2), c.Filled(ctx)
		bodies, query := c.Bodies(ctx, 3)
		for _, body := range bodies {
			With(filled)(body)
		}
		single := c.Resource.Create(ctx, bodies[0])
		updated := Fields{"id": family.IDs[0]}
		With(filled)(updated)

		Expect(c.Resource.Batch(ctx, Fields{"create": bodies[1:], "update": []Fields{updated}, "delete": family.IDs[1:]})).To(BeSuccess())

		list := c.Resource.List(ctx, query)
		c.For(prefix + "create").Expect(list).To(HaveJSON("#", 3))
		for _, id := range IDs(list) {
			if id != single.ID() {
				c.Agree(prefix+"create", list, fmt.Sprintf("#(id==%d).", id), single.JSON(), c.Shape, c.unset(filled)...)
			}
		}
		c.Agree(prefix+"update", c.Resource.Get(ctx, family.IDs[0]), "", single.JSON(), c.Shape, c.unset(filled)...)
		c.For(prefix+"delete").Expect(c.isThere(ctx, family, family.IDs[1])).To(BeFalse(), "whether the deleted record is still there")
	})

	It("answers something", Req(prefix+"answer"), func(ctx SpecContext) {
		id := c.Family(ctx, 1).IDs[0]

		answer := c.Resource.Batch(ctx, Fields{"update": append(update(id), Fields{"id": UnknownID, change.Field: change.Value})})

		c.Observe(c.ID+"-batch.status", answer.Status)
		c.Observe(c.ID+"-batch.answers-records", answer.Get("update.0.id").Int() == id)
		c.Observe(c.ID+"-batch.unknown-id", answer.Get("update.1.error.code").String())
	})
}

// Refusal is a value of one field that a single request is refused with.
type Refusal struct {
	What        string
	Requirement string
	Field       string
	Value       func(ctx SpecContext) any
}

// RefusesByBatch declares that a batch makes no record, and changes none, of what a single request is refused with. Whether the batch
// as a whole is refused is not documented.
func (c Collection) RefusesByBatch(refusals ...Refusal) {
	for _, r := range refusals {
		It("creates and changes nothing by "+r.What, Req(r.Requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
			bodies, query := c.Bodies(ctx, 2)
			made, value := c.Resource.Create(ctx, bodies[0]), r.Value(ctx)
			c.For(c.ID + ".create").Expect(made).To(BeSuccess())
			bodies[1][r.Field] = value

			c.Resource.Batch(ctx, Fields{"create": bodies[1:], "update": []Fields{{"id": made.ID(), r.Field: value}}})

			list := c.Resource.List(ctx, query)
			Expect(list).To(HaveJSON("#.id", []int64{made.ID()}))
			Expect(list).To(HaveJSON("0."+r.Field, made.Get(r.Field).Value()))
		})
	}
}

func valuesOf(bodies []Fields, field string) (values []any) {
	for _, body := range bodies {
		values = append(values, body[field])
	}
	return values
}

// tells expects that a batch that answers an id for each record answers their own. What else a batch answers is not documented.
func (c Collection) tells(answer *client.Answer, path string, ids []int64) {
	if len(answer.Get(path).Array()) == len(ids) {
		c.For(c.Shape.ID + ".field.id").Expect(answer).To(HaveJSON(path, BeInAnyOrder(ids...)))
	}
}

// unset lists the fields of a record that a body does not set.
func (c Collection) unset(body Fields) (paths []string) {
	c.Shape.Walk(func(p contract.Place) {
		name, inner, _ := strings.Cut(p.Path, ".")
		if _, set := body[name]; !set || inner == "#.id" && strings.HasSuffix(name, "_lines") || strings.HasSuffix(inner, "_tax") {
			paths = append(paths, p.Path)
		}
	})
	return paths
}

// isThere reports whether a member of a family can still be found, and not in the trash. Whether lists show what is in the
// trash is not documented.
func (c Collection) isThere(ctx context.Context, family Family, id int64) bool {
	stored := c.Resource.Get(ctx, id)
	return stored.OK() && stored.Get("status").String() != "trash" && slices.Contains(c.Resource.Listed(ctx, family, nil), id)
}
