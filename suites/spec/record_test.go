package spec

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"shopcheck/reports"
)

func met(requirement, path string) reports.Finding {
	return reports.Finding{Requirement: requirement, Path: path, Message: "the field is missing"}
}

func pathsOf(r *Record) []string {
	paths := []string{}
	for _, f := range r.Findings {
		paths = append(paths, f.Path)
	}
	return paths
}

func TestADeviationIsKeptOnceInASpec(t *testing.T) {
	r := &Record{}
	again := met("a", "x")
	again.Exchange, again.Got, again.Location = 7, "something else", "elsewhere.go:1"
	for _, f := range []reports.Finding{met("a", "x"), again, met("a", "y"), met("b", "x")} {
		r.add(f, false)
	}
	if got := pathsOf(r); !slices.Equal(got, []string{"x", "y", "x"}) || len(r.Passing) > 0 {
		t.Errorf("%v, in passing %v", got, r.Passing)
	}
}

func TestWhatIsMetInPassingIsReportedOnceInARun(t *testing.T) {
	reported := map[string]bool{}
	for n, step := range []struct {
		names   []string
		passing []string // paths of deviations of requirement a that are met in passing
		expects []string // paths of those that an expectation finds
		want    []string
	}{
		{passing: []string{"x", "y"}, want: []string{"x"}},
		{passing: []string{"x"}, want: []string{}},
		{names: []string{"a"}, passing: []string{"x", "y"}, want: []string{"x", "y"}},
		{passing: []string{"x"}, expects: []string{"z"}, want: []string{"z"}},
		{passing: []string{"x"}, expects: []string{"x"}, want: []string{"x"}}, // the spec fails by it
	} {
		r := &Record{Spec: reports.Spec{Requirements: step.names}}
		for _, path := range step.passing {
			r.add(met("a", path), true)
		}
		for _, path := range step.expects {
			r.add(met("a", path), false)
		}
		r.DropRepeated(reported)
		if got := pathsOf(r); !slices.Equal(got, step.want) {
			t.Errorf("spec %d: %v, want %v", n+1, got, step.want)
		}
	}
}

func TestASpecThatNamesARequirementIsAMeetingToo(t *testing.T) {
	reported := map[string]bool{}
	for n, want := range []int{1, 0} {
		r := &Record{}
		if n == 0 {
			r.Requirements = []string{"a"}
		}
		r.add(met("a", "x"), true)
		if r.DropRepeated(reported); len(r.Findings) != want {
			t.Errorf("spec %d: %d findings, want %d", n+1, len(r.Findings), want)
		}
	}
}

// Another process may have run the spec: nothing of its record is lost on the way.
func TestARecordTravelsWhole(t *testing.T) {
	r := Record{Ended: EndedFailed, Broken: "why", Checked: []string{"a"},
		Spec: reports.Spec{ID: "cart.get", Topic: "cart", Texts: []string{"get"},
			Requirements: []string{"cart.get"}, Outcome: reports.CouldNotRun, Reason: "no key", DurationMS: 1.5, Attempts: 1,
			Exchanges: []reports.Exchange{{Method: "GET"}}, Observations: []reports.Observation{{Key: "k", Value: "v"}}}}
	r.add(met("a", "x"), false)
	r.add(met("b", "x"), true)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got Record
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v\n%+v, want\n%+v", err, got, r)
	}
}
