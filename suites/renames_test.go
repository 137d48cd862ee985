package suites

import (
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

func TestFormerIDsGoOnMeaningTheirSpecs(t *testing.T) {
	for former, now := range renamed() {
		l := waiverList{today: "2026-01-01", waivers: []waiver{{Waiver: profile.Waiver{ID: former, Expires: "2999-01-01"}}}}
		if l.state(l.waivers[0], map[string]reports.Outcome{now[0]: reports.Passed}, nil) != "stale" {
			t.Errorf("a waiver of %s is not stale where %s passes", former, now[0])
		}
		if !l.covers(reports.Finding{}, now[len(now)-1]) || l.covers(reports.Finding{}, "other") {
			t.Errorf("a waiver of %s does not cover %s", former, now)
		}
		p := planOf(append(now, "a.x")...)
		if err := p.keep([]string{former}); err != nil || len(p.chosen()) != len(now) {
			t.Errorf("%s selects %v (%v)", former, p.chosen(), err)
		}
	}
}
