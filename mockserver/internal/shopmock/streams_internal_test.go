package shopmock

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// streamServer serves a handler over HTTP/2, with a limit for each step of an answer.
func streamServer(t *testing.T, limit time.Duration, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(pacing(handler, limit))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// narrowClient is an HTTP/2 connection whose streams have room for no byte of an answer.
func narrowClient(t *testing.T, server *httptest.Server) *http2.Framer {
	t.Helper()
	trusting := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	trusting.NextProtos = []string{"h2"}
	connection, err := tls.Dial("tcp", server.Listener.Addr().String(), trusting)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(10 * time.Second)) //nolint:errcheck // reading tells
	framer := http2.NewFramer(connection, connection)
	if _, err := io.WriteString(connection, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}); err != nil {
		t.Fatal(err)
	}
	return framer
}

func ask(t *testing.T, framer *http2.Framer, stream uint32, path string) {
	t.Helper()
	var head bytes.Buffer
	fields := hpack.NewEncoder(&head)
	for _, field := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "localhost"}, {":path", path}} {
		fields.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}) //nolint:errcheck // a buffer takes all
	}
	if err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head.Bytes(), EndStream: true,
		EndHeaders: true}); err != nil {
		t.Fatal(err)
	}
}

// TestStreamsThatNobodyReadsEnd asks over HTTP/2 for answers of all sizes, and has no room for a single byte of them.
func TestStreamsThatNobodyReadsEnd(t *testing.T) {
	t.Parallel()
	const answers = 3
	ended := make(chan error, answers)
	server := streamServer(t, 100*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
		size := 0
		fmt.Sscanf(r.URL.Path, "/%d", &size) //nolint:errcheck // see below
		_, err := w.Write(make([]byte, size))
		if size == 1 { // less than what is sent at once
			err = http.NewResponseController(w).Flush()
		}
		ended <- err
	})
	framer := narrowClient(t, server)
	for i, size := range []int{1, 2, 1 << 20} {
		ask(t, framer, uint32(2*i+1), fmt.Sprint("/", size))
	}
	for reset := 0; reset < answers; {
		frame, err := framer.ReadFrame()
		if err != nil {
			t.Fatalf("%d of %d streams ended, then: %v", reset, answers, err)
		}
		if _, is := frame.(*http2.RSTStreamFrame); is {
			reset++
		}
	}
	failed := 0
	for range answers {
		if <-ended != nil {
			failed++
		}
	}
	if failed != 2 { // what is sent behind the handler tells it nothing
		t.Errorf("%d handlers were told", failed)
	}
}

// TestAStreamMayPause answers in pieces, with pauses that are longer than the client may take for one.
func TestAStreamMayPause(t *testing.T) {
	t.Parallel()
	const limit, pieces = 50 * time.Millisecond, 3
	server := streamServer(t, limit, func(w http.ResponseWriter, _ *http.Request) {
		for range pieces {
			fmt.Fprint(w, "event")
			http.NewResponseController(w).Flush() //nolint:errcheck // the client tells
			time.Sleep(3 * limit)
		}
	})
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || len(text) != pieces*len("event") || answer.ProtoMajor != 2 {
		t.Errorf("HTTP/%d: %q %v", answer.ProtoMajor, text, err)
	}
}
