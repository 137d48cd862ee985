package defects_test

// The suites' own sharpness: each defect is laid over the reference shop, and the suites must report what it breaks.

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"shopcheck/fixtures"
	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

const address = "http://127.0.0.1:1" // nobody listens: requests go straight into the handler

func profileFor(t *testing.T) profile.Profile {
	t.Helper()
	p, err := profile.Parse([]byte(fixtures.ExampleProfile()), profile.New(address), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	p.Target, p.Dialect = address, dialects.Neutral // a defect lies over that one alone
	for _, f := range contract.Features() {
		p.Features[f.Name] = "on"
	}
	return p
}

func testbed(t *testing.T) defects.Testbed {
	t.Helper()
	return defects.Testbed{Profile: profileFor(t), Topics: topics.All(),
		Shop: func(setup defects.Setup) (http.Handler, error) {
			server, err := mockserver.New(mockserver.Options{Site: setup.Site, Clock: setup.Clock, Nonce: nonceMode(setup)})
			return server.Handler(), err
		}}
}

func nonceMode(setup defects.Setup) mockserver.NonceMode {
	if setup.StableNonce {
		return mockserver.StableNonce
	}
	return mockserver.RotateNonce
}

func TestEveryDefectIsCaught(t *testing.T) {
	bed := testbed(t)
	all := defects.All(bed.Profile.Credentials)
	if len(all) < 500 {
		t.Errorf("there are %d defects, want 500 at least", len(all))
	}
	proved := map[string]bool{}
	err := bed.Prove(context.Background(), all, func(p defects.Proof) {
		proved[p.Defect.ID] = true
		if !p.Caught() {
			t.Errorf("%s: %s But %s (%s) is %s %s", p.Defect.ID, p.Defect.What, p.Requirement.ID, p.Requirement.Level, p.Outcome, p.Reason)
		}
		if len(p.Specs) == 0 {
			t.Errorf("%s: no spec says that %s is broken", p.Defect.ID, p.Requirement.ID)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(proved) != len(all) {
		t.Errorf("%d of %d defects were proved", len(proved), len(all))
	}
}

// What nobody can find is not called caught.
func TestAHarmlessDefectIsNotCaught(t *testing.T) {
	bed := testbed(t)
	harmless := defects.All(bed.Profile.Credentials)[:1]
	harmless[0].Breaks = []string{"products.create.name-required"} // which the shop keeps under it
	err := bed.Prove(context.Background(), harmless, func(p defects.Proof) {
		if p.Caught() || len(p.Specs) > 0 {
			t.Errorf("%s was caught by %v", p.Defect.ID, p.Specs)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A live shop made a product without a name, and was accused of an answer to it that repeats no status: only errors do.
func TestAnAnswerThatIsNoErrorNeedsNoStatusInItsBody(t *testing.T) {
	bed := testbed(t)
	nameless := slices.DeleteFunc(defects.All(bed.Profile.Credentials), func(d defects.Defect) bool {
		return d.ID != "products.create.name-required:optional"
	})
	nameless[0].Breaks = []string{"errors.status-repeated"}
	err := bed.Prove(context.Background(), nameless, func(p defects.Proof) {
		if !p.Changed || len(p.Specs) > 0 {
			t.Errorf("%s is accused by %v", p.Defect.ID, p.Specs)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDefectsHaveIDsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range defects.All(profileFor(t).Credentials) {
		if seen[d.ID] {
			t.Errorf("two defects are called %s", d.ID)
		}
		seen[d.ID] = true
	}
}

// For every statement that binds there is a defect that the suites catch, so that no check is one that cannot fail.
func TestEveryBindingRequirementHasADefect(t *testing.T) {
	broken := map[string]bool{}
	for _, d := range defects.All(profileFor(t).Credentials) {
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
	report, err := testbed(t).Control(context.Background())
	if err != nil || report.Verdict != reports.Conformant {
		t.Errorf("%v: %s %v", err, report.Verdict, report.Reasons)
	}
}
