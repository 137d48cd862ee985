package spec

// Contact with the target: how long a spec and a run may take, and what happens when no answers come any more.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"shopcheck/suites/client"
)

// Stopped is why a run ends by itself before all of its specs have run.
type Stopped struct {
	Reason string `json:"reason"`
	Gone   bool   `json:"gone"` // the target does not answer any more
}

// Error implements error.
func (s *Stopped) Error() string { return s.Reason }

// contact is what a run knows of its connection to the target.
type contact struct {
	mu       sync.Mutex
	failures int    // requests in a row without an answer
	since    string // when the first of them failed, and what it was
	latest   string // the spec that had the latest answer
}

// Stopped returns why the run ends by itself, nil while it does not.
func (r *Run) Stopped() *Stopped {
	var stopped *Stopped
	_ = errors.As(context.Cause(r.Context), &stopped) // else an interrupt, or nothing
	return stopped
}

// Interrupted reports whether somebody has ended the run.
func (r *Run) Interrupted() bool { return r.Context.Err() != nil && r.Stopped() == nil }

// WhyEnded is the reason why a spec cannot run when the run has ended.
func (r *Run) WhyEnded() string {
	if stopped := r.Stopped(); stopped != nil {
		return stopped.Reason
	}
	return Interrupted
}

// Close ends the run: nothing is sent any more.
func (r *Run) Close() {
	r.stop(context.Canceled)
	r.Client.Close()
}

func outOfTime(limit time.Duration) *Stopped {
	return &Stopped{Reason: fmt.Sprintf("the time of the run (limits.run_time, %v) is over", limit)}
}

// checkTime leaves the spec when its time is over. A request on its way is bounded by its own.
func (r *Run) checkTime() {
	limit := r.Profile.Limits.SpecTime
	late := false
	r.update(func(*Record) { late = time.Since(r.began) > limit })
	if late {
		r.CouldNotRun("the time of a spec (limits.spec_time, %v) is over", limit)
	}
}

// noteContact counts the requests in a row that had no answer. After some it looks whether the target is there at all, waits, looks
// again, and stops the run where it is not.
func (r *Run) noteContact(a *client.Answer) {
	current := "the preflight"
	r.update(func(record *Record) { current = record.ID })
	c := &r.contact
	c.mu.Lock()
	defer c.mu.Unlock()
	if !a.Unreached() || r.Context.Err() != nil {
		c.failures = 0
		if a.Err == nil {
			c.latest = current
		}
		return
	}
	if c.failures++; c.failures == 1 {
		c.since = fmt.Sprintf("%s, in %s (%s)", time.Now().UTC().Format("15:04:05 UTC"), current, a)
	}
	limits := r.Profile.Limits
	if c.failures < limits.FailuresInARow || r.answersAgain(c.failures, limits.ReconnectWait) {
		return
	}
	after := cmp.Or(c.latest, "none: no spec had an answer")
	r.stop(&Stopped{Gone: true, Reason: r.Redactor.Text(fmt.Sprintf("the target does not answer any more, since %s; "+
		"the last spec that had an answer is %s; %d requests in a row failed, and %v later it still did not answer",
		c.since, after, c.failures, limits.ReconnectWait))})
}

// answersAgain looks for the target, now and after a wait.
func (r *Run) answersAgain(failures int, wait time.Duration) bool {
	if !r.Client.Reachable(r.Context) {
		r.tell(fmt.Sprintf("the target has not answered %d requests in a row: trying again in %v", failures, wait))
		select {
		case <-time.After(wait):
		case <-r.Context.Done():
		}
		if !r.Client.Reachable(r.Context) {
			return false
		}
	}
	r.contact.failures = 0
	return true
}

// OnWait sets who is told of what the run waits for.
func (r *Run) OnWait(tell func(text string)) {
	r.tell = func(text string) { tell(r.Redactor.Brief(text, longestText)) }
	r.Client.OnWait(tell)
}
