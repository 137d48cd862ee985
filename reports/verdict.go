package reports

// The verdict: one word and one exit code for a whole run, and what a report sums up of its parts.

import (
	"fmt"
	"slices"
	"sort"
)

// ExitCode is the process exit code that goes with a verdict.
func (v Verdict) ExitCode() int {
	switch v {
	case Conformant:
		return 0
	case NotConformant:
		return 1
	case Incomplete:
		return 3
	case Interrupted:
		return 130
	default:
		return 2
	}
}

// Judge sets verdict, exit code and reasons of a report whose other parts are complete.
func Judge(r *Report, interrupted bool) {
	r.Reasons = []string{}
	r.Verdict = verdict(r, Summarize(r).Specs, interrupted)
	r.ExitCode = r.Verdict.ExitCode()
}

func verdict(r *Report, count Tally, interrupted bool) Verdict {
	because := func(format string, args ...any) { r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...)) }
	if interrupted {
		because("the run was interrupted")
		return Interrupted
	}
	r.Reasons = append(r.Reasons, r.Errors...)
	if n := count[BrokenHarness]; n > 0 {
		because("%s in the harness itself", Plural(n, "spec broke", "specs broke"))
	}
	if len(r.Reasons) > 0 {
		return Errored
	}
	if n := count[Failed]; n > 0 {
		because("%s, breaking %s", Plural(n, "spec fails", "specs fail"),
			Plural(failedRequirements(r), "requirement", "requirements"))
		for _, f := range r.Features {
			if f.State == "missing" {
				because("the contract demands %s, which was not found; "+
					"where the target is meant to go without, its profile says so: features: {%s: off}", f.Name, f.Name)
			}
		}
	}
	for _, w := range r.Waivers {
		if w.Misfit() {
			because("the waiver of %s is %s", w.ID, waiverWords(w))
		}
	}
	if len(r.Reasons) > 0 {
		return NotConformant
	}
	if n := count[CouldNotRun]; n > 0 {
		because("%s", Plural(n, "spec could not run", "specs could not run"))
		return Incomplete
	}
	if count[Passed]+count[Warned]+count[Waived] == 0 {
		because("nothing was tested: no selected spec applies to this target")
		return Incomplete
	}
	return Conformant
}

func waiverWords(w Waiver) string {
	switch w.State {
	case "expired":
		return "expired: " + w.Expires + " was its last day"
	case "stale":
		return "not needed any more: nothing that it excuses was found; remove it"
	default:
		return "about an id that neither a requirement nor a spec has"
	}
}

func failedRequirements(r *Report) int {
	n := 0
	for _, q := range r.Requirements {
		if q.Outcome == Failed {
			n++
		}
	}
	return n
}

// IsOn reports whether the target offers the feature, or must.
func (f Feature) IsOn() bool { return f.State == "on" || f.State == "found" || f.State == "missing" }

// Judged returns the feature with the worst outcome of its requirements.
func (f Feature) Judged(requirements []Requirement) Feature {
	f.Verdict = NotApplicable
	if !f.IsOn() {
		return f
	}
	order := []Outcome{Untested, NotApplicable, Passed, Warned, Waived, CouldNotRun, Failed}
	f.Verdict = Untested
	for _, r := range requirements {
		if r.Feature == f.Name && slices.Index(order, r.Outcome) > slices.Index(order, f.Verdict) {
			f.Verdict = r.Outcome
		}
	}
	return f
}

// LatencyOf sums up the answers of each endpoint.
func LatencyOf(specs []Spec) []Latency {
	byEndpoint := map[string][]float64{}
	for i := range specs {
		for _, e := range specs[i].Exchanges {
			if e.Status != 0 && !e.Shared {
				byEndpoint[e.Endpoint] = append(byEndpoint[e.Endpoint], e.DurationMS)
			}
		}
	}
	out := []Latency{}
	for endpoint, times := range byEndpoint {
		slices.Sort(times)
		out = append(out, Latency{Endpoint: endpoint, Count: len(times),
			P50MS: percentile(times, 50), P95MS: percentile(times, 95), MaxMS: times[len(times)-1]})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Endpoint < out[j].Endpoint })
	return out
}

// percentile takes the nearest rank of sorted values.
func percentile(sorted []float64, p int) float64 {
	rank := (len(sorted)*p + 99) / 100
	return sorted[max(0, rank-1)]
}
