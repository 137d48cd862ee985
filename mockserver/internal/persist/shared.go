package persist

// A storage that several processes share: each follows what the others save.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// Shared is a Storage that other processes save to as well. All saves have one order, and are numbered in it. Its Save returns
// ErrOvertaken where there is a save that is not known here yet.
type Shared interface {
	Storage
	// Last returns the number of the newest save of all that were done when it was called.
	Last() (uint64, error)
	// Known returns the number of the newest save that was loaded, done here, or returned by Next.
	Known() uint64
	// Next returns the save after the newest known one, and counts it as known.
	Next() (Saved, error)
	// SaveOwing is Save of changes that owe others something: new rows of the outbox, whose ids lie in a range.
	SaveOwing(ids Range, pairs func(put func(key, value []byte) error) error) error
	// Await returns when others may have saved something, or with an error when the context is done.
	Await(ctx context.Context) error
	// Length is how many saves Load has to read one by one, about.
	Length() uint64
	// Condense lets Load begin with all pairs as they are after a save, so that the saves up to it can go.
	Condense(number uint64, pairs func(put func(key, value []byte) error) error) error
}

// Common is a Shared storage some of whose parts are shared as well, and what else those who save here agree on: values under keys of
// letters, digits, "-" and "_" behind a kind and a dot. Who was told of one finds it, whoever of them is asked.
type Common interface {
	Shared
	Divided
	// Work returns what one of those who save here is to do, and only this one: rows that somebody's SaveOwing kept. It waits for it, and
	// ends with an error when the context is done.
	Work(ctx context.Context) (Work, error)
	// SharedPart returns a part that several processes may save to. It says nothing of whether there is something in it.
	SharedPart(name string) SharedPart
	// WorkOfParts hands over what one of those who save to parts is to do, as Work does, until the context is done.
	WorkOfParts(ctx context.Context, take func(part string, work Work))
	// RemoveOld is RemoveParts for those that were saved longer ago than some time.
	RemoveOld(age time.Duration, names ...string) error
	// Look returns the value of a key and its revision; nothing, and perhaps a revision all the same, if there is none.
	Look(key string) (value []byte, revision uint64, err error)
	// Enter puts a value in the place of a revision, 0: where there is none; nothing takes the key away. It returns the revision of the
	// value, 0 if another one is there.
	Enter(key string, value []byte, revision uint64) (now uint64, err error)
	// Keys lists the keys of a kind, without it.
	Keys(kind string) ([]string, error)
	// Size is how many keys and parts there are, at least.
	Size() (int, error)
}

// SharedPart is one order of saves of many. Once it has been ended, all its methods return ErrEnded.
type SharedPart interface {
	Shared
	// End takes away all that was saved.
	End() error
}

// ErrEnded says that a part was ended that was known here.
var ErrEnded = errors.New("others have ended it")

// Range is ids from the first to the last one; the zero value is none.
type Range struct{ First, Last int64 }

// Work is rows of the outbox that are to be dealt with.
type Work struct {
	Range
	Number uint64          // of the save that they came with
	Done   func(done bool) // is to be told once that they were dealt with, or will not be here: then they are another one's work
}

// ErrOvertaken says that others have saved something that is not known here. Nothing was kept.
var ErrOvertaken = errors.New("others have saved something meanwhile")

// Saved is what one Save kept.
type Saved struct {
	Anew  bool
	Same  bool // it put anew what was there
	Pairs []Pair
}

// Pair is a key with its value, nil for one that is gone.
type Pair struct{ Key, Value []byte }

// OnFollow lets a function be called with what others have kept. Its error says that nobody can follow them.
func (j *Journal) OnFollow(told func(*Kept) error) { j.told = told }

// Current returns what the storage holds, as far as it is known here. As CatchUp it is called while nothing is kept: in shop.Shop.Follow.
func (j *Journal) Current() (*shop.State, uint64) { return &j.current.State, j.current.Version }

// CatchUp follows what was saved up to a number.
func (j *Journal) CatchUp(number uint64) error {
	for j.damage == nil && j.shared.Known() < number {
		saved, err := j.shared.Next()
		if err != nil {
			return err
		}
		j.damage = j.follow(saved)
	}
	return j.damage
}

// unlessOvertaken makes of an error that others were first what they have made of the shop.
func (j *Journal) unlessOvertaken(err error) error {
	if errors.Is(err, ErrOvertaken) {
		return j.overtaken()
	}
	return err
}

// overtaken follows what others have saved, and says where that leads.
func (j *Journal) overtaken() error {
	before := j.shared.Known()
	last, err := j.shared.Last()
	if err == nil {
		err = j.CatchUp(last)
	}
	if err != nil && j.shared.Known() == before || j.damage != nil {
		return err
	}
	return &shop.Overtaken{By: &j.current.State, Version: j.current.Version}
}

// follow makes the current state what a save has made of it, and the outbox, too.
func (j *Journal) follow(saved Saved) error {
	if saved.Same {
		return j.tell(&j.current)
	}
	made, owed, err := j.readSaved(saved)
	if err == nil {
		err = j.tell(&Kept{made.state, made.head.Version, made.head.About})
	}
	if err != nil {
		return fmt.Errorf("what another replica has kept cannot be read: %w", err)
	}
	if before := j.current.State.Config; reflect.DeepEqual(before, made.state.Config) {
		made.state.Config = before
	}
	j.goOn(made)
	if j.outbox != nil && (saved.Anew || len(owed) > 0) {
		j.outbox.Follow(saved.Anew, j.lastOwed, owed)
	}
	return nil
}

// tell says what is kept, also where that is what was: whoever makes a change anew begins with it.
func (j *Journal) tell(kept *Kept) error {
	if j.told == nil {
		return nil
	}
	return j.told(kept)
}

// readSaved returns what a save has made of the state, and the rows of the outbox that are in it.
func (j *Journal) readSaved(saved Saved) (made *found, owed map[int64]any, err error) {
	if made, err = j.madeBy(saved); err != nil {
		return nil, nil, err
	}
	if saved.Anew {
		clear(j.owed)
	}
	if owed, err = j.followOwed(made); err != nil {
		return nil, nil, err
	}
	return made, owed, made.complete(j.below.Config, len(j.owed))
}

func (j *Journal) madeBy(saved Saved) (*found, error) {
	if saved.Anew {
		return loadOver(sorted(saved.Pairs), j.over)
	}
	return changed(&j.current.State, saved.Pairs)
}

// Condense returns what hands the storage all that is known now, in place of the saves that led to it. It takes as long as there are rows,
// and others may save meanwhile.
func (j *Journal) Condense() func() error {
	kept, owed, number := j.current, maps.Clone(j.owed), j.shared.Known()
	head, err := j.head(&kept.State, kept.Version, j.Identity(), kept.about)
	return func() error {
		if err != nil {
			return err
		}
		h := head()
		h.Rows = append(h.Rows, count{outboxTable, len(owed)})
		return j.shared.Condense(number, func(put func(key, value []byte) error) error {
			rows := rowsOf(&kept.State, j.below)
			return encodeAll(put, func(put putRow) error { return errors.Join(rows(put), putOwed(owed, put)) }, &h)
		})
	}
}

// sorted are pairs in the order of their keys, as a storage of their own that is only read.
type sorted []Pair

// Load implements Storage.
func (p sorted) Load(each func(key, value []byte) error) error {
	slices.SortFunc(p, func(a, b Pair) int { return bytes.Compare(a.Key, b.Key) })
	for _, pair := range p {
		if err := each(pair.Key, pair.Value); err != nil {
			return err
		}
	}
	return nil
}
