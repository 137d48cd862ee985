package suites

// A worker: it builds the whole tree and goes round it, as the others do from other topics on; before a spec it claims it, and passes
// over it when another one was faster. So the work is shared out as it is done, whatever each spec takes, and what the specs of a
// topic share is mostly made once. Coordinator and worker
// talk in JSON lines over the worker's standard input and output.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// toWorker is a line to a worker. It holds one of these.
type toWorker struct {
	Job     *job  `json:"job,omitempty"`     // the first
	Granted *bool `json:"granted,omitempty"` // the answer to a claim
	Turn    bool  `json:"turn,omitempty"`    // a request may be sent
	Stop    bool  `json:"stop,omitempty"`
	// Stopped goes with Stop where the run ends by itself.
	Stopped *spec.Stopped `json:"stopped,omitempty"`
}

// job is what a worker has to do.
type job struct {
	Profile  profile.Profile                `json:"profile"`
	Label    string                         `json:"label"`
	Focus    string                         `json:"focus"`
	Specs    []string                       `json:"specs"` // where a label and a focus do not say it all
	Strict   bool                           `json:"strict"`
	Keep     bool                           `json:"keep"`
	Seed     int64                          `json:"seed"`
	Shuffle  bool                           `json:"shuffle"`
	Features map[string]client.FeatureState `json:"features"`
	Access   client.Access                  `json:"access"`
	Receives bool                           `json:"receives"` // it is the one that receives webhooks
	RunID    string                         `json:"run_id"`
	Number   int                            `json:"number"` // of the worker, as no other has it
	Topics   []string                       `json:"topics"` // in the order in which it goes through them
}

// fromWorker is a line from a worker. It holds one of these.
type fromWorker struct {
	Claim string       `json:"claim,omitempty"` // a spec that it would run
	Done  *spec.Record `json:"done,omitempty"`
	Clean *cleaning    `json:"clean,omitempty"` // how far its clean-up is
	Wait  string       `json:"wait,omitempty"`  // what it waits for
	Turn  bool         `json:"turn,omitempty"`  // it would send a request
	End   *summary     `json:"end,omitempty"`   // the last
}

// cleaning is how far a clean-up is, in records.
type cleaning struct {
	Done int `json:"done"`
	All  int `json:"all"`
}

// summary is what a worker leaves beside its records.
type summary struct {
	Leftovers []string       `json:"leftovers"`
	Kept      []reports.Kept `json:"kept"`
	Errors    []string       `json:"errors"`
	// Stopped is why the worker ended by itself.
	Stopped *spec.Stopped `json:"stopped,omitempty"`
}

// coordinator is the process that shares out the specs, as a worker knows it.
type coordinator struct {
	mu       sync.Mutex // of out: it may wait in several goroutines
	out      *json.Encoder
	granted  chan bool
	turns    chan struct{}      // requests that may be sent
	gone     chan struct{}      // closed when there is no coordinator any more
	leave    context.CancelFunc // ends the clean-up
	receives bool               // this worker is the one that receives webhooks
}

// Work is what a worker does: it takes a job from in, runs the specs that are granted to it and writes their records to out. It
// ends early, and cleans up, when it is told to stop or nobody is there to tell. An error means that there was no job.
func Work(ctx context.Context, in io.Reader, out io.Writer, topics []spec.Topic) error {
	lines := json.NewDecoder(in)
	var first toWorker
	if err := lines.Decode(&first); err != nil {
		return fmt.Errorf("this command is for shopcheck run --procs, which tells it what to do: %w", err)
	}
	if first.Job == nil {
		return fmt.Errorf("this command is for shopcheck run --procs: the first line of the input is no job")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left, leave := context.WithCancel(context.Background())
	defer leave()
	c := &coordinator{out: json.NewEncoder(out), granted: make(chan bool), turns: make(chan struct{}, mostTurns),
		gone: make(chan struct{}), leave: leave, receives: first.Job.Receives}
	go c.read(ctx, lines, cancel)
	return c.send(fromWorker{End: runJob(ctx, left, *first.Job, topics, c)})
}

// mostTurns is how many requests of a worker may be allowed and not sent yet.
const mostTurns = 64

// read passes on the coordinator's answers until there are no more. Where it had said to stop, its end means that nobody waits for the
// clean-up; else it has died, and the worker is the only one who can clean up.
func (c *coordinator) read(ctx context.Context, lines *json.Decoder, cancel context.CancelCauseFunc) {
	defer cancel(nil)
	defer close(c.gone)
	stopping := false
	for {
		var m toWorker
		if lines.Decode(&m) != nil {
			if stopping {
				c.leave()
			}
			return
		}
		switch {
		case m.Stop && m.Stopped != nil:
			cancel(m.Stopped)
		case m.Stop:
			stopping = true
			cancel(nil)
		case m.Turn:
			select {
			case c.turns <- struct{}{}:
			default: // more than were asked for
			}
		case m.Granted != nil:
			select {
			case c.granted <- *m.Granted:
			case <-ctx.Done(): // nobody claims anything any more
			}
		}
	}
}

// grants claims a spec. Specs that await webhooks are for the worker that receives them.
func (c *coordinator) grants(ctx context.Context, planned Planned) bool {
	if slices.Contains(planned.Features, contract.FeatureWebhooks) && !c.receives {
		return false
	}
	if c.send(fromWorker{Claim: planned.ID}) != nil {
		return false
	}
	select {
	case granted := <-c.granted:
		return granted
	case <-ctx.Done():
		return false
	}
}

// turn waits until the coordinator lets a request be sent. Without one the worker keeps to its share of the limit by itself.
func (c *coordinator) turn(ctx context.Context, own func(context.Context) error) error {
	if c.send(fromWorker{Turn: true}) != nil {
		return own(ctx)
	}
	select {
	case <-c.turns:
		return nil
	case <-c.gone:
		return own(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// done sends the record of a spec. Without a coordinator the run ends anyway.
func (c *coordinator) done(record *spec.Record) { _ = c.send(fromWorker{Done: record}) }

func (c *coordinator) send(m fromWorker) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Encode(m)
}

// clean tells how far the clean-up is.
func (c *coordinator) clean(done, all int) {
	_ = c.send(fromWorker{Clean: &cleaning{Done: done, All: all}})
}

func runJob(ctx, left context.Context, j job, topics []spec.Topic, c *coordinator) *summary {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	r := newRunner(ctx, Options{Profile: j.Profile, Topics: topics, Label: j.Label, Focus: j.Focus, Specs: j.Specs, Seed: j.Seed,
		Strict: j.Strict, Keep: j.Keep, Shuffle: j.Shuffle, RunID: j.RunID, worker: j.Number, order: j.Topics})
	defer r.run.Close()
	r.run.OnWait(func(text string) { _ = c.send(fromWorker{Wait: text}) }) // without a coordinator the run ends anyway
	r.coordinator, r.run.Features, r.left = c, j.Features, left
	r.run.Client.TakeTurns(c.turn)
	r.run.Client.Use(j.Access)
	if err := r.makePlan(); err != nil {
		return &summary{Errors: []string{err.Error()}}
	}
	if c.receives {
		r.listen()
		defer r.stopListening()
	}
	r.execute()
	r.cleanUp()
	return &summary{Leftovers: r.leftovers, Kept: r.kept, Errors: r.errors, Stopped: r.stopped}
}
