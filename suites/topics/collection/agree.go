package collection

// One record, wherever it is shown.

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Agreeing declares that a record is one and the same in the answer to its creation, under its id, in the list and in the answer to an
// update. fill sets what a record can show.
func (c Collection) Agreeing(shape *contract.Shape, change Change, fill func(ctx context.Context) Fields) {
	requirement := c.ID + ".one-record"
	It("is the same wherever it is shown", Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 2)
		var made []*client.Answer
		for _, body := range bodies {
			With(fill(ctx))(body)
			answer := c.Resource.Create(ctx, body)
			c.For(c.ID + ".create").Expect(answer).To(BeSuccess())
			made = append(made, answer)
		}

		list := c.Resource.List(ctx, query)
		for _, answer := range made {
			stored := c.Resource.Get(ctx, answer.ID())
			c.Agree(requirement, answer, "", stored.JSON(), shape)
			c.Agree(requirement, list, fmt.Sprintf("#(id==%d).", answer.ID()), stored.JSON(), shape)
		}
	})

	It("is the same in the answer to an update", Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		body := c.Body(ctx)
		With(fill(ctx))(body)
		made := c.Resource.Create(ctx, body)
		c.For(c.ID + ".create").Expect(made).To(BeSuccess())

		changed := c.Resource.Update(ctx, made.ID(), Fields{change.Field: change.Value})

		stored := c.Resource.Get(ctx, made.ID())
		c.Agree(requirement, changed, "", stored.JSON(), shape)
		c.Agree(requirement, stored, "", made.JSON(), shape, change.Field)
	})
}
