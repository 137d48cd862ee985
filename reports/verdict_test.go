package reports

import (
	"slices"
	"strings"
	"testing"
)

func TestAFeatureIsAsGoodAsItsWorstRequirement(t *testing.T) {
	ordered := []Outcome{Untested, NotApplicable, Passed, Warned, Waived,
		CouldNotRun,
		Failed}
	for better := range ordered {
		for worse := better; worse < len(ordered); worse++ {
			requirements := []Requirement{{Feature: "f", Outcome: ordered[worse]}, {Feature: "f", Outcome: ordered[better]},
				{Feature: "g", Outcome: Failed}}
			if got := (Feature{Name: "f", State: "on"}).Judged(requirements).Verdict; got != ordered[worse] {
				t.Errorf("%s and %s make %s", ordered[better], ordered[worse], got)
			}
			if got := (Feature{Name: "f", State: "off"}).Judged(requirements).Verdict; got != NotApplicable {
				t.Errorf("a feature that is off is %s", got)
			}
		}
	}
}

func TestLatencies(t *testing.T) {
	var slow Spec
	for ms := 20; ms > 0; ms-- {
		slow.Exchanges = append(slow.Exchanges, Exchange{Endpoint: "GET /b", Status: 200, DurationMS: float64(ms)})
	}
	slow.Exchanges = append(slow.Exchanges, Exchange{Endpoint: "GET /b", DurationMS: 9000}) // had no answer
	quick := Spec{Exchanges: []Exchange{{Endpoint: "GET /a", Status: 500, DurationMS: 3}}}
	want := []Latency{
		{Endpoint: "GET /a", Count: 1, P50MS: 3, P95MS: 3, MaxMS: 3}, {Endpoint: "GET /b", Count: 20, P50MS: 10, P95MS: 19, MaxMS: 20},
	}
	if got := LatencyOf([]Spec{slow, quick}); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestVerdicts(t *testing.T) {
	specs := func(outcomes ...Outcome) []Spec {
		var list []Spec
		for _, o := range outcomes {
			list = append(list, Spec{Outcome: o})
		}
		return list
	}
	requirements := []Requirement{{Outcome: Failed}, {Outcome: Passed}, {Outcome: Passed}}
	for name, c := range map[string]struct {
		report      Report
		interrupted bool
		want        Verdict
		reasons     string
	}{
		"passed": {Report{Specs: specs(Passed, NotApplicable)}, false, Conformant, ""},
		"warned": {Report{Specs: specs(Warned)}, false, Conformant, ""},
		"both":   {Report{Specs: specs(Passed, Warned)}, false, Conformant, ""},
		"all three": {Report{Specs: specs(Passed, Passed, Waived, Waived)}, false,
			Conformant,
			""},
		"waived": {Report{Specs: specs(Waived)}, false, Conformant, ""},
		"nothing": {Report{Specs: specs(NotApplicable)}, false, Incomplete,
			"nothing was tested: no selected spec applies to this target"},
		"unable": {Report{Specs: specs(Passed, CouldNotRun)}, false, Incomplete, "1 spec could not run"},
		"failed": {Report{Specs: specs(Failed, CouldNotRun), Requirements: requirements}, false,
			NotConformant, "1 spec fails, breaking 1 requirement"},
		"broken": {Report{Specs: specs(Failed, BrokenHarness)}, false, Errored,
			"1 spec broke in the harness itself"},
		"errors":      {Report{Specs: specs(Passed), Errors: []string{"no disk"}}, false, Errored, "no disk"},
		"interrupted": {Report{Specs: specs(Failed)}, true, Interrupted, "the run was interrupted"},
		"used waiver": {Report{Specs: specs(Waived), Waivers: []Waiver{{ID: "w", State: "used"}}}, false,
			Conformant, ""},
		"stale waiver": {Report{Specs: specs(Passed), Waivers: []Waiver{{ID: "w", State: "stale"}}}, false,
			NotConformant, "the waiver of w is not needed any more: nothing that it excuses was found; remove it"},
		"old waiver": {Report{Specs: specs(Failed),
			Waivers: []Waiver{{ID: "w", State: "expired", Expires: "2026-01-01"}}, Requirements: requirements}, false,
			NotConformant,
			"1 spec fails, breaking 1 requirement|the waiver of w is expired: 2026-01-01 was its last day"},
	} {
		Judge(&c.report, c.interrupted)
		if got := strings.Join(c.report.Reasons, "|"); c.report.Verdict != c.want || got != c.reasons ||
			c.report.ExitCode != c.want.ExitCode() {
			t.Errorf("%s: %s (%d), because %s", name, c.report.Verdict, c.report.ExitCode, got)
		}
	}
}
