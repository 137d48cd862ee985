package client

import (
	"compress/gzip"
	"context"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
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
	if took := after.TotalAlloc - before.TotalAlloc; len(a.Body) != length || took > length*3/2 {
		t.Errorf("%d bytes were taken for %d", took, len(a.Body))
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
