package shopmock

// What sandboxes began with, kept once for all of them.

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

// bases are the states that the sandboxes began with that are kept: each is a part of the storage, and a sandbox is kept as what differs
// from its base.
type bases struct {
	parts persist.Divided

	mu  sync.Mutex
	all []*base // the one that was asked for last is the last
}

// base is one of them.
type base struct {
	aboutBase
	part  string
	below *base // what it is kept over; nil: it is kept whole
	state shop.State
	users int // sandboxes, and bases that are kept over it
}

// aboutBase is what is written of a base besides its state.
type aboutBase struct {
	Below string // the part that it is kept over
	Seed  []byte // what the seed file held that it was made from, if that came with the request
}

// basePart is what the names of the parts begin with that hold bases. The rest says what is in it.
const basePart = "base "

// of returns the base that is a state, for one more user, and keeps it if it is new.
func (b *bases) of(state shop.State, from []byte) (*base, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.all, func(one *base) bool { return one.state == state && bytes.Equal(one.Seed, from) })
	if at < 0 {
		made, err := b.keep(state, from)
		if err != nil {
			return nil, err
		}
		at, b.all = len(b.all), append(b.all, made)
	}
	found := b.all[at]
	b.all = append(slices.Delete(b.all, at, at+1), found)
	found.users++
	return found, nil
}

// keep writes a base over the one that it differs least from. Another process may have written the same.
func (b *bases) keep(state shop.State, from []byte) (*base, error) {
	made := &base{state: state, below: b.nearest(&state), aboutBase: aboutBase{Seed: from}}
	if made.below != nil {
		made.Below = made.below.part
	}
	digest, err := persist.Digest(&state, made.below.at(), made.aboutBase)
	if err != nil {
		return nil, err
	}
	if made.part = basePart + digest; b.named(made.part) == nil {
		err = persist.SavePart(b.parts, made.part, &state, made.below.at(), made.aboutBase)
	}
	if err == nil && made.below != nil {
		made.below.users++
	}
	return made, err
}

// at is the state of a base, nil of none.
func (b *base) at() *shop.State {
	if b == nil {
		return nil
	}
	return &b.state
}

// nearest finds the base that a state has most in common with, of those that are kept whole; nil if it is better kept whole, too.
func (b *bases) nearest(state *shop.State) (found *base) {
	rows := 0
	for _, table := range state.Tables() {
		rows += table.Len()
	}
	for least, i := rows/4, len(b.all)-1; i >= 0; i-- {
		if one := b.all[i]; one.below == nil {
			if differ := persist.Differ(state, &one.state, least); differ < least {
				least, found = differ, one
			}
		}
	}
	return found
}

// named finds a base by its part, nil if it is not known.
func (b *bases) named(part string) *base {
	if at := slices.IndexFunc(b.all, func(one *base) bool { return one.part == part }); at >= 0 {
		return b.all[at]
	}
	return nil
}

// load reads a base for one more user. It is called before others are.
func (b *bases) load(part string) (found *base, err error) {
	if found = b.named(part); found != nil {
		found.users++
		return found, nil
	}
	found = &base{part: part, users: 1}
	if err = persist.AboutPart(b.parts, part, &found.aboutBase); err == nil && found.Below != "" {
		found.below, err = b.load(found.Below)
	}
	if err == nil {
		found.state, err = persist.LoadPart(b.parts, part, found.below.at())
	}
	if err != nil {
		return nil, err
	}
	b.all = append(b.all, found)
	return found, nil
}

// release takes a user away, and forgets what nobody uses, but for what was asked for last: the next sandbox often begins with it.
func (b *bases) release(one *base) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one.users--
	for i := 0; i < len(b.all)-1; {
		gone := b.all[i]
		if gone.users > 0 {
			i++
			continue
		}
		b.all = slices.Delete(b.all, i, i+1)
		if gone.below != nil {
			gone.below.users--
			i = 0
		}
		if b.named(gone.part) == nil {
			b.parts.RemoveParts(gone.part) //nolint:errcheck // what stays is forgotten at the next start
		}
	}
}

// needless are the parts among some that hold bases which nobody uses.
func (b *bases) needless(parts []string) (gone []string) {
	for _, part := range parts {
		if strings.HasPrefix(part, basePart) && b.named(part) == nil {
			gone = append(gone, part)
		}
	}
	return gone
}
