package suites

// The journal of the running spec: exchanges, findings, observations, and why it was left.

import (
	"slices"
	"sync"

	"shopcheck/reports"
	"shopcheck/suites/contract"
)

// journal is one spec's. It is safe for use by the goroutines that a spec starts.
type journal struct {
	info Planned

	mu           sync.Mutex
	exchanges    []reports.Exchange
	findings     []reports.Finding
	passing      []string // requirements whose deviation was met in passing, and that the spec does not name
	observations []reports.Observation
	checked      contract.Set
	left         reports.Outcome // NotApplicable or CouldNotRun when the spec was left on purpose
	reason       string
}

func newJournal(info Planned) *journal { return &journal{info: info} }

func (j *journal) addExchange(e reports.Exchange) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.exchanges = append(j.exchanges, e)
	return len(j.exchanges) - 1
}

// addFindings keeps findings; the same deviation at the same place of another answer is told once in a spec.
func (j *journal) addFindings(findings []reports.Finding) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range findings {
		if !slices.ContainsFunc(j.findings, func(told reports.Finding) bool { return sameDeviation(told, f) }) {
			j.findings = append(j.findings, f)
		}
	}
}

func sameDeviation(a, b reports.Finding) bool {
	a.Exchange, a.Location, a.Got = b.Exchange, b.Location, b.Got
	return a == b
}

func (j *journal) addPassing(requirement string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.passing = append(j.passing, requirement)
}

func (j *journal) addChecked(seen contract.Set) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.checked.AddAll(seen)
}

func (j *journal) observe(key, value string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.observations = append(j.observations, reports.Observation{Key: key, Value: value, Spec: j.info.ID})
}

func (j *journal) leave(outcome reports.Outcome, reason string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left, j.reason = outcome, reason
}

func (j *journal) lastExchange() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.exchanges) - 1
}

// defaultRequirement is what a failure breaks that does not say so itself.
func (j *journal) defaultRequirement() string {
	if len(j.info.Requirements) == 0 {
		return ""
	}
	return j.info.Requirements[0]
}

func (j *journal) names(requirement string) bool {
	for _, id := range j.info.Requirements {
		if id == requirement {
			return true
		}
	}
	return false
}
