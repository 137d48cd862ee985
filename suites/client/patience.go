package client

// Patience: what a run may lose on requests that come to nothing, so that endpoints that hang do not take the time of all.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-resty/resty/v2"

	"shopcheck/suites/profile"
)

const (
	hurriedTimeout = time.Second      // of a request to an endpoint that may hang, once the time is lost; half of it after each failure
	mostHalvings   = 4                // of that
	usualTimes     = 3                // how many times as long as the usual answer such an endpoint gets in any case
	lookTimeout    = 10 * time.Second // of a look whether the target is there
	worthTelling   = 2 * time.Second  // a wait of which people are told
	farAway        = 100 * 365 * 24 * time.Hour
)

// patience counts the time that was lost in vain. It is safe for concurrent use.
type patience struct {
	limits profile.Limits

	mu       sync.Mutex
	lost     time.Duration
	failing  map[string]int  // by endpoint, how many of the latest requests came to nothing
	answers  map[string]bool // endpoints that have answered
	answered int             // requests
	waited   time.Duration   // for these
	tell     func(string)
}

func newPatience(limits profile.Limits) *patience {
	return &patience{limits: limits, failing: map[string]int{}, answers: map[string]bool{}, tell: func(string) {}}
}

// OnWait sets who is told of what the client waits for.
func (c *Client) OnWait(tell func(text string)) {
	c.patience.mu.Lock()
	defer c.patience.mu.Unlock()
	c.patience.tell = func(text string) { tell(c.redactor.Brief(text, recordedValue)) }
}

func (p *patience) tellOf(format string, args ...any) {
	p.mu.Lock()
	tell := p.tell
	p.mu.Unlock()
	tell(fmt.Sprintf(format, args...))
}

// limit is how long a request to an endpoint may take now, and that it is sent only once; 0 is what the limits say.
func (p *patience) limit(endpoint string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	failures := p.failing[endpoint]
	if p.lost < p.limits.LostTime || failures == 0 && p.answers[endpoint] {
		return 0
	}
	usual := p.waited / time.Duration(max(1, p.answered))
	return min(max(hurriedTimeout>>min(failures, mostHalvings), usualTimes*usual), p.limits.Timeout)
}

// note counts the time of an answer that did not come, or turned the request away for good.
func (p *patience) note(endpoint string, a *Answer, took time.Duration) {
	inVain := a.Err != nil && isTimeout(a.Err) || a.Err == nil && turnedAway(a.Status, a.Header)
	p.mu.Lock()
	if !inVain {
		delete(p.failing, endpoint)
		if a.Err == nil {
			p.answers[endpoint] = true
			p.answered++
			p.waited += took
		}
		p.mu.Unlock()
		return
	}
	hadTime := p.lost < p.limits.LostTime
	p.lost += took
	p.failing[endpoint]++
	over, lost := hadTime && p.lost >= p.limits.LostTime, p.lost
	p.mu.Unlock()
	if asked := askedWait(a.Header); asked > p.limits.LongestWait && hadTime {
		p.tellOf("%s is answered with %d and asks to wait %.0f seconds: that is longer than limits.longest_wait (%v), and not waited for",
			endpoint, a.Status, asked.Seconds(), p.limits.LongestWait)
	} else if took >= worthTelling && hadTime {
		p.tellOf("%s came to nothing in %v (%s)", endpoint, took.Round(time.Second), outcomeOf(a))
	}
	if over {
		p.tellOf("%v were lost on requests that came to nothing (limits.lost_time): endpoints that have not answered get %v at most from "+
			"now on, and one try", lost.Round(time.Second), min(hurriedTimeout, p.limits.Timeout))
	}
}

func outcomeOf(a *Answer) string {
	if a.Err != nil {
		return a.Err.Error()
	}
	return fmt.Sprintf("status %d, again and again", a.Status)
}

// Unreached reports whether no answer came because there was no connection, or nothing came over it in time.
func (a *Answer) Unreached() bool {
	return a.Err != nil && !errors.Is(a.Err, ErrReadOnly) && !errors.Is(a.Err, context.Canceled) &&
		!errors.Is(a.Err, resty.ErrResponseBodyTooLarge)
}

// Reachable reports whether the target answers at all, whatever it says. It is no part of any spec, and is not recorded.
func (c *Client) Reachable(ctx context.Context) bool {
	for _, path := range []string{Management + "/products", Store + "/cart"} {
		response, err := c.send(ctx, c.wire(Request{Method: http.MethodGet, Path: path}), nil, min(lookTimeout, c.profile.Limits.Timeout))
		if err == nil && response.RawResponse != nil {
			return true
		}
	}
	return false
}
