package suites

// Cleaning up: at the end of a run, and after a run that was killed before it could.

import (
	"cmp"
	"context"
	"errors"
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

// distinct takes out the claims of a record that others before it are about.
func distinct(claims []spec.Claim) []spec.Claim {
	known := map[string]bool{}
	return slices.DeleteFunc(claims, func(c spec.Claim) bool {
		again := known[c.Path]
		known[c.Path] = true
		return again
	})
}

// tellCleaning tells how far clean-up is, a worker through its coordinator.
func (r *runner) tellCleaning(done, all int) {
	if r.coordinator != nil {
		r.coordinator.clean(done, all)
		return
	}
	r.options.Progress.Clean(done, all)
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
	Nonce     string            // only what this run has made; empty: what any run has made
	DryRun    bool              // only look
}

// Run finds the records that carry the marks of a run, reads each again before it deletes it, and deletes nothing else. It returns what
// it found, and what is left, a line each. An error means that there may be more.
func (c Cleanup) Run(ctx context.Context) (found []spec.Found, left []string, err error) {
	if err := c.Profile.Validate(); err != nil {
		return nil, nil, err
	}
	if !c.Profile.Credentials.ReadWrite.Given() {
		return nil, nil, errors.New("the profile has no credentials.read_write to look for records with")
	}
	if !c.DryRun && !c.Profile.MayWrite() {
		return nil, nil, client.ErrReadOnly
	}
	redactor := client.NewRedactor(c.Profile)
	target := client.New(c.Profile, redactor, func(reports.Exchange) int { return 0 }, c.Transport)
	defer target.Close()
	if err := client.FindShop(ctx, target); err != nil { // else nothing would be found in the wrong place, and all seem well
		return nil, nil, err
	}
	found, err = sweepOf(target, c.Profile, c.Nonce).Find(ctx)
	if c.DryRun {
		return found, nil, redactor.Error(err)
	}
	left, _ = cleanerOf(target, c.Profile, c.Nonce).Delete(ctx, claimsOf(found))
	for i := range left {
		left[i] = redactor.Text(left[i])
	}
	return found, left, redactor.Error(err)
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
