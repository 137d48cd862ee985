package suites

// Cleaning up: at the end of a run, and after a run that was killed before it could.

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/stage"
	"shopcheck/suites/target"
)

// sweepMargin is how far the target's clock and time zone may be from ours.
const sweepMargin = 26 * time.Hour

// Cleanup removes what runs have left at a target.
type Cleanup struct {
	Profile   target.Profile
	Transport http.RoundTripper // nil: sockets
	Nonce     string            // only what this run has made; empty: what any run has made
	DryRun    bool              // only look
}

// Run finds the records that carry the marks of a run and deletes them, in any case nothing else. It returns what it found,
// and what could not be deleted as "DELETE path" lines. An error means that there may be more.
func (c Cleanup) Run(ctx context.Context) (found []stage.Found, left []string, err error) {
	if err := c.Profile.Validate(); err != nil {
		return nil, nil, err
	}
	if !c.Profile.Credentials.ReadWrite.Given() {
		return nil, nil, fmt.Errorf("the profile has no credentials.read_write to look for records with")
	}
	redactor := target.NewRedactor(c.Profile)
	client := target.NewClient(c.Profile, redactor, func(reports.Exchange) int { return 0 }, c.Transport)
	defer client.Close()
	found, err = sweepOf(client, c.Profile, c.Nonce, time.Time{}).Find(ctx)
	if err != nil {
		err = fmt.Errorf("%s", redactor.Text(err.Error()))
	}
	if c.DryRun {
		return found, nil, err
	}
	made := stage.NewMade()
	for _, record := range slices.Backward(found) { // what was added last is deleted first
		made.Add(record.Path)
	}
	return found, deleteMade(ctx, made, client, c.Profile), err
}

func sweepOf(client *target.Client, p target.Profile, nonce string, since time.Time) stage.Sweep {
	return stage.Sweep{Send: client.Do, Key: managerKey(p), Nonce: nonce, Since: since}
}

func managerKey(p target.Profile) target.Auth {
	return target.Auth{Credentials: p.Credentials.ReadWrite, Way: target.AnyWay}
}

func deleteMade(ctx context.Context, made *stage.Made, client *target.Client, p target.Profile) (left []string) {
	return made.Delete(ctx, func(ctx context.Context, path string) *target.Answer {
		return client.Do(ctx, target.Request{Method: http.MethodDelete, Path: path, Query: map[string][]string{"force": {"true"}}, Auth: managerKey(p)})
	})
}
