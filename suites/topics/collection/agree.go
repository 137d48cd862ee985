package collection

// One record, wherever it is shown.

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

// Agreeing declares that a record is one and the same in the answer to its creation, under its id, in the list and in the answer to an
// update.
func (c Collection) Agreeing(change Change) {
	requirement := c.ID + ".one-record"
	It("is the same wherever it is shown", Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 2)
		var made []*client.Answer
		for _, body := range bodies {
			c.fill(ctx, body)
			answer := c.Resource.Create(ctx, body)
			c.For(c.ID + ".create").Expect(answer).To(BeSuccess())
			made = append(made, answer)
		}

		list := c.Resource.List(ctx, query)
		for _, answer := range made {
			stored := c.Resource.Get(ctx, answer.ID())
			c.Agree(requirement, answer, "", stored.JSON(), c.Shape)
			c.Agree(requirement, list, fmt.Sprintf("#(id==%d).", answer.ID()), stored.JSON(), c.Shape)
		}
	})

	It("is the same in the answer to an update", Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		body := c.Body(ctx)
		c.fill(ctx, body)
		made := c.Resource.Create(ctx, body)
		c.For(c.ID + ".create").Expect(made).To(BeSuccess())

		changed := c.Resource.Update(ctx, made.ID(), Fields{change.Field: change.Value})

		stored := c.Resource.Get(ctx, made.ID())
		c.Agree(requirement, changed, "", stored.JSON(), c.Shape)
		c.Agree(requirement, stored, "", made.JSON(), c.Shape, change.Field)
	})
}

// fill gives a body all that a record may have.
func (c Collection) fill(ctx context.Context, body Fields) {
	With(c.Filled(ctx))(body)
	if c.Coupons != nil {
		With(c.Coupons())(body)
	}
}
