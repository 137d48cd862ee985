package suites

// Cleaning up: at the end of a run, and after a run that was killed before it could.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

const (
	sweepMargin = time.Minute    // how far before the first record that a run knows of it looks for others
	zoneMargin  = 26 * time.Hour // how far from ours a clock may be whose time zone is not known
)

// sweep looks for what the run has made and does not know of, where writes are unconfirmed.
func (r *runner) sweep(ctx context.Context) []spec.Claim {
	unconfirmed, p := r.run.Made.Unconfirmed(), r.options.Profile
	if !unconfirmed.Checkouts && !unconfirmed.Writes || !p.Credentials.ReadWrite.Given() || !p.MayWrite() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	sweep := sweepOf(r.run.Client, p, r.run.Nonce)
	sweep.Since = before(cmp.Or(unconfirmed.Since, r.began.Add(-zoneMargin).UTC().Format(time.RFC3339)), sweepMargin)
	r.swept = unconfirmed.Writes
	if !unconfirmed.Writes {
		sweep.Only = []string{"orders", "customers"}
	}
	found, err := sweep.Find(ctx)
	if err != nil {
		r.leftovers = append(r.leftovers, "perhaps more: "+err.Error())
	}
	return claimsOf(found)
}

func claimsOf(found []spec.Found) []spec.Claim {
	claims := make([]spec.Claim, len(found))
	for i, record := range found {
		claims[i].Path = record.Path
	}
	return claims
}

// due takes out the claims of records that are kept, and of those that others before them are about.
func (r *runner) due(claims []spec.Claim) []spec.Claim {
	known := map[string]bool{}
	return slices.DeleteFunc(claims, func(c spec.Claim) bool {
		again := known[c.Path]
		known[c.Path] = true
		return again || r.run.Made.Stays(c.Path)
	})
}

// keepOf keeps the records of a spec that has failed, where that is asked for. What it met in passing was reported by an earlier spec of
// this process, or counts here.
func (r *runner) keepOf(record spec.Record) {
	if !r.options.Keep {
		return
	}
	record.DropRepeated(maps.Clone(r.reported))
	switch outcome, _ := specOutcome(&record, r.waivers, r.options.Strict); outcome {
	case reports.Failed, reports.BrokenHarness:
		r.run.Made.Keep(record.ID)
	}
}

// tellCleaning tells how far clean-up is, a worker through its coordinator.
func (r *runner) tellCleaning(done, all int) {
	if r.coordinator != nil {
		r.coordinator.clean(done, all)
		return
	}
	r.options.Progress.Clean(0, done, all)
}

// before is an earlier moment in the time zone that a date is in, "" for what is none.
func before(date string, by time.Duration) string {
	const layout = "2006-01-02T15:04:05"
	moment, err := time.Parse(layout, date[:min(len(date), len(layout))])
	if err != nil {
		return ""
	}
	return moment.Add(-by).Format(layout)
}

// Cleanup removes what runs have left at a target.
type Cleanup struct {
	Profile   profile.Profile
	Transport http.RoundTripper // nil: sockets
	// RunID names one run (or begins its id): what it has made is deleted even if it may be in progress. Empty: any run.
	RunID string
	// Agree is asked before anything is deleted. Nil: nothing is.
	Agree func([]LeftBehind) bool
}

// LeftBehind is what one run has left at a target.
type LeftBehind struct {
	RunID   string
	Records []spec.Found
	// InProgress is why the run may not have ended, so that its records are left in peace; empty where it has, or was named.
	InProgress string
}

// quietTime is after how long without a new or changed record a run is over: it makes some every few seconds, and a spec that
// waits for the target has minutes (limits.spec_time).
const quietTime = 15 * time.Minute

// Run finds the records that carry the marks of a run, by run. Once it is agreed on, it reads each record again and deletes it, those
// of runs that may be in progress excepted, and nothing else. It returns what it found, and what could not be deleted, a line each. An
// error means that there may be more.
func (c Cleanup) Run(ctx context.Context) (found []LeftBehind, left []string, err error) {
	if err := c.Profile.Validate(); err != nil {
		return nil, nil, err
	}
	if !c.Profile.Credentials.ReadWrite.Given() {
		return nil, nil, errors.New("the profile has no credentials.read_write to look for records with")
	}
	if c.Agree != nil && !c.Profile.MayWrite() {
		return nil, nil, client.ErrReadOnly
	}
	redactor := client.NewRedactor(c.Profile)
	target := client.New(c.Profile, redactor, func(reports.Exchange) int { return 0 }, c.Transport)
	defer target.Close()
	if err := client.FindShop(ctx, target); err != nil { // else nothing would be found in the wrong place, and all seem well
		return nil, nil, err
	}
	records, err := sweepOf(target, c.Profile, c.RunID).Find(ctx)
	found = c.byRun(records)
	if c.Agree == nil || !slices.ContainsFunc(found, LeftBehind.over) || !c.Agree(found) {
		return found, nil, redactor.Error(err)
	}
	for _, run := range found {
		if run.over() {
			some, _ := cleanerOf(target, c.Profile, run.RunID).Delete(ctx, claimsOf(run.Records))
			left = append(left, some...)
		}
	}
	for i := range left {
		left[i] = redactor.Text(left[i])
	}
	return found, left, redactor.Error(err)
}

func (l LeftBehind) over() bool { return l.InProgress == "" }

// byRun puts records that are found under the runs that made them, sorted by their ids.
func (c Cleanup) byRun(records []spec.Found) []LeftBehind {
	runs := map[string]*LeftBehind{}
	for _, record := range records {
		if runs[record.Run] == nil {
			runs[record.Run] = &LeftBehind{RunID: record.Run}
		}
		runs[record.Run].Records = append(runs[record.Run].Records, record)
	}
	var out []LeftBehind
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		if c.RunID == "" {
			runs[id].InProgress = inProgress(runs[id].Records)
		}
		out = append(out, *runs[id])
	}
	return out
}

// inProgress says why the run that made some records may not have ended, "" where it has.
func inProgress(records []spec.Found) string {
	newest := slices.MaxFunc(records, func(a, b spec.Found) int { return a.Quiet.Compare(b.Quiet) }).Quiet
	switch quiet := time.Since(newest); {
	case newest.IsZero():
		return "no record of it has a date that would show that it has ended"
	case quiet < quietTime:
		return fmt.Sprintf("it may be in progress: its newest record was changed less than %v ago", quietTime)
	}
	return ""
}

func sweepOf(target *client.Client, p profile.Profile, nonce string) spec.Sweep {
	return spec.Sweep{Send: target.Do, Key: managerKey(p), Nonce: nonce}
}

func managerKey(p profile.Profile) client.Auth {
	return client.Auth{Credentials: p.Credentials.ReadWrite, Way: client.AnyWay}
}

func cleanerOf(target *client.Client, p profile.Profile, nonce string) spec.Cleaner {
	return spec.Cleaner{Send: target.Do, Key: managerKey(p), Nonce: nonce, Told: func(int, int) {}}
}
