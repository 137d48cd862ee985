package state

// Stores and transactions.

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// Tx is one running transaction. It belongs to the function that [Store.Update]
// runs, and is of no use after it.
type Tx struct {
	open    bool
	bulk    bool
	room    []change // for changes of a transaction in bulk
	changes []Change
}

// Bulk says that the transaction writes many rows that are seldom read before it ends. Settle each table then: until somebody reads
// one, an index knows nothing of what is written in bulk.
func (tx *Tx) Bulk() { tx.bulk = true }

// changesAtOnce is how many changes of a transaction in bulk lie in one piece of memory. All go when it ends: one by one they would leave
// holes between what stays.
const changesAtOnce = 128

// keep returns where a change is kept.
func (tx *Tx) keep(c change) *change {
	if !tx.bulk {
		return &c
	}
	if len(tx.room) == cap(tx.room) {
		tx.room = make([]change, 0, changesAtOnce)
	}
	tx.room = append(tx.room, c)
	return &tx.room[len(tx.room)-1]
}

// Change is one write of a transaction.
type Change struct {
	Table string
	ID    int64
	Row   any // the row as put, nil for a tombstone
}

// Changes answers the writes so far, in order. A row that was written twice is
// listed twice; the later entry holds.
func (tx *Tx) Changes() []Change { return tx.changes }

func (tx *Tx) log(table string, id int64, row any) {
	tx.changes = append(tx.changes, Change{Table: table, ID: id, Row: row})
}

func (tx *Tx) mustBeOpen() {
	if !tx.open {
		panic("state: write in a transaction that has ended; write only inside the function given to Update")
	}
}

// end takes the right to write from whoever still holds the transaction.
func (tx *Tx) end() {
	tx.open = false
	tx.changes, tx.room = nil, nil
}

// Store holds the current version of a state S: a struct of [Table] values and
// plain immutable fields, whose shallow copy is a snapshot.
type Store[S any] struct {
	writing sync.Mutex
	current atomic.Pointer[revision[S]]
}

// revision is a state together with its number.
type revision[S any] struct {
	state  *S // nobody writes to it any more
	number uint64
}

// NewStore makes a store that begins with initial, as version 0.
func NewStore[S any](initial S) *Store[S] { return NewStoreAt(initial, 0) }

// NewStoreAt makes a store that goes on where another one ended: with its state, and the number of its version.
func NewStoreAt[S any](initial S, number uint64) *Store[S] {
	s := &Store[S]{}
	s.current.Store(&revision[S]{&initial, number})
	return s
}

// View answers the current version, for reading only. It takes no lock and
// stays as it is while others write.
func (s *Store[S]) View() *S { return s.current.Load().state }

// Current answers the current version, as View does, and its number.
func (s *Store[S]) Current() (*S, uint64) {
	current := s.current.Load()
	return current.state, current.number
}

// Version goes up by one with each commit that changed something and with each
// Restore.
func (s *Store[S]) Version() uint64 { return s.current.Load().number }

// Snapshot answers a copy of the current version, in O(1). It can begin any
// number of other stores.
func (s *Store[S]) Snapshot() S { return *s.View() }

// Restore makes a snapshot the current version, in O(1).
func (s *Store[S]) Restore(snapshot S) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.publish(&snapshot)
}

// Update runs fn as a transaction on a private copy of the state, and publishes the
// copy if fn answers nil. An error (passed on) or a panic leaves nothing
// behind. Transactions run one at a time; fn must not call Update or
// Restore of the same store, which would wait for fn. The answer lists the
// rows that were written, in order.
func (s *Store[S]) Update(fn func(tx *Tx, st *S) error) ([]Change, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	next, changes, err := Try(s.View(), fn)
	if err == nil && next != nil {
		s.publish(next)
	}
	return changes, err
}

// Try runs fn as a transaction on a private copy of base, which nobody else sees. It answers the copy, nil if nothing in it
// differs from base, and the rows that were written. Advance publishes it.
func Try[S any](base *S, fn func(tx *Tx, st *S) error) (next *S, changes []Change, err error) {
	copied := *base
	changes, err = run(&copied, fn)
	if err != nil {
		return nil, nil, err
	}
	if len(changes) == 0 && same(*base, copied) {
		return nil, nil, nil
	}
	return &copied, changes, nil
}

// Advance publishes a state that Try made of the current version. The caller sees to it that nobody else writes in between, nor to the
// state from then on.
func (s *Store[S]) Advance(next *S) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.publish(next)
}

// Follow publishes what another store of the same content has made, under the number that it has there.
func (s *Store[S]) Follow(next *S, number uint64) {
	s.writing.Lock()
	defer s.writing.Unlock()
	published := *next
	s.current.Store(&revision[S]{&published, number})
}

// run gives fn a transaction on st that has ended when run returns: whoever sees
// st later can rely on it.
func run[S any](st *S, fn func(tx *Tx, st *S) error) ([]Change, error) {
	tx := &Tx{open: true}
	defer tx.end()
	err := fn(tx, st)
	return tx.changes, err
}

// publish is called with the lock held.
func (s *Store[S]) publish(state *S) {
	s.current.Store(&revision[S]{state, s.Version() + 1})
}

// same reports whether two states are certainly equal: a table that was not
// written to still points to the same version.
func same[S any](a, b S) bool {
	x, y := reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()
	return x.Comparable() && y.Comparable() && x.Equal(y)
}
