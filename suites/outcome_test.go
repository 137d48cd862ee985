package suites

// What findings, ends of specs and waivers come to.

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// waiversOn are waivers as they are on a day (YYYY-MM-DD).
func waiversOn(t *testing.T, day string, waivers ...profile.Waiver) *waiverBook {
	t.Helper()
	now, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return newWaiverBook(waivers, now)
}

func broken(requirement string, level reports.Level) reports.Finding {
	return reports.Finding{Requirement: requirement, Level: level, Message: "the field is missing", Path: "items.0.id", Want: "an id", Got: "none"}
}

func TestAWaiverHoldsToTheEndOfItsDay(t *testing.T) {
	for day, want := range map[string]string{"2026-03-01": "used", "2026-02-28": "used", "2026-03-02": "expired"} {
		book := waiversOn(t, day, profile.Waiver{ID: "cart.get", Expires: "2026-03-01"})
		if covered := book.covers(broken("cart.get", reports.Must), "s"); covered != (want == "used") {
			t.Errorf("on %s: covered %v", day, covered)
		}
		if got := book.reports(nil, map[string]reports.Outcome{"cart.get": reports.Failed})[0].State; got != want {
			t.Errorf("on %s: %s", day, got)
		}
	}
}

func TestAWaiverOfAMessageExcusesNothingElse(t *testing.T) {
	for message, want := range map[string]bool{"": true, "is missing": true, "items.0": true, "an id": true, "none": true, "is null": false} {
		book := waiversOn(t, "2026-03-01", profile.Waiver{ID: "cart.get", Message: message, Expires: "2026-03-01"})
		if got := book.covers(broken("cart.get", reports.Must), "s"); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

// A run of a part of the specs must not call the waivers of the others stale.
func TestAWaiverOfWhatWasNotTestedIsNotStale(t *testing.T) {
	for outcome, want := range map[reports.Outcome]string{
		reports.Passed: "stale", reports.Failed: "stale", reports.Warned: "stale", reports.Waived: "stale",
		reports.Untested: "used", reports.NotApplicable: "used", reports.CouldNotRun: "used", reports.BrokenHarness: "used",
	} {
		book := waiversOn(t, "2026-03-01", profile.Waiver{ID: "cart.get", Expires: "2026-03-01"}, profile.Waiver{ID: "a-spec", Expires: "2026-03-01"})
		for _, w := range book.reports(map[string]reports.Outcome{"a-spec": outcome}, map[string]reports.Outcome{"cart.get": outcome}) {
			if w.State != want {
				t.Errorf("%s, which is %s: %s, want %s", w.ID, outcome, w.State, want)
			}
		}
	}
}

func TestWhatASpecComesTo(t *testing.T) {
	must, should, observed := broken("cart.get", reports.Must), broken("cart.get", reports.Should), broken("cart.get", reports.Observed)
	waiver := profile.Waiver{ID: "a-spec", Expires: "2999-01-01"}
	for name, c := range map[string]struct {
		done    record
		waivers []profile.Waiver
		strict  bool
		want    reports.Outcome
	}{
		"well":                        {done: record{Ended: endedWell}, want: reports.Passed},
		"observed":                    {done: record{Ended: endedWell, Findings: []reports.Finding{observed}}, want: reports.Passed},
		"observed, strict":            {done: record{Ended: endedWell, Findings: []reports.Finding{observed}}, strict: true, want: reports.Passed},
		"should":                      {done: record{Ended: endedWell, Findings: []reports.Finding{should}}, want: reports.Warned},
		"should, strict":              {done: record{Ended: endedWell, Findings: []reports.Finding{should}}, strict: true, want: reports.Failed},
		"must":                        {done: record{Ended: endedFailed, Findings: []reports.Finding{must}}, want: reports.Failed},
		"must after should":           {done: record{Ended: endedFailed, Findings: []reports.Finding{should, must}}, want: reports.Failed},
		"should after must":           {done: record{Ended: endedFailed, Findings: []reports.Finding{must, should}}, want: reports.Failed},
		"waived":                      {done: record{Ended: endedFailed, Findings: []reports.Finding{must}}, waivers: []profile.Waiver{waiver}, want: reports.Waived},
		"failed without a finding":    {done: record{Ended: endedFailed}, want: reports.BrokenHarness},
		"broken":                      {done: record{Ended: endedBroken, Findings: []reports.Finding{must}}, want: reports.BrokenHarness},
		"stopped":                     {done: record{Ended: endedStopped}, want: reports.CouldNotRun},
		"stopped after a failure":     {done: record{Ended: endedStopped, Findings: []reports.Finding{must}}, want: reports.Failed},
		"not begun":                   {done: record{Ended: endedSkipped}, want: reports.CouldNotRun},
		"left":                        {done: record{Ended: endedSkipped, Left: reports.NotApplicable}, want: reports.NotApplicable},
		"left after a failed passing": {done: record{Ended: endedSkipped, Left: reports.NotApplicable, Findings: []reports.Finding{must}}, want: reports.Failed},
	} {
		c.done.Spec = "a-spec"
		if got := finish(Planned{ID: "a-spec"}, c.done, waiversOn(t, "2026-03-01", c.waivers...), c.strict); got.spec.Outcome != c.want || got.whole != (c.done.Ended == endedWell) {
			t.Errorf("%s: %s, whole: %v", name, got.spec.Outcome, got.whole)
		}
	}
}

func TestOnlyPassedSpecsAreShortenedAndCalledFlaky(t *testing.T) {
	for _, c := range []struct {
		findings []reports.Finding
		retries  int
		flaky    bool
		kept     int // bytes
	}{
		{nil, 0, false, passedBody},
		{nil, 1, true, passedBody},
		{[]reports.Finding{broken("cart.get", reports.Should)}, 1, false, passedBody + 5},
	} {
		exchange := reports.Exchange{Retries: c.retries, Response: reports.Message{Body: strings.Repeat("x", passedBody+5), Truncated: 7}}
		got := finish(Planned{}, record{Ended: endedWell, Findings: c.findings, Exchanges: []reports.Exchange{exchange}}, waiversOn(t, "2026-03-01"), false).spec
		answer := got.Exchanges[0].Response
		if got.Flaky != c.flaky || len(answer.Body) != c.kept || len(answer.Body)+answer.Truncated != passedBody+12 {
			t.Errorf("%s after %d retries: flaky %v, %d bytes and %d more", got.Outcome, c.retries, got.Flaky, len(answer.Body), answer.Truncated)
		}
	}
}

// told gives what results tell about a requirement.
func told(t *testing.T, id string, l *ledger) reports.Requirement {
	t.Helper()
	if l.waivers == nil {
		l.waivers = waiversOn(t, "2026-03-01")
	}
	all := l.requirements()
	n := slices.IndexFunc(all, func(r reports.Requirement) bool { return r.ID == id })
	if n < 0 || len(all) != len(contract.All().List()) {
		t.Fatalf("%s is number %d of %d requirements", id, n, len(all))
	}
	return all[n]
}

func TestWhatSpecsTellAboutARequirement(t *testing.T) {
	spec := func(outcome reports.Outcome, reason string, whole bool, findings ...reports.Finding) result {
		return result{whole: whole, spec: reports.Spec{ID: string(outcome), Requirements: []string{"cart.get"}, Outcome: outcome, Reason: reason, Findings: findings}}
	}
	must, should := broken("cart.get", reports.Must), broken("cart.get", reports.Should)
	passed, failed, warned := spec(reports.Passed, "", true), spec(reports.Failed, "", false, must), spec(reports.Warned, "", true, should)
	unable, absent := spec(reports.CouldNotRun, "no key", false), spec(reports.NotApplicable, "no cart", false)
	elsewhere := spec(reports.Failed, "", false, broken("cart.add-item", reports.Must))
	for name, c := range map[string]struct {
		results []result
		want    reports.Outcome
		reason  string
	}{
		"nobody":               {nil, reports.Untested, "no spec of this run"},
		"passed":               {[]result{passed}, reports.Passed, ""},
		"failed":               {[]result{failed}, reports.Failed, ""},
		"failed, then passed":  {[]result{failed, passed}, reports.Failed, ""},
		"warned, then failed":  {[]result{warned, failed}, reports.Failed, ""},
		"failed, then warned":  {[]result{failed, warned}, reports.Failed, ""},
		"warned":               {[]result{warned, passed}, reports.Warned, ""},
		"unable":               {[]result{unable}, reports.CouldNotRun, "no key"},
		"unable beside passed": {[]result{unable, passed}, reports.Passed, ""},
		"unable beside absent": {[]result{absent, unable}, reports.CouldNotRun, "no key"},
		"absent":               {[]result{absent}, reports.NotApplicable, "no cart"},
		"another failure":      {[]result{elsewhere}, reports.CouldNotRun, "spec failed ended at another failure"},
	} {
		got := told(t, "cart.get", &ledger{results: c.results})
		if got.Outcome != c.want || !strings.HasPrefix(got.Reason, c.reason) || (c.reason == "") != (got.Reason == "") {
			t.Errorf("%s: %s, %q", name, got.Outcome, got.Reason)
		}
		for _, r := range c.results {
			if !slices.Contains(got.Specs, r.spec.ID) {
				t.Errorf("%s: spec %s is not listed in %v", name, r.spec.ID, got.Specs)
			}
		}
	}
}

func TestAFindingNamesItsSpecEvenWhereThatIsAboutSomethingElse(t *testing.T) {
	seen := result{spec: reports.Spec{ID: "a-spec", Outcome: reports.Failed, Requirements: []string{"cart.add-item"}, Findings: []reports.Finding{broken("cart.get", reports.Must)}}}
	if got := told(t, "cart.get", &ledger{results: []result{seen}}); got.Outcome != reports.Failed || !slices.Contains(got.Specs, "a-spec") {
		t.Errorf("%s by %v", got.Outcome, got.Specs)
	}
}

func TestWhatIsCheckedInPassing(t *testing.T) {
	var results []result
	for _, id := range []string{"a", "b", "c", "d"} {
		results = append(results, result{whole: true, checked: []string{"cart.get"}, spec: reports.Spec{ID: id, Outcome: reports.Passed, Requirements: []string{"product.field.id"}}})
	}
	if got := told(t, "cart.get", &ledger{results: results}); got.Outcome != reports.Passed || len(got.Specs) != passingSpecs {
		t.Errorf("%s by %v", got.Outcome, got.Specs)
	}
	if got := told(t, "product.field.id", &ledger{results: results}); got.Outcome != reports.Untested || !strings.Contains(got.Reason, "no record") {
		t.Errorf("a field that no answer showed is %s: %s", got.Outcome, got.Reason)
	}
	if got := told(t, "nonce.lifetime", &ledger{}); got.Outcome != reports.Untested || strings.Contains(got.Reason, "no spec") || got.Reason == "" {
		t.Errorf("what can't be tested is %s: %s", got.Outcome, got.Reason)
	}
	off := client.FeatureState{Name: contract.FeatureStoreCart, Source: "preflight", Detail: "404"}
	for source, want := range map[string]string{"preflight": "was not found (404)", "profile": "is off in the profile"} {
		off.Source = source
		got := told(t, "cart.get", &ledger{features: map[string]client.FeatureState{off.Name: off}})
		if got.Outcome != reports.NotApplicable || !strings.HasSuffix(got.Reason, want) {
			t.Errorf("%s: %s, %s", source, got.Outcome, got.Reason)
		}
	}
}

func TestAFeatureIsAsGoodAsItsWorstRequirement(t *testing.T) {
	ordered := []reports.Outcome{reports.Untested, reports.NotApplicable, reports.Passed, reports.Warned, reports.Waived, reports.CouldNotRun, reports.Failed}
	for better := range ordered {
		for worse := better; worse < len(ordered); worse++ {
			requirements := []reports.Requirement{{Feature: "f", Outcome: ordered[worse]}, {Feature: "f", Outcome: ordered[better]}, {Feature: "g", Outcome: reports.Failed}}
			if got := featureVerdict("f", client.FeatureState{On: true}, requirements); got != ordered[worse] {
				t.Errorf("%s and %s make %s", ordered[better], ordered[worse], got)
			}
			if got := featureVerdict("f", client.FeatureState{}, requirements); got != reports.NotApplicable {
				t.Errorf("a feature that is off is %s", got)
			}
		}
	}
}

func TestLatencies(t *testing.T) {
	var slow reports.Spec
	for ms := 20; ms > 0; ms-- {
		slow.Exchanges = append(slow.Exchanges, reports.Exchange{Endpoint: "GET /b", Status: 200, DurationMS: float64(ms)})
	}
	slow.Exchanges = append(slow.Exchanges, reports.Exchange{Endpoint: "GET /b", DurationMS: 9000}) // had no answer
	quick := reports.Spec{Exchanges: []reports.Exchange{{Endpoint: "GET /a", Status: 500, DurationMS: 3}}}
	want := []reports.Latency{
		{Endpoint: "GET /a", Count: 1, P50MS: 3, P95MS: 3, MaxMS: 3}, {Endpoint: "GET /b", Count: 20, P50MS: 10, P95MS: 19, MaxMS: 20},
	}
	if got := latencies([]result{{spec: slow}, {spec: quick}}); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestVerdicts(t *testing.T) {
	specs := func(outcomes ...reports.Outcome) []reports.Spec {
		var list []reports.Spec
		for _, o := range outcomes {
			list = append(list, reports.Spec{Outcome: o})
		}
		return list
	}
	requirements := []reports.Requirement{{Outcome: reports.Failed}, {Outcome: reports.Passed}, {Outcome: reports.Passed}}
	for name, c := range map[string]struct {
		report      reports.Report
		interrupted bool
		want        reports.Verdict
		reasons     string
	}{
		"passed":       {reports.Report{Specs: specs(reports.Passed, reports.NotApplicable)}, false, reports.Conformant, ""},
		"warned":       {reports.Report{Specs: specs(reports.Warned)}, false, reports.Conformant, ""},
		"both":         {reports.Report{Specs: specs(reports.Passed, reports.Warned)}, false, reports.Conformant, ""},
		"all three":    {reports.Report{Specs: specs(reports.Passed, reports.Passed, reports.Waived, reports.Waived)}, false, reports.Conformant, ""},
		"waived":       {reports.Report{Specs: specs(reports.Waived)}, false, reports.Conformant, ""},
		"nothing":      {reports.Report{Specs: specs(reports.NotApplicable)}, false, reports.Incomplete, "nothing was tested: no selected spec applies to this target"},
		"unable":       {reports.Report{Specs: specs(reports.Passed, reports.CouldNotRun)}, false, reports.Incomplete, "1 spec could not run"},
		"failed":       {reports.Report{Specs: specs(reports.Failed, reports.CouldNotRun), Requirements: requirements}, false, reports.NotConformant, "1 spec fails, breaking 1 requirement"},
		"broken":       {reports.Report{Specs: specs(reports.Failed, reports.BrokenHarness)}, false, reports.Errored, "1 spec broke in the harness itself"},
		"errors":       {reports.Report{Specs: specs(reports.Passed), Errors: []string{"no disk"}}, false, reports.Errored, "no disk"},
		"interrupted":  {reports.Report{Specs: specs(reports.Failed)}, true, reports.Interrupted, "the run was interrupted"},
		"used waiver":  {reports.Report{Specs: specs(reports.Waived), Waivers: []reports.Waiver{{ID: "w", State: "used"}}}, false, reports.Conformant, ""},
		"stale waiver": {reports.Report{Specs: specs(reports.Passed), Waivers: []reports.Waiver{{ID: "w", State: "stale"}}}, false, reports.NotConformant, "the waiver of w is not needed any more: nothing that it excuses was found; remove it"},
		"old waiver":   {reports.Report{Specs: specs(reports.Failed), Waivers: []reports.Waiver{{ID: "w", State: "expired", Expires: "2026-01-01"}}, Requirements: requirements}, false, reports.NotConformant, "1 spec fails, breaking 1 requirement|the waiver of w is expired since 2026-01-01"},
	} {
		judge(&c.report, c.interrupted)
		if got := strings.Join(c.report.Reasons, "|"); c.report.Verdict != c.want || got != c.reasons || c.report.ExitCode != ExitCode(c.want) {
			t.Errorf("%s: %s (%d), because %s", name, c.report.Verdict, c.report.ExitCode, got)
		}
	}
}
