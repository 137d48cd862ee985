package shopmock

// A server that is one of several for the same shop: what others have done is seen by whoever asks after them.

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// condenseAfter is how many saves a replica that starts reads one by one, about.
const condenseAfter = 1000

// replica is what a server has besides that is one of several.
type replica struct {
	storage   persist.Shared
	checks    rounds
	shown     atomic.Uint64 // the newest save that whoever reads the shop sees
	condensed uint64        // the newest save when the storage was last asked to condense; only the one who follows looks

	stop      context.CancelFunc
	following sync.WaitGroup
}

// memory is what the server remembers together with others, nil if there are none.
func (s *Server) memory() auth.Memory {
	if s.sandbox != nil {
		return nil
	}
	shared, _ := s.options.Storage.(auth.Memory)
	return shared
}

// shared is the storage if there may be others who save to it, else nil.
func (s *Server) shared() persist.Shared {
	if s.sandbox != nil {
		return nil
	}
	storage, _ := s.options.Storage.(persist.Shared)
	return storage
}

// follow begins to follow the others, if there may be any, and to deliver what is left to this replica.
func (s *Server) follow() {
	storage := s.shared()
	if storage == nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.replica = &replica{storage: storage, stop: stop, condensed: storage.Known()}
	s.replica.following.Go(func() {
		for storage.Await(ctx) == nil {
			if s.replica.checks.wait(s.catchUp) == nil {
				s.condense()
			}
		}
	})
	s.replica.following.Go(func() {
		for work, err := storage.Work(ctx); err == nil; work, err = storage.Work(ctx) {
			s.deliver(work)
		}
	})
}

// deliver makes deliveries, when what they tell of has arrived here.
func (s *Server) deliver(work persist.Work) {
	if err := s.replica.checks.wait(s.catchUp); err != nil || s.replica.storage.Known() < work.Number {
		work.Done(false)
		return
	}
	s.hooks.Take(work.First, work.Last, work.Done)
}

// unfollow ends it.
func (s *Server) unfollow() {
	if s.replica != nil {
		s.replica.stop()
		s.replica.following.Wait()
	}
}

// ready says why requests would not be answered, nil if they would.
func (s *Server) ready() *rest.Error {
	switch {
	case s.closed.Load():
		return rest.Errorf(http.StatusServiceUnavailable, "mock_stopping", "The server is about to end.")
	case s.replica != nil && s.replica.checks.wait(s.catchUp) != nil:
		return auth.Alone()
	}
	return nil
}

// upToDate returns when the shop is in the state in which it was when the request came, or a later one. A replica that does not reach the
// others cannot know; and it does not do for itself alone what the others are to do, too.
func (s *Server) upToDate(r *http.Request) *rest.Error {
	switch {
	case s.replica == nil, control.IsProbe(r.URL.Path), s.options.LocalReads && reads(r.Method):
		return nil
	case !reads(r.Method):
		for _, part := range unshared {
			if strings.HasPrefix(r.URL.Path, control.Root+part.path) {
				return rest.Errorf(http.StatusConflict, "mock_not_shared", "This shop has several replicas, and they do not share this. %s",
					part.instead)
			}
		}
	}
	if err := s.replica.checks.wait(s.catchUp); err != nil {
		return auth.Alone()
	}
	return nil
}

// unshared are the parts of the mock's own API that each replica has for itself, and what does instead.
var unshared = []struct{ path, instead string }{
	{"/sandboxes", "Replicas under another name (--cluster nats://HOST:4222/NAME) are another shop; one without --cluster has sandboxes."},
}

// reads reports whether a method changes nothing.
func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// catchUp does after the others what they have done up to now.
func (s *Server) catchUp() error {
	last, err := s.replica.storage.Last()
	if err != nil || s.replica.shown.Load() >= last {
		return err
	}
	s.shop.Follow(func() (*shop.State, uint64) {
		err = s.kept.CatchUp(last)
		return s.kept.Current()
	})
	if err != nil {
		return err
	}
	if resets := s.kept.Identity().Resets; resets != s.resets.Load() {
		s.hooks.Reset(func() error { return nil }) //nolint:errcheck // see there
		s.beginAnew(resets)
	}
	s.replica.shown.Store(last)
	s.changed.Notify()
	return nil
}

// condense lets the storage begin with the state of now, once in a while.
func (s *Server) condense() {
	known := s.replica.storage.Known()
	if known-s.replica.condensed < condenseAfter {
		return
	}
	var condense func() error
	s.shop.Follow(func() (*shop.State, uint64) {
		condense = s.kept.Condense()
		return s.kept.Current()
	})
	if condense() == nil {
		s.replica.condensed = known
	}
}

// rounds let those who wait for the same thing at the same time wait for it together.
type rounds struct {
	turn sync.Mutex // held by the round that is under way
	mu   sync.Mutex
	next *round // which has not begun; nil: nobody waits
}

type round struct {
	once sync.Once
	err  error
}

// wait returns what a check returns that began after wait was called.
func (r *rounds) wait(check func() error) error {
	r.mu.Lock()
	if r.next == nil {
		r.next = &round{}
	}
	own := r.next
	r.mu.Unlock()
	own.once.Do(func() {
		r.turn.Lock()
		defer r.turn.Unlock()
		r.mu.Lock()
		r.next = nil // who comes from now on may be too late for this one
		r.mu.Unlock()
		own.err = check()
	})
	return own.err
}
