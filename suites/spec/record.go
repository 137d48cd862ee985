package spec

// The record of a spec: what it did and how it ended.

import (
	"slices"
	"strings"

	"shopcheck/reports"
)

// Record is a spec from its first request to the report. It holds the spec as the report will show it, and beside that what
// judging needs. It is plain data, so that a process of its own can run the spec and another one judge it.
//
// While the spec runs, Outcome is NotApplicable or CouldNotRun when it was left on purpose, and empty otherwise. The runner
// judges: it sets the final outcome.
type Record struct {
	reports.Spec
	Ended  Ending `json:"ended"`
	Broken string `json:"broken,omitempty"` // why, where the harness itself broke
	// indexes of the findings that were met in passing: no expectation of the spec is about them
	Passing []int    `json:"passing,omitempty"`
	Checked []string `json:"checked"` // requirements that the answers were checked for in passing
}

// Ending is how a spec ended.
type Ending string

// How a spec can end.
const (
	EndedWell    Ending = "well"    // it ran to its end
	EndedFailed  Ending = "failed"  // at an expectation
	EndedSkipped Ending = "skipped" // it left by itself, or did not begin
	EndedStopped Ending = "stopped" // from outside
	EndedBroken  Ending = "broken"  // by a fault of the harness
)

// Names reports whether the spec says that it verifies a requirement.
func (r *Record) Names(requirement string) bool { return slices.Contains(r.Requirements, requirement) }

// add keeps a finding; the same deviation at the same place of another answer is kept once. What is met in passing and expected
// too is no longer only met in passing.
func (r *Record) add(f reports.Finding, inPassing bool) {
	known := slices.IndexFunc(r.Findings, func(kept reports.Finding) bool { return sameDeviation(kept, f) })
	switch {
	case known < 0:
		r.Findings = append(r.Findings, f)
		if inPassing {
			r.Passing = append(r.Passing, len(r.Findings)-1)
		}
	case !inPassing:
		r.Passing = slices.DeleteFunc(r.Passing, func(i int) bool { return i == known })
	}
}

func sameDeviation(a, b reports.Finding) bool {
	a.Exchange, a.Location, a.Got = b.Exchange, b.Location, b.Got
	return a == b
}

// DropRepeated takes out the findings met in passing that earlier specs of the run have reported. A deviation that is met in passing
// belongs to its own requirement: it is reported once in a run, and in every spec that names the requirement. reported holds the
// requirements whose deviation was met in passing before; those of this spec are added.
func (r *Record) DropRepeated(reported map[string]bool) {
	var kept []reports.Finding
	for i, f := range r.Findings {
		if slices.Contains(r.Passing, i) {
			repeated := reported[f.Requirement]
			reported[f.Requirement] = true
			if repeated && !r.Names(f.Requirement) {
				continue
			}
		}
		kept = append(kept, f)
	}
	r.Findings, r.Passing = kept, nil
}

// defaultRequirement is what a failure breaks that does not say so itself.
func (r *Record) defaultRequirement() string {
	if len(r.Requirements) == 0 {
		return ""
	}
	return r.Requirements[0]
}

// title is the topic and the texts of the spec, for people.
func (r *Record) title() string {
	return strings.Join(append([]string{r.Topic}, r.Texts...), " › ")
}
