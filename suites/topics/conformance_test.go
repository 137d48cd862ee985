package topics_test

// The circle closes here: all suites against the reference shop.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/reports/validation"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

// profileOf is the example profile, whose values fit the demo shop, for a shop at an address. All features must be
// there: none may go missing without a failure.
func profileOf(t *testing.T, url string) profile.Profile {
	t.Helper()
	p, err := exampleProfile(url)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func exampleProfile(url string) (profile.Profile, error) {
	p, err := profile.Parse([]byte(fixtures.ExampleProfile()), profile.New(url), func(string) (string, bool) { return "", false })
	if err != nil {
		return profile.Profile{}, err
	}
	p.Target = url
	for _, f := range contract.Features() {
		p.Features[f.Name] = "on"
	}
	return p, nil
}

func TestTheReferenceShopConforms(t *testing.T) {
	for _, c := range []struct {
		name    string
		untaxed bool // the demo shop charges taxes until it is told to charge none
		traffic bool // somebody else uses the shop meanwhile
		options suites.Options
	}{
		{name: "topic by topic", options: suites.Options{Seed: 1}},
		{name: "shuffled, without taxes", untaxed: true, options: suites.Options{Seed: 7, Shuffle: true}},
		{name: "shuffled by chance, among others", traffic: true, options: suites.Options{Seed: time.Now().UnixNano(), Shuffle: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := mockserver.Start(t)
			if c.untaxed {
				chargeNoTaxes(t, server)
			}
			if c.traffic {
				defer otherTraffic(t, server.URL())()
			}
			c.options.Profile, c.options.Topics = profileOf(t, server.URL()), topics.All()
			report, err := suites.Run(context.Background(), c.options)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("seed %d: %d specs in %.0f ms", c.options.Seed, len(report.Specs), report.DurationMS)
			checkVerdict(t, report)
			checkRequirements(t, report)
			checkFolder(t, report)
		})
	}
}

// shuffledRuns is how many runs in other orders the flake test makes. More: SHUFFLED_RUNS=100 go test -race.
const shuffledRuns = 2

func TestShuffledRunsShowNoFlake(t *testing.T) {
	if testing.Short() {
		t.Skip("more whole runs of all suites, which only repeat the first in another order")
	}
	runs := shuffledRuns
	if text := os.Getenv("SHUFFLED_RUNS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		runs = n
	}
	server := mockserver.Start(t)
	for n := range runs {
		seed := time.Now().UnixNano()
		report, err := suites.Run(context.Background(),
			suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Seed: seed, Shuffle: true})
		if err != nil {
			t.Fatal(err)
		}
		checkVerdict(t, report)
		if sum := reports.Summarize(report); sum.Retries > 0 || len(sum.Flaky) > 0 {
			t.Errorf("%d requests were sent again, flaky are %v", sum.Retries, sum.Flaky)
		}
		t.Logf("run %d, seed %d: %s in %.0f ms", n+1, seed, report.Verdict, report.DurationMS)
	}
}

// Without keys much could not run, and the rest makes do with what the shop sells: nothing is accused for that.
func TestAShopWithoutKnownKeysIsNotAccused(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	p.Credentials = profile.CredentialSet{}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All()})
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, spec := range report.Specs {
		switch spec.Outcome {
		case reports.Passed:
			passed++
		case reports.CouldNotRun, reports.NotApplicable:
		default:
			t.Errorf("%s: %s %s %+v", spec.ID, spec.Outcome, spec.Reason, spec.Findings)
		}
	}
	if report.Verdict != reports.Incomplete || passed < 50 {
		t.Errorf("%s, %d specs passed", report.Verdict, passed)
	}
}

// chargeNoTaxes makes the shop charge no taxes, as its staff would.
func chargeNoTaxes(t *testing.T, server *mockserver.Server) {
	t.Helper()
	request := httptest.NewRequest(http.MethodPut, "/shop/v3/settings/general/shop_calc_taxes", strings.NewReader(`{"value":"no"}`))
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	answer := httptest.NewRecorder()
	server.Handler().ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		t.Fatalf("status %d: %s", answer.Code, answer.Body)
	}
}

// otherTraffic makes products that are none of the run's business, until it is told to stop.
func otherTraffic(t *testing.T, url string) (stop func()) {
	t.Helper()
	p := profileOf(t, url)
	api := client.New(p, client.NewRedactor(p), func(reports.Exchange) int { return 0 }, nil)
	key := client.Auth{Credentials: p.Credentials.ReadWrite, Way: client.BasicWay}
	ctx, cancel := context.WithCancel(context.Background())
	var others sync.WaitGroup
	others.Go(func() {
		for tick := time.Tick(5 * time.Millisecond); ctx.Err() == nil; <-tick {
			api.Do(ctx, client.Request{Method: http.MethodPost, Path: client.Management + "/products", Auth: key,
				Body: map[string]any{"name": "from elsewhere", "regular_price": "3.00"}})
		}
	})
	return func() {
		cancel()
		others.Wait()
		api.Close()
	}
}

func checkVerdict(t *testing.T, r *reports.Report) {
	t.Helper()
	if r.Verdict != reports.Conformant || r.ExitCode != 0 {
		t.Errorf("the verdict is %s with exit code %d: %v", r.Verdict, r.ExitCode, r.Reasons)
	}
	for _, spec := range r.Specs {
		if spec.Outcome != reports.Passed && spec.Outcome != reports.NotApplicable {
			t.Errorf("%s: %s %s %+v", spec.ID, spec.Outcome, spec.Reason, spec.Findings)
		}
	}
	if len(r.Leftovers) > 0 {
		t.Errorf("the run leaves behind: %v", r.Leftovers)
	}
}

// checkRequirements: each requirement was verified, or there is a reason why none can be.
func checkRequirements(t *testing.T, r *reports.Report) {
	t.Helper()
	for _, q := range r.Requirements {
		declared, _ := contract.All().Get(q.ID)
		switch {
		case q.Outcome == reports.Passed:
		case q.Outcome == reports.Untested && declared.Untestable != "":
		case q.Outcome == reports.NotApplicable && q.Reason != "":
		default:
			t.Errorf("%s is %s: %s", q.ID, q.Outcome, q.Reason)
		}
	}
}

func checkFolder(t *testing.T, r *reports.Report) {
	t.Helper()
	folder := t.TempDir()
	if err := reports.WriteFolder(folder, r); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	again, err := reports.Read(file, validation.Misfits)
	if err != nil {
		t.Fatal(err)
	}
	if again.Verdict != r.Verdict || len(again.Specs) != len(r.Specs) {
		t.Errorf("the report that was read again says %s about %d specs", again.Verdict, len(again.Specs))
	}
}
