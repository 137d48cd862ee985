package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummaryCountsEachOnce(t *testing.T) {
	sample := failingSample()
	summary := Summarize(sample)
	if got := summary.Specs.Total(); got != len(sample.Specs) {
		t.Errorf("%d specs are counted, wanted %d", got, len(sample.Specs))
	}
	inSections, requirements := Tally{}, 0
	for _, section := range summary.Sections {
		requirements += len(section.Requirements)
		for outcome, n := range section.Tally {
			inSections[outcome] += n
		}
		for _, requirement := range section.Requirements {
			if requirement.Section != section.Section {
				t.Errorf("%s of section %q is listed under %q", requirement.ID, requirement.Section, section.Section)
			}
		}
	}
	if requirements != len(sample.Requirements) {
		t.Errorf("the sections hold %d requirements, wanted %d", requirements, len(sample.Requirements))
	}
	if diff := cmp.Diff(summary.Requirements, inSections); diff != "" {
		t.Errorf("the sections don't add up (-whole +sections):\n%s", diff)
	}
}

func TestWhatIsNotApplicableLeavesTheDenominator(t *testing.T) {
	tally := Tally{Passed: 5, Failed: 1, Warned: 1, Waived: 1, CouldNotRun: 2, Untested: 3, NotApplicable: 7, BrokenHarness: 1}
	if got := tally.Applicable(); got != 14 {
		t.Errorf("%d apply, wanted 14", got)
	}
	if got := tally.Tested(); got != 8 {
		t.Errorf("%d are tested, wanted 8", got)
	}
}

func TestAWaivedFindingOfAFailedSpecIsWaived(t *testing.T) {
	spec := &Spec{Outcome: Failed, Findings: []Finding{{Requirement: "a", Level: Must, Waived: true}, {Requirement: "b", Level: Must}}}
	for kind, want := range map[Outcome]string{Failed: "b", Waived: "a"} {
		if found := FindingsOf(spec, false, kind); len(found) != 1 || found[0].Requirement != want {
			t.Errorf("%s: %v, wanted %s alone", kind, found, want)
		}
	}
}

func TestAShouldFindingOfAFailedSpecIsAWarning(t *testing.T) {
	must := Finding{Requirement: "a", Level: Must, Exchange: -1}
	should := Finding{Requirement: "b", Level: Should, Exchange: -1}
	observed := Finding{Requirement: "c", Level: Observed, Exchange: -1}
	for name, test := range map[string]struct {
		findings       []Finding
		strict         bool
		failed, warned int
	}{
		"beside a must":     {[]Finding{must, should}, false, 1, 1},
		"in a strict run":   {[]Finding{must, should}, true, 2, 0},
		"as the only cause": {[]Finding{should}, false, 1, 0},
		"with an observed":  {[]Finding{must, should, observed}, true, 2, 0},
		"observed alone":    {[]Finding{observed}, false, 1, 0}, // the unexplained failure
	} {
		t.Run(name, func(t *testing.T) {
			spec := &Spec{Outcome: Failed, Findings: test.findings}
			failed, warned := len(FindingsOf(spec, test.strict, Failed)), len(FindingsOf(spec, test.strict, Warned))
			if failed != test.failed || warned != test.warned {
				t.Errorf("got %d failures and %d warnings, wanted %d and %d", failed, warned, test.failed, test.warned)
			}
		})
	}
}

func TestAFindingKnowsItsExchangeOnlyWhenThereIsOne(t *testing.T) {
	spec := &Spec{Exchanges: []Exchange{{URL: "/a"}, {URL: "/b"}}}
	for index, want := range map[int]string{-1: "", 0: "/a", 1: "/b", 2: ""} {
		got := ""
		if exchange := (SpecFinding{Finding{Exchange: index}, spec}).Exchanged(); exchange != nil {
			got = exchange.URL
		}
		if got != want {
			t.Errorf("exchange %d is %q, wanted %q", index, got, want)
		}
	}
}

func TestSummaryCountsWhatWasSentAgain(t *testing.T) {
	r := &Report{Specs: []Spec{
		{ID: "cart.a", Outcome: Passed, Flaky: true, Exchanges: []Exchange{{Retries: 2}, {}, {Retries: 1}}},
		{ID: "cart.b", Outcome: Failed, Exchanges: []Exchange{{Retries: 1}}},
		{ID: "cart.c", Outcome: Passed, Exchanges: []Exchange{{}}},
	}}
	sum := Summarize(r)
	if sum.Retries != 4 || !slices.Equal(sum.Flaky, []string{"cart.a"}) {
		t.Errorf("%d sent again, flaky %v", sum.Retries, sum.Flaky)
	}
}

func TestTheAnswerIsShownWhereItSaysMoreThanTheFinding(t *testing.T) {
	long := strings.Repeat("x", shortBody+1)
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"price", `{"price":7}`, 200, "200 OK"},
		{"", `{"price":7}`, 200, `200 OK  {"price":7}`},
		{"", long, 200, "200 OK"},
		{"code", "{\n}", 400, "400 Bad Request  {\u240a}"},
		{"", long, 500, "500 Internal Server Error  " + long},
	} {
		spec := &Spec{Exchanges: []Exchange{{Status: c.status, Response: Message{Body: c.body}}}}
		if got := (SpecFinding{Finding{Path: c.path}, spec}).AnswerText(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := (SpecFinding{Finding{Exchange: -1}, &Spec{}}).AnswerText(); got != "" {
		t.Errorf("without an exchange: %q", got)
	}
}

func TestAPartOfTheSuitesGivesNoVerdictAboutTheWhole(t *testing.T) {
	whole := Report{Verdict: Conformant}
	if whole.Meaning() != Conformant.Meaning() {
		t.Errorf("the whole: %q", whole.Meaning())
	}
	for name, selection := range map[string]Selection{"labels": {Label: "cart"}, "a run that only reads": {ReadOnly: &LeftOut{}}} {
		part := Report{Verdict: Conformant, Selection: selection}
		if part.Meaning() == Conformant.Meaning() {
			t.Errorf("%s: %q", name, part.Meaning())
		}
	}
}
