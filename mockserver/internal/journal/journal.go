// Package journal keeps the newest requests with their answers: to look at, to count, to wait for.
package journal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/match"
	"shopcheck/mockserver/internal/notify"
)

// Settings say how much is kept. The zero value is the usual amount.
type Settings struct {
	Requests int // how many requests; 0: DefaultRequests, -1: none
	Bytes    int // how much memory they may take; 0: DefaultBytes
}

// What the settings are unless they say otherwise, and the least that Bytes can be.
const (
	DefaultRequests = 1000
	DefaultBytes    = 8 << 20
	LeastBytes      = 1 << 20
)

// Off reports whether nothing is kept at all.
func (s Settings) Off() bool { return s.Requests == -1 }

// Check returns an error that says which setting cannot be.
func (s Settings) Check() error {
	switch {
	case s.Requests < -1:
		return fmt.Errorf("a journal of %d requests cannot be: take -1 for none, 0 for %d, or more", s.Requests, DefaultRequests)
	case s.Bytes != 0 && (s.Bytes < LeastBytes || s.Bytes > 1<<30):
		return fmt.Errorf("a journal of %d bytes cannot be: take 0 for %d, or from %d to %d", s.Bytes, DefaultBytes, LeastBytes, 1<<30)
	}
	return nil
}

// Options say what a Journal depends on.
type Options struct {
	Settings
	Clock   func() time.Time
	Secret  []byte            // what the marks of secrets are made with
	Changed *notify.Broadcast // is told of each request
	Totals  *Totals           // counts them; nil: nobody does
}

// Journal keeps the newest requests of one shop. It is safe for concurrent use.
type Journal struct {
	clock   func() time.Time
	redact  redactor
	changed *notify.Broadcast
	totals  *Totals

	mu   sync.Mutex
	ring ring
}

// New makes an empty journal.
func New(options Options) *Journal {
	return &Journal{clock: options.Clock, redact: options.Secret, changed: options.Changed, totals: options.Totals, ring: ring{
		maxCount: cmp.Or(options.Requests, DefaultRequests), maxSize: cmp.Or(options.Bytes, DefaultBytes), first: 1,
	}}
}

// Serve lets a handler answer a request, and keeps both.
func (j *Journal) Serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	started := j.clock()
	watched := recorders.Get().(*recorder)
	watched.begin(w, r, started)
	body := r.Body
	defer func() {
		r.Body = body
		j.keep(watched, r)
		watched.end()
	}()
	if body != nil && body != http.NoBody {
		watched.body, r.Body = body, watched
	}
	next.ServeHTTP(watched, r)
}

// keep is called when the answer is complete.
func (j *Journal) keep(watched *recorder, r *http.Request) {
	e := raw{
		started: watched.started.UnixNano(), took: max(0, int64(j.clock().Sub(watched.started))), status: watched.status,
		method: watched.method, path: watched.path, target: TargetOf(r), host: r.Host, client: r.RemoteAddr,
		fault: watched.fault, sent: r.Header, answered: watched.Header(), sentBody: watched.received, answeredBody: watched.written,
		sentLength: max(watched.receivedLength, r.ContentLength), answeredLength: watched.writtenLength,
	}
	if watched.constant != nil {
		e.answeredBody, e.constant = watched.constant, true
	}
	if !isSocket(watched.ResponseWriter) {
		e.sent, e.answered = e.sent.Clone(), e.answered.Clone()
	}
	weight := e.bound(watched.sent)
	j.mu.Lock()
	id := j.ring.add(&e, weight)
	j.mu.Unlock()
	if watched.kept != nil {
		watched.kept(id)
	}
	j.totals.add(&e)
	j.changed.Notify()
}

// isSocket reports whether an answer goes to a client of an HTTP server, which leaves the headers of a request and its answer as they are.
// Whoever calls the handler himself may use his for the next request.
func isSocket(w http.ResponseWriter) bool {
	_, is := w.(interface{ EnableFullDuplex() error })
	return is
}

// TargetOf returns path and query of a request as they were sent.
func TargetOf(r *http.Request) string {
	if r.RequestURI == "" { // it never was on a wire
		return r.URL.RequestURI()
	}
	return r.RequestURI
}

// Filter says which entries are meant. What is empty means any.
type Filter struct {
	match.Request
	Status int   // 404; 4 means all from 400 to 499
	After  int64 // only entries with a larger id
	Faulty bool  // only those to which something was done on purpose
	Brief  bool  // the entries without headers and bodies, as lists show them: to copy and redact all of a journal takes a second
}

func (f *Filter) matches(e *raw) bool {
	return (f.Status == 0 || f.Status == e.status || f.Status == e.status/100) && (!f.Faulty || e.fault != "") &&
		f.Request.Matches(e.method, e.path, func() []byte { return e.sentBody })
}

// find gives a function the entries that are meant, oldest first, as they are at this moment, and returns the id of the newest entry that
// was looked at. The bodies are good until the function returns.
func (j *Journal) find(f *Filter, found func(id int64, e *raw)) (last int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for id := max(f.After+1, j.ring.first); id <= j.ring.last(); id++ {
		if e, _ := j.ring.get(id); f.matches(&e) {
			found(id, &e)
		}
	}
	return max(f.After, j.ring.last())
}

// Code returns the code of the answer, if it is an error in the contract's form.
func (e *Entry) Code() string {
	if e.Status < http.StatusBadRequest {
		return ""
	}
	return gjson.Get(e.Answer.Body, "code").Str
}

// List returns the entries that are meant, oldest first.
func (j *Journal) List(f Filter) []Entry {
	list, _ := j.list(f)
	return list
}

func (j *Journal) list(f Filter) (list []Entry, last int64) {
	found := map[int64]raw{}
	var ids []int64
	last = j.find(&f, func(id int64, e *raw) {
		if f.Brief {
			e.shorten()
		}
		found[id], ids = e.lasting(), append(ids, id)
	})
	list = make([]Entry, len(ids)) // secrets are taken out without the lock: that takes its time
	for i, id := range ids {
		e := found[id]
		list[i] = e.shown(id, j.redact)
	}
	return list, last
}

// Count returns how many entries are meant.
func (j *Journal) Count(f Filter) int {
	count := 0
	j.find(&f, func(int64, *raw) { count++ })
	return count
}

// Get returns an entry by its id, false when it is not kept.
func (j *Journal) Get(id int64) (Entry, bool) {
	j.mu.Lock()
	e, kept := j.ring.get(id)
	e = e.lasting()
	j.mu.Unlock()
	if !kept {
		return Entry{}, false
	}
	return e.shown(id, j.redact), true
}

// Clear forgets all entries. The ids go on.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ring.clear()
}

// Await waits until as many entries are meant as are wanted, and returns those. With the context's error come those that there are.
func (j *Journal) Await(ctx context.Context, f Filter, wanted int) ([]Entry, error) {
	seen, count := f, 0 // each entry is looked at once
	err := j.changed.Await(ctx, func() bool {
		seen.After = j.find(&seen, func(int64, *raw) { count++ })
		return count >= wanted
	})
	return j.List(f), err
}

// Follow gives a function each entry that is meant as soon as it is there, until the context ends or the function returns an error, which
// Follow returns.
func (j *Journal) Follow(ctx context.Context, f Filter, next func(Entry) error) error {
	for {
		var fresh []Entry
		if err := j.changed.Await(ctx, func() bool {
			fresh, f.After = j.list(f)
			return len(fresh) > 0
		}); err != nil {
			return err
		}
		for _, entry := range fresh {
			if err := next(entry); err != nil {
				return err
			}
		}
	}
}

// recorder sees an answer being written and a request's body being read.
type recorder struct {
	http.ResponseWriter
	body io.ReadCloser

	started                       time.Time
	method, path, fault           string
	status                        int
	received, written             []byte // their beginnings
	constant                      []byte // what was written instead, if it never changes
	receivedLength, writtenLength int64
	sent                          extent         // of the headers of the request
	kept                          func(id int64) // is told the entry's id; nil: nobody asks
}

var recorders = sync.Pool{New: func() any { return new(recorder) }}

func (w *recorder) begin(to http.ResponseWriter, r *http.Request, now time.Time) {
	*w = recorder{ResponseWriter: to, started: now, method: r.Method, path: r.URL.Path, received: w.received[:0],
		written: w.written[:0], sent: extentOf(r.Header)}
}

// end gives the recorder back. Nothing of the request stays in it.
func (w *recorder) end() {
	w.ResponseWriter, w.body, w.constant, w.kept = nil, nil, nil, nil
	recorders.Put(w)
}

// Unwrap lets http.ResponseController reach the socket.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recorder) WriteHeader(status int) {
	if w.status < http.StatusOK { // those before are informational
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.status < http.StatusOK {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.writtenLength += int64(n)
	w.written = appendUpTo(append(w.written, w.constant...), p[:n])
	w.constant = nil
	return n, err
}

// WriteConstant is Write for bytes that nobody will ever change: they need not be copied to be kept.
func (w *recorder) WriteConstant(p []byte) (int, error) {
	if w.writtenLength > 0 || len(p) > maxBody {
		return w.Write(p)
	}
	if w.status < http.StatusOK {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.writtenLength = int64(n)
	w.constant = p[:n]
	return n, err
}

func (w *recorder) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	w.receivedLength += int64(n)
	w.received = appendUpTo(w.received, p[:n])
	return n, err
}

func (w *recorder) Close() error { return w.body.Close() }

func appendUpTo(kept, more []byte) []byte {
	return append(kept, more[:min(len(more), maxBody-len(kept))]...)
}

// HeaderSize returns how many bytes the headers of a request take in HTTP/1.1, without its first line. The journal that keeps the answer,
// if one does, knows.
func HeaderSize(w http.ResponseWriter, r *http.Request) int {
	if watched := recorderOf(w); watched != nil {
		return watched.sent.bytes
	}
	return extentOf(r.Header).bytes
}

// NoteRoute tells the journal that keeps an answer, if one does, the canonical method and path of the request. It returns when the request
// came, the zero time if no journal has seen it.
func NoteRoute(w http.ResponseWriter, method, path string) time.Time {
	watched := recorderOf(w)
	if watched == nil {
		return time.Time{}
	}
	watched.method, watched.path = method, path
	return watched.started
}

// NoteFault tells the journal that keeps an answer, if one does, what was done to the request on purpose.
func NoteFault(w http.ResponseWriter, fault string) {
	if watched := recorderOf(w); watched != nil {
		watched.fault = fault
	}
}

// OnKept lets a function know the id of the entry, as soon as the journal that keeps an answer has one.
func OnKept(w http.ResponseWriter, told func(id int64)) {
	if watched := recorderOf(w); watched != nil {
		watched.kept = told
	}
}

// recorderOf finds the recorder below other writers, nil without one.
func recorderOf(w http.ResponseWriter) *recorder {
	for {
		if watched, found := w.(*recorder); found {
			return watched
		}
		wrapped, more := w.(interface{ Unwrap() http.ResponseWriter })
		if !more {
			return nil
		}
		w = wrapped.Unwrap()
	}
}
