package webhooks

import (
	"cmp"
	"context"
	"crypto/x509"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Options say what a Dispatcher works for and how.
type Options struct {
	Shop    *shop.Shop
	Payload func(shop.View, rest.Site, shop.Event) ([]byte, error) // the record that an event is about, as the management API shows it
	Clock   func() time.Time
	Secret  []byte // equal values and events give equal delivery ids

	Faults *faults.Set // what happens to deliveries on purpose; nil: nothing

	// Changed is called when an entry of the log comes or changes; it must not block, nor use the dispatcher. It may be nil.
	Changed func()

	// Answered is told of a delivery that got an answer: its id, its address, the answer's status, and whether it was signed wrongly. It
	// may be nil.
	Answered func(id int64, address string, status int, wrong bool)

	// Keep hands the shop to its Keeper once more, and the dispatcher as its outbox with it; nil: nothing is kept.
	Keep func() error

	// Shared says that the log is one with those of other dispatchers, by what is kept of it, and that each delivery is made by the one
	// whose Take was told of it.
	Shared bool

	Authority *x509.Certificate // whom to trust besides the system's authorities: the mock's own, when it serves HTTPS; may be nil
	Settings
	Dialects []dialects.Dialect // in which webhooks may have been registered
}

// Settings say how deliveries are made. The zero value is the usual way.
type Settings struct {
	Timeout      time.Duration // how long a receiver may take; 0: DefaultTimeout
	QueueLength  int           // how many deliveries may wait for one receiver; 0: DefaultQueueLength
	AllowPrivate bool          // whether deliveries may go to private, link-local and other addresses inside a network
}

// What the settings are unless they say otherwise.
const (
	DefaultTimeout     = 5 * time.Second
	DefaultQueueLength = 1000
)

// The other bounds of a dispatcher.
const (
	maxCommits   = 1000     // commits whose deliveries are not made yet
	maxReceivers = 1000     // webhooks with deliveries that wait
	maxWaiting   = 64 << 20 // bytes of all payloads that wait
	maxSenders   = 64       // deliveries that are under way at one moment
	maxLogged    = 1000     // entries of the log
	maxLogSize   = 32 << 20 // bytes of all payloads in the log
)

// Dispatcher delivers the events of one shop. It owns its goroutines, which live only while there is something to deliver.
type Dispatcher struct {
	options Options
	making  sync.Once
	made    outward       // see Dispatcher.outward
	sending chan struct{} // holds an entry for each delivery that is under way

	life sync.Mutex     // held while the dispatcher is being stopped
	work sync.WaitGroup // the lanes' goroutines

	mu      sync.Mutex
	ctx     context.Context // of all deliveries; done when the dispatcher stops
	stop    context.CancelFunc
	lanes   map[int64]*lane // by webhook id; commitLane is the one in which commits become deliveries
	idle    chan struct{}   // closed when there is no lane, and nothing that others are to do or to know
	busy    bool            // idle is not closed
	claims  []claim         // what others have left to this dispatcher
	closed  bool
	waiting int // bytes of the payloads in the lanes
	log     boundedLog[*Delivery]
	last    int64               // id of the newest log entry
	open    map[int64]*Delivery // by id: what waits or is under way
	outbox  outbox
}

// lane is work that is done in order, on a goroutine that ends when there is no more.
type lane struct {
	jobs    []func()
	dropped *Delivery // the log's entry of what has not fit since the last job came, nil if everything has
}

const commitLane = 0

// New makes a dispatcher. It has no goroutine until there is something to deliver.
func New(options Options) *Dispatcher {
	options.Timeout = cmp.Or(options.Timeout, DefaultTimeout)
	options.QueueLength = cmp.Or(options.QueueLength, DefaultQueueLength)
	if options.Changed == nil {
		options.Changed = func() {}
	}
	if options.Answered == nil {
		options.Answered = func(int64, string, int, bool) {}
	}
	d := &Dispatcher{options: options, sending: make(chan struct{}, maxSenders), idle: make(chan struct{})}
	close(d.idle)
	d.forget()
	d.begin()
	return d
}

// dialect is how deliveries look to webhooks that were registered in it, and not in the contract's own.
type dialect struct {
	names     *dialects.Names
	userAgent string
}

func dialectsOf(options Options) map[string]dialect {
	known := map[string]dialect{}
	for _, d := range options.Dialects {
		if !d.IsNeutral() {
			known[d.Name] = dialect{d.FromNeutral(), d.UserAgent}
		}
	}
	return known
}

// outward is what deliveries are made by.
type outward struct {
	transport *http.Transport
	dialects  map[string]dialect // by name
}

// outward returns what deliveries are made by. It is made for the first one: few shops have any.
func (d *Dispatcher) outward() *outward {
	d.making.Do(func() { d.made = outward{newTransport(d.options), dialectsOf(d.options)} })
	return &d.made
}

// begin starts what is to be delivered. It is called while nothing is under way.
func (d *Dispatcher) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ctx, d.stop = context.WithCancel(context.Background())
	d.lanes, d.waiting, d.outbox.soon = map[int64]*lane{}, 0, false
	for _, id := range slices.Sorted(maps.Keys(d.open)) {
		if !d.options.Shared || d.claimed(id) {
			d.wait(d.open[id])
		}
	}
	d.noteIdle()
}

// forget makes the log empty.
func (d *Dispatcher) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log, d.open, d.outbox, d.last = newBoundedLog[*Delivery](maxLogged, maxLogSize), map[int64]*Delivery{}, newOutbox(), 0
}

// noteIdle is called after lanes, open entries, or some that others do not know yet, came or went. The lock is held.
func (d *Dispatcher) noteIdle() {
	busy := len(d.lanes) > 0 || d.options.Shared && len(d.open)+len(d.outbox.unkept)+len(d.outbox.keeping) > 0
	switch {
	case busy && !d.busy:
		d.idle = make(chan struct{})
	case d.busy && !busy:
		close(d.idle)
	}
	d.busy = busy
}

// context is that of the deliveries.
func (d *Dispatcher) context() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ctx
}

// end returns up what waits and what is under way, and waits until every goroutine is gone.
func (d *Dispatcher) end() {
	d.mu.Lock()
	d.stop()
	d.mu.Unlock()
	d.work.Wait()
}

// Close ends the dispatcher: what has not been delivered, and what comes later, is delivered by the next one if it is kept, and else
// never. No goroutine is left behind.
func (d *Dispatcher) Close() {
	d.life.Lock()
	defer d.life.Unlock()
	d.end()
	d.keep()
	d.giveUp()
}

// Reset forgets everything, log included. replace, which puts another state into the shop, runs while nothing is under way:
// what was to be delivered before cannot be taken for something of the new state. If it returns an error, that is returned, and nothing
// is forgotten.
func (d *Dispatcher) Reset(replace func() error) error {
	d.life.Lock()
	defer d.life.Unlock()
	closed := d.ctx.Err() != nil
	d.end()
	err := replace()
	if err == nil && d.options.Keep == nil { // else Forget was called, in the step that replaced the state
		d.forget()
	}
	if !closed {
		d.begin()
	}
	return err
}

// Publish takes the events of a commit, and the version of the shop that it made. It is what shop.Options.Publish asks for: it
// never blocks.
func (d *Dispatcher) Publish(view shop.View, events []shop.Event) {
	if d.options.Keep != nil {
		d.release(view.Version)
		return
	}
	if view.Webhooks.Len() == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx.Err() != nil {
		return
	}
	if !d.enqueue(commitLane, maxCommits, func() { d.enqueueAll(view, events) }) {
		d.dropAll(view, events)
	}
}

// Drain waits until nothing is left to deliver, or until the context is done: then it gives the context's error.
func (d *Dispatcher) Drain(ctx context.Context) error {
	d.mu.Lock()
	idle := d.idle
	d.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Waiting counts the deliveries, and the commits that are to become some, that have not begun; with others, those under way, too.
func (d *Dispatcher) Waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.options.Shared {
		return len(d.open)
	}
	count := 0
	for _, l := range d.lanes {
		count += len(l.jobs)
	}
	return count
}

// enqueue adds a job to a lane unless the lane is full. A lane begins with its first job. The lock is held.
func (d *Dispatcher) enqueue(id int64, limit int, job func()) bool {
	if d.ctx.Err() != nil {
		return false
	}
	l, known := d.lanes[id]
	if !known {
		if len(d.lanes) > maxReceivers {
			return false
		}
		l = d.startLane(id)
	}
	if len(l.jobs) >= limit {
		return false
	}
	l.jobs, l.dropped = append(l.jobs, job), nil
	return true
}

// startLane begins a lane. Its goroutine waits for the lock, which is held.
func (d *Dispatcher) startLane(id int64) *lane {
	l := &lane{}
	d.lanes[id] = l
	d.noteIdle()
	d.work.Go(func() {
		if id == commitLane {
			d.gather()
		}
		for job := d.next(id, l); job != nil; job = d.next(id, l) {
			job()
		}
	})
	return l
}

// gather lets commits come together. Deliveries are then made at one time for many of them, and not between the answers of
// calls that follow one another, which would wait.
func (d *Dispatcher) gather() {
	const gathering = time.Millisecond
	wait := time.NewTimer(gathering)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-d.ctx.Done():
	}
}

// next takes the first job of a lane. When there is none, or the dispatcher has been stopped, the lane ends.
func (d *Dispatcher) next(id int64, l *lane) func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(l.jobs) == 0 || d.ctx.Err() != nil {
		delete(d.lanes, id)
		d.noteIdle()
		return nil
	}
	job := l.jobs[0]
	l.jobs[0] = nil
	l.jobs = l.jobs[1:]
	return job
}
