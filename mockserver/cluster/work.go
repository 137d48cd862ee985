package cluster

// Work: what a save owes others is handed to one replica, which says when it has been dealt with. A replica that falls silent loses it
// to another one.

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"shopcheck/mockserver/internal/persist"
)

const (
	// logSubject and workSubject end the subjects of saves: those that owe others something have one of their own.
	logSubject, workSubject = ".log", ".work"
	// owedHeader says what a save owes.
	owedHeader = "Shopmock-Owed"
	// chosenHeader is the engine's.
	chosenHeader = "Nats-Pin-Id"
	// workers is the name of the queue of work, and of the group of those who ask it for some. The engine gives all work to one of them for
	// as long as that one goes on asking, so that it is done in its order.
	workers = "workers"
	// usualPatience is after what time of silence a replica's work is another one's.
	usualPatience = 10 * time.Second
	// longestQuestion is after what time a replica asks for work again.
	longestQuestion = 10 * time.Second
)

// work is what a Cluster has to do.
type work struct {
	queue    jetstream.Consumer
	patience time.Duration
	asking   jetstream.MessagesContext // only Work looks at it, and at what follows
	chosen   string                    // what the engine calls this replica as the one who does the work; empty: it does none

	mu    sync.Mutex
	taken map[jetstream.Msg]bool // not done yet

	stop    context.CancelFunc
	tending sync.WaitGroup
}

// beginWork finds the queue of work, or makes it.
func (c *Cluster) beginWork(ctx context.Context, patience time.Duration) (err error) {
	c.work.patience = patience
	c.work.queue, err = c.log.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers, FilterSubject: c.subject + workSubject,
		Description: "what the commits of a shop owe others", AckPolicy: jetstream.AckExplicitPolicy, AckWait: patience, MaxAckPending: -1,
		HeadersOnly: true, PriorityPolicy: jetstream.PriorityPolicyPinned, PriorityGroups: []string{workers}, PinnedTTL: patience})
	if err != nil {
		return err
	}
	tending, stop := context.WithCancel(context.Background())
	c.work.taken, c.work.stop = map[jetstream.Msg]bool{}, stop
	c.work.tending.Go(func() { c.work.tend(tending) })
	return nil
}

// endWork returns when nobody tends to the work any more.
func (c *Cluster) endWork() {
	if c.work.stop != nil {
		c.work.stop()
		c.work.tending.Wait()
	}
}

// tend tells the engine that what was taken is still being done.
func (w *work) tend(ctx context.Context) {
	ticks := time.NewTicker(w.patience / 4)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			w.mu.Lock()
			for message := range w.taken {
				message.InProgress() //nolint:errcheck // who does not reach the engine loses the work
			}
			w.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// SaveOwing implements persist.Shared.
func (c *Cluster) SaveOwing(ids persist.Range, pairs func(put func(key, value []byte) error) error) error {
	message := nats.NewMsg(c.subject + workSubject)
	message.Header.Set(owedHeader, fmt.Sprint(ids.First, " ", ids.Last))
	return c.save(message, false, pairs)
}

// Work implements persist.Shared.
func (c *Cluster) Work(ctx context.Context) (persist.Work, error) {
	for ctx.Err() == nil {
		message, err := c.nextWork(ctx)
		if err == nil {
			return c.workOf(message)
		}
		select { // the engine ends, or begins
		case <-time.After(lookAround):
		case <-ctx.Done():
		}
	}
	c.leaveWork()
	return persist.Work{}, ctx.Err()
}

// nextWork waits for the next message, and begins to ask for some where nobody does.
func (c *Cluster) nextWork(ctx context.Context) (message jetstream.Msg, err error) {
	if c.work.asking == nil {
		const most = 256 // messages on their way at one moment
		expiry := min(max(c.work.patience/3, time.Second), longestQuestion)
		c.work.asking, err = c.work.queue.Messages(jetstream.PullPriorityGroup(workers), jetstream.PullExpiry(expiry),
			jetstream.PullHeartbeat(expiry/2), jetstream.PullMaxMessages(most))
		if err != nil {
			c.work.asking = nil
			return nil, err
		}
	}
	message, err = c.work.asking.Next(jetstream.NextContext(ctx))
	switch {
	case err == nil:
		c.work.chosen = message.Headers().Get(chosenHeader)
	case ctx.Err() == nil:
		c.work.asking.Stop()
		c.work.asking = nil
	}
	return message, err
}

// leaveWork lets the engine give work to others at once, if this replica was the one who did it.
func (c *Cluster) leaveWork() {
	if c.work.asking != nil {
		c.work.asking.Stop()
		c.work.asking = nil
	}
	within(func(ctx context.Context) error { //nolint:errcheck // else it is given to others after a while
		queue, err := c.work.queue.Info(ctx)
		if err != nil || c.work.chosen == "" || len(queue.PriorityGroups) == 0 ||
			queue.PriorityGroups[0].PinnedClientID != c.work.chosen {
			return err
		}
		return c.log.UnpinConsumer(ctx, workers, workers)
	})
}

// workOf reads a message. One that cannot be read is nobody's work.
func (c *Cluster) workOf(message jetstream.Msg) (persist.Work, error) {
	var one persist.Work
	if about, err := message.Metadata(); err == nil {
		one.Number = about.Sequence.Stream
	}
	fmt.Sscan(message.Headers().Get(owedHeader), &one.First, &one.Last) //nolint:errcheck // see above
	c.work.mu.Lock()
	c.work.taken[message] = true
	c.work.mu.Unlock()
	one.Done = func(done bool) {
		c.work.mu.Lock()
		delete(c.work.taken, message)
		c.work.mu.Unlock()
		if done {
			message.Ack() //nolint:errcheck // then it comes again, and there is nothing to do
		} else {
			message.Nak() //nolint:errcheck // then it is another one's when this one has been silent for long
		}
	}
	return one, nil
}

// needless returns the newest of the saves up to a number that nobody needs whose work it is.
func (c *Cluster) needless(ctx context.Context, upTo uint64) (uint64, error) {
	queue, err := c.work.queue.Info(ctx)
	if err != nil {
		return 0, err
	}
	if queue.NumPending == 0 && queue.NumAckPending == 0 {
		return upTo, nil
	}
	return min(upTo, queue.AckFloor.Stream), nil
}
