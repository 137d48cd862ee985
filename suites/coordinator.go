package suites

// Workers: a run that is split among processes of the same program, as the process sees it that starts and coordinates them.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"shopcheck/reports"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// Workers say how a run is split.
type Workers struct {
	Count int // at most; 0: as many as the pace of the target is worth
	// Command makes the command of one worker: a program that calls Work with its standard input and output and the same topics.
	Command func() *exec.Cmd
}

// process is one worker, as the coordinator knows it.
type process struct {
	number   int
	command  *exec.Cmd
	in       io.WriteCloser
	out      io.ReadCloser
	stderr   tail       // the end of its standard error
	running  string     // the spec that it runs; empty between two
	ended    bool       // it has sent its summary
	receives bool       // it is the one that receives webhooks
	mu       sync.Mutex // of in
}

// event is a message of a worker, or the end of its output.
type event struct {
	from    *process
	message fromWorker
	err     error
}

// coordinate runs the plan on workers. It returns when all of them have ended.
func (r *runner) coordinate() {
	defer r.resetTree()
	r.options.Progress.Begin(r.plan.chosen())
	r.run.Client.Close() // connections that wait for nothing count too
	all := pool{runner: r, events: make(chan event), claimed: map[string]bool{}}
	if err := all.start(); err != nil {
		r.errors = append(r.errors, err.Error())
	}
	all.lead()
	if r.interrupted || r.stopped != nil {
		r.skipRest()
	}
	r.cleanUpAfterTheDead()
	r.checkAllRan()
	r.tellStopped()
}

// pool is the workers of a run.
type pool struct {
	*runner
	events  chan event
	all     []*process // those that have ended too
	running int
	claimed map[string]bool
	turns   sync.WaitGroup // turns that are waited for
}

// start starts the workers. The connections that the target may be loaded with are shared out among them.
func (p *pool) start() error {
	for number := range p.workers {
		if err := p.add(number == 0); err != nil {
			return fmt.Errorf("worker %d does not start: %w", number+1, err)
		}
	}
	return nil
}

// add starts one more worker. One of them receives the webhooks.
func (p *pool) add(receives bool) error {
	w, err := startWorker(len(p.all), p.options.Workers.Command())
	if err != nil {
		return err
	}
	w.receives = receives
	p.all, p.running = append(p.all, w), p.running+1
	o := p.options
	w.send(toWorker{Job: &job{Profile: shareOf(o.Profile, p.workers), Label: o.Label, Focus: o.Focus, Specs: p.plan.named(o), Seed: o.Seed,
		Strict: o.Strict, Keep: o.Keep, Shuffle: o.Shuffle, Features: p.run.Features, Access: p.run.Client.Access(), Receives: receives,
		RunID: o.RunID, Number: w.number, Topics: p.plan.round(w.number, p.workers)}})
	go w.read(p.events)
	return nil
}

// lead does what the workers ask for until all of them have ended.
func (p *pool) lead() {
	defer p.turns.Wait()
	interrupt, told := p.run.Context.Done(), false
	for p.running > 0 {
		select {
		case <-interrupt:
			interrupt, p.interrupted = nil, true
			p.tell(toWorker{Stop: true})
		case e := <-p.events:
			if e.err != nil {
				p.running--
				p.ended(e.from, e.err)
				continue
			}
			p.handle(e.from, e.message)
			if p.stopped != nil && !told {
				told = true
				p.tell(toWorker{Stop: true, Stopped: p.stopped})
			}
		}
	}
}

func (p *pool) tell(m toWorker) {
	for _, w := range p.all {
		w.send(m)
	}
}

// ended releases a worker. The spec that one ran when it died is run again by another one, unless it has cost a worker before.
func (p *pool) ended(w *process, why error) {
	died := p.release(w, why)
	if died == "" {
		return
	}
	p.dead = append(p.dead, spec.NonceOf(p.options.RunID, w.number))
	p.deaths[w.running]++
	over := p.interrupted || p.stopped != nil
	if again := p.deaths[w.running] <= mostDeaths && !over; again {
		delete(p.claimed, w.running)
		if err := p.add(w.receives); err == nil {
			p.options.Progress.Wait(p.run.Redactor.Text(died + "; another one takes its place"))
			return
		}
	}
	if w.running != "" {
		p.finished[w.running] = true // it is accounted for here
	}
	p.errors = append(p.errors, p.run.Redactor.Text(died))
}

// mostDeaths is how many workers one spec may cost before that is its own fault. Deaths between two specs are counted together.
const mostDeaths = 1

func shareOf(p profile.Profile, workers int) profile.Profile {
	p.Limits.RequestsPerSecond /= float64(workers)
	if p.Limits.Concurrency > 0 {
		p.Limits.Concurrency = max(1, p.Limits.Concurrency/workers)
	}
	return p
}

func startWorker(number int, command *exec.Cmd) (*process, error) {
	w := &process{number: number, command: command}
	command.Stderr = &w.stderr
	var err error
	if w.in, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	if w.out, err = command.StdoutPipe(); err != nil {
		return nil, err
	}
	return w, command.Start()
}

// send writes a line to the worker. One that has ended shows that by the end of its output.
func (w *process) send(m toWorker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = json.NewEncoder(w.in).Encode(m)
}

// read passes on the worker's messages until there are no more.
func (w *process) read(events chan<- event) {
	lines := json.NewDecoder(w.out)
	for {
		var m fromWorker
		if err := lines.Decode(&m); err != nil {
			events <- event{from: w, err: err}
			return
		}
		events <- event{from: w, message: m}
	}
}

// handle does what a message asks for.
func (p *pool) handle(w *process, m fromWorker) {
	switch {
	case m.Claim != "":
		granted := p.plan.selected[m.Claim] && !p.claimed[m.Claim]
		if granted {
			p.claimed[m.Claim], w.running = true, m.Claim
			p.options.Progress.Start(p.plan.byID[m.Claim], w.number)
		}
		w.send(toWorker{Granted: &granted})
	case m.Turn:
		p.turns.Go(func() {
			if p.run.Client.Turn(context.WithoutCancel(p.run.Context)) == nil {
				w.send(toWorker{Turn: true})
			}
		})
	case m.Done != nil:
		w.running = ""
		m.Done.Attempts += p.deaths[m.Done.ID]
		p.take(m.Done)
	case m.Clean != nil:
		p.options.Progress.Clean(w.number, m.Clean.Done, m.Clean.All)
	case m.Wait != "":
		p.options.Progress.Wait(m.Wait)
	case m.End != nil:
		w.ended = true
		p.stopped = cmp.Or(p.stopped, m.End.Stopped)
		p.leftovers, p.kept = append(p.leftovers, m.End.Leftovers...), append(p.kept, m.End.Kept...)
		p.errors = append(p.errors, m.End.Errors...)
	}
}

// release lets a worker go, and returns how it died: "" for one that has sent its summary.
func (p *pool) release(w *process, why error) (died string) {
	_ = w.in.Close()
	err := w.command.Wait()
	if w.ended && err == nil {
		return ""
	}
	doing := "between two specs"
	if w.running != "" {
		doing = "while it ran " + w.running
	}
	how := "its last words cannot be read: " + why.Error()
	if err != nil {
		how = err.Error()
	}
	died = fmt.Sprintf("worker %d died %s (%s)", w.number+1, doing, how)
	if said := w.stderr.String(); said != "" {
		died += "; it said: " + said
	}
	return died
}

// cleanUpAfterTheDead deletes what workers have made that died: their marks show it.
func (r *runner) cleanUpAfterTheDead() {
	p := r.options.Profile
	if len(r.dead) == 0 || !p.MayWrite() || !p.Credentials.ReadWrite.Given() || r.stopped != nil && r.stopped.Gone {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.run.Context), sweepTime)
	defer cancel()
	for _, nonce := range r.dead {
		found, err := sweepOf(r.run.Client, p, nonce).Find(ctx)
		if err != nil {
			r.leftovers = append(r.leftovers, "perhaps more, of a worker that died: "+r.run.Redactor.Text(err.Error()))
		}
		if len(found) > 0 {
			left, _ := cleanerOf(r.run.Client, p, nonce).Delete(ctx, claimsOf(found))
			r.leftovers = append(r.leftovers, left...)
		}
	}
}

// skipRest accounts for the specs that no worker has run.
func (r *runner) skipRest() {
	for _, planned := range r.plan.chosen() {
		if !r.finished[planned.ID] {
			record := planned.record()
			record.Ended = spec.EndedSkipped
			if r.stopped != nil {
				record.Outcome, record.Reason = reports.CouldNotRun, r.stopped.Reason
			}
			r.take(record)
		}
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // there was more before
}

const keptTail = 2000 // bytes

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if more := len(t.kept) - keptTail; more > 0 {
		t.kept, t.cut = t.kept[more:], true
	}
	return len(p), nil
}

// String returns what is kept, from the first whole line on: the rest of a line may begin in a secret, which nothing would know.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if t.cut {
		_, kept, _ = bytes.Cut(kept, []byte("\n"))
	}
	return strings.TrimSpace(string(bytes.ToValidUTF8(kept, nil)))
}
