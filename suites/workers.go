package suites

// Workers: a run that is split among processes of the same program. Each worker plants the whole tree and goes through it in the
// same order; before a spec it asks for it, and passes over it when another one was faster. So the work is shared out as it is
// done, whatever each spec takes. They talk in JSON lines over the workers' standard input and output.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// Workers say how a run is split.
type Workers struct {
	Count int
	// Command makes the command of one worker: a program that calls Work with its standard input and output and the same topics.
	Command func() *exec.Cmd
}

// job is what a worker is told first.
type job struct {
	Profile  profile.Profile                `json:"profile"`
	Label    string                         `json:"label"`
	Focus    string                         `json:"focus"`
	Seed     int64                          `json:"seed"`
	Shuffle  bool                           `json:"shuffle"`
	Features map[string]client.FeatureState `json:"features"`
	Hears    bool                           `json:"hears"` // it is the one that receives webhooks
}

// order is a line to a worker.
type order struct {
	Job   *job  `json:"job,omitempty"`
	Yours *bool `json:"yours,omitempty"` // the answer to a wish
	Stop  bool  `json:"stop,omitempty"`
}

// message is a line from a worker.
type message struct {
	Wish string    `json:"wish,omitempty"` // a spec that it would run
	Done *record   `json:"done,omitempty"`
	End  *farewell `json:"end,omitempty"`
}

// farewell is the last that a worker says.
type farewell struct {
	Leftovers []string `json:"leftovers"`
	Errors    []string `json:"errors"`
}

// worker is one process, as the parent knows it.
type worker struct {
	number  int
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	said    tail // the end of its standard error
	running string
	ended   bool
}

// heard is a message of a worker, or the end of all that it says.
type heard struct {
	from    *worker
	message message
	err     error
}

// dispatch runs the plan on workers. It returns when all of them are gone.
func (r *run) dispatch() {
	defer r.uproot()
	r.options.Progress.Begin(r.plan.chosen())
	events := make(chan heard)
	crew, err := r.hire(events)
	if err != nil {
		r.errors = append(r.errors, r.lab.redactor.Text(err.Error()))
	}
	stop := r.lab.ctx.Done()
	taken := map[string]bool{}
	for present := len(crew); present > 0; {
		select {
		case <-stop:
			stop, r.stopped = nil, true
			for _, w := range crew {
				w.tell(order{Stop: true})
			}
		case event := <-events:
			if event.err != nil {
				present--
				r.dismiss(event.from, event.err)
				continue
			}
			r.hear(event.from, event.message, taken)
		}
	}
	r.settle()
}

// hire starts the workers. The limits on the load of the target are shared out among them.
func (r *run) hire(events chan<- heard) ([]*worker, error) {
	var crew []*worker
	for number := range r.options.Workers.Count {
		w, err := startWorker(number, r.options.Workers.Command())
		if err != nil {
			return crew, fmt.Errorf("worker %d does not start: %w", number+1, err)
		}
		crew = append(crew, w)
		w.tell(order{Job: &job{Profile: shareOf(r.options.Profile, r.options.Workers.Count), Label: r.options.Label, Focus: r.options.Focus,
			Seed: r.options.Seed, Shuffle: r.options.Shuffle, Features: r.lab.features, Hears: number == 0}})
		go w.listen(events)
	}
	return crew, nil
}

func shareOf(p profile.Profile, workers int) profile.Profile {
	p.Limits.RequestsPerSecond /= float64(workers)
	if p.Limits.Concurrency > 0 {
		p.Limits.Concurrency = max(1, p.Limits.Concurrency/workers)
	}
	return p
}

func startWorker(number int, command *exec.Cmd) (*worker, error) {
	w := &worker{number: number, command: command}
	command.Stderr = &w.said
	var err error
	if w.in, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	if w.out, err = command.StdoutPipe(); err != nil {
		return nil, err
	}
	return w, command.Start()
}

// tell sends a line. A worker that has gone away says so by the end of its output.
func (w *worker) tell(o order) { _ = json.NewEncoder(w.in).Encode(o) }

// listen passes on what a worker says until it says no more.
func (w *worker) listen(events chan<- heard) {
	lines := json.NewDecoder(w.out)
	for {
		var m message
		if err := lines.Decode(&m); err != nil {
			events <- heard{from: w, err: err}
			return
		}
		events <- heard{from: w, message: m}
	}
}

// hear does what a message asks for.
func (r *run) hear(w *worker, m message, taken map[string]bool) {
	switch {
	case m.Wish != "":
		yours := r.plan.selected[m.Wish] && !taken[m.Wish]
		if yours {
			taken[m.Wish], w.running = true, m.Wish
		}
		w.tell(order{Yours: &yours})
	case m.Done != nil:
		w.running = ""
		r.take(*m.Done)
	case m.End != nil:
		w.ended = true
		r.leftover = append(r.leftover, m.End.Leftovers...)
		r.errors = append(r.errors, m.End.Errors...)
	}
}

// dismiss takes leave of a worker. One that went without a word is a fault of the harness.
func (r *run) dismiss(w *worker, why error) {
	_ = w.in.Close()
	err := w.command.Wait()
	if w.ended && err == nil {
		return
	}
	doing := "between two specs"
	if w.running != "" {
		doing = "while it ran " + w.running
		r.finished[w.running] = true // it is told here
	}
	how := "its last words cannot be read: " + why.Error()
	if err != nil {
		how = err.Error()
	}
	text := fmt.Sprintf("worker %d died %s (%s); what it has made may be left: shopcheck cleanup deletes it", w.number+1, doing, how)
	if said := w.said.String(); said != "" {
		text += "; it said: " + said
	}
	r.errors = append(r.errors, r.lab.redactor.Text(text))
}

// settle accounts for the specs that nobody has run.
func (r *run) settle() {
	if r.stopped {
		for _, info := range r.plan.chosen() {
			if !r.finished[info.ID] {
				r.take(record{Spec: info.ID, Ended: endedSkipped, Attempts: 1})
			}
		}
	}
	r.checkAllRan()
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const keptTail = 2000 // bytes

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-keptTail):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(bytes.ToValidUTF8(t.kept, nil)))
}

// foreman is the parent, as a worker knows it.
type foreman struct {
	say     *json.Encoder
	answers chan bool
	hears   bool
}

// Work is what a worker does: it takes a job from in, runs the specs that are left to it and tells of them on out. It
// ends early, and cleans up, when it is told to stop or nobody is there to tell. An error means that there was no job.
func Work(ctx context.Context, in io.Reader, out io.Writer, topics []Topic) error {
	orders := json.NewDecoder(in)
	var first order
	if err := orders.Decode(&first); err != nil {
		return fmt.Errorf("this command is for shopcheck run --procs, which tells it what to do: %w", err)
	}
	if first.Job == nil {
		return fmt.Errorf("this command is for shopcheck run --procs: the first line of the input is no job")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &foreman{say: json.NewEncoder(out), answers: make(chan bool), hears: first.Job.Hears}
	go f.obey(ctx, orders, cancel)
	return f.say.Encode(message{End: runJob(ctx, *first.Job, topics, f)})
}

// obey reads orders until the parent has no more.
func (f *foreman) obey(ctx context.Context, orders *json.Decoder, cancel context.CancelFunc) {
	defer cancel()
	for {
		var o order
		if orders.Decode(&o) != nil || o.Stop {
			return
		}
		if o.Yours != nil {
			select {
			case f.answers <- *o.Yours:
			case <-ctx.Done():
				return
			}
		}
	}
}

// grants asks for a spec. Specs that await webhooks are for the worker that hears them.
func (f *foreman) grants(ctx context.Context, info Planned) bool {
	if slices.Contains(info.Features, contract.FeatureWebhooks) && !f.hears {
		return false
	}
	if f.say.Encode(message{Wish: info.ID}) != nil {
		return false
	}
	select {
	case yes := <-f.answers:
		return yes
	case <-ctx.Done():
		return false
	}
}

func (f *foreman) tell(done record) { _ = f.say.Encode(message{Done: &done}) } // without a parent the run ends anyway

func runJob(ctx context.Context, j job, topics []Topic, f *foreman) *farewell {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	r := newRun(ctx, Options{Profile: j.Profile, Topics: topics, Label: j.Label, Focus: j.Focus, Seed: j.Seed, Shuffle: j.Shuffle})
	defer r.lab.client.Close()
	r.foreman, r.lab.features = f, j.Features
	if err := r.plant(); err != nil {
		return &farewell{Errors: []string{r.lab.redactor.Text(err.Error())}}
	}
	if f.hears {
		r.listen()
		defer r.stopListening()
	}
	r.execute()
	r.cleanUp()
	return &farewell{Leftovers: r.leftover, Errors: r.errors}
}
