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
	"shopcheck/suites/spec"
)

// waiversOn are waivers as they are on a day (YYYY-MM-DD).
func waiversOn(t *testing.T, day string, waivers ...profile.Waiver) *waiverList {
	t.Helper()
	now, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return newWaiverList(profile.Profile{Waivers: waivers}, now)
}

func broken(requirement string, level reports.Level) reports.Finding {
	return reports.Finding{Requirement: requirement, Level: level, Message: "the field is missing", Path: "items.0.id", Want: "an id",
		Got: "none"}
}

func TestAWaiverHoldsToTheEndOfItsDay(t *testing.T) {
	for day, want := range map[string]string{"2026-03-01": "used", "2026-02-28": "used", "2026-03-02": "expired"} {
		list := waiversOn(t, day, profile.Waiver{ID: "cart.get", Expires: "2026-03-01"})
		if excused := list.covers(broken("cart.get", reports.Must), "s"); excused != (want == "used") {
			t.Errorf("on %s: excused %v", day, excused)
		}
		if got := list.reports(nil, map[string]reports.Outcome{"cart.get": reports.Failed})[0].State; got != want {
			t.Errorf("on %s: %s", day, got)
		}
	}
}

func TestAWaiverOfAMessageExcusesNothingElse(t *testing.T) {
	for message, want := range map[string]bool{"": true, "is missing": true, "items.0": true, "an id": true, "none": true,
		"is null": false} {
		list := waiversOn(t, "2026-03-01", profile.Waiver{ID: "cart.get", Message: message, Expires: "2026-03-01"})
		if got := list.covers(broken("cart.get", reports.Must), "s"); got != want {
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
		list := waiversOn(t, "2026-03-01", profile.Waiver{ID: "cart.get", Expires: "2026-03-01"},
			profile.Waiver{ID: "a-spec", Expires: "2026-03-01"})
		for _, w := range list.reports(map[string]reports.Outcome{"a-spec": outcome}, map[string]reports.Outcome{"cart.get": outcome}) {
			if w.State != want {
				t.Errorf("%s, which is %s: %s, want %s", w.ID, outcome, w.State, want)
			}
		}
	}
}

// What a baseline lists is excused like a waiver without an end; what it lists and is gone is told, and fails nothing.
func TestABaselineExcusesWhatItListsAndNothingElse(t *testing.T) {
	p := profile.Profile{Baseline: "woocommerce-10"}
	list := newWaiverList(p, time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC))
	if len(list.waivers) < 70 {
		t.Fatalf("the baseline has %d deviations", len(list.waivers))
	}
	for _, w := range list.waivers {
		if r, known := contract.All().Get(w.ID); !known || r.Level == reports.Observed {
			t.Errorf("the baseline names %s, which is no requirement that anything breaks", w.ID)
		}
	}
	found := reports.Finding{Requirement: "products.create.name-required", Level: reports.Must, Got: "status 201"}
	if !list.covers(found, "a-spec") {
		t.Errorf("%+v is not excused", found)
	}
	found.Got = "status 500"
	if list.covers(found, "a-spec") {
		t.Errorf("%+v is excused", found)
	}
	passed := map[string]reports.Outcome{}
	for _, w := range list.waivers {
		passed[w.ID] = reports.Passed
	}
	r := &reports.Report{Waivers: list.reports(nil, passed), Specs: []reports.Spec{{Outcome: reports.Passed}}}
	states := map[string]int{}
	for _, w := range r.Waivers {
		states[w.State]++
		if w.Misfit() || w.Baseline != "woocommerce-10" {
			t.Errorf("%s of %q is a misfit: %v", w.ID, w.Baseline, w.Misfit())
		}
	}
	if states["used"] != 1 || states["gone"] != len(list.waivers)-1 {
		t.Errorf("states: %v", states)
	}
	if reports.Judge(r, false); r.Verdict != reports.Conformant {
		t.Errorf("the verdict is %s: %v", r.Verdict, r.Reasons)
	}
}

// ended is the record of a spec before it is judged.
func ended(how spec.Ending, findings ...reports.Finding) *spec.Record {
	return &spec.Record{Ended: how, Spec: reports.Spec{ID: "a-spec", Findings: findings}}
}

func TestWhatASpecComesTo(t *testing.T) {
	must, should, observed := broken("cart.get", reports.Must), broken("cart.get", reports.Should), broken("cart.get", reports.Observed)
	left := func(findings ...reports.Finding) *spec.Record {
		record := ended(spec.EndedSkipped, findings...)
		record.Outcome, record.Reason = reports.NotApplicable, "no cart"
		return record
	}
	waiver := profile.Waiver{ID: "a-spec", Expires: "2999-01-01"}
	for name, c := range map[string]struct {
		record  *spec.Record
		waivers []profile.Waiver
		strict  bool
		want    reports.Outcome
		reason  string
	}{
		"well":                        {record: ended(spec.EndedWell), want: reports.Passed},
		"observed":                    {record: ended(spec.EndedWell, observed), want: reports.Passed},
		"observed, strict":            {record: ended(spec.EndedWell, observed), strict: true, want: reports.Passed},
		"should":                      {record: ended(spec.EndedWell, should), want: reports.Warned},
		"should, strict":              {record: ended(spec.EndedWell, should), strict: true, want: reports.Failed},
		"must":                        {record: ended(spec.EndedFailed, must), want: reports.Failed},
		"must after should":           {record: ended(spec.EndedFailed, should, must), want: reports.Failed},
		"should after must":           {record: ended(spec.EndedFailed, must, should), want: reports.Failed},
		"waived":                      {record: ended(spec.EndedFailed, must), waivers: []profile.Waiver{waiver}, want: reports.Waived},
		"failed without a finding":    {record: ended(spec.EndedFailed), want: reports.BrokenHarness},
		"broken":                      {record: ended(spec.EndedBroken), want: reports.BrokenHarness},
		"broken after a failure":      {record: ended(spec.EndedBroken, must), want: reports.Failed},
		"stopped":                     {record: ended(spec.EndedStopped), want: reports.CouldNotRun, reason: spec.Interrupted},
		"stopped after a failure":     {record: ended(spec.EndedStopped, must), want: reports.Failed},
		"not begun":                   {record: ended(spec.EndedSkipped), want: reports.CouldNotRun, reason: spec.Interrupted},
		"left":                        {record: left(), want: reports.NotApplicable, reason: "no cart"},
		"left after a failed passing": {record: left(must), want: reports.Failed},
	} {
		judgeSpec(c.record, waiversOn(t, "2026-03-01", c.waivers...), c.strict)
		if c.record.Outcome != c.want || c.record.Reason != c.reason {
			t.Errorf("%s: %s, %q", name, c.record.Outcome, c.record.Reason)
		}
	}
}

// A spec that fails for one reason does not let what is excused fail, too.
func TestEachFindingSaysWhetherItIsWaived(t *testing.T) {
	record := ended(spec.EndedFailed, broken("cart.get", reports.Must), broken("cart.add-item", reports.Must),
		broken("cart.get", reports.Observed))
	judgeSpec(record, waiversOn(t, "2026-03-01", profile.Waiver{ID: "cart.get", Expires: "2026-03-01"}), false)
	if f := record.Findings; record.Outcome != reports.Failed || !f[0].Waived || f[1].Waived || f[2].Waived {
		t.Errorf("%s, %v", record.Outcome, f)
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
		exchange := reports.Exchange{Status: 200, Retries: c.retries,
			Response: reports.Message{Body: strings.Repeat("x", passedBody+5), Truncated: 7}}
		got := ended(spec.EndedWell, c.findings...)
		got.Exchanges = []reports.Exchange{exchange}
		judgeSpec(got, waiversOn(t, "2026-03-01"), false)
		answer := got.Exchanges[0].Response
		if got.Flaky != c.flaky || len(answer.Body) != c.kept || len(answer.Body)+answer.Truncated != passedBody+12 {
			t.Errorf("%s after %d retries: flaky %v, %d bytes and %d more", got.Outcome, c.retries, got.Flaky, len(answer.Body),
				answer.Truncated)
		}
	}
}

// covered is what records show of a requirement.
func covered(t *testing.T, id string, c *coverage) reports.Requirement {
	t.Helper()
	if c.waivers == nil {
		c.waivers = waiversOn(t, "2026-03-01")
	}
	all := c.requirements()
	n := slices.IndexFunc(all, func(r reports.Requirement) bool { return r.ID == id })
	if n < 0 || len(all) != len(contract.All().List()) {
		t.Fatalf("%s is number %d of %d requirements", id, n, len(all))
	}
	return all[n]
}

// judged is a record with its outcome.
func judged(how spec.Ending, shown reports.Spec) *spec.Record {
	return &spec.Record{Ended: how, Spec: shown}
}

func TestWhatSpecsTellAboutARequirement(t *testing.T) {
	of := func(outcome reports.Outcome, reason string, how spec.Ending, findings ...reports.Finding) *spec.Record {
		return judged(how, reports.Spec{ID: string(outcome), Requirements: []string{"cart.get"}, Outcome: outcome, Reason: reason,
			Findings: findings})
	}
	must, should := broken("cart.get", reports.Must), broken("cart.get", reports.Should)
	passed, warned := of(reports.Passed, "", spec.EndedWell), of(reports.Warned, "", spec.EndedWell, should)
	failed, elsewhere := of(reports.Failed, "", spec.EndedFailed, must),
		of(reports.Failed, "", spec.EndedFailed, broken("cart.add-item", reports.Must))
	unable, absent := of(reports.CouldNotRun, "no key", spec.EndedSkipped), of(reports.NotApplicable, "no cart", spec.EndedSkipped)
	for name, c := range map[string]struct {
		records []*spec.Record
		want    reports.Outcome
		reason  string
	}{
		"nobody":               {nil, reports.Untested, "no spec of this run"},
		"passed":               {[]*spec.Record{passed}, reports.Passed, ""},
		"failed":               {[]*spec.Record{failed}, reports.Failed, ""},
		"failed, then passed":  {[]*spec.Record{failed, passed}, reports.Failed, ""},
		"warned, then failed":  {[]*spec.Record{warned, failed}, reports.Failed, ""},
		"failed, then warned":  {[]*spec.Record{failed, warned}, reports.Failed, ""},
		"warned":               {[]*spec.Record{warned, passed}, reports.Warned, ""},
		"unable":               {[]*spec.Record{unable}, reports.CouldNotRun, "no key"},
		"unable beside passed": {[]*spec.Record{unable, passed}, reports.Passed, ""},
		"unable beside absent": {[]*spec.Record{absent, unable}, reports.CouldNotRun, "no key"},
		"absent":               {[]*spec.Record{absent}, reports.NotApplicable, "no cart"},
		"another failure":      {[]*spec.Record{elsewhere}, reports.CouldNotRun, "spec failed ended at another failure"},
	} {
		got := covered(t, "cart.get", &coverage{records: c.records})
		if got.Outcome != c.want || !strings.HasPrefix(got.Reason, c.reason) || (c.reason == "") != (got.Reason == "") {
			t.Errorf("%s: %s, %q", name, got.Outcome, got.Reason)
		}
		for _, r := range c.records {
			if !slices.Contains(got.Specs, r.ID) {
				t.Errorf("%s: spec %s is not listed in %v", name, r.ID, got.Specs)
			}
		}
	}
}

func TestAFindingNamesItsSpecEvenWhereThatIsAboutSomethingElse(t *testing.T) {
	seen := judged(spec.EndedFailed, reports.Spec{ID: "a-spec", Outcome: reports.Failed, Requirements: []string{"cart.add-item"},
		Findings: []reports.Finding{broken("cart.get", reports.Must)}})
	if got := covered(t, "cart.get", &coverage{records: []*spec.Record{seen}}); got.Outcome != reports.Failed ||
		!slices.Contains(got.Specs, "a-spec") {
		t.Errorf("%s by %v", got.Outcome, got.Specs)
	}
}

func TestWhatIsCheckedInPassing(t *testing.T) {
	var records []*spec.Record
	for _, id := range []string{"a", "b", "c", "d"} {
		record := judged(spec.EndedWell, reports.Spec{ID: id, Outcome: reports.Passed, Requirements: []string{"product.field.id"}})
		record.Checked = []string{"cart.get"}
		records = append(records, record)
	}
	if got := covered(t, "cart.get", &coverage{records: records}); got.Outcome != reports.Passed || len(got.Specs) != passingSpecs {
		t.Errorf("%s by %v", got.Outcome, got.Specs)
	}
	if got := covered(t, "product.field.id", &coverage{records: records}); got.Outcome != reports.Untested ||
		!strings.Contains(got.Reason, "no record") {
		t.Errorf("a field that no answer showed is %s: %s", got.Outcome, got.Reason)
	}
	if got := covered(t, "nonce.lifetime", &coverage{}); got.Outcome != reports.Untested || strings.Contains(got.Reason, "no spec") ||
		got.Reason == "" {
		t.Errorf("what can't be tested is %s: %s", got.Outcome, got.Reason)
	}
	off := client.FeatureState{Name: contract.FeatureStoreCart, Source: "preflight", Detail: "404"}
	for source, want := range map[string]string{"preflight": "was not found (404)", "profile": "is off in the profile"} {
		off.Source = source
		got := covered(t, "cart.get", &coverage{features: map[string]client.FeatureState{off.Name: off}})
		if got.Outcome != reports.NotApplicable || !strings.HasSuffix(got.Reason, want) {
			t.Errorf("%s: %s, %s", source, got.Outcome, got.Reason)
		}
	}
}
