package reports

// Numbers and groupings that every reader of a report needs: counts per outcome, coverage of the contract by
// section, and what a spec found. The console, JUnit and the page all take them from here.

import (
	"net/http"
	"strings"
)

// Outcomes lists every outcome, the one that needs most attention first.
func Outcomes() []Outcome {
	return []Outcome{BrokenHarness, Failed, CouldNotRun, Warned, Waived, Untested, Passed, NotApplicable}
}

// Tally counts specs or requirements by outcome.
type Tally map[Outcome]int

// Total is the number of all that were counted.
func (t Tally) Total() int {
	total := 0
	for _, n := range t {
		total += n
	}
	return total
}

// Applicable is the number that counts: what is not applicable leaves the denominator.
func (t Tally) Applicable() int { return t.Total() - t[NotApplicable] }

// Tested is the number for which the target gave an answer, good or bad.
func (t Tally) Tested() int { return t[Passed] + t[Failed] + t[Warned] + t[Waived] }

// Summary is a report in numbers.
type Summary struct {
	Specs        Tally
	Requirements Tally
	Sections     []SectionCoverage
	Retries      int      // requests that were sent again
	Flaky        []string // ids of specs that passed only so
}

// Complete returns the report with what follows from its specs: its counts, and its findings grouped by cause.
func Complete(r *Report) *Report {
	completed := *r
	completed.Causes = Causes(r)
	summary := Summarize(r)
	completed.Counts = &Counts{Findings: Tally{}, Requirements: summary.Requirements, Specs: summary.Specs}
	for i := range completed.Causes {
		completed.Counts.Findings[completed.Causes[i].Outcome]++
	}
	return &completed
}

// SectionCoverage tells how the requirements of one section of the contract fared.
type SectionCoverage struct {
	Section      string
	Requirements []Requirement // in the contract's order
	Tally        Tally
}

// Summarize counts a report.
func Summarize(r *Report) Summary {
	summary := Summary{Specs: Tally{}, Requirements: Tally{}, Sections: Coverage(r)}
	for i := range r.Specs {
		spec := &r.Specs[i]
		summary.Specs[spec.Outcome]++
		summary.Retries += spec.Retries()
		if spec.Flaky {
			summary.Flaky = append(summary.Flaky, spec.ID)
		}
	}
	for i := range r.Requirements {
		summary.Requirements[r.Requirements[i].Outcome]++
	}
	return summary
}

// Retries counts how often requests of the spec were sent again.
func (s *Spec) Retries() int {
	retries := 0
	for i := range s.Exchanges {
		retries += s.Exchanges[i].Retries
	}
	return retries
}

// Coverage groups the requirements by section, sections and requirements in the order of the report.
func Coverage(r *Report) []SectionCoverage {
	var sections []SectionCoverage
	position := map[string]int{}
	for _, requirement := range r.Requirements {
		at, known := position[requirement.Section]
		if !known {
			at = len(sections)
			position[requirement.Section] = at
			sections = append(sections, SectionCoverage{Section: requirement.Section, Tally: Tally{}})
		}
		section := &sections[at]
		section.Requirements = append(section.Requirements, requirement)
		section.Tally[requirement.Outcome]++
	}
	return sections
}

// SpecFinding is a finding and the spec that made it.
type SpecFinding struct {
	Finding
	Spec *Spec
}

// Exchanged returns the exchange that shows the finding, or nil.
func (f SpecFinding) Exchanged() *Exchange {
	if f.Exchange < 0 || f.Exchange >= len(f.Spec.Exchanges) {
		return nil
	}
	return &f.Spec.Exchanges[f.Exchange]
}

// shortBody is up to how long the body of a success is worth showing in a line, in bytes: a long one says little at its beginning.
const shortBody = 300

// AnswerText is the status of the answer that a finding is about, with the body where that says more than the finding does.
func (f SpecFinding) AnswerText() string {
	e := f.Exchanged()
	if e == nil {
		return ""
	}
	if e.Status < http.StatusBadRequest && (f.Path != "" || len(e.Response.Body) > shortBody) {
		return e.Answer()
	}
	return strings.TrimSpace(e.Answer() + "  " + SanitizeLine(e.Response.Body))
}

// FindingsOf returns the findings of a spec that count as the given kind. In a failed spec a should statement is only
// a warning, unless the run is strict or nothing else explains the failure, and what a waiver excuses is waived.
func FindingsOf(spec *Spec, strict bool, kind Outcome) []SpecFinding {
	var found []SpecFinding
	onlyShould := !holdsOtherThan(spec.Findings, Should)
	for _, finding := range spec.Findings {
		counted := spec.Outcome
		switch {
		case finding.Level == Observed:
			continue // it deviates from nothing
		case counted == Failed && finding.Level == Should && !strict && !onlyShould:
			counted = Warned
		case counted == Failed && finding.Waived:
			counted = Waived // the spec fails for another reason
		}
		if counted == kind {
			found = append(found, SpecFinding{finding, spec})
		}
	}
	if !holdsOtherThan(spec.Findings, Observed) && spec.Outcome == kind && isDeviation(kind) {
		found = append(found, unexplained(spec))
	}
	return found
}

func holdsOtherThan(findings []Finding, level Level) bool {
	for i := range findings {
		if findings[i].Level != level {
			return true
		}
	}
	return false
}

func isDeviation(kind Outcome) bool {
	return kind == Failed || kind == Warned || kind == Waived || kind == BrokenHarness
}

// unexplained stands in for the finding of a spec that ended badly and recorded none: it must not go missing.
func unexplained(spec *Spec) SpecFinding {
	finding := Finding{Message: spec.Reason, Exchange: len(spec.Exchanges) - 1}
	if finding.Message == "" {
		finding.Message = "The spec ended as " + spec.Outcome.Title() + " and recorded no finding."
	}
	if len(spec.Requirements) > 0 {
		finding.Requirement = spec.Requirements[0]
	}
	return SpecFinding{finding, spec}
}
