package collection

// What was read before: it is not answered again after it has changed.

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

// Rereads declares that a record, and the list of records, are read as they are now wherever they were read before. deleting is the
// requirement that a forced deletion removes a record.
func (c Collection) Rereads(change Change, deleting string) {
	changes := Fields{change.Field: change.Value}
	changed := ContainSubstring(change.Value)

	It("is read as it is after an update", Req(c.ID+".update", c.ID+".retrieve"), func(ctx SpecContext) {
		id := c.Family(ctx, 1).IDs[0]
		c.Resource.Get(ctx, id)

		Expect(c.Resource.Update(ctx, id, changes)).To(BeSuccess())

		Expect(c.Resource.Get(ctx, id)).To(HaveJSON(change.Field, changed))
	})

	It("is listed as it is after an update", Req(c.ID+".update", c.ID+".list"), func(ctx SpecContext) {
		family := c.Family(ctx, 1)
		c.Resource.List(ctx, family.Query)

		Expect(c.Resource.Update(ctx, family.IDs[0], changes)).To(BeSuccess())

		Expect(c.Resource.List(ctx, family.Query)).To(HaveJSON("0."+change.Field, changed))
	})

	It("is gone after it was read and deleted", Req(deleting, c.ID+".list", c.ID+".delete.missing",
		c.ID+".update.missing"), func(ctx SpecContext) {
		family := c.Family(ctx, 2)
		gone, stays := family.IDs[0], family.IDs[1:] // no shop gives an id again that is below the newest
		c.Resource.Get(ctx, gone)
		c.Resource.Listed(ctx, family, nil)

		Expect(c.Resource.ForceDelete(ctx, gone)).To(BeSuccess())

		c.For(deleting).Expect(c.Resource.Get(ctx, gone)).To(HaveStatus(404))
		c.For(c.ID + ".list").Expect(c.Resource.Listed(ctx, family, nil)).To(Equal(stays))
		c.For(c.ID + ".update.missing").Expect(c.Resource.Update(ctx, gone, changes)).To(HaveStatus(404))
		c.For(c.ID + ".delete.missing").Expect(c.Resource.ForceDelete(ctx, gone)).To(HaveStatus(404))
	})
}
