package shopmock

// A server that is one of several for the same shop: what others have done is seen by whoever asks after them.

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

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
	storage persist.Shared
	checks  rounds
	shown   atomic.Uint64 // the newest save that whoever reads the shop sees

	mu        sync.Mutex
	busy      int                // requests to a sandbox that are under way
	stop      context.CancelFunc // ends the following; nil: nobody follows
	follower  sync.Mutex         // held by who follows: the next one waits until the one before has ended
	ended     bool
	following sync.WaitGroup
}

// memory is what the server remembers together with others, nil if there are none.
func (s *Server) memory() auth.Memory {
	shared, _ := s.shared().(auth.Memory)
	return shared
}

// shared is the storage if there may be others who save to it, else nil.
func (s *Server) shared() persist.Shared {
	if s.sandbox != nil {
		return s.sandbox.shared
	}
	if common := s.common(); common != nil {
		return common
	}
	return nil
}

// common is what the replicas have besides the shop, nil if there are none.
func (s *Server) common() persist.Common {
	common, _ := s.options.Storage.(persist.Common)
	return common
}

// follow begins to follow the others, if there may be any, and to deliver what is left to this replica. Sandboxes are followed while
// somebody calls them.
func (s *Server) follow() {
	storage := s.shared()
	if storage == nil {
		return
	}
	s.replica = &replica{storage: storage}
	common := s.common()
	if s.sandbox != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.replica.stop = stop
	s.replica.following.Go(func() { s.keepUp(ctx) })
	s.replica.following.Go(func() {
		for work, err := common.Work(ctx); err == nil; work, err = common.Work(ctx) {
			s.deliver(work)
		}
	})
	s.replica.following.Go(func() { common.WorkOfParts(ctx, s.sandboxes.deliver) })
	s.replica.following.Go(func() { s.sandboxes.tend(ctx) })
}

// keepUp does after the others what they do, until the context is done.
func (s *Server) keepUp(ctx context.Context) {
	for s.replica.storage.Await(ctx) == nil {
		if s.abreast() == nil {
			s.condense()
		}
		if s.sandbox != nil {
			s.replica.stopIfIdle(s.clock.Base().Sub(time.Unix(s.sandbox.used.Load(), 0)))
		}
	}
}

// followFor is for how long a sandbox is followed after it was called.
const followFor = time.Minute

// followed lets a sandbox be followed while it answers requests, and a while after: some wait for what others do.
func (s *Server) followed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.replica.begin(s.keepUp)
		defer s.replica.end()
		next.ServeHTTP(w, r)
	})
}

func (r *replica) begin(keepUp func(context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy++; r.stop == nil && !r.ended {
		ctx, stop := context.WithCancel(context.Background())
		r.stop = stop
		r.following.Go(func() {
			r.follower.Lock()
			defer r.follower.Unlock()
			keepUp(ctx)
		})
	}
}

func (r *replica) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
}

// stopIfIdle ends the following of a sandbox that was not called for a time.
func (r *replica) stopIfIdle(idle time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy == 0 && idle > followFor && r.stop != nil {
		r.stop()
		r.stop = nil
	}
}

// deliver makes deliveries, when what they tell of has arrived here. Those of a sandbox that was ended nobody makes.
func (s *Server) deliver(work persist.Work) {
	if err := s.abreast(); err != nil || s.replica.storage.Known() < work.Number {
		work.Done(errors.Is(err, persist.ErrEnded))
		return
	}
	s.hooks.Take(work.First, work.Last, work.Done)
}

// unfollow ends it.
func (s *Server) unfollow() {
	if s.replica == nil {
		return
	}
	s.replica.mu.Lock()
	s.replica.ended = true
	if s.replica.stop != nil {
		s.replica.stop()
	}
	s.replica.mu.Unlock()
	s.replica.following.Wait()
}

// ready says why requests would not be answered, nil if they would.
func (s *Server) ready() *rest.Error {
	switch {
	case s.closed.Load():
		return rest.Errorf(http.StatusServiceUnavailable, "mock_stopping", "The server is about to end.")
	case s.replica != nil && s.abreast() != nil:
		return auth.Alone()
	}
	return nil
}

// abreast returns when the shop is in the state in which it was when it was called, or a later one. A replica that does not reach the
// others cannot know.
func (s *Server) abreast() error { return s.replica.checks.wait(s.catchUp) }

// upToDate is abreast for a request. Who does not reach the others does not do for itself alone what they are to do, too.
func (s *Server) upToDate(r *http.Request) error {
	local := control.IsProbe(r.URL.Path) || s.options.LocalReads && reads(r.Method)
	if s.replica == nil || local || r.Context().Value(upToDateKey{}) == s {
		return nil
	}
	return s.abreast()
}

// upToDateKey is that of a request's context where a server is noted that is up to date for it.
type upToDateKey struct{}

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
	if s.replica.storage.Length() < condenseAfter {
		return
	}
	var condense func() error
	s.shop.Follow(func() (*shop.State, uint64) {
		condense = s.kept.Condense()
		return s.kept.Current()
	})
	condense() //nolint:errcheck // then it is tried again
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
