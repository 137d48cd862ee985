package suites

// The record of a spec: what it did and how it ended, before it is judged. It is plain data, so that a process of its own can
// run the spec and another one judge it.

import (
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"shopcheck/reports"
	"shopcheck/suites/client"
)

type record struct {
	Spec         string                `json:"spec"`
	Ended        ending                `json:"ended"`
	Broken       string                `json:"broken,omitempty"` // why, where the harness itself broke
	Left         reports.Outcome       `json:"left,omitempty"`   // NotApplicable or CouldNotRun when it was left on purpose
	Reason       string                `json:"reason,omitempty"`
	DurationMS   float64               `json:"duration_ms"`
	Attempts     int                   `json:"attempts"`
	Exchanges    []reports.Exchange    `json:"exchanges"`
	Findings     []reports.Finding     `json:"findings"`
	Passing      []string              `json:"passing,omitempty"` // requirements of findings that the spec does not name: met in passing
	Observations []reports.Observation `json:"observations"`
	Checked      []string              `json:"checked"` // requirements that answers passing by were checked for
}

// ending is how ginkgo saw the spec end.
type ending string

const (
	endedWell    ending = "well"    // it ran to its end
	endedFailed  ending = "failed"  // at an expectation
	endedSkipped ending = "skipped" // it left by itself, or did not begin
	endedStopped ending = "stopped" // from outside
	endedBroken  ending = "broken"  // by a fault of the harness
)

// recordOf closes the journal of a spec.
func recordOf(j *journal, r types.SpecReport, redactor *client.Redactor) record {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := record{
		Spec: j.info.ID, Left: j.left, Reason: j.reason, DurationMS: float64(r.RunTime.Microseconds()) / 1000, Attempts: max(1, r.NumAttempts),
		Exchanges: j.exchanges, Findings: j.findings, Passing: j.passing, Observations: j.observations,
		Broken: redactor.Text(strings.TrimSpace(r.Failure.Message + " " + r.Failure.ForwardedPanic)), Checked: j.checked.IDs(),
	}
	switch {
	case r.State.Is(types.SpecStatePanicked | types.SpecStateTimedout | types.SpecStateAborted):
		out.Ended = endedBroken
	case r.State.Is(types.SpecStateInterrupted):
		out.Ended = endedStopped
	case r.State.Is(types.SpecStateSkipped):
		out.Ended = endedSkipped
	case r.State.Is(types.SpecStateFailed):
		out.Ended = endedFailed
	default:
		out.Ended = endedWell
	}
	return out
}
