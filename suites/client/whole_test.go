package client

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/suites/profile"
)

func TestABodyTakesAsMuchMemoryAsItIsLong(t *testing.T) {
	const length = 8 << 20
	body := make([]byte, length)
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(length))
		_, _ = w.Write(body)
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := c.Do(context.Background(), get("/x"))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; len(a.Body) != length || took > 2*length {
		t.Errorf("%d bytes were taken for %d", took, len(a.Body))
	}
}

func TestALengthThatIsPromisedTakesLittleMemory(t *testing.T) {
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(10<<30))
		_, _ = w.Write([]byte("{}"))
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := c.Do(context.Background(), Request{Method: http.MethodPost, Path: "/x"})
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; a.Err == nil || took > 2*maxPromised {
		t.Errorf("%d bytes were taken, and the error is %v", took, a.Err)
	}
}

// TestABodyThatStallsIsToldInTheSameWords asks several times, as which of several clocks ends first is a matter of chance.
func TestABodyThatStallsIsToldInTheSameWords(t *testing.T) {
	t.Parallel()
	hasty := func(p *profile.Profile) { p.Limits.Timeout = 20 * time.Millisecond }
	c, _ := recorded(t, hasty, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("12345"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	for range 20 {
		a := c.Do(context.Background(), Request{Method: http.MethodPost, Path: "/x"})
		if !errors.Is(a.Err, errLate) || !isTimeout(a.Err) {
			t.Fatalf("the error is %v", a.Err)
		}
	}
}

func TestABodyThatBreaksOffIsAnError(t *testing.T) {
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("12345"))
	})
	a := c.Do(context.Background(), Request{Method: http.MethodPost, Path: "/x"})
	if a.Err == nil || a.Body != "" {
		t.Errorf("the body is %q, the error %v", a.Body, a.Err)
	}
}

func TestATargetThatSwitchesProtocolsIsNotWaitedFor(t *testing.T) {
	ended := make(chan struct{})
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n")
		<-ended
	})
	defer close(ended)
	if a := c.Do(context.Background(), get("/x")); a.Err != nil || a.Status != http.StatusSwitchingProtocols || a.Body != "" {
		t.Errorf("status %d, body %q, error %v", a.Status, a.Body, a.Err)
	}
}

func TestABodyIsThatOfTheLastAttempt(t *testing.T) {
	var calls atomic.Int32
	c, _ := recorded(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("later"))
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		zipped := gzip.NewWriter(w)
		_, _ = zipped.Write([]byte("{}"))
		_ = zipped.Close()
	})
	asked := get("/x")
	asked.Header = http.Header{"Accept-Encoding": {"gzip"}} // so that the transport leaves it compressed
	if a := c.Do(context.Background(), asked); a.Body != "{}" || a.Retries != 1 {
		t.Errorf("the body is %q after %d retries", a.Body, a.Retries)
	}
}
