package pagination

// How many records come on a page at most.

import (
	"context"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

// maximum is the documented maximum of per_page.
const maximum = 100

func (t topic) limits(c pages) {
	It("hold a hundred records a page at most", Req("limits.per-page-maximum."+c.name), func(ctx SpecContext) {
		Expect(len(t.overMaximum(ctx, c).JSON().Array())).To(BeNumerically("<=", maximum), "records on one page")
	})

	It("hold a hundred records a page when asked", Req("limits.per-page-maximum."+c.name), func(ctx SpecContext) {
		Expect(c.list(ctx, Query{"per_page": strconv.Itoa(maximum)})).To(HaveStatus(200))
	})

	It("refuse or cut more than a hundred", Req("limits.per-page-over-maximum"), Needs(c.feature), func(ctx SpecContext) {
		answer := c.list(ctx, Query{"per_page": strconv.Itoa(maximum + 1)})

		t.Observe(c.name+".per-page-over-maximum.status", answer.Status)
		t.Observe(c.name+".per-page-over-maximum.code", answer.Code())
	})
}

// overMaximum asks for more than a hundred records, and sees to it that there are more: unless the target refuses or
// has enough already.
func (t topic) overMaximum(ctx context.Context, c pages) *client.Answer {
	more := Query{"per_page": strconv.Itoa(maximum + 1)}
	answer := c.list(ctx, more)
	total, _ := strconv.Atoi(answer.Header.Get("X-Shop-Total"))
	if !answer.OK() || total > maximum || answer.Get("#").Int() > maximum {
		return answer
	}
	return c.list(ctx, c.crowd(ctx, maximum+1).Narrowed(more))
}
