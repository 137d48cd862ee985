package shop

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"shopcheck/mockserver/internal/state"
)

// Shop is one running shop: its state, its clock and its source of chance. It is safe for concurrent use.
type Shop struct {
	store   *state.Store[State]
	clock   func() time.Time
	secret  []byte
	publish func(View, []Event)
	kept    *keptAnswers
	places  *keptPlaces
	due     atomic.Pointer[due]
	keeper  Keeper     // nil: memory is the only copy
	order   sync.Mutex // held from the beginning of a transaction until its events are published
	waiting queue
}

// Options are what a shop depends on besides its first state.
type Options struct {
	Clock func() time.Time // where time comes from
	// where chance comes from: equal secrets and requests give equal keys, and whoever does not know it cannot guess them
	Secret []byte

	// Publish is given the events of each commit, in the order of the commits, with the version of the shop that the
	// commit made. It must not block, nor write to the shop; it may be nil.
	Publish func(View, []Event)

	Keeper  Keeper // is given each commit before anybody sees it; nil: memory is the only copy
	Version uint64 // of the first state, where the shop goes on from what a Keeper has kept
}

// New starts a shop from a state, which may be shared with other shops.
func New(initial State, options Options) *Shop {
	return &Shop{store: state.NewStoreAt(initial, options.Version), clock: options.Clock, secret: options.Secret,
		publish: options.Publish, kept: new(keptAnswers), places: new(keptPlaces), keeper: options.Keeper}
}

// View is one version of the shop at one moment, for reading.
type View struct {
	*State
	Version uint64    // its number, as Shop.Version counts
	Now     time.Time // UTC, whole seconds

	kept   *keptAnswers // nil: nothing is kept
	places *keptPlaces  // nil: neither is this
}

// Read returns the current version. It takes no lock, unless the clock has brought something about since the last one, which
// is done first: a sale has begun or ended, or the time to pay an order has run out. Nobody has to wake up for that.
func (s *Shop) Read() View { return s.ReadAt(s.now()) }

// ReadAt is Read at a moment that a View brought: whoever reads more than once for one purpose reads the clock once.
func (s *Shop) ReadAt(now time.Time) View {
	view := s.viewAt(now)
	if !s.isDue(view) {
		return view
	}
	caughtUp, err := s.WriteAt(now, (*Tx).catchUp)
	if err != nil {
		return view
	}
	return caughtUp
}

// due says when the clock brings something about next.
type due struct {
	tables [3]uint64 // versions of the tables that tell
	second int64     // since 1970
}

// never is later than all seconds.
const never = math.MaxInt64

// isDue reports whether the clock has brought something about that is not done. It is asked several times a request, and what it depends
// on changes less often.
func (s *Shop) isDue(v View) bool {
	tables := [...]uint64{v.Products.Version(), v.Variations.Version(), v.Orders.Version()}
	next := s.due.Load()
	if next == nil || next.tables != tables {
		next = &due{tables, min(v.nextSale(), v.nextDeadline())}
		s.due.Store(next)
	}
	return next.second <= v.Now.Unix()
}

// catchUp does what the clock has brought about.
func (tx *Tx) catchUp() error {
	if err := tx.refreshSales(); err != nil {
		return err
	}
	return tx.cancelOverdue()
}

func (s *Shop) viewAt(now time.Time) View {
	current, version := s.store.Current()
	return View{current, version, now, s.kept, s.places}
}

func (s *Shop) now() time.Time { return s.clock().UTC().Truncate(time.Second) }

// Version counts the commits that changed something.
func (s *Shop) Version() uint64 { return s.store.Version() }

// Keys returns the API keys of the current version, for reading only.
func (s *Shop) Keys() *state.Table[*APIKey] { return &s.store.View().Keys }

// Snapshot returns the current state, for keeping; Restore puts one back. Both are O(1).
func (s *Shop) Snapshot() State { return s.store.Snapshot() }

// KeepAgain hands the current state to the Keeper once more, for what that keeps besides.
func (s *Shop) KeepAgain() error {
	return s.KeepChange(func() (func(), error) { return func() {}, nil })
}

// KeepChange makes a change of what the Keeper keeps besides, and hands it the current state. Where others were first the change is made
// again, on what they made; undo takes it back where it cannot be kept. It returns the error of the change, or what could not be kept.
func (s *Shop) KeepChange(change func() (undo func(), err error)) error {
	s.order.Lock()
	defer s.order.Unlock()
	for {
		undo, err := change()
		if err != nil {
			return err
		}
		at, version := s.store.Current()
		err = s.keeper.Keep(at, version, nil, nil)
		switch {
		case err == nil:
			return nil
		case !s.overtaken(err):
			undo()
			return notKept(err)
		}
	}
}

// Restore replaces the whole state. Events of the state before have all been published when it does. With an error, which only a
// Keeper gives, nothing has changed.
func (s *Shop) Restore(kept State) error {
	return s.RestoreWith(kept, func() func() { return func() {} })
}

// RestoreWith is Restore together with a change of what the Keeper keeps besides. Where others were first the change is made again, on what
// they made, but not forever: they may write without a pause; undo takes it back where it cannot be kept.
func (s *Shop) RestoreWith(kept State, change func() (undo func())) error {
	s.order.Lock()
	defer s.order.Unlock()
	for range restoreAttempts {
		undo := change()
		err := s.keepInPlace(&kept)
		switch {
		case err == nil:
			s.store.Restore(kept)
			return nil
		case !s.overtaken(err):
			undo()
			return notKept(err)
		}
	}
	return Faultf(NotKept, "Others write to the shop without a pause, and this was not done. Let them pause, and try again.")
}

// restoreAttempts is how often a state is put in place of all before others who write are too many. Each attempt writes all of it.
const restoreAttempts = 32

// keepInPlace keeps a state in place of the current version.
func (s *Shop) keepInPlace(of *State) error {
	if s.keeper == nil {
		return nil
	}
	return s.keeper.Replace(of, s.store.Version()+1)
}

// Build makes a state outside any shop, with all indexes up to date: many shops begin with it, and read more of it than they change.
func Build(initial State, now time.Time, seed uint64, change func(*Tx) error) (State, error) {
	return Change(initial, now, seed, func(tx *Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		for _, table := range tx.Tables() {
			table.Settle(tx.rows)
		}
		return nil
	})
}

// Change makes one step on the way to what Build makes.
func Change(initial State, now time.Time, seed uint64, change func(*Tx) error) (State, error) {
	builder := New(initial, Options{Clock: func() time.Time { return now }, Secret: binary.BigEndian.AppendUint64(nil, seed)})
	_, err := builder.Write(func(tx *Tx) error {
		tx.rows.Bulk()
		return change(tx)
	})
	return builder.Snapshot(), err
}

// Tx is one transaction: a View of the draft, and the means to change it.
type Tx struct {
	View
	rows   *state.Tx
	shop   *Shop
	chance *rand.Rand // made when something is drawn
	events []Event
}

// Event says that a record came, changed, went or came back.
type Event struct {
	Resource string // product, order, customer, coupon, webhook
	Action   string // created, updated, deleted, restored
	ID       int64
}

func (tx *Tx) emit(resource, action string, id int64) {
	tx.events = append(tx.events, Event{resource, action, id})
}

// next returns the next id of a sequence of State.LastID.
func next(sequence *int64) int64 {
	*sequence++
	return *sequence
}

const keyAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Token draws n random letters and digits.
func (tx *Tx) Token(n int) string {
	letters, chance := make([]byte, n), tx.draw()
	for i := range letters {
		letters[i] = keyAlphabet[chance.IntN(len(keyAlphabet))]
	}
	return string(letters)
}

// NextMeta returns the next id of a meta entry.
func (tx *Tx) NextMeta() int64 { return next(&tx.LastID.Meta) }

// NextImage returns the next id of a picture.
func (tx *Tx) NextImage() int64 { return next(&tx.LastID.Image) }
