package shopmock

// What sandboxes began with, kept once for all of them.

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

// bases are the states that the sandboxes began with that are kept: each is a part of the storage, and a sandbox is kept as what differs
// from its base.
type bases struct {
	parts  persist.Divided
	shared bool // other replicas keep some, too

	mu  sync.Mutex
	all []*base // the one that was asked for last is the last
}

// base is one of them.
type base struct {
	aboutBase
	part  string
	below *base // what it is kept over; nil: it is kept whole
	state shop.State
	users int       // sandboxes, and bases that are kept over it
	kept  time.Time // when it was last written here
}

// aboutBase is what is written of a base besides its state.
type aboutBase struct {
	Below string // the part that it is kept over
	Seed  []byte // what the seed file held that it was made from, if that came with the request
}

// basePart is what the names of the parts begin with that hold bases. The rest says what is in it.
const basePart = "base "

// How long a base stays that no sandbox has that others know of, and after what time it is written again for a new one: whoever has written
// it lately may be about to make a sandbox.
const (
	baseStays = time.Hour
	baseIsOld = baseStays / 2
)

// of returns the base that is a state, for one more user, and keeps it if it is new.
func (b *bases) of(state shop.State, from []byte, now time.Time) (*base, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.all, func(one *base) bool { return one.state == state && bytes.Equal(one.Seed, from) })
	if at < 0 {
		made, err := b.keep(state, from, now)
		if err != nil {
			return nil, err
		}
		at, b.all = len(b.all), append(b.all, made)
	}
	found := b.all[at]
	if err := b.keepAgain(found, now); err != nil {
		return nil, err
	}
	b.all = append(slices.Delete(b.all, at, at+1), found)
	found.users++
	return found, nil
}

// keep writes a base over the one that it differs least from. Another process may have written the same.
func (b *bases) keep(state shop.State, from []byte, now time.Time) (*base, error) {
	made := &base{kept: now, state: state, below: b.nearest(&state), aboutBase: aboutBase{Seed: from}}
	if made.below != nil {
		made.Below = made.below.part
	}
	digest, err := persist.Digest(&state, made.below.at(), made.aboutBase)
	if err != nil {
		return nil, err
	}
	if made.part = basePart + digest; b.named(made.part) == nil {
		err = b.save(made)
	}
	if err == nil && made.below != nil {
		made.below.users++
	}
	return made, err
}

func (b *bases) save(one *base) error {
	return persist.SavePart(b.parts, one.part, &one.state, one.below.at(), one.aboutBase)
}

// keepAgain writes a base, and what it is kept over, again where other replicas may not see that it is needed.
func (b *bases) keepAgain(one *base, now time.Time) error {
	for ; b.shared && one != nil; one = one.below {
		if now.Sub(one.kept).Abs() < baseIsOld {
			continue
		}
		if err := b.save(one); err != nil {
			return err
		}
		one.kept = now
	}
	return nil
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

// load reads a base for one more user.
func (b *bases) load(part string) (found *base, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.loadHeld(part)
}

// loadHeld is load where the lock is held.
func (b *bases) loadHeld(part string) (found *base, err error) {
	if found = b.named(part); found != nil {
		found.users++
		return found, nil
	}
	found = &base{part: part, users: 1}
	if err = persist.AboutPart(b.parts, part, &found.aboutBase); err == nil && found.Below != "" {
		found.below, err = b.loadHeld(found.Below)
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
		if !b.shared && b.named(gone.part) == nil {
			b.parts.RemoveParts(gone.part) //nolint:errcheck // what stays is forgotten at the next start
		}
	}
}

// sweepShared forgets the bases that no sandbox has, but for those that were written lately.
func (b *bases) sweepShared(common persist.Common, needed map[string]bool) {
	for part := range maps.Clone(needed) {
		var about aboutBase
		if persist.AboutPart(common, part, &about) != nil {
			return
		}
		needed[about.Below] = true
	}
	parts, err := common.Parts(basePart)
	if err == nil {
		parts = slices.DeleteFunc(parts, func(part string) bool { return needed[part] })
		common.RemoveOld(baseStays, parts...) //nolint:errcheck // what stays is forgotten the next time
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
