package suites

// Waivers: known deviations that are excused, those of the profile until a date, those of its baseline for good.

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
	waivers []waiver
}

// waiver is one of a run.
type waiver struct {
	profile.Waiver
	baseline string // that it comes from, "" for one of the profile's own
	used     bool
}

// holds reports whether the waiver excuses anything on a day. What a baseline lists has no end.
func (w *waiver) holds(today string) bool { return w.baseline != "" || today <= w.Expires }

// newWaiverList lists the waivers of a profile, and then those of its baseline.
func newWaiverList(p profile.Profile, now time.Time) *waiverList {
	l := &waiverList{today: now.Format(time.DateOnly)}
	for _, own := range p.Waivers {
		l.waivers = append(l.waivers, waiver{Waiver: own})
	}
	for _, known := range p.KnownDeviations() {
		l.waivers = append(l.waivers, waiver{Waiver: known, baseline: p.Baseline})
	}
	return l
}

// covers reports whether a waiver that still holds excuses the finding.
func (l *waiverList) covers(f reports.Finding, spec string) bool {
	covered := false
	for i := range l.waivers {
		w := &l.waivers[i]
		about := means(w.ID, f.Requirement) || means(w.ID, spec)
		if about && w.holds(l.today) && saysIt(f, w.Message) {
			w.used = true
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
	for _, w := range l.waivers {
		out = append(out, reports.Waiver{ID: w.ID, Reason: w.Reason, Link: w.Link, Expires: w.Expires, Message: w.Message,
			Baseline: w.baseline, State: l.state(w, specs, requirements)})
	}
	return out
}

func (l *waiverList) state(w waiver, specs, requirements map[string]reports.Outcome) string {
	isTested := slices.ContainsFunc(CurrentIDs(w.ID), func(id string) bool { return tested(specs[id]) || tested(requirements[id]) })
	switch {
	case !w.holds(l.today):
		return "expired"
	case w.used || !isTested:
		return "used"
	case w.baseline != "":
		return "gone"
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
