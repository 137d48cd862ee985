package suites

// Runs that only read: what they leave out is counted and said, before the run and in its report.

import (
	"fmt"
	"slices"

	"shopcheck/reports"
)

// keepReading leaves of the selected specs those that send no writes, and notes what that leaves out.
func (p *plan) keepReading(o Options) error {
	out := reports.LeftOut{Topics: map[string]int{}}
	kept, verified, open := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, planned := range p.chosen() {
		requirements := open
		if slices.Contains(o.Reading, planned.ID) {
			kept[planned.ID], requirements = true, verified
		} else {
			out.Specs++
			out.Topics[planned.Topic]++
		}
		for _, id := range planned.Requirements {
			requirements[id] = true
		}
	}
	for id := range open {
		if !verified[id] {
			out.Requirements++
			p.unread = append(p.unread, id)
		}
	}
	if len(kept) == 0 && out.Specs > 0 {
		return fmt.Errorf("%w: the run may only read, and every spec of the selection writes; leave --read-only (read_only) away",
			ErrSelection)
	}
	p.selected, p.leftOut = kept, &out
	return nil
}
