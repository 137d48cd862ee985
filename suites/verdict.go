package suites

// The verdict: one word and one exit code for a whole run.

import (
	"fmt"

	"shopcheck/reports"
)

// ExitCode is the process exit code that goes with a verdict.
func ExitCode(v reports.Verdict) int {
	switch v {
	case reports.Conformant:
		return 0
	case reports.NotConformant:
		return 1
	case reports.Incomplete:
		return 3
	case reports.Interrupted:
		return 130
	default:
		return 2
	}
}

// judge sets verdict, exit code and reasons of a report whose other parts are complete.
func judge(r *reports.Report, interrupted bool) {
	r.Reasons = []string{}
	count := countSpecs(r.Specs)
	r.Verdict = verdict(r, count, interrupted)
	r.ExitCode = ExitCode(r.Verdict)
}

func countSpecs(specs []reports.Spec) map[reports.Outcome]int {
	count := map[reports.Outcome]int{}
	for _, s := range specs {
		count[s.Outcome]++
	}
	return count
}

func verdict(r *reports.Report, count map[reports.Outcome]int, interrupted bool) reports.Verdict {
	because := func(format string, args ...any) { r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...)) }
	if interrupted {
		because("the run was interrupted")
		return reports.Interrupted
	}
	r.Reasons = append(r.Reasons, r.Errors...)
	if n := count[reports.BrokenHarness]; n > 0 {
		because("%s in the harness itself", reports.Plural(n, "spec broke", "specs broke"))
	}
	if len(r.Reasons) > 0 {
		return reports.Errored
	}
	if n := count[reports.Failed]; n > 0 {
		because("%s, breaking %s", reports.Plural(n, "spec fails", "specs fail"),
			reports.Plural(failedRequirements(r), "requirement", "requirements"))
		for _, f := range r.Features {
			if f.State == "missing" {
				because("the contract demands %s, which was not found; "+
					"where the target is meant to go without, its profile says so: features: {%s: off}", f.Name, f.Name)
			}
		}
	}
	for _, w := range r.Waivers {
		if w.State != "used" {
			because("the waiver of %s is %s", w.ID, waiverWords(w))
		}
	}
	if len(r.Reasons) > 0 {
		return reports.NotConformant
	}
	if n := count[reports.CouldNotRun]; n > 0 {
		because("%s", reports.Plural(n, "spec could not run", "specs could not run"))
		return reports.Incomplete
	}
	if count[reports.Passed]+count[reports.Warned]+count[reports.Waived] == 0 {
		because("nothing was tested: no selected spec applies to this target")
		return reports.Incomplete
	}
	return reports.Conformant
}

func waiverWords(w reports.Waiver) string {
	switch w.State {
	case "expired":
		return "expired since " + w.Expires
	case "stale":
		return "not needed any more: nothing that it excuses was found; remove it"
	default:
		return "about an id that neither a requirement nor a spec has"
	}
}

func failedRequirements(r *reports.Report) int {
	n := 0
	for _, q := range r.Requirements {
		if q.Outcome == reports.Failed {
			n++
		}
	}
	return n
}
