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

// queue is the work of one stream.
type queue struct {
	stream   jetstream.Stream
	consumer jetstream.Consumer
	patience time.Duration
	asking   jetstream.MessagesContext // only next looks at it, and at what follows
	chosen   string                    // what the engine calls this replica as the one who does the work; empty: it does none

	mu    sync.Mutex
	taken map[jetstream.Msg]bool // not done yet

	stop    context.CancelFunc
	tending sync.WaitGroup
}

// newQueue finds the queue of the work that comes under some subjects of a stream, or makes it.
func newQueue(ctx context.Context, stream jetstream.Stream, subjects string, patience time.Duration) (*queue, error) {
	consumer, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers, FilterSubject: subjects,
		Description: "what the commits of a shop owe others", AckPolicy: jetstream.AckExplicitPolicy, AckWait: patience, MaxAckPending: -1,
		HeadersOnly: true, PriorityPolicy: jetstream.PriorityPolicyPinned, PriorityGroups: []string{workers}, PinnedTTL: patience})
	if err != nil {
		return nil, err
	}
	tending, stop := context.WithCancel(context.Background())
	w := &queue{stream: stream, consumer: consumer, patience: patience, taken: map[jetstream.Msg]bool{}, stop: stop}
	w.tending.Go(func() { w.tend(tending) })
	return w, nil
}

// end returns when nobody tends to the work any more.
func (w *queue) end() {
	w.stop()
	w.tending.Wait()
}

// tend tells the engine that what was taken is still being done.
func (w *queue) tend(ctx context.Context) {
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
	return c.save(owing(c.subject, ids), false, pairs)
}

// owing is a message for work, below a subject.
func owing(subject string, ids persist.Range) *nats.Msg {
	message := nats.NewMsg(subject + workSubject)
	message.Header.Set(owedHeader, fmt.Sprint(ids.First, " ", ids.Last))
	return message
}

// Work implements persist.Shared.
func (c *Cluster) Work(ctx context.Context) (persist.Work, error) {
	work, _, err := c.work.next(ctx)
	return work, err
}

// next waits for the next work, and returns it with the subject that it came under. The error is that of the context.
func (w *queue) next(ctx context.Context) (work persist.Work, subject string, err error) {
	for ctx.Err() == nil {
		message, err := w.nextMessage(ctx)
		if err == nil {
			return w.workOf(message), message.Subject(), nil
		}
		select { // the engine ends, or begins
		case <-time.After(lookAround):
		case <-ctx.Done():
		}
	}
	w.leave()
	return persist.Work{}, "", ctx.Err()
}

// nextMessage waits for the next message, and begins to ask for some where nobody does.
func (w *queue) nextMessage(ctx context.Context) (message jetstream.Msg, err error) {
	if w.asking == nil {
		const most = 256 // messages on their way at one moment
		expiry := min(max(w.patience/3, time.Second), longestQuestion)
		w.asking, err = w.consumer.Messages(jetstream.PullPriorityGroup(workers), jetstream.PullExpiry(expiry),
			jetstream.PullHeartbeat(expiry/2), jetstream.PullMaxMessages(most))
		if err != nil {
			w.asking = nil
			return nil, err
		}
	}
	message, err = w.asking.Next(jetstream.NextContext(ctx))
	switch {
	case err == nil:
		w.chosen = message.Headers().Get(chosenHeader)
	case ctx.Err() == nil:
		w.asking.Stop()
		w.asking = nil
	}
	return message, err
}

// leave lets the engine give work to others at once, if this replica was the one who did it.
func (w *queue) leave() {
	if w.asking != nil {
		w.asking.Stop()
		w.asking = nil
	}
	within(func(ctx context.Context) error { //nolint:errcheck // else it is given to others after a while
		now, err := w.consumer.Info(ctx)
		if err != nil || w.chosen == "" || len(now.PriorityGroups) == 0 || now.PriorityGroups[0].PinnedClientID != w.chosen {
			return err
		}
		return w.stream.UnpinConsumer(ctx, workers, workers)
	})
}

// workOf reads a message. One that cannot be read is nobody's work.
func (w *queue) workOf(message jetstream.Msg) persist.Work {
	var one persist.Work
	if about, err := message.Metadata(); err == nil {
		one.Number = about.Sequence.Stream
	}
	fmt.Sscan(message.Headers().Get(owedHeader), &one.First, &one.Last) //nolint:errcheck // see above
	w.mu.Lock()
	w.taken[message] = true
	w.mu.Unlock()
	one.Done = func(done bool) {
		w.mu.Lock()
		delete(w.taken, message)
		w.mu.Unlock()
		if done {
			message.Ack() //nolint:errcheck // then it comes again, and there is nothing to do
		} else {
			message.Nak() //nolint:errcheck // then it is another one's when this one has been silent for long
		}
	}
	return one
}

// needless returns the newest of the saves up to a number that nobody needs whose work it is.
func (w *queue) needless(ctx context.Context, upTo uint64) (uint64, error) {
	now, err := w.consumer.Info(ctx)
	if err != nil {
		return 0, err
	}
	if now.NumPending == 0 && now.NumAckPending == 0 {
		return upTo, nil
	}
	return min(upTo, now.AckFloor.Stream), nil
}
