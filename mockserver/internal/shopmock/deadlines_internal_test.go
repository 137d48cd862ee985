package shopmock

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patientServer serves a handler with short deadlines and gives its address.
func patientServer(t *testing.T, handler http.Handler, limit time.Duration) string {
	t.Helper()
	return served(t, boundingBody(handler, limit), limit)
}

// served serves a handler with short deadlines for what is written and gives its address.
func served(t *testing.T, handler http.Handler, limit time.Duration) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server.Serve(patientListener{listener, limit}) //nolint:errcheck // it ends when the test closes it
	}()
	t.Cleanup(func() { server.Close(); <-ended })
	return listener.Addr().String()
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return connection
}

// TestBodiesThatDripEnd opens connections that promise a body and send one byte of it. Whoever sends a whole body is served while all
// of them are open, and their handlers come back.
func TestBodiesThatDripEnd(t *testing.T) {
	dripping := 5000     // not beside other tests, which need open files too
	if testing.Short() { // the race detector makes each of them dear
		dripping = 300
	}
	got := make(chan error, dripping+1)
	address := patientServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		got <- err
		w.WriteHeader(http.StatusNoContent)
	}), 5*time.Second)
	for range dripping {
		connection, err := net.Dial("tcp", address)
		if errors.Is(err, syscall.EMFILE) {
			t.Skipf("this test needs %d open files: raise the limit, ulimit -n", 2*dripping)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprint(connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	}
	response, err := http.Post("http://"+address, "application/json", strings.NewReader("{}"))
	if err != nil || response.StatusCode != http.StatusNoContent {
		t.Fatalf("a whole body beside the dripping ones: %v %v", response, err)
	}
	response.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if err := <-got; err != nil {
		t.Errorf("the whole body, which must not wait for one that drips: %v", err)
	}
	for range dripping {
		if err := <-got; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a body that never ends: %v", err)
		}
	}
}

// TestAHandlerMayTakeLongerThanTheBody checks that the deadline of the body is not that of the call.
func TestAHandlerMayTakeLongerThanTheBody(t *testing.T) {
	const limit = 200 * time.Millisecond
	address := patientServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) //nolint:errcheck // the answer tells
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusTeapot)
		case <-time.After(3 * limit):
		}
	}), limit)
	connection := dial(t, address)
	fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", response, err)
	}
	response.Body.Close()
}

// TestSlowReadersGetTheirAnswer reads a large answer for far longer than one step may take, and one that nobody reads ends. An answer of
// a promised length leaves in other pieces than one whose end is not known.
func TestSlowReadersGetTheirAnswer(t *testing.T) {
	for name, promise := range map[string]func(w http.ResponseWriter, size int){
		"promised": promise, "chunked": func(http.ResponseWriter, int) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slowReaderGetsAnswer(t, promise)
		})
	}
}

func slowReaderGetsAnswer(t *testing.T, promise func(w http.ResponseWriter, size int)) {
	const limit = 300 * time.Millisecond
	large := bytes.Repeat([]byte("a byte that is lost moves the others "), 1<<20) // more than the sockets' buffers hold
	ended := make(chan error, 1)
	address := patientServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		promise(w, len(large))
		_, err := w.Write(large)
		ended <- err
	}), limit)
	ask := func() net.Conn {
		connection := dial(t, address)
		fmt.Fprint(connection, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		return connection
	}
	response, err := http.ReadResponse(bufio.NewReader(ask()), nil)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for left, part := large, make([]byte, 1<<20); len(left) > 0; time.Sleep(limit / 10) {
		n, err := io.ReadFull(response.Body, part[:min(len(part), len(left))])
		if err != nil || !bytes.Equal(part[:n], left[:n]) {
			t.Fatalf("after %s %d bytes are left of the answer: %v", time.Since(began), len(left), err)
		}
		left = left[n:]
	}
	if time.Since(began) < 2*limit {
		t.Error("the reader was quick")
	}
	if err := <-ended; err != nil {
		t.Errorf("a slow reader: %v", err)
	}
	ask() // and reads nothing
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a reader that is gone: %v", err)
	}
}

// TestADeadlineThatIsLiftedIsSetAgain writes to somebody who stops reading after the server has lifted the deadline, as it does when
// TLS has been agreed upon.
func TestADeadlineThatIsLiftedIsSetAgain(t *testing.T) {
	t.Parallel()
	for name, lift := range map[string]func(net.Conn) error{
		"write deadline": func(c net.Conn) error { return c.SetWriteDeadline(time.Time{}) },
		"both":           func(c net.Conn) error { return c.SetDeadline(time.Time{}) },
		"none":           func(net.Conn) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := net.Pipe()
			defer server.Close()
			connection := &patientConn{Conn: server, limit: time.Second}
			go io.ReadFull(client, make([]byte, 5)) //nolint:errcheck // what is written tells
			if _, err := connection.Write([]byte("hello")); err != nil {
				t.Fatal(err)
			}
			if err := lift(connection); err != nil {
				t.Fatal(err)
			}
			if _, err := connection.Write([]byte("hello")); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("to one who reads no more: %v", err)
			}
		})
	}
}

// toldConn counts how often it was told a deadline of reads.
type toldConn struct {
	net.Conn
	told int
}

func (c *toldConn) SetReadDeadline(deadline time.Time) error {
	c.told++
	return c.Conn.SetReadDeadline(deadline)
}

// TestDeadlinesOfReads sets them as the HTTP library does: before a read, while one waits, and again and again.
func TestDeadlinesOfReads(t *testing.T) {
	t.Parallel()
	server, client := net.Pipe()
	defer client.Close()
	socket := &toldConn{Conn: server}
	connection := &patientConn{Conn: socket, limit: time.Second}
	defer connection.Close()
	room := make([]byte, 2)
	read := func() error { _, err := connection.Read(room); return err }
	for name, set := range map[string]func(time.Time) error{"read": connection.SetReadDeadline, "both": connection.SetDeadline} {
		for _, left := range []time.Duration{-time.Hour, 20 * time.Millisecond} {
			set(time.Now().Add(left)) //nolint:errcheck // the read tells
			if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%s: %v before the end: %v", name, left, err)
			}
		}
		set(time.Time{}) //nolint:errcheck // see above
		ended := make(chan error)
		go func() { ended <- read() }()
		for waits := false; !waits; { // until it is under way
			connection.reads.mu.Lock()
			waits = connection.reads.reading > 0
			connection.reads.mu.Unlock()
		}
		set(time.Unix(1, 0)) //nolint:errcheck // see above
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: a read that waited for ever: %v", name, err)
		}
	}
	socket.told = 0
	const requests = 100
	go func() {
		for range requests {
			client.Write([]byte("x")) //nolint:errcheck // the reads tell
		}
	}()
	for range requests {
		for _, deadline := range []time.Time{{}, time.Unix(1, 0), {}, time.Now().Add(time.Hour)} {
			connection.SetReadDeadline(deadline) //nolint:errcheck // see above
		}
		if err := read(); err != nil {
			t.Fatal(err)
		}
	}
	if socket.told != 1 {
		t.Errorf("the socket was told %d times", socket.told)
	}
	connection.SetReadDeadline(time.Now().Add(20 * time.Millisecond)) //nolint:errcheck // see above
	if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("an earlier deadline: %v", err)
	}
}

// askedConn counts how often it was read.
type askedConn struct {
	net.Conn
	asked *atomic.Int64
}

func (c askedConn) Read(p []byte) (int, error) {
	c.asked.Add(1)
	return c.Conn.Read(p)
}

type askedListener struct {
	net.Listener
	asked atomic.Int64
}

func (l *askedListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	return askedConn{connection, &l.asked}, err
}

// TestWhoeverLeavesIsNoticedAndNobodyElseAskedFor sends requests that are answered at once, for each of which the socket is read once, and
// one that waits until its client leaves.
func TestWhoeverLeavesIsNoticedAndNobodyElseAskedFor(t *testing.T) {
	t.Parallel()
	began, left := make(chan struct{}), make(chan struct{})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := &askedListener{Listener: inner}
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			close(began)
			<-r.Context().Done()
			close(left)
		}
	})}
	defer server.Close()
	go server.Serve(patientListener{listener, time.Minute}) //nolint:errcheck // it ends when the test closes it
	connection := dial(t, inner.Addr().String())
	const requests = 100
	reader := bufio.NewReader(connection)
	for range requests {
		fmt.Fprint(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	if asked := listener.asked.Load(); asked > requests+requests/4 { // a busy machine may keep a request waiting
		t.Errorf("%d reads for %d requests", asked, requests)
	}
	fmt.Fprint(connection, "DELETE / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-began
	connection.Close()
	select {
	case <-left:
	case <-time.After(20 * time.Second):
		t.Error("the request of a client that left goes on")
	}
}

// heededConn reads and writes at once.
type heededConn struct {
	net.Conn
	written func()
}

func (c heededConn) Read([]byte) (int, error)         { return 1, nil }
func (c heededConn) SetWriteDeadline(time.Time) error { return nil }
func (c heededConn) Write(p []byte) (int, error)      { c.written(); return len(p), nil }

// TestAnswersToWhatCameTogetherLeaveTogether gives one processor something else to do before each write: it is done before an answer
// begins, and not in the middle of one. Now and then the runtime chooses otherwise.
func TestAnswersToWhatCameTogetherLeaveTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var others sync.WaitGroup
	var done atomic.Bool
	waited := map[string]int{}
	var part string
	connection := &patientConn{limit: time.Second, Conn: heededConn{written: func() {
		if done.Load() {
			waited[part]++
		}
	}}}
	const answers = 200
	for range answers {
		connection.Read(make([]byte, 1)) //nolint:errcheck // it cannot fail
		for _, part = range []string{"head", "body"} {
			done.Store(false)
			others.Go(func() { done.Store(true) })
			connection.Write(nil) //nolint:errcheck // it cannot fail
			others.Wait()
		}
	}
	if waited["head"] < answers*3/4 || waited["body"] > answers/4 {
		t.Errorf("of %d answers so many waited: %v", answers, waited)
	}
}
