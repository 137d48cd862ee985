package suites

// Waivers: known deviations that are excused until a date.

import (
	"strings"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
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
		about := w.ID == f.Requirement || w.ID == spec
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
	_, isRequirement := contract.All().Get(w.ID)
	_, isSpec := specs[w.ID]
	outcome := specs[w.ID]
	if isRequirement {
		outcome = requirements[w.ID]
	}
	switch {
	case !isRequirement && !isSpec:
		return "unknown_id"
	case l.today > w.Expires:
		return "expired"
	case l.used[i] || !tested(outcome):
		return "used"
	default:
		return "stale"
	}
}

func tested(o reports.Outcome) bool {
	switch o {
	case reports.Passed, reports.Failed, reports.Warned, reports.Waived:
		return true
	}
	return false
}
