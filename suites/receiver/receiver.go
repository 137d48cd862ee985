// Package receiver listens for the webhooks of a target: it keeps what is delivered and wakes who waits for it.
package receiver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of what a receiver takes. A target that sends more gets 413, and what is oldest is forgotten.
const (
	MaxBody       = 4 << 20  // bytes of one delivery
	MaxKept       = 1000     // deliveries
	MaxBytes      = 32 << 20 // of all bodies and headers that are kept
	maxHeader     = 64 << 10 // bytes of the header of one delivery
	maxAtOnce     = 32       // deliveries that are read at the same time
	closeTimeout  = 5 * time.Second
	headerTimeout = 10 * time.Second
	idleTimeout   = time.Minute
)

// SignatureHeader carries the signature of each delivery (contract, "Events").
const SignatureHeader = "X-Shop-Webhook-Signature"

// ErrSilence is why a delivery was not awaited any longer: nothing at all has ever reached the receiver.
var ErrSilence = errors.New("nothing has reached the receiver")

// ErrMissing is why a delivery was not awaited any longer: others came, and this one did not.
var ErrMissing = errors.New("the delivery has not come")

// Delivery is one request that came.
type Delivery struct {
	Method string
	Path   string
	Header http.Header
	Body   []byte
	At     time.Time
}

func (d Delivery) size() int {
	size := len(d.Body)
	for name, values := range d.Header {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	return size
}

// Signature is base64 of the HMAC-SHA256 of the bytes that were delivered (contract, "Events").
func Signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Receiver is a listening receiver. It is safe for concurrent use.
type Receiver struct {
	address string // under which the target reaches it
	server  *http.Server
	served  sync.WaitGroup

	reading chan struct{} // holds one for each delivery that is being read

	mu     sync.Mutex
	paths  map[string]bool // that somebody has registered
	all    bool            // every path is taken: webhooks that existed before have paths of their own
	kept   []Delivery
	bytes  int  // of what is kept
	heard  bool // something has come
	inVain bool // somebody has waited, and nothing had come
	news   chan struct{}
}

// Options say where a receiver listens.
type Options struct {
	Listen    string                          // host:port; port 0 takes a free one
	PublicURL string                          // under which the target reaches it; empty: the address that it listens at
	AnyPath   bool                            // deliveries to every path are kept, not only to those that are registered
	Through   func(http.Handler) http.Handler // what deliveries pass through on their way in; nil: nothing
}

// Listen starts a receiver. Close ends it.
func Listen(o Options) (*Receiver, error) {
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for webhooks: %w", err)
	}
	r := &Receiver{address: strings.TrimSuffix(o.PublicURL, "/"), news: make(chan struct{}),
		paths: map[string]bool{}, all: o.AnyPath, reading: make(chan struct{}, maxAtOnce)}
	if r.address == "" {
		r.address = "http://" + listener.Addr().String()
	}
	var handler http.Handler = http.HandlerFunc(r.take)
	if o.Through != nil {
		handler = o.Through(handler)
	}
	r.server = &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: idleTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: log.New(io.Discard, "", 0)}
	r.served.Go(func() { _ = r.server.Serve(listener) }) // ends with Close, and says so
	return r, nil
}

// URL is the address of a path of the receiver, for the target.
func (r *Receiver) URL(path string) string { return r.address + path }

// Register takes deliveries to a path from now on, and returns its address for the target.
func (r *Receiver) Register(path string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[path] = true
	return r.URL(path)
}

func (r *Receiver) expects(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all || r.paths[path]
}

// Close ends the receiver. No goroutine is left behind.
func (r *Receiver) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if r.server.Shutdown(ctx) != nil {
		_ = r.server.Close() // a target that does not let go: nothing is lost
	}
	r.served.Wait()
}

func (r *Receiver) take(w http.ResponseWriter, request *http.Request) {
	path := r.below(request.URL.Path)
	if !r.expects(path) {
		http.Error(w, "no webhook was registered for this path", http.StatusNotFound)
		return
	}
	select {
	case r.reading <- struct{}{}:
		defer func() { <-r.reading }()
	case <-request.Context().Done():
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, MaxBody))
	if err != nil {
		http.Error(w, "the body is too large or broke off", http.StatusRequestEntityTooLarge)
		return
	}
	r.keep(Delivery{Method: request.Method, Path: path, Header: request.Header, Body: body, At: time.Now()})
	w.WriteHeader(http.StatusOK)
}

// below is the path without that of the public address, which a proxy in front may have left or taken off.
func (r *Receiver) below(path string) string {
	_, host, _ := strings.Cut(r.address, "://")
	if _, prefix, found := strings.Cut(host, "/"); found {
		path = strings.TrimPrefix(path, "/"+prefix)
	}
	return strings.TrimSuffix(path, "/")
}

func (r *Receiver) keep(d Delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = true
	r.kept, r.bytes = append(r.kept, d), r.bytes+d.size()
	for len(r.kept) > MaxKept || r.bytes > MaxBytes {
		r.bytes -= r.kept[0].size()
		r.kept = slices.Delete(r.kept, 0, 1)
	}
	close(r.news)
	r.news = make(chan struct{})
}

// Deliveries lists what has come to a path, oldest first.
func (r *Receiver) Deliveries(path string) []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at(path)
}

func (r *Receiver) at(path string) []Delivery {
	var out []Delivery
	for _, d := range r.kept {
		if d.Path == path {
			out = append(out, d)
		}
	}
	return out
}

// Await gives the first delivery to a path that is wanted, as soon as it comes. Errors: ErrMissing or ErrSilence when
// the patience is over – who waits after a silence is told of it at once – and the context's.
func (r *Receiver) Await(ctx context.Context, path string, patience time.Duration, wanted func(Delivery) bool) (Delivery, error) {
	end := time.NewTimer(patience)
	defer end.Stop()
	for {
		found, news, silent := r.look(path, wanted)
		switch {
		case found != nil:
			return *found, nil
		case silent:
			return Delivery{}, ErrSilence
		}
		select {
		case <-news:
		case <-ctx.Done():
			return Delivery{}, ctx.Err()
		case <-end.C:
			return Delivery{}, r.disappointed()
		}
	}
}

// look finds a wanted delivery. Otherwise it gives the channel that is closed with the next one that comes.
func (r *Receiver) look(path string, wanted func(Delivery) bool) (found *Delivery, news <-chan struct{}, silent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.at(path) {
		if wanted(d) {
			return &d, nil, false
		}
	}
	return nil, r.news, r.inVain && !r.heard
}

func (r *Receiver) disappointed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.heard {
		return ErrMissing
	}
	r.inVain = true
	return ErrSilence
}
