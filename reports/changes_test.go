package reports

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brokenAt is a report with one failed requirement for each path, and all of its requirements.
func brokenAt(paths ...string) *Report {
	report := &Report{FormatVersion: FormatVersion, Verdict: NotConformant, Requirements: []Requirement{
		{ID: "order.field.status", Outcome: Passed}, {ID: "order.field.total", Outcome: Passed}, {ID: "orders.update", Outcome: Passed},
	}}
	for _, path := range paths {
		report.Specs = append(report.Specs, seen("order.field."+path, path, "a string", "null",
			answered("GET /shop/v3/orders/{id}", 200, "{}")))
		requirementOf(report, "order.field."+path).Outcome = Failed
	}
	return report
}

func requirementsOf(causes []Cause) []string {
	var ids []string
	for _, cause := range causes {
		ids = append(ids, cause.Requirement)
	}
	return ids
}

func TestCompareSortsFindings(t *testing.T) {
	c := Compare(brokenAt("status"), brokenAt("total"))
	got := map[string][]string{"new": requirementsOf(c.NewFindings), "fixed": requirementsOf(c.Fixed), "known": requirementsOf(c.Known)}
	want := map[string][]string{"new": {"order.field.total"}, "fixed": {"order.field.status"}, "known": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c.ExitCode() != SomethingNew {
		t.Errorf("exit code %d", c.ExitCode())
	}
}

func TestCompareGatesOnlyOnWhatIsNew(t *testing.T) {
	renamed := brokenAt("status")
	renamed.Specs[0].ID = "another-name"
	more := brokenAt("status")
	more.Specs = append(more.Specs, seen("orders.update", "status", `"pending"`, "null", answered("PUT /shop/v3/orders/{id}", 200, "{}")))
	warning := brokenAt("status")
	warning.Specs = append(warning.Specs, seen("order.field.total", "total", "a string", "null",
		answered("GET /shop/v3/orders", 200, "[]")))
	warning.Specs[1].Outcome, warning.Specs[1].Findings[0].Level = Warned, Should
	lost := brokenAt("status")
	lost.Requirements[2].Outcome, lost.Requirements[2].Reason = CouldNotRun, "no key"
	for name, test := range map[string]struct {
		after *Report
		code  int
	}{
		"the same":                     {brokenAt("status"), NothingNew},
		"a spec with another name":     {renamed, NothingNew},
		"all mended":                   {brokenAt(), NothingNew},
		"a new warning":                {warning, NothingNew},
		"a known cause that does more": {more, SomethingNew},
		"a requirement not tested":     {lost, SomethingNew},
	} {
		t.Run(name, func(t *testing.T) {
			c := Compare(brokenAt("status"), test.after)
			if c.ExitCode() != test.code {
				t.Errorf("exit code %d, want %d: %s", c.ExitCode(), test.code, c.Verdict())
			}
		})
	}
}

func TestCompareRefusesWhatSaysNothing(t *testing.T) {
	for want, change := range map[string]func(*Report){
		"the revision of the contract differs": func(r *Report) { r.Contract.Revision = "2" },
		"the selection by label differs":       func(r *Report) { r.Selection.Label = "cart" },
		"the selection by focus differs":       func(r *Report) { r.Selection.Focus = "cart" },
		"what it may write differs":            func(r *Report) { r.Selection.ReadOnly = &LeftOut{Specs: 1} },
		"the dialect differs":                  func(r *Report) { r.Target.Dialect = "other" },
		"strictness differs":                   func(r *Report) { r.Strict = true },
		"the new run has no verdict":           func(r *Report) { r.Verdict = Interrupted },
	} {
		after := brokenAt("status")
		change(after)
		c := Compare(brokenAt(), after)
		if c.ExitCode() != NotComparable || len(c.NewFindings) > 0 || !strings.Contains(strings.Join(c.Incomparable, ";"), want) {
			t.Errorf("exit code %d, %v, want %q", c.ExitCode(), c.Incomparable, want)
		}
	}
}

func TestCompareShowsObservationsThatDiffer(t *testing.T) {
	before, after := brokenAt(), brokenAt()
	before.Observations = []Observation{{Key: "a", Value: "1"}, {Key: "a", Value: "1"}, {Key: "b", Value: "x"}}
	after.Observations = []Observation{{Key: "b", Value: "y"}, {Key: "a", Value: "1"}, {Key: "c", Value: "z"}}
	want := []ObservationChange{{"b", []string{"x"}, []string{"y"}}, {"c", nil, []string{"z"}}}
	if diff := cmp.Diff(want, Compare(before, after).Observations); diff != "" {
		t.Error(diff)
	}
}

func TestCompareTellsAnEndpointFromTheNoise(t *testing.T) {
	latencies := func(factor float64, own map[string]float64) []Latency {
		var list []Latency
		for i, endpoint := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			p50 := 20 * factor * (1 + 0.1*float64(i%3-1)) // ten percent of noise
			if f, given := own[endpoint]; given {
				p50 = 20 * f
			}
			list = append(list, Latency{Endpoint: endpoint, Count: 30, P50MS: p50, P95MS: 2 * p50, MaxMS: 3 * p50})
		}
		return list
	}
	few := latencies(1, map[string]float64{"c": 9})
	few[2].Count = latencyAnswers - 1
	for name, test := range map[string]struct {
		after []Latency
		want  []string
	}{
		"noise":                         {latencies(1.1, nil), nil},
		"another machine, all slower":   {latencies(4, nil), nil},
		"one endpoint":                  {latencies(1, map[string]float64{"c": 6}), []string{"c"}},
		"one endpoint, slower machine":  {latencies(3, map[string]float64{"c": 30}), []string{"c"}},
		"one that stayed as it was":     {latencies(6, map[string]float64{"c": 1}), []string{"c"}},
		"too few answers to be certain": {few, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, change := range compareLatency(latencies(1, nil), test.after).Changes {
				got = append(got, change.Endpoint)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestAComparisonSaysTheSameInEachForm(t *testing.T) {
	before, after := brokenAt("status"), failingSample()
	after.Contract, after.Target.Dialect = before.Contract, ""
	after.Specs[0].Findings = []Finding{{Requirement: "order.field.total", Level: Must, Message: "<b>\x1b[2J", Path: "`x`", Want: "1",
		Got: "2", Exchange: -1}}
	after.Specs[0].Outcome = Failed
	c := Compare(before, after)
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(out *bytes.Buffer) error { return c.WriteText(out) },
		"markdown": func(out *bytes.Buffer) error { return c.WriteMarkdown(out) },
		"json":     func(out *bytes.Buffer) error { return c.WriteJSON(out) },
		"html":     func(out *bytes.Buffer) error { return c.WriteHTML(out) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		for _, cause := range slices.Concat(c.NewFindings, c.Fixed) {
			if !strings.Contains(out.String(), cause.ID) {
				t.Errorf("%s does not name %s %s", name, cause.ID, cause.Requirement)
			}
		}
		if strings.Contains(out.String(), "\x1b") || name == "html" && strings.Contains(out.String(), "<b>") {
			t.Errorf("%s is not inert: %s", name, out.String())
		}
		if name == "json" && !json.Valid(out.Bytes()) {
			t.Error("it is no JSON")
		}
	}
}

// A comment must not be marked up, mention people or close other issues by what a target sends.
func TestMarkdownIsInert(t *testing.T) {
	for text, want := range map[string]string{
		"a*b_c `d`":      "a\\*b\\_c \\`d\\`",
		"@team <img> #1": `\@team \<img\> \#1`,
		"two\nlines":     "two␊lines",
	} {
		if got := markdownLine(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := markdownCode("a``b"); got != "``` a``b ```" {
		t.Errorf("got %q", got)
	}
}

func TestASummaryFitsAMergeRequest(t *testing.T) {
	report := brokenAt("status")
	for i := range 400 {
		spec := seen("order.field."+strings.Repeat("x", i%200)+string(rune('a'+i%26)), strings.Repeat("x", i), strings.Repeat("w", 400),
			strings.Repeat("g", 400), answered("GET /shop/v3/orders", 200, "[1]"))
		report.Specs = append(report.Specs, spec)
	}
	var out bytes.Buffer
	if err := WriteMarkdown(&out, report); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 64<<10 || !strings.Contains(out.String(), "more in the report") {
		t.Errorf("%d bytes", out.Len())
	}
}
