package shop

// How transactions are carried out: one after the other, and those that come while others are being kept all together.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"shopcheck/mockserver/internal/state"
)

// Keeper keeps a shop beyond the life of its process. Where others keep their changes in the same place, both methods may return an
// *Overtaken.
type Keeper interface {
	// Keep returns when the changes that led to a state are kept, or with an error: then none of them are. Of a row that was written
	// more than once the last change holds. What the commits brought about is published after that.
	Keep(to *State, version uint64, changes []state.Change, told []Published) error
	// Replace keeps a state in place of all that was kept.
	Replace(by *State, version uint64) error
}

// Published is what a commit tells: the version that it made, and what happened.
type Published struct {
	View   View
	Events []Event
}

// Overtaken is the error of a Keeper where others were first. It has what they made of the shop; the change is tried again on that.
type Overtaken struct {
	By      *State
	Version uint64
}

func (*Overtaken) Error() string { return "others have changed the shop meanwhile" }

// Follow makes the current version what catchUp returns: what others have made of the shop, and its number. No transaction is under way
// meanwhile.
func (s *Shop) Follow(catchUp func() (*State, uint64)) {
	s.order.Lock()
	defer s.order.Unlock()
	if newest, version := catchUp(); version != s.store.Version() {
		s.store.Follow(newest, version)
	}
}

// overtaken goes over to what others have made, if that is why a Keeper has refused.
func (s *Shop) overtaken(refusal error) bool {
	var first *Overtaken
	if !errors.As(refusal, &first) {
		return false
	}
	s.store.Follow(first.By, first.Version)
	return true
}

// ErrUncertain is the error of a Keeper that cannot tell whether a change is kept: whoever should have said so is silent.
var ErrUncertain = errors.New("nobody has said whether the change is kept")

// notKept is the fault of a change that could not be kept, and was not made for that. Why is the business of who runs the shop.
func notKept(why error) *Fault {
	if errors.Is(why, ErrUncertain) {
		return Faultf(NotKept, "The shop cannot tell at the moment whether it has made this change. Look for it before you try again.")
	}
	return Faultf(NotKept, "The shop cannot keep changes at the moment, and has not made this one. Try again later.")
}

// isNotKept reports whether an error is that of a change that could not be kept. Such a change may have been made all the same: it is not
// tried again.
func isNotKept(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Kind == NotKept
}

// Write runs a change in a transaction: whole or, if it returns an error, not at all. The function may be run
// again, and by another goroutine, so it has no effect but on the Tx. Events that it emits are published after the commit.
//
// The view returned is the version that the commit made; with an error it is the one that the change was refused on.
func (s *Shop) Write(change func(*Tx) error) (View, error) { return s.WriteAt(s.now(), change) }

// WriteAt is Write at the moment of a View.
func (s *Shop) WriteAt(now time.Time, change func(*Tx) error) (View, error) {
	own := &commit{now: now, change: change}
	if s.keeper != nil {
		s.waiting.add(own)
	}
	s.order.Lock()
	defer s.order.Unlock()
	if s.keeper != nil && !own.done { // else whoever held the lock has taken it along
		s.carryOut(s.waiting.take())
	}
	if s.keeper == nil || own.panicked { // alone it may panic: nobody else's change waits for it
		own.alone = true
		s.carryOut([]*commit{own})
	}
	return own.view, own.err
}

// WriteAllAt runs changes one after the other, each as WriteAt does, and keeps them in one step. It returns the version that they led to,
// and for each why it was refused, nil if it was made. If one panics, none is made.
//
// They are one commit if none is refused and nobody is told what each of them made of the shop: one copies far less of it than many.
func (s *Shop) WriteAllAt(now time.Time, changes []func(*Tx) error) (View, []error) {
	s.order.Lock()
	defer s.order.Unlock()
	if s.store.View().Webhooks.Len() == 0 {
		all := &commit{now: now, change: inARow(changes), alone: true}
		if s.carryOut([]*commit{all}); all.err == nil || isNotKept(all.err) {
			return all.view, slices.Repeat([]error{all.err}, len(changes))
		}
	}
	group := make([]*commit, len(changes))
	for i, change := range changes {
		group[i] = &commit{now: now, change: change, alone: true}
	}
	s.carryOut(group)
	refusals := make([]error, len(group))
	for i, w := range group {
		refusals[i] = w.err
	}
	return s.viewAt(now), refusals
}

// inARow makes one change of many, which is refused with the first of them that is.
func inARow(changes []func(*Tx) error) func(*Tx) error {
	return func(tx *Tx) error {
		for _, change := range changes {
			if err := change(tx); err != nil {
				return err
			}
		}
		return nil
	}
}

// commit is a change on its way into the shop.
type commit struct {
	now    time.Time
	change func(*Tx) error
	alone  bool // nobody else's is carried out with it

	done, panicked bool
	made           *State // nil: the change was refused, or nothing differs
	events         []Event
	view           View
	err            error
}

// queue holds the commits that wait for those before them to be kept.
type queue struct {
	mu      sync.Mutex
	commits []*commit
}

func (q *queue) add(w *commit) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.commits = append(q.commits, w)
}

func (q *queue) take() []*commit {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.commits
	q.commits = nil
	return all
}

// carryOut carries out the changes of a group, keeps them in one step and lets everybody see them. The lock is held.
func (s *Shop) carryOut(group []*commit) {
	err := s.try(group)
	for err != nil && s.overtaken(err) {
		err = s.try(group)
	}
	if err != nil {
		s.refuse(group, notKept(err))
		return
	}
	for _, w := range group {
		if w.err == nil && !w.panicked {
			s.show(w)
		}
	}
}

// try makes the changes of a group, each on what the one before made, and keeps them.
func (s *Shop) try(group []*commit) error {
	at, version := s.store.Current()
	var changes []state.Change
	var told []Published
	for _, w := range group {
		made := s.attempt(w, at, version)
		if w.made != nil {
			at, version = w.made, version+1
		}
		w.view = View{at, version, w.now, s.kept, s.places}
		if s.keeper == nil {
			continue
		}
		changes = append(changes, made...)
		if w.tells() {
			told = append(told, Published{View{at, version, w.now, nil, s.places}, w.events})
		}
	}
	if s.keeper == nil || version == s.store.Version() && told == nil {
		return nil
	}
	return s.keeper.Keep(at, version, changes, told)
}

// tells reports whether something is published of a commit that was tried.
func (w *commit) tells() bool { return w.err == nil && !w.panicked && len(w.events) > 0 }

// attempt runs a change on a state. One that panics in company is left to its own goroutine.
func (s *Shop) attempt(w *commit, at *State, version uint64) (changes []state.Change) {
	w.done, w.made, w.events = true, nil, nil
	defer func() {
		if !w.alone {
			w.panicked = recover() != nil
		}
	}()
	w.made, changes, w.err = state.Try(at, func(tx *state.Tx, draft *State) error {
		view := View{State: draft, Version: version, Now: w.now, places: s.places}
		domain := &Tx{View: view, rows: tx, shop: s}
		err := w.change(domain)
		w.events = domain.events
		return err
	})
	return changes
}

// refuse takes back a group that could not be kept: those that were refused by the rules, too, for what these saw is not there.
func (s *Shop) refuse(group []*commit, why *Fault) {
	for _, w := range group {
		w.err, w.view = why, s.viewAt(w.now)
	}
}

// show makes what a write has made the current version, and publishes its events.
func (s *Shop) show(w *commit) {
	if w.made != nil {
		s.store.Advance(w.made)
		w.view = s.viewAt(w.now) // nobody else has written meanwhile: the lock is held
	}
	if s.publish != nil && w.tells() {
		s.publish(w.view, w.events)
	}
}

// draw returns the random values of the transaction.
func (tx *Tx) draw() *rand.Rand {
	if tx.chance == nil {
		tx.chance = tx.shop.chance(tx.Version)
	}
	return tx.chance
}

// chance returns the random values of the commit after a version. What a commit shows of them tells nothing of those of another one.
func (s *Shop) chance(version uint64) *rand.Rand {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, version))
	return rand.New(rand.NewChaCha8([sha256.Size]byte(mac.Sum(nil))))
}
