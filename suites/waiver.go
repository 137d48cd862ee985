package suites

// Waivers: known deviations that are excused until a date.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/suggest"
)

// waiverList holds the waivers of a run and which of them were needed.
type waiverList struct {
	today   string // YYYY-MM-DD
	waivers []profile.Waiver
	used    []bool
}

func newWaiverList(waivers []profile.Waiver, now time.Time) *waiverList {
	return &waiverList{today: now.Format(time.DateOnly), waivers: waivers, used: make([]bool, len(waivers))}
}

// covers reports whether a waiver that still holds excuses the finding.
func (l *waiverList) covers(f reports.Finding, spec string) bool {
	covered := false
	for i, w := range l.waivers {
		about := means(w.ID, f.Requirement) || means(w.ID, spec)
		if about && l.today <= w.Expires && saysIt(f, w.Message) {
			l.used[i] = true
			covered = true
		}
	}
	return covered
}

// saysIt reports whether a finding holds a text, in any of its parts as they are shown.
func saysIt(f reports.Finding, text string) bool {
	for _, part := range []string{f.Message, f.Path, f.Want, f.Got} {
		if strings.Contains(part, text) {
			return true
		}
	}
	return false
}

// reports returns the state of each waiver. One whose subject was not tested in this run can't be called stale: it
// counts as used.
func (l *waiverList) reports(specs map[string]reports.Outcome, requirements map[string]reports.Outcome) []reports.Waiver {
	out := []reports.Waiver{}
	for i, w := range l.waivers {
		out = append(out, reports.Waiver{ID: w.ID, Reason: w.Reason, Link: w.Link, Expires: w.Expires, Message: w.Message,
			State: l.state(i, specs, requirements)})
	}
	return out
}

func (l *waiverList) state(i int, specs, requirements map[string]reports.Outcome) string {
	w := l.waivers[i]
	isTested := slices.ContainsFunc(CurrentIDs(w.ID), func(id string) bool { return tested(specs[id]) || tested(requirements[id]) })
	switch {
	case l.today > w.Expires:
		return "expired"
	case l.used[i] || !isTested:
		return "used"
	default:
		return "stale"
	}
}

// check refuses waivers of what neither is a requirement nor a spec: they would excuse nothing, and hide that they do not.
func (l *waiverList) check(p plan) error {
	var problems []string
	for _, w := range l.waivers {
		unknown := func(id string) bool {
			_, isRequirement := contract.All().Get(id)
			_, isSpec := p.byID[id]
			return !isRequirement && !isSpec
		}
		if slices.ContainsFunc(CurrentIDs(w.ID), unknown) {
			problems = append(problems, fmt.Sprintf("the waiver of %s: no requirement or spec has this id%s", w.ID,
				suggest.DidYouMean(w.ID, append(p.ids(), contract.All().IDs()...))))
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w: %s", ErrSelection, strings.Join(problems, "\n"))
	}
	return nil
}

func tested(o reports.Outcome) bool {
	switch o {
	case reports.Passed, reports.Failed, reports.Warned, reports.Waived:
		return true
	}
	return false
}
