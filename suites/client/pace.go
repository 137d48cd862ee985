package client

// Pace: how long the target takes for an answer, and how often it may be asked.

import (
	"context"
	"slices"
	"sync"
	"time"
)

// pacedAnswers is how many answers are looked at. The first of a run are read-only, and small.
const pacedAnswers = 32

// pace keeps how long the first answers took. It is safe for concurrent use.
type pace struct {
	mu    sync.Mutex
	times []time.Duration
}

// note keeps the time of an answer that came at the first try.
func (p *pace) note(a *Answer, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Err == nil && a.Retries == 0 && len(p.times) < pacedAnswers {
		p.times = append(p.times, took)
	}
}

// Latency is how long the target usually takes for an answer: the median of the first ones, 0 before there is any.
func (c *Client) Latency() time.Duration {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	if len(c.pace.times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(c.pace.times))[len(c.pace.times)/2]
}

// Turn waits until another request may be sent, as limits.requests_per_second says.
func (c *Client) Turn(ctx context.Context) error {
	if c.turn == nil {
		return nil
	}
	return c.turn(ctx)
}

// TakeTurns makes a client whose requests are limited wait for turns that somebody else gives, so that several processes keep one
// limit; own waits as the client did by itself. It is called before the first request.
func (c *Client) TakeTurns(turn func(ctx context.Context, own func(context.Context) error) error) {
	if own := c.turn; own != nil {
		c.turn = func(ctx context.Context) error { return turn(ctx, own) }
	}
}
