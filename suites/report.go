package suites

// The report of a run.

import (
	"runtime"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/contract"
)

// report sums the run up. failure is why it could not begin, nil where it did.
func (r *runner) report(failure error) *reports.Report {
	if failure != nil && !r.interrupted {
		r.errors = append(r.errors, failure.Error())
	}
	c := &coverage{records: r.records, features: r.run.Features, waivers: r.waivers, strict: r.options.Strict, unread: r.plan.unread}
	out := r.head()
	out.Requirements = c.requirements()
	out.Leftovers, out.Kept = append([]string{}, r.leftovers...), r.kept
	out.Errors = append([]string{}, r.errors...)
	if len(out.Leftovers)+len(out.Kept) > 0 && r.options.Cleanup != "" {
		out.Cleanup = []string{r.options.Cleanup}
	}
	out.Features = featureReports(r.run.Features, out.Requirements)
	out = reports.Rewritten(out, r.run.Redactor.Text) // records of specs went this way one by one
	for _, record := range r.records {
		out.Specs = append(out.Specs, record.Spec)
		out.Observations = append(out.Observations, record.Observations...)
	}
	if err := r.noteGone(out); err != nil {
		out.Errors = append(out.Errors, err.Error())
	}
	out.Latency = reports.LatencyOf(out.Specs)
	out.Waivers = r.waivers.reports(r.specOutcomes(), requirementOutcomes(out.Requirements))
	out.DurationMS = float64(time.Since(r.began).Microseconds()) / 1000
	reports.Judge(out, r.interrupted)
	return out
}

// noteGone notes what is gone of what curl lines name. An archive has noted that of a run that leaves nothing.
func (r *runner) noteGone(out *reports.Report) error {
	if r.options.Archive != nil {
		if len(out.Leftovers)+len(out.Kept) == 0 {
			return nil
		}
		if err := r.options.Archive.Restore(out); err != nil {
			return err
		}
	}
	reports.NoteGone(out)
	return nil
}

// head is the report as far as it is known before the first spec.
func (r *runner) head() *reports.Report {
	return &reports.Report{
		FormatVersion: reports.FormatVersion,
		Tool:          reports.Tool{Name: suiteName, Version: r.options.Version, Seed: r.options.Seed},
		Environment: reports.Environment{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0),
			Processes: max(1, r.workers)},
		Contract: reports.Contract{Title: contract.Title, Revision: contract.Revision, URL: r.options.Contract,
			Sections: contract.Sections()},
		Target: reports.Target{URL: r.options.Profile.Target, Dialect: r.run.Client.Access().Dialect.Name,
			Profile: r.options.Profile.Echo(), Arguments: r.options.Arguments},
		StartedAt: r.began.UTC(),
		Strict:    r.options.Strict,
		Selection: reports.Selection{Label: r.options.Label, Focus: r.options.Focus, Specs: r.options.Specs,
			ReadOnly: r.plan.leftOut},
		Shard: r.plan.shard,
	}
}

// specOutcomes knows every spec of the tree; those that were not selected have no outcome.
func (r *runner) specOutcomes() map[string]reports.Outcome {
	out := map[string]reports.Outcome{}
	for _, planned := range r.plan.all {
		out[planned.ID] = reports.Untested
	}
	for _, record := range r.records {
		out[record.ID] = record.Outcome
	}
	return out
}

func requirementOutcomes(list []reports.Requirement) map[string]reports.Outcome {
	out := map[string]reports.Outcome{}
	for _, r := range list {
		out[r.ID] = r.Outcome
	}
	return out
}
