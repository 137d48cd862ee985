package topics_test

// Runs that only read: which specs they have is found by running all of them where nothing may be written.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// readOnlyRun runs specs against the reference shop, which notes the requests that would have written.
func readOnlyRun(t *testing.T, reading []string) (report *reports.Report, wrote []string) {
	t.Helper()
	shop := mockserver.Start(t)
	var mu sync.Mutex
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isToken := strings.HasSuffix(r.URL.Path, "/token")
		if !isToken && !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, r.Method) {
			mu.Lock()
			wrote = append(wrote, r.Method+" "+r.URL.Path)
			mu.Unlock()
		}
		shop.Handler().ServeHTTP(w, r)
	}))
	defer served.Close()
	p := profileOf(t, served.URL)
	p.ReadOnly = true
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Reading: reading})
	if err != nil {
		t.Fatal(err)
	}
	return report, wrote
}

func TestTheListOfSpecsThatOnlyRead(t *testing.T) {
	report, wrote := readOnlyRun(t, nil)
	if len(wrote) > 0 {
		t.Errorf("the run may only read, and sends %q", wrote)
	}
	var ids []string
	for _, spec := range report.Specs {
		if spec.Outcome != reports.CouldNotRun {
			ids = append(ids, spec.ID)
		}
	}
	slices.Sort(ids)
	if *update {
		if err := os.WriteFile("reading.txt", []byte(strings.Join(ids, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if known := topics.Reading(); !slices.Equal(ids, known) {
		for _, id := range ids {
			if !slices.Contains(known, id) {
				t.Errorf("%s writes nothing and is not listed", id)
			}
		}
		for _, id := range known {
			if !slices.Contains(ids, id) {
				t.Errorf("%s is listed, and writes", id)
			}
		}
		t.Error("go test ./suites/topics -run SpecsThatOnlyRead -update writes the list anew")
	}
}

func TestARunThatOnlyReadsSaysWhatItLeavesOut(t *testing.T) {
	report, wrote := readOnlyRun(t, topics.Reading())
	if len(wrote) > 0 || report.Verdict != reports.Conformant || report.IsWhole() || len(report.Specs) != len(topics.Reading()) {
		t.Fatalf("%s %q of %d specs, and it sends %q", report.Verdict, report.Reasons, len(report.Specs), wrote)
	}
	all, err := suites.List(topics.All())
	if err != nil {
		t.Fatal(err)
	}
	left, sum := report.Selection.ReadOnly, 0
	for _, n := range left.Topics {
		sum += n
	}
	if left.Specs != len(all)-len(report.Specs) || left.Specs != sum || left.Requirements == 0 {
		t.Errorf("of %d specs %d ran, and %+v are left out", len(all), len(report.Specs), left)
	}
	unread := 0
	for _, r := range report.Requirements {
		if r.ID == "cart.add-item" && (r.Outcome != reports.Untested || !strings.Contains(r.Reason, "may only read")) {
			t.Errorf("%s: %s, %s", r.ID, r.Outcome, r.Reason)
		}
		if strings.Contains(r.Reason, "may only read") {
			unread++
		}
	}
	if unread == 0 || unread > left.Requirements { // answers are checked for more than the specs name
		t.Errorf("%d requirements were not tested for it, of %d", unread, left.Requirements)
	}
}
