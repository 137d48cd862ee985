package defects_test

// The suites' own sharpness: each defect is laid over the reference shop, and the suites must report what it breaks.

import (
	"context"
	"runtime/debug"
	"slices"
	"testing"

	"shopcheck/fixtures"
	"shopcheck/mockserver"
	"shopcheck/mockserver/shop"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
	"shopcheck/suites/target"
	"shopcheck/suites/topics"
)

const address = "http://127.0.0.1:1" // nobody listens: requests go straight into the handler

func profile(t *testing.T) target.Profile {
	t.Helper()
	p, err := target.ParseProfile([]byte(fixtures.ExampleProfile()), target.NewProfile(address), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	p.Target = address
	for _, f := range contract.Features() {
		p.Features[f.Name] = "on"
	}
	return p
}

// referenceShop is one that charges taxes, so that tax lines can be seen.
func referenceShop(t *testing.T) *mockserver.Server {
	t.Helper()
	server, err := mockserver.New(mockserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = server.Shop().Write(func(tx *shop.Tx) error {
		changed := *tx.Config
		changed.TaxesEnabled = true
		tx.Config = &changed
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// verifiers knows which topics have specs for a requirement.
func verifiers(t *testing.T) func(requirement string) []suites.Topic {
	t.Helper()
	specs, err := suites.List(topics.All())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for _, spec := range specs {
		for _, id := range spec.Requirements {
			names[id] = append(names[id], spec.Topic)
		}
	}
	return func(requirement string) []suites.Topic {
		return slices.DeleteFunc(topics.All(), func(topic suites.Topic) bool {
			return !slices.Contains(names[requirement], topic.Name)
		})
	}
}

func TestEveryDefectIsCaught(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a thousand short lives: collect less often
	p, topicsOf := profile(t), verifiers(t)
	all := defects.All(p.Credentials)
	if len(all) < 500 {
		t.Errorf("there are %d defects, want 500 at least", len(all))
	}
	for _, d := range all {
		t.Run(d.ID, func(t *testing.T) {
			for _, requirement := range d.Breaks {
				report, err := suites.Run(context.Background(), suites.Options{
					Profile: p, Topics: topicsOf(requirement), Label: "req:" + requirement,
					Transport: defects.Transport(d.Over(referenceShop(t).Handler())),
				})
				if err != nil {
					t.Fatalf("%s: %v", d.What, err)
				}
				checkCaught(t, d, requirement, report)
			}
		})
	}
}

// checkCaught: the requirement itself is reported as broken, not another by accident.
func checkCaught(t *testing.T, d defects.Defect, requirement string, report *reports.Report) {
	t.Helper()
	declared, known := contract.All().Get(requirement)
	if !known {
		t.Fatalf("%s breaks the unknown requirement %s", d.ID, requirement)
	}
	want := reports.Failed
	if declared.Level == reports.Should {
		want = reports.Warned
	}
	for _, q := range report.Requirements {
		if q.ID == requirement && q.Outcome != want {
			t.Errorf("%s But %s is %s (%s), want %s; %v", d.What, requirement, q.Outcome, q.Reason, want, report.Reasons)
		}
	}
}

func TestDefectsHaveIDsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range defects.All(profile(t).Credentials) {
		if seen[d.ID] {
			t.Errorf("two defects are called %s", d.ID)
		}
		seen[d.ID] = true
	}
}

// For every statement that binds there is a defect that the suites catch, so that no check is one that cannot fail.
func TestEveryBindingRequirementHasADefect(t *testing.T) {
	broken := map[string]bool{}
	for _, d := range defects.All(profile(t).Credentials) {
		for _, id := range d.Breaks {
			broken[id] = true
		}
	}
	for _, r := range contract.All().List() {
		if r.Level != reports.Observed && r.Untestable == "" && !broken[r.ID] {
			t.Errorf("no defect breaks %s (%s)", r.ID, r.Statement)
		}
	}
}

// Without a defect over it the shop that all defects are laid over is green: what is caught is the defect.
func TestTheShopUnderneathConforms(t *testing.T) {
	report, err := suites.Run(context.Background(), suites.Options{Profile: profile(t), Topics: topics.All(),
		Transport: defects.Transport(referenceShop(t).Handler())})
	if err != nil || report.Verdict != reports.Conformant {
		t.Errorf("%v: %s %v", err, report.Verdict, report.Reasons)
	}
}
