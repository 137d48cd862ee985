package persist

// A storage that several processes share: each follows what the others save.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
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
	// Await returns when others may have saved something, or with an error when the context is done.
	Await(ctx context.Context) error
	// Condense lets Load begin with all pairs as they are after a save, so that the saves up to it can go.
	Condense(number uint64, pairs func(put func(key, value []byte) error) error) error
}

// ErrOvertaken says that others have saved something that is not known here. Nothing was kept.
var ErrOvertaken = errors.New("others have saved something meanwhile")

// Saved is what one Save kept.
type Saved struct {
	Anew  bool
	Pairs []Pair
}

// Pair is a key with its value, nil for one that is gone.
type Pair struct{ Key, Value []byte }

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

// follow makes the current state what a save has made of it.
func (j *Journal) follow(saved Saved) error {
	made, err := j.madeBy(saved)
	if err == nil {
		err = made.complete()
	}
	if err != nil {
		return fmt.Errorf("what another replica has kept cannot be read: %w", err)
	}
	if before := j.current.State.Config; reflect.DeepEqual(before, made.state.Config) {
		made.state.Config = before
	}
	j.goOn(made)
	return nil
}

func (j *Journal) madeBy(saved Saved) (*found, error) {
	if saved.Anew {
		return load(sorted(saved.Pairs))
	}
	made := &found{}
	next, _, err := state.Try(&j.current.State, func(tx *state.Tx, draft *shop.State) error {
		return putChanged(tx, draft, saved.Pairs, &made.head)
	})
	if next == nil {
		next = &j.current.State
	}
	made.state = *next
	return made, err
}

// putChanged puts rows into a draft. All of them are taken out before, so that a unique key may go from one to another.
func putChanged(tx *state.Tx, draft *shop.State, pairs []Pair, head *head) error {
	r := &reader{found: &found{}, tables: tablesOf(draft)}
	var put []func() error
	for _, pair := range pairs {
		if bytes.Equal(pair.Key, headKey) {
			if err := r.first(pair.Key, pair.Value); err != nil {
				return err
			}
			continue
		}
		name, id, err := splitKey(pair.Key)
		if err != nil {
			return err
		}
		table, err := r.table(name)
		if err != nil {
			return err
		}
		table.Delete(tx, id)
		if pair.Value != nil {
			put = append(put, func() error {
				row, err := readRow(table, id, pair.Value)
				if err != nil {
					return err
				}
				return table.PutRow(tx, row)
			})
		}
	}
	*head = r.found.head
	for _, one := range put {
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}

// Condense returns what hands the storage all that is known now, in place of the saves that led to it. It takes as long as there are rows,
// and others may save meanwhile.
func (j *Journal) Condense() func() error {
	kept, number := j.current, j.shared.Known()
	head := headOf(&kept.State, kept.Version, j.Identity())
	return func() error {
		return j.shared.Condense(number, func(put func(key, value []byte) error) error {
			return encodeAll(put, rowsOf(&kept.State), head)
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
