package shopmock

// How long a client may take to send a body and to read an answer. Deadlines are those of sockets, so they follow the system's clock,
// not the shop's.

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

const (
	bodyTime  = 30 * time.Second // for a whole body
	writeTime = 30 * time.Second // for writeStep of an answer at least: who reads a little all the time may take as long as it takes
	writeStep = 16 << 10         // bytes
)

// boundingBody gives each body some time to arrive in. A handler that reads one that did not gets os.ErrDeadlineExceeded.
func boundingBody(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		socket := http.NewResponseController(w)
		if err := socket.SetReadDeadline(time.Now().Add(limit)); err == nil { // there is no socket in some tests
			r.Body = &timedBody{r.Body, socket}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody lifts the deadline when the body is complete: what the handler does then may take longer.
type timedBody struct {
	io.ReadCloser
	socket *http.ResponseController
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
}

// NetConn returns the connection below.
func (c *patientConn) NetConn() net.Conn { return c.Conn }

// slack is by how much of its limit a write may take longer: most answers need no new deadline then, which would cost a
// timer.
const slack = 16

// Write goes on as long as the other side takes a step within the limit. Only one goroutine may write at a time.
func (c *patientConn) Write(p []byte) (written int, err error) {
	for {
		if err := c.renew(time.Now()); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(p[written:])
		written += n
		if n < writeStep || !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
	}
}

// renew sets the deadline of what is written now, unless the one before leaves it time enough.
func (c *patientConn) renew(now time.Time) error {
	more := c.limit / slack
	if now.UnixNano()-c.renewed.Load() < int64(more) {
		return nil
	}
	err := c.SetWriteDeadline(now.Add(c.limit + more))
	c.renewed.Store(now.UnixNano())
	return err
}

// SetWriteDeadline sets a deadline that the next write replaces.
func (c *patientConn) SetWriteDeadline(deadline time.Time) error {
	c.renewed.Store(0)
	return c.Conn.SetWriteDeadline(deadline)
}

// SetDeadline sets deadlines of which the next write replaces the one to write.
func (c *patientConn) SetDeadline(deadline time.Time) error {
	c.renewed.Store(0)
	return c.Conn.SetDeadline(deadline)
}
