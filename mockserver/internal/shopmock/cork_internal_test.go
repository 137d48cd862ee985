package shopmock

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sized answers with so many bytes as the query says, whose number it promises.
func sized(w http.ResponseWriter, r *http.Request) {
	size, _ := strconv.Atoi(r.URL.RawQuery)
	promise(w, size)
	w.Write(bytes.Repeat([]byte("x"), size)) //nolint:errcheck // the client tells
}

func promise(w http.ResponseWriter, size int) {
	w.Header().Set("Content-Type", "text/plain") // else it is added when there is a body
	w.Header().Set("Content-Length", strconv.Itoa(size))
}

// headOf returns how long the head of an answer of n bytes is, as long as n has as many digits as 1000.
func headOf(t *testing.T, address string) int {
	t.Helper()
	client := dial(t, address)
	fmt.Fprint(client, "HEAD /?1000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	head, err := io.ReadAll(client)
	if err != nil {
		t.Fatal(err)
	}
	return len(head) - len("Connection: close\r\n")
}

// TestAnswersOfAllLengthsComeWhole reads answers that are about as long as net/http's buffer, and as two, on one connection that asks for
// the next one before it has read, and on connections that end with the answer.
func TestAnswersOfAllLengthsComeWhole(t *testing.T) {
	address := patientServer(t, http.HandlerFunc(sized), time.Second)
	head := headOf(t, address)
	client := dial(t, address)
	client.SetDeadline(time.Now().Add(20 * time.Second)) //nolint:errcheck // reading tells
	answers := bufio.NewReader(client)
	check := func(answers *bufio.Reader, method string, size int) {
		t.Helper()
		response, err := http.ReadResponse(answers, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%s of %d bytes: %v", method, size, err)
		}
		body, err := io.ReadAll(response.Body)
		if want := map[string]int{http.MethodGet: size}[method]; len(body) != want || err != nil {
			t.Fatalf("%s of %d bytes: %d came, and %v", method, size, len(body), err)
		}
	}
	for _, around := range []int{httpBuffer, 2 * httpBuffer, httpBuffer + writeStep} {
		for size := around - head - 3; size < around+3; size++ {
			for _, method := range []string{http.MethodHead, http.MethodGet} {
				fmt.Fprintf(client, "%s /?%d HTTP/1.1\r\nHost: x\r\n\r\n", method, size)
			}
			check(answers, http.MethodHead, size)
			check(answers, http.MethodGet, size)
		}
		for size := around - head - 22; size < around-head+3; size++ {
			last := dial(t, address)
			fmt.Fprintf(last, "GET /?%d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", size)
			check(bufio.NewReader(last), http.MethodGet, size)
		}
	}
}

// TestWhatIsFlushedLeaves cuts an answer off exactly where the buffer of net/http is full.
func TestWhatIsFlushedLeaves(t *testing.T) {
	var half int
	address := patientServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		promise(w, 9999)
		if r.Method == http.MethodGet {
			cutOff(w, r, make([]byte, 2*half))
		}
	}), time.Second)
	half = httpBuffer - headOf(t, address)
	client := dial(t, address)
	fmt.Fprint(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if came, err := io.ReadAll(client); len(came) != httpBuffer || err != nil {
		t.Errorf("%d of %d bytes came, and %v", len(came), httpBuffer, err)
	}
}

// TestOnlyBeginningsThatPromiseMoreWait asks of what fills the buffer whether more is sure to come.
func TestOnlyBeginningsThatPromiseMoreWait(t *testing.T) {
	filled := func(head string) string { return head + strings.Repeat("x", httpBuffer-len(head)) }
	const line = "HTTP/1.1 200 OK\r\n"
	length := func(n int) string { return fmt.Sprintf("%sContent-Length: %d\r\n\r\n", line, n) }
	left := httpBuffer - len(length(4000))
	for written, waits := range map[string]bool{
		filled(length(5000)):                                true,
		filled(length(left + 1)):                            true,
		filled(length(left)):                                false,
		filled(length(5000))[:httpBuffer-1]:                 false,
		filled(line + "Transfer-Encoding: chunked\r\n\r\n"): false,
		filled(line + "Content-Length: 99999"):              false,
		filled(line + "Content-Length: x\r\n\r\n"):          false,
		filled("xContent-Length: 99999\r\n\r\n"):            false,
		filled(""):                                          false,
	} {
		if promisesMore([]byte(written)) != waits {
			t.Errorf("%.60q… waits: %v", written, !waits)
		}
	}
}

// TestTheFirstPieceCounts has a write fail in the first piece, in the second, and not at all: what is told as written is of the second.
func TestTheFirstPieceCounts(t *testing.T) {
	first := make([]byte, httpBuffer)
	copy(first, "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
	for takes, want := range map[int]int{0: 0, 100: 0, httpBuffer: 0, httpBuffer + 7: 7, httpBuffer + 10: 10} {
		connection := &patientConn{limit: time.Second, Conn: &smallConn{room: takes}}
		if n, err := connection.Write(first); n != httpBuffer || err != nil {
			t.Fatalf("the first piece: %d %v", n, err)
		}
		n, err := connection.Write(make([]byte, 10))
		if n != want || (err == nil) != (want == 10) {
			t.Errorf("a socket takes %d bytes: %d of the second piece were written, and %v", takes, n, err)
		}
	}
}

// smallConn takes so many bytes.
type smallConn struct {
	net.Conn
	room int
}

func (c *smallConn) SetWriteDeadline(time.Time) error { return nil }

func (c *smallConn) Write(p []byte) (int, error) {
	n := min(len(p), c.room)
	c.room -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}
