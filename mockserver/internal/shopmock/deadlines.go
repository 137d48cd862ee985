package shopmock

// How long a client may take to send a body and to read an answer. Deadlines are those of sockets, so they follow the system's clock,
// not the shop's.

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	bodyTime  = 30 * time.Second // for a whole body
	writeTime = 30 * time.Second // for writeStep of an answer at least: who reads a little all the time may take as long as it takes
	writeStep = 16 << 10         // bytes
)

// boundingBody gives each body some time to arrive in, from here on: a fault may have kept the request waiting for longer than lingering
// allows. A handler that reads one that did not arrive gets os.ErrDeadlineExceeded.
func boundingBody(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &timedBody{r.Body, *http.NewResponseController(w)}
		if err := body.socket.SetReadDeadline(time.Now().Add(limit)); err == nil { // there is no socket in some tests
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody lifts the deadline when the body is complete: what the handler does then may take longer.
type timedBody struct {
	io.ReadCloser
	socket http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.socket.SetReadDeadline(time.Time{}) //nolint:errcheck // it could be set before
	}
	return n, err
}

// patientListener accepts connections whose writes time out when the other side reads nothing for a while.
type patientListener struct {
	net.Listener
	limit time.Duration
}

// Accept waits for the next connection.
func (l patientListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &patientConn{Conn: connection, limit: l.limit}, nil
}

type patientConn struct {
	net.Conn
	limit   time.Duration
	renewed atomic.Int64 // when a write set the deadline, in nanoseconds; 0: somebody else did
	reads   readDeadline
	asked   atomic.Bool // whether something came that no answer has begun for
	first   *firstPiece // of an answer, which waits for what follows; nil: none
	both    [2][]byte   // the first piece and the one behind it, while they are sent
	unsent  net.Buffers // what is left of both
	roomy   sync.Once   // see growStack
}

// growStack gives the goroutine that calls it the room that a request needs as a rule. A stack grows by being moved, twice as large, with
// all calls that are on it: in the middle of a connection's first request that would be twice, and of fifty calls.
func growStack() {
	var room [10 << 10]byte
	runtime.KeepAlive(&room)
}

// NetConn returns the connection below.
func (c *patientConn) NetConn() net.Conn { return c.Conn }

// slack is by how much of its limit a write or a read may take longer: most need no new deadline then, which would cost a timer.
const slack = 16

// Write goes on as long as the other side takes a step within the limit. Only one goroutine may write at a time.
//
// An answer begins when those requests are handled that can be handled now, so that answers to what came together leave together. A write
// to a client that has nothing else to do wakes it up, which is most of what a write costs, and who is busy with one answer need not be
// woken up for the next. The first piece of a longer answer leaves with the next one, or when the deadline of writes is lifted.
func (c *patientConn) Write(p []byte) (int, error) {
	if c.first == nil && promisesMore(p) {
		c.first = keepFirst(p)
		return len(p), nil
	}
	if c.asked.Swap(false) {
		runtime.Gosched()
	}
	if c.first == nil {
		return c.patiently(func() (n int, err error) {
			n, err = c.Conn.Write(p)
			p = p[n:]
			return n, err
		})
	}
	sent, err := c.sendWithFirst(p)
	return max(0, sent-httpBuffer), err
}

// sendWithFirst writes the first piece and the one behind it in one call of the system.
func (c *patientConn) sendWithFirst(p []byte) (sent int, err error) {
	first := c.first
	c.first, c.both = nil, [...][]byte{first[:], p}
	c.unsent = c.both[:]
	defer func() {
		clear(c.both[:])
		first.giveBack()
	}()
	return c.patiently(func() (int, error) {
		n, err := c.unsent.WriteTo(c.Conn)
		return int(n), err
	})
}

// patiently calls write, which goes on with what is left, as long as the other side takes a step within the limit.
func (c *patientConn) patiently(write func() (int, error)) (sent int, err error) {
	for {
		if err := c.renew(time.Now()); err != nil {
			return sent, err
		}
		n, err := write()
		sent += n
		if n < writeStep || !errors.Is(err, os.ErrDeadlineExceeded) {
			return sent, err
		}
	}
}

// renew sets the deadline of what is written now, unless the one before leaves it time enough.
func (c *patientConn) renew(now time.Time) error {
	more := c.limit / slack
	if now.UnixNano()-c.renewed.Load() < int64(more) {
		return nil
	}
	err := c.Conn.SetWriteDeadline(now.Add(c.limit + more))
	c.renewed.Store(now.UnixNano())
	return err
}

// SetWriteDeadline sets a deadline that the next write replaces. To lift one, as the HTTP library does after each answer, nothing need be
// done then but to send what still waits for more.
func (c *patientConn) SetWriteDeadline(deadline time.Time) error {
	if deadline.IsZero() {
		if c.first == nil {
			return nil
		}
		_, err := c.Write(nil)
		return err
	}
	c.renewed.Store(0)
	return c.Conn.SetWriteDeadline(deadline)
}

// SetDeadline sets deadlines of which the next write replaces the one to write.
func (c *patientConn) SetDeadline(deadline time.Time) error {
	return errors.Join(c.SetReadDeadline(deadline), c.SetWriteDeadline(deadline))
}

// Read ends with os.ErrDeadlineExceeded after the deadline.
func (c *patientConn) Read(p []byte) (int, error) {
	c.roomy.Do(growStack)
	if len(p) == 1 && !c.reads.outlastsUsual() {
		return 0, os.ErrDeadlineExceeded
	}
	if err := c.reads.begin(c.Conn); err != nil {
		return 0, err
	}
	defer c.reads.end()
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.asked.Store(true)
	}
	return n, err
}

// SetReadDeadline sets the deadline of reads that are under way, and of those to come.
func (c *patientConn) SetReadDeadline(deadline time.Time) error { return c.reads.set(c.Conn, deadline) }

// readDeadline is when the reads of a connection end. The HTTP library sets it about six times a request, and hardly ever is it waited for:
// the socket is told by the next read, and only if what it knows does not do.
type readDeadline struct {
	mu      sync.Mutex
	wanted  time.Time // none: zero
	from    time.Time // the earliest one that what the socket knows does for
	known   time.Time // to the socket; it does for those from from on
	reading int
	watch   watch
}

// watch are the waits of reads of one byte. The HTTP library begins one with each request, to notice a client that leaves, and ends it by
// a deadline that is over when the answer is ready: as long as that takes no longer than usual the socket is not asked.
type watch struct {
	changed *sync.Cond // a deadline was set, or a step has passed
	waits   int
	steps   int         // that have passed since the last wait began
	timer   *time.Timer // of all the waits of a connection: to set one for each would cost more than what is saved
	runs    bool        // whether it is set
}

// watchStep is half the time after which a read of one byte asks the socket, at the latest.
const watchStep = 50 * time.Millisecond

// outlastsUsual waits until the deadline is over, and returns false, or until the read takes so long that it is to be made.
func (d *readDeadline) outlastsUsual() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &d.watch
	switch {
	case w.timer == nil:
		w.changed = sync.NewCond(&d.mu)
		w.timer = time.AfterFunc(watchStep, d.step)
	case !w.runs:
		w.timer.Reset(watchStep)
	}
	w.runs, w.steps = true, 0
	w.waits++
	defer func() { w.waits-- }()
	for !d.over() {
		if w.steps >= 2 {
			return true
		}
		w.changed.Wait()
	}
	return false
}

// step lets time pass for those who wait.
func (d *readDeadline) step() {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &d.watch
	w.steps++
	w.changed.Broadcast()
	if w.runs = w.waits > 0; w.runs {
		w.timer.Reset(watchStep)
	}
}

// over reports whether the deadline has passed.
func (d *readDeadline) over() bool { return !d.wanted.IsZero() && time.Until(d.wanted) <= 0 }

// begin begins a read.
func (d *readDeadline) begin(socket net.Conn) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.does() {
		later := d.wanted
		if !later.IsZero() {
			left := time.Until(later)
			if left <= 0 {
				return os.ErrDeadlineExceeded
			}
			later = later.Add(left / slack)
		}
		if err := d.tell(socket, later); err != nil {
			return err
		}
	}
	d.reading++
	return nil
}

// does reports whether what the socket knows does for what is wanted.
func (d *readDeadline) does() bool {
	if d.wanted.IsZero() || d.known.IsZero() {
		return d.wanted.IsZero() && d.known.IsZero()
	}
	return !d.wanted.Before(d.from) && !d.wanted.After(d.known)
}

func (d *readDeadline) tell(socket net.Conn, deadline time.Time) error {
	d.from, d.known = d.wanted, deadline
	return socket.SetReadDeadline(deadline)
}

func (d *readDeadline) end() {
	d.mu.Lock()
	d.reading--
	d.mu.Unlock()
}

func (d *readDeadline) set(socket net.Conn, deadline time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = deadline
	if d.watch.waits > 0 {
		d.watch.changed.Broadcast()
	}
	if d.reading == 0 {
		return nil
	}
	return d.tell(socket, deadline)
}
