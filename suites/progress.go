package suites

// What a run tells while it goes on.

import "shopcheck/reports"

// Progress is told of a run as it goes on. Calls come one after the other.
type Progress interface {
	// Note comes when something was found out about the target, before the first spec.
	Note(text string)
	// Begin comes once, with the selected specs in no particular order.
	Begin(specs []Planned)
	// Wait comes when the run waits for the target: the text says what for. It may come at any time, also from other goroutines.
	Wait(text string)
	// Start comes when a worker begins a spec; one process alone is worker 0.
	Start(spec Planned, worker int)
	// Done comes after each selected spec.
	Done(spec reports.Spec)
	// Clean comes while what the run has made is deleted: at the beginning, and whenever some of the records are done with. A worker
	// cleans up for itself, so each one begins anew.
	Clean(worker, done, all int)
	// End comes once, with the finished report.
	End(report *reports.Report)
}

// Quiet is a Progress that shows nothing.
type Quiet struct{}

// Note implements Progress.
func (Quiet) Note(string) {}

// Begin implements Progress.
func (Quiet) Begin([]Planned) {}

// Wait implements Progress.
func (Quiet) Wait(string) {}

// Start implements Progress.
func (Quiet) Start(Planned, int) {}

// Done implements Progress.
func (Quiet) Done(reports.Spec) {}

// Clean implements Progress.
func (Quiet) Clean(int, int, int) {}

// End implements Progress.
func (Quiet) End(*reports.Report) {}
