package suites

// From journals to outcomes: of specs, of requirements, of features.

import (
	"slices"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/spec"
)

// passedBody is what is kept of each body in the exchanges of a spec that passed, in bytes.
const passedBody = 2 << 10

// judgeSpec sets the outcome of a spec from what it has done.
func judgeSpec(r *spec.Record, waivers *waiverList, strict bool) {
	r.Outcome, r.Reason = specOutcome(r, waivers, strict)
	for i, f := range r.Findings {
		r.Findings[i].Waived = f.Level != reports.Observed && waivers.covers(f, r.ID)
	}
	r.Flaky = r.Outcome == reports.Passed && slices.ContainsFunc(r.Exchanges, func(e reports.Exchange) bool { return e.Retries > 0 })
	if r.Outcome == reports.Passed {
		shorten(r.Exchanges)
	}
}

func shorten(exchanges []reports.Exchange) {
	for i := range exchanges {
		for _, m := range []*reports.Message{&exchanges[i].Request, &exchanges[i].Response} {
			body, cut := client.Cut(m.Body, passedBody)
			m.Body, m.Truncated = body, m.Truncated+cut
		}
	}
}

func specOutcome(r *spec.Record, waivers *waiverList, strict bool) (outcome reports.Outcome, reason string) {
	worst := worstOf(r.Findings, r.ID, waivers, strict)
	switch {
	case worst == reports.Failed: // what broke after a deviation may have broken by it
		return reports.Failed, ""
	case r.Ended == spec.EndedBroken:
		return reports.BrokenHarness, r.Broken
	case r.Ended == spec.EndedStopped:
		return reports.CouldNotRun, spec.Interrupted
	case r.Outcome != "":
		return r.Outcome, r.Reason
	case r.Ended == spec.EndedSkipped:
		return reports.CouldNotRun, spec.Interrupted
	case r.Ended == spec.EndedFailed && worst != reports.Waived:
		return reports.BrokenHarness, r.Broken
	case worst != reports.Waived && !answered(r):
		return reports.CouldNotRun, "no request of it was answered"
	}
	return worst, ""
}

// answered reports whether the target has answered a spec. One without requests is about the harness alone: its requirements need
// no answer.
func answered(r *spec.Record) bool {
	own := slices.DeleteFunc(slices.Clone(r.Exchanges), func(e reports.Exchange) bool { return e.Shared })
	return len(own) == 0 || slices.ContainsFunc(own, func(e reports.Exchange) bool { return e.Status != 0 })
}

// worstOf sums up findings: Failed, Waived, Warned or Passed.
func worstOf(findings []reports.Finding, spec string, waivers *waiverList, strict bool) reports.Outcome {
	worst := reports.Passed
	for _, f := range findings {
		outcome := findingOutcome(f, spec, waivers, strict)
		if severity(outcome) > severity(worst) {
			worst = outcome
		}
	}
	return worst
}

func findingOutcome(f reports.Finding, spec string, waivers *waiverList, strict bool) reports.Outcome {
	breaks := f.Level == reports.Must || (strict && f.Level == reports.Should)
	// A waiver of a warning is needed by the strict runs with the same profile: it isn't stale.
	excused := f.Level != reports.Observed && waivers.covers(f, spec)
	switch {
	case breaks && excused:
		return reports.Waived
	case breaks:
		return reports.Failed
	case f.Level == reports.Should:
		return reports.Warned
	default:
		return reports.Passed
	}
}

func severity(o reports.Outcome) int {
	return slices.Index([]reports.Outcome{reports.Passed, reports.Warned, reports.Waived, reports.Failed}, o)
}

// coverage says of every requirement what the specs of a run have shown.
type coverage struct {
	records  []*spec.Record
	features map[string]client.FeatureState
	waivers  *waiverList
	strict   bool
	unread   []string // requirements whose specs are left out because the run may only read
}

// evidence is what the specs of a run tell about one requirement. Findings count before all else.
type evidence struct {
	findings []reports.Outcome
	passed   bool
	specs    []string
	blocked  string // why a spec that names it did not verify it
	absent   string // why a spec that names it was not applicable
}

// passingSpecs bounds how many specs are listed for a requirement that is checked on every answer.
const passingSpecs = 3

func (c *coverage) requirements() []reports.Requirement {
	all := map[string]*evidence{}
	of := func(id string) *evidence {
		if all[id] == nil {
			all[id] = &evidence{}
		}
		return all[id]
	}
	for _, r := range c.records {
		c.collect(r, of)
	}
	var out []reports.Requirement
	for _, r := range contract.All().List() {
		out = append(out, c.requirement(r, of(r.ID)))
	}
	return out
}

func (c *coverage) collect(r *spec.Record, of func(string) *evidence) {
	for _, f := range r.Findings {
		e := of(f.Requirement)
		e.findings = append(e.findings, findingOutcome(f, r.ID, c.waivers, c.strict))
		e.addSpec(r.ID)
	}
	for _, id := range r.Requirements {
		e := of(id)
		e.addSpec(r.ID)
		switch {
		case r.Ended == spec.EndedWell && r.Outcome != reports.CouldNotRun: // a field's holds when a record with it was seen
			e.passed = e.passed || !contract.IsField(id)
		case r.Outcome == reports.NotApplicable:
			e.absent = r.Reason
		case r.Outcome == reports.CouldNotRun:
			e.blocked = r.Reason
		default:
			e.blocked = "spec " + r.ID + " ended at another failure"
		}
	}
	for _, id := range r.Checked {
		e := of(id)
		e.passed = true
		if len(e.specs) < passingSpecs {
			e.addSpec(r.ID)
		}
	}
}

func (e *evidence) addSpec(id string) {
	if !slices.Contains(e.specs, id) {
		e.specs = append(e.specs, id)
	}
}

func (c *coverage) requirement(r contract.Requirement, e *evidence) reports.Requirement {
	out := reports.Requirement{ID: r.ID, Level: r.Level, Section: r.Section, Statement: r.Statement, Feature: r.Feature, Specs: e.specs}
	out.Outcome, out.Reason = c.requirementOutcome(r, e)
	return out
}

func (c *coverage) requirementOutcome(r contract.Requirement, e *evidence) (reports.Outcome, string) {
	if len(e.findings) > 0 {
		return slices.MaxFunc(e.findings, func(a, b reports.Outcome) int { return severity(a) - severity(b) }), ""
	}
	if state, known := c.features[r.Feature]; known && !state.On {
		return reports.NotApplicable, offReason(state)
	}
	switch {
	case e.passed:
		return reports.Passed, ""
	case e.blocked != "":
		return reports.CouldNotRun, e.blocked
	case e.absent != "":
		return reports.NotApplicable, e.absent
	case r.Untestable != "":
		return reports.Untested, r.Untestable
	case slices.Contains(c.unread, r.ID):
		return reports.Untested, "the run may only read, and the specs that verify it write"
	case contract.IsField(r.ID):
		return reports.Untested, "no record with this field passed by"
	default:
		return reports.Untested, "no spec of this run verifies it"
	}
}

func offReason(state client.FeatureState) string {
	if state.Source == "profile" {
		return "the feature " + state.Name + " is off in the profile"
	}
	return "the feature " + state.Name + " was not found (" + state.Detail + ")"
}

// featureReports gives each feature the worst outcome of its requirements. A run that ended before it looked at the target knows none.
func featureReports(states map[string]client.FeatureState, requirements []reports.Requirement) []reports.Feature {
	out := []reports.Feature{}
	for _, f := range contract.Features() {
		state, known := states[f.Name]
		if !known {
			continue
		}
		feature := reports.Feature{Name: f.Name, State: state.State(), Source: state.Source}
		out = append(out, feature.Judged(requirements))
	}
	return out
}
