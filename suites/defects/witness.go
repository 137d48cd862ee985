package defects

// Whether a bend changes anything: what goes into it and what comes out of it, compared byte by byte. A defect that changes no
// exchange is never caught, and a variant that changes none is never accused, whatever the suites are worth.

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync/atomic"
)

// witness remembers whether any exchange was changed.
type witness struct{ changed atomic.Bool }

// watched is the bend with the witness on both of its sides; nil stays nil.
func (w *witness) watched(b bend) bend {
	if b == nil {
		return nil
	}
	return func(inner http.Handler) http.Handler {
		bent := b(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.passOn(inner, rw, r) }))
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.compare(bent, rw, r) })
	}
}

// passage is one request on its way through a bend: how it came in, and what the shop inside was asked and answered.
type passage struct {
	asked  string
	inside []*sighting
}

// sighting is one request as somebody got it, and the answer to it.
type sighting struct {
	asked    string
	answered *copyWriter
}

type passageKey struct{ of *witness }

// compare lets the bend answer, and sees whether the shop inside was asked just that and answered just that.
func (w *witness) compare(bent http.Handler, rw http.ResponseWriter, r *http.Request) {
	if w.changed.Load() {
		bent.ServeHTTP(rw, r)
		return
	}
	p := &passage{asked: requestText(r)}
	out := &copyWriter{ResponseWriter: rw}
	finished := false
	defer func() { // a bend may break the connection by a panic
		if !finished || !p.unchanged(out) {
			w.changed.Store(true)
		}
	}()
	bent.ServeHTTP(out, r.WithContext(context.WithValue(r.Context(), passageKey{w}, p)))
	finished = true
}

// passOn asks the shop inside, and notes it where the request is watched.
func (w *witness) passOn(inner http.Handler, rw http.ResponseWriter, r *http.Request) {
	p, watched := r.Context().Value(passageKey{w}).(*passage)
	if !watched {
		inner.ServeHTTP(rw, r)
		return
	}
	seen := &sighting{asked: requestText(r), answered: &copyWriter{ResponseWriter: rw}}
	p.inside = append(p.inside, seen)
	inner.ServeHTTP(seen.answered, r)
}

func (p *passage) unchanged(out *copyWriter) bool {
	if len(p.inside) != 1 || p.inside[0].asked != p.asked {
		return false
	}
	in := p.inside[0].answered
	return in.status == out.status && in.flushes == out.flushes && bytes.Equal(in.body.Bytes(), out.body.Bytes()) &&
		maps.EqualFunc(in.header, out.header, slices.Equal[[]string])
}

// requestText is a request as one text. Its query is in the order of the names: that it is written anew changes nothing.
func requestText(r *http.Request) string {
	var b bytes.Buffer
	b.WriteString(r.Method + " " + r.URL.Path + "?" + r.URL.Query().Encode() + "\n")
	header := r.Header.Clone()
	header.Del("Content-Length")
	_ = header.Write(&b) // into memory: nothing can fail
	b.Write(requestBody(r))
	return b.String()
}

// copyWriter keeps a copy of the answer that passes through it.
type copyWriter struct {
	http.ResponseWriter
	status  int
	header  http.Header
	body    bytes.Buffer
	flushes int // pieces that were sent before the end
}

// WriteHeader implements http.ResponseWriter.
func (w *copyWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.header = status, w.Header().Clone()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *copyWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.body.Write(p)
	return w.ResponseWriter.Write(p)
}

// FlushError sends on what was written so far, for http.ResponseController.
func (w *copyWriter) FlushError() error {
	w.flushes++
	return http.NewResponseController(w.ResponseWriter).Flush()
}
