package collection

// One record, wherever it is shown.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Later is a change of a record of which all is set, and the fields that may follow it.
type Later struct {
	Changes Fields
	Follow  []string
}

// Agreeing declares that a record is one and the same in the answer to its creation, under its id, in the list and in the answer to an
// update, and that later updates leave all else of it alone.
func (c Collection) Agreeing(change Change, later func() []Later) {
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

	partial := c.ID + ".update.partial"
	It("is the same in the answer to an update", Req(requirement, c.ID+".create", partial), Needs(c.Creating), func(ctx SpecContext) {
		made := c.filled(ctx)

		changed := c.Resource.Update(ctx, made.ID(), Fields{change.Field: change.Value})

		stored := c.Resource.Get(ctx, made.ID())
		c.Agree(requirement, changed, "", stored.JSON(), c.Shape)
		c.Agree(requirement, stored, "", made.JSON(), c.Shape, change.Field)
		left := []string{change.Field}
		for _, next := range later() {
			left = slices.Concat(left, slices.Collect(maps.Keys(next.Changes)), next.Follow)
			answer := c.Resource.Update(ctx, made.ID(), next.Changes)
			c.Agree(partial, answer, "", made.JSON(), c.Shape, c.within(left)...)
		}
		c.Agree(partial, c.Resource.Get(ctx, made.ID()), "", made.JSON(), c.Shape, c.within(left)...)
	})
}

// Trashing declares that a record is in the trash as it was before, but for the fields that may follow. again, where there is one, takes
// it out.
func (c Collection) Trashing(requirement string, again *Change, follow ...string) {
	It("is in the trash as it was before", Req(requirement, c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		made := c.filled(ctx)

		Expect(c.Resource.Delete(ctx, made.ID())).To(BeSuccess())
		c.Resource.Delete(ctx, made.ID()) // which may be refused, and still is not forced

		trashed := c.Resource.Get(ctx, made.ID())
		Expect(trashed).To(HaveStatus(200))
		c.Agree(requirement, trashed, "", made.JSON(), c.Shape, c.within(follow)...)
		if again != nil {
			restored := c.Resource.Update(ctx, made.ID(), Fields{again.Field: again.Value})
			Expect(restored).To(HaveJSON(again.Field, again.Value))
			c.Agree(requirement, restored, "", made.JSON(), c.Shape, c.within(follow)...)
		}
	})
}

// within lists fields of the record with all that is in them.
func (c Collection) within(fields []string) (paths []string) {
	c.Shape.Walk(func(p contract.Place) {
		if name, _, _ := strings.Cut(p.Path, "."); slices.Contains(fields, name) {
			paths = append(paths, p.Path)
		}
	})
	return paths
}

// filled creates a record that has all that it may have.
func (c Collection) filled(ctx context.Context) *client.Answer {
	body := c.Body(ctx)
	c.fill(ctx, body)
	made := c.Resource.Create(ctx, body)
	c.For(c.ID + ".create").Expect(made).To(BeSuccess())
	return made
}

// fill gives a body all that a record may have.
func (c Collection) fill(ctx context.Context, body Fields) {
	With(c.Filled(ctx))(body)
	if c.Coupons != nil {
		With(c.Coupons())(body)
	}
}
