package suites

// Workers: a run that is split among processes of the same program, as the process sees it that starts and coordinates them.

import (
	"bytes"
	"cmp"
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
	Count int
	// Command makes the command of one worker: a program that calls Work with its standard input and output and the same topics.
	Command func() *exec.Cmd
}

// process is one worker, as the coordinator knows it.
type process struct {
	number  int
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	stderr  tail   // the end of its standard error
	running string // the spec that it runs; empty between two
	ended   bool   // it has sent its summary
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
	events := make(chan event)
	workers, err := r.startWorkers(events)
	if err != nil {
		r.errors = append(r.errors, err.Error())
	}
	interrupt := r.run.Context.Done()
	claimed, told := map[string]bool{}, false
	for running := len(workers); running > 0; {
		select {
		case <-interrupt:
			interrupt, r.interrupted = nil, true
			for _, w := range workers {
				w.send(toWorker{Stop: true})
			}
		case e := <-events:
			if e.err != nil {
				running--
				r.workerEnded(e.from, e.err)
				continue
			}
			r.handle(e.from, e.message, claimed)
			if r.stopped != nil && !told {
				told = true
				for _, w := range workers {
					w.send(toWorker{Stop: true, Stopped: r.stopped})
				}
			}
		}
	}
	if r.interrupted || r.stopped != nil {
		r.skipRest()
	}
	r.checkAllRan()
	r.tellStopped()
}

// startWorkers starts them all. The limits on the load of the target are shared out among them.
func (r *runner) startWorkers(events chan<- event) ([]*process, error) {
	var workers []*process
	for number := range r.options.Workers.Count {
		w, err := startWorker(number, r.options.Workers.Command())
		if err != nil {
			return workers, fmt.Errorf("worker %d does not start: %w", number+1, err)
		}
		workers = append(workers, w)
		w.send(toWorker{Job: &job{Profile: shareOf(r.options.Profile, r.options.Workers.Count), Label: r.options.Label,
			Focus: r.options.Focus, Specs: r.plan.named(r.options), Seed: r.options.Seed,
			Shuffle: r.options.Shuffle, Features: r.run.Features, Access: r.run.Client.Access(),
			Receives: number == 0}})
		go w.read(events)
	}
	return workers, nil
}

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
func (w *process) send(m toWorker) { _ = json.NewEncoder(w.in).Encode(m) }

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
func (r *runner) handle(w *process, m fromWorker, claimed map[string]bool) {
	switch {
	case m.Claim != "":
		granted := r.plan.selected[m.Claim] && !claimed[m.Claim]
		if granted {
			claimed[m.Claim], w.running = true, m.Claim
		}
		w.send(toWorker{Granted: &granted})
	case m.Done != nil:
		w.running = ""
		r.take(m.Done)
	case m.Clean != nil:
		r.options.Progress.Clean(m.Clean.Done, m.Clean.All)
	case m.Wait != "":
		r.options.Progress.Wait(m.Wait)
	case m.End != nil:
		w.ended = true
		r.stopped = cmp.Or(r.stopped, m.End.Stopped)
		r.leftovers = append(r.leftovers, m.End.Leftovers...)
		r.errors = append(r.errors, m.End.Errors...)
	}
}

// workerEnded releases a worker. One that ended without a summary is a fault of the harness.
func (r *runner) workerEnded(w *process, why error) {
	_ = w.in.Close()
	err := w.command.Wait()
	if w.ended && err == nil {
		return
	}
	doing := "between two specs"
	if w.running != "" {
		doing = "while it ran " + w.running
		r.finished[w.running] = true // it is accounted for here
	}
	how := "its last words cannot be read: " + why.Error()
	if err != nil {
		how = err.Error()
	}
	text := fmt.Sprintf("worker %d died %s (%s); what it has made may be left: shopcheck cleanup deletes it", w.number+1, doing, how)
	if said := w.stderr.String(); said != "" {
		text += "; it said: " + said
	}
	r.errors = append(r.errors, text)
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
