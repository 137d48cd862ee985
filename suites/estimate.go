package suites

// How long a run will take, and how many workers that is worth.

import (
	"math"
	"time"

	"shopcheck/suites/profile"
)

const (
	requestsASpec = 3                      // of a whole run against the reference shop; with clean-up
	worthAWorker  = 8 * time.Second        // of waiting for answers: to start a process takes one or two
	mostByItself  = 16                     // workers that a run takes without being told to
	startTime     = 2 * time.Second        // before the first spec of a worker
	ownTime       = 450 * time.Microsecond // that the harness takes for a request
)

// estimate is what can be said of a run before it begins.
type estimate struct {
	specs   int
	latency time.Duration
	limits  profile.Limits
}

// requests is how many the run will send.
func (e estimate) requests() float64 { return float64(e.specs) * requestsASpec }

// workers is how many share the specs: asked of them at most, or, with 0, as many as the time that answers take is worth. More than the
// limits let work at the same time would only wait for each other.
func (e estimate) workers(asked int) int {
	count := asked
	if asked == 0 {
		count = min(mostByItself, int(math.Ceil(e.requests()*e.latency.Seconds()/worthAWorker.Seconds())))
		if rate := e.limits.RequestsPerSecond; rate > 0 {
			count = min(count, int(math.Ceil(rate*e.latency.Seconds())))
		}
	}
	if e.limits.Concurrency > 0 {
		count = min(count, e.limits.Concurrency)
	}
	return max(1, count)
}

// duration is how long the run will take with a number of workers.
func (e estimate) duration(workers int) time.Duration {
	each := e.requests() / float64(workers)
	took := time.Duration(each * float64(e.latency+ownTime))
	if rate := e.limits.RequestsPerSecond; rate > 0 {
		took = max(took, time.Duration(e.requests()/rate*float64(time.Second)))
	}
	if workers > 1 {
		took += startTime
	}
	return took
}

// brief is how long an answer takes, in a unit that says something: a shop on this machine answers in less than a millisecond.
func brief(latency time.Duration) string {
	if latency < time.Millisecond {
		return max(latency, time.Microsecond).Round(time.Microsecond).String()
	}
	return latency.Round(time.Millisecond).String()
}
