package cluster_test

import (
	"testing"

	"shopcheck/fixtures"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

// All suites against three replicas, whose requests go to each in turn: nobody notices that it is not one shop.
func TestThreeReplicasConform(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole run of all suites")
	}
	t.Parallel()
	_, shops := three(t)
	mustConform(t, roundRobin(t, shops...))
	wantSame(t, shops...)
}

// The same for a sandbox of the three.
func TestASandboxOfThreeReplicasConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole run of all suites")
	}
	t.Parallel()
	_, shops := three(t)
	b := sandbox(t, shops[0], `{"name":"box"}`)
	mustConform(t, roundRobin(t, shops...)+"/s/"+b.name)
	wantSameBox(t, b, shops...)
}

func mustConform(t *testing.T, target string) {
	t.Helper()
	known, err := profile.Parse([]byte(fixtures.ExampleProfile()), profile.New(target), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	known.Target = target
	for _, feature := range contract.Features() {
		known.Features[feature.Name] = "on"
	}
	report, err := suites.Run(t.Context(), suites.Options{Profile: known, Topics: topics.All(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != reports.Conformant {
		t.Errorf("the verdict is %s: %v", report.Verdict, report.Reasons)
	}
	for _, spec := range report.Specs {
		if spec.Outcome != reports.Passed && spec.Outcome != reports.NotApplicable {
			t.Errorf("%s: %s %s %+v", spec.ID, spec.Outcome, spec.Reason, spec.Findings)
		}
	}
}
