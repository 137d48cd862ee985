package collection

// Batches: what {create, update, delete} do. What a batch answers is not documented, so what was done is looked for where
// the records are.

import (
	"context"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

// Change is a change of one text of a record, and texts that must outlive it.
type Change struct {
	Field string
	Value string
	Keeps []string // gjson paths
}

// Batches declares what a batch of the collection does.
func (c Collection) Batches(change Change) {
	prefix, creating := c.ID+".batch.", Needs(c.Creating)
	update := func(id int64) []Fields { return []Fields{{"id": id, change.Field: change.Value}} }

	It("creates", Req(prefix+"create", prefix+"optional-keys"), creating, func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 3)

		Expect(c.Resource.Batch(ctx, Fields{"create": bodies})).To(BeSuccess())

		Expect(c.Resource.List(ctx, query)).To(HaveJSON("#", len(bodies)))
	})

	It("updates, and leaves all other fields alone", Req(prefix+"update", prefix+"optional-keys"), func(ctx SpecContext) {
		id := c.Family(ctx, 1).IDs[0]
		before := c.Resource.Get(ctx, id)

		Expect(c.Resource.Batch(ctx, Fields{"update": update(id)})).To(BeSuccess())

		stored := c.Resource.Get(ctx, id)
		Expect(stored).To(HaveJSON(change.Field, ContainSubstring(change.Value)))
		for _, path := range change.Keeps {
			Expect(stored).To(HaveJSON(path, before.Get(path).Value()))
		}
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

		for _, id := range changed {
			Expect(c.Resource.Get(ctx, id)).To(HaveJSON(change.Field, ContainSubstring(change.Value)))
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
		family := c.Family(ctx, 2)
		bodies, query := c.Bodies(ctx, 1)

		Expect(c.Resource.Batch(ctx, Fields{"create": bodies, "update": update(family.IDs[0]), "delete": family.IDs[1:]})).To(BeSuccess())

		Expect(c.Resource.Get(ctx, family.IDs[0])).To(HaveJSON(change.Field, ContainSubstring(change.Value)))
		c.For(prefix + "create").Expect(c.Resource.List(ctx, query)).To(HaveJSON("#", 1))
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

// isThere reports whether a member of a family can still be found, and not in the trash. Whether lists show what is in the
// trash is not documented.
func (c Collection) isThere(ctx context.Context, family Family, id int64) bool {
	stored := c.Resource.Get(ctx, id)
	return stored.OK() && stored.Get("status").String() != "trash" && slices.Contains(c.Resource.Listed(ctx, family, nil), id)
}
