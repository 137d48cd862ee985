package main

// shopcheck run --json: what happens, as one JSON object a line, for programs. events.schema.json describes each.

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"shopcheck/cmd/manual"
	"shopcheck/reports"
	"shopcheck/suites"
)

// eventsVersion goes up when a member changes its meaning; new events and members alone leave it.
const eventsVersion = 1

// events is a narrator for programs.
type events struct {
	out   io.Writer
	now   func() time.Time
	runID string

	mu sync.Mutex // of out
}

// moment is what all events have.
type moment struct {
	Event string    `json:"event"`
	Time  time.Time `json:"time"`
}

type (
	runStartEvent struct {
		moment
		FormatVersion int      `json:"format_version"`
		Version       string   `json:"version"` // of the program
		RunID         string   `json:"run_id"`
		Target        string   `json:"target"`
		Label         string   `json:"label,omitempty"`
		Focus         string   `json:"focus,omitempty"`
		Specs         []string `json:"specs,omitempty"`
	}
	textEvent struct {
		moment
		Text string `json:"text"`
	}
	planEvent struct {
		moment
		Specs  int            `json:"specs"`
		Topics map[string]int `json:"topics"` // specs by topic
	}
	specStartEvent struct {
		moment
		Spec   string `json:"spec"`
		Topic  string `json:"topic"`
		Worker int    `json:"worker"`
	}
	specEndEvent struct {
		moment
		Spec       string          `json:"spec"`
		Topic      string          `json:"topic"`
		Outcome    reports.Outcome `json:"outcome"`
		Reason     string          `json:"reason,omitempty"`
		DurationMS float64         `json:"duration_ms"`
		Requests   int             `json:"requests"`
		Attempts   int             `json:"attempts"`
		Flaky      bool            `json:"flaky"`
	}
	cleanupEvent struct {
		moment
		Worker int `json:"worker"`
		Done   int `json:"done"`
		All    int `json:"all"`
	}
	findingEvent struct {
		moment
		reports.Cause
		Again  string `json:"again"`            // the command line that runs its specs
		Script string `json:"script,omitempty"` // the file that repeats it, in the folder of the report
		New    bool   `json:"new"`              // the baseline does not have it
	}
	summaryEvent struct {
		moment
		Verdict    reports.Verdict `json:"verdict"`
		ExitCode   int             `json:"exit_code"`
		Reasons    []string        `json:"reasons"`
		DurationMS float64         `json:"duration_ms"`
		Counts     reports.Counts  `json:"counts"`
		Report     string          `json:"report"` // the folder
		Leftovers  []string        `json:"leftovers"`
		Kept       []reports.Kept  `json:"kept"`
		Cleanup    []string        `json:"cleanup"`
		Comparison string          `json:"comparison,omitempty"` // with the baseline, in a sentence
	}
)

// tell writes an event. What a target has sent drives no terminal, should one show it.
func tell[T any](e *events, event T) {
	line, err := json.Marshal(reports.Rewritten(&event, reports.Sanitize))
	if err != nil {
		return // no event holds what JSON cannot say
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, _ = e.out.Write(append(line, '\n'))
}

func (e *events) at(event string) moment { return moment{event, e.now().UTC()} }

// open implements narrator.
func (e *events) open(shop subject, a asked) {
	tell(e, runStartEvent{e.at("run_start"), eventsVersion, manual.Version(), e.runID, shop.profile.Target, a.label, a.focus, a.specs})
}

// Note implements suites.Progress.
func (e *events) Note(text string) { tell(e, textEvent{e.at("note"), text}) }

// Begin implements suites.Progress.
func (e *events) Begin(specs []suites.Planned) {
	topics := map[string]int{}
	for _, spec := range specs {
		topics[spec.Topic]++
	}
	tell(e, planEvent{e.at("plan"), len(specs), topics})
}

// Wait implements suites.Progress.
func (e *events) Wait(text string) { tell(e, textEvent{e.at("wait"), text}) }

// Start implements suites.Progress.
func (e *events) Start(spec suites.Planned, worker int) {
	tell(e, specStartEvent{e.at("spec_start"), spec.ID, spec.Topic, worker + 1})
}

// Done implements suites.Progress.
func (e *events) Done(spec reports.Spec) {
	tell(e, specEndEvent{e.at("spec_end"), spec.ID, spec.Topic, spec.Outcome, spec.Reason, spec.DurationMS, len(spec.Exchanges),
		spec.Attempts, spec.Flaky})
}

// Clean implements suites.Progress.
func (e *events) Clean(worker, done, all int) {
	tell(e, cleanupEvent{e.at("cleanup"), worker + 1, done, all})
}

// End implements suites.Progress. What was found is told when its files are there.
func (e *events) End(*reports.Report) {}

// tick implements narrator.
func (e *events) tick() {}

// published implements narrator.
func (e *events) published(r *reports.Report, folder string) error {
	scripts := reports.ScriptFiles(r)
	for _, cause := range reports.Causes(r) {
		tell(e, findingEvent{e.at("finding"), cause, r.Rerun(cause), scripts[cause.ID], r.Changes.Brings(cause)})
	}
	summary := summaryEvent{moment: e.at("summary"), Verdict: r.Verdict, ExitCode: exitCode(r), Reasons: r.Reasons,
		DurationMS: r.DurationMS, Counts: *reports.Complete(r).Counts, Report: folder, Leftovers: r.Leftovers, Kept: r.Kept,
		Cleanup: r.Cleanup}
	if r.Changes != nil {
		summary.Comparison = r.Changes.Verdict()
	}
	tell(e, summary)
	return nil
}

// failed tells why a command ends with exit code 2.
func (e *events) failed(err error) { tell(e, textEvent{e.at("error"), err.Error()}) }
