package shopmock

// Sandboxes of a shop with several replicas. Each has an order of writes of its own, and what all replicas are to know of it is an entry of
// their registry, which its name and its key lead to. A replica holds those that it was asked for.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Kinds of keys in the registry. The name and the key of a sandbox lead to its part, and that to its entry. The name is entered last: what
// it leads to is there. It is the entry that says that a sandbox was ended.
const (
	entryKind = "sandbox"
	nameKind  = "name"
	keyKind   = "key"
	sweepKind = "sweep"
)

// entry is what is known of a sandbox wherever it is not at hand.
type entry struct {
	control.Sandbox
	Base   string // the part that it is kept over
	Seed   string // the name of the seed that it goes back to; empty: the server's, or that of its base
	ToBase bool   // it goes back to its base
	Ended  bool   // what is left of it is being taken away
}

// entry returns what is to be known of the sandbox.
func (box *sandbox) entry() entry {
	about := entry{Sandbox: box.Sandbox, Base: box.base.part, Seed: box.seed, ToBase: box.origin != nil}
	about.Used = time.Unix(box.used.Load(), 0).UTC()
	return about
}

// entryKey is the key of the entry of a part.
func entryKey(part string) string { return strings.Replace(part, " ", ".", 1) }

var sandboxKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ck_[0-9a-f]{40}$`) })

// isIn reports whether there may be something of a kind in the registry.
func isIn(kind, id string) bool {
	if kind == keyKind {
		return sandboxKey().MatchString(id)
	}
	return sandboxName().MatchString(id)
}

// here returns the sandbox that this replica holds of what leads to it, nil if it holds none.
func (b *sandboxes) here(kind, id string) *Server {
	b.mu.RLock()
	defer b.mu.RUnlock()
	switch kind {
	case nameKind:
		return b.byName[id]
	case keyKind:
		return b.byKey[id]
	}
	return b.byPart[id]
}

// find returns the sandbox that a name or a key leads to, nil if there is none. One that others may have ended is brought up to date; its
// error, if it is another one, is that of upToDate. err says that nobody can be asked.
func (b *sandboxes) find(kind, id string, upToDate func(*Server) error) (found *Server, behind, err error) {
	found = b.here(kind, id)
	for b.common != nil {
		if found != nil {
			if behind = upToDate(found); !errors.Is(behind, persist.ErrEnded) {
				return found, behind, nil
			}
			b.drop(found)
		}
		if !isIn(kind, id) {
			return nil, nil, nil
		}
		part, _, err := b.common.Look(kind + "." + id)
		if err != nil || len(part) == 0 {
			return nil, nil, err
		}
		if found, err = b.bring(string(part)); found == nil {
			return nil, nil, err
		}
	}
	return found, nil, nil
}

// bring returns the sandbox of a part, nil if it was ended.
func (b *sandboxes) bring(part string) (*Server, error) {
	err := b.once(part, func() error {
		if b.here("", part) != nil {
			return nil
		}
		about, revision, err := b.entryOf(part)
		if err != nil || about == nil {
			return err
		}
		if before := b.here(nameKind, about.Name); before != nil {
			b.drop(before) // its name leads to another one
		}
		if err = b.bringBack(part, *about, revision, nil); errors.Is(err, persist.ErrEnded) {
			return nil
		}
		return err
	})
	return b.here("", part), err
}

// once lets those who make or bring the same sandbox at the same time wait for one of them.
func (b *sandboxes) once(part string, do func() error) error {
	b.mu.Lock()
	one := b.coming[part]
	if one == nil {
		one = &round{}
		b.coming[part] = one
	}
	b.mu.Unlock()
	one.once.Do(func() {
		one.err = do()
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.coming, part)
	})
	return one.err
}

// entryOf reads an entry and its revision, nil if there is none, or it was ended.
func (b *sandboxes) entryOf(part string) (*entry, uint64, error) {
	about, revision, err := b.anyEntryOf(part)
	if err != nil || about == nil || about.Ended {
		return nil, revision, err
	}
	return about, revision, nil
}

func (b *sandboxes) anyEntryOf(part string) (*entry, uint64, error) {
	value, revision, err := b.common.Look(entryKey(part))
	if err != nil || len(value) == 0 {
		return nil, revision, err
	}
	about := &entry{}
	return about, revision, json.Unmarshal(value, about)
}

// enter writes an entry in the place of a revision, and returns the new one, 0 if another one is there.
func (b *sandboxes) enter(part string, about entry, revision uint64) (uint64, error) {
	value, err := json.Marshal(about)
	if err != nil {
		return 0, err
	}
	return b.common.Enter(entryKey(part), value, revision)
}

// beginShared makes a sandbox for all replicas. It is found by its name at last.
func (b *sandboxes) beginShared(box *sandbox, begin func() (*Server, error)) (made *Server, err error) {
	err = b.once(box.part, func() error {
		if made, err = begin(); err == nil {
			if err = b.lead(box); err != nil {
				b.discard(made)
			} else {
				err = b.admit(made)
			}
		}
		if err != nil { // what stays is taken away when it has been idle for long
			b.end(box.part, func(*entry) bool { return true }) //nolint:errcheck // see above
		}
		return err
	})
	return made, err
}

// announce enters a sandbox that is about to be made, where others are to know.
func (b *sandboxes) announce(box *sandbox) error {
	if b.common == nil {
		return nil
	}
	entered, err := b.enter(box.part, box.entry(), 0)
	if err != nil || entered == 0 {
		return errNotMade()
	}
	box.revision.Store(entered)
	return nil
}

// room returns why a sandbox of a name cannot be made. The error is a *rest.Error.
func (b *sandboxes) room(name string) error {
	if found, behind, err := b.find(nameKind, name, (*Server).abreast); err != nil || behind != nil {
		return auth.Alone()
	} else if found != nil {
		return errTaken(name)
	}
	const keysOfOne = 3
	if size, err := b.common.Size(); err != nil || size < keysOfOne*maxSandboxes {
		return orAlone(err)
	}
	if numbers, err := b.common.Keys(entryKind); err != nil || len(numbers) < maxSandboxes {
		return orAlone(err)
	}
	return errTooMany()
}

// lead lets the key and the name of a sandbox lead to it.
func (b *sandboxes) lead(box *sandbox) error {
	if entered, err := b.common.Enter(keyKind+"."+box.Key, []byte(box.part), 0); err != nil || entered == 0 {
		return errNotMade()
	}
	for {
		revision, err := b.free(box.Name)
		if err != nil {
			return err
		}
		entered, err := b.common.Enter(nameKind+"."+box.Name, []byte(box.part), revision)
		if err != nil {
			return errNotMade()
		}
		if entered > 0 {
			return nil
		}
	}
}

// free returns the revision that a name that leads to no sandbox has in the registry. The error is a *rest.Error.
func (b *sandboxes) free(name string) (revision uint64, err error) {
	part, revision, err := b.common.Look(nameKind + "." + name)
	if err != nil || len(part) == 0 {
		return revision, orAlone(err)
	}
	about, _, err := b.entryOf(string(part))
	if err == nil && about != nil {
		return 0, errTaken(name)
	}
	return revision, orAlone(err)
}

// orAlone is the answer to who cannot ask the others.
func orAlone(err error) error {
	if err != nil {
		return auth.Alone()
	}
	return nil
}

// endShared ends a sandbox on all replicas.
func (b *sandboxes) endShared(name string) error {
	if !isIn(nameKind, name) {
		return errNoSandbox()
	}
	part, _, err := b.common.Look(nameKind + "." + name)
	if err != nil {
		return auth.Alone()
	}
	if len(part) == 0 {
		return errNoSandbox()
	}
	ended, err := b.end(string(part), func(about *entry) bool { return !about.Ended })
	switch {
	case err != nil:
		return shop.Faultf(shop.NotKept, "The shop cannot forget the sandbox at the moment. Try again later.")
	case !ended:
		return errNoSandbox()
	}
	if gone := b.here("", string(part)); gone != nil {
		b.drop(gone)
	}
	return nil
}

// end takes away what there is of a sandbox whose entry is such that it may, and reports whether it was.
func (b *sandboxes) end(part string, may func(*entry) bool) (ended bool, err error) {
	about, revision, err := b.markEnded(part, may)
	if err != nil || about == nil {
		return false, err
	}
	snapshots, err := b.common.Parts(snapshotsOf(part))
	err = errors.Join(err, b.common.SharedPart(part).End(), b.common.RemoveParts(snapshots...),
		b.mislead(keyKind+"."+about.Key, part), b.mislead(nameKind+"."+about.Name, part))
	if err == nil {
		_, err = b.common.Enter(entryKey(part), nil, revision)
	}
	return true, err
}

// markEnded says in the entry of a sandbox that it was ended, and returns it; nil if there is none that may.
func (b *sandboxes) markEnded(part string, may func(*entry) bool) (about *entry, revision uint64, err error) {
	for {
		about, revision, err = b.anyEntryOf(part)
		if err != nil || about == nil || !may(about) {
			return nil, 0, err
		}
		about.Ended = true
		revision, err = b.enter(part, *about, revision)
		if err != nil || revision > 0 { // else it was used meanwhile, or somebody else ends it
			return about, revision, err
		}
	}
}

// mislead takes a key of the registry away that leads to a part.
func (b *sandboxes) mislead(key, part string) error {
	there, revision, err := b.common.Look(key)
	if err == nil && string(there) == part {
		_, err = b.common.Enter(key, nil, revision)
	}
	return err
}

// touch notes in the entry of a sandbox that it was used.
func (s *Server) touch() {
	box, b := s.sandbox, s.sandbox.of
	entered, err := b.enter(box.part, box.entry(), box.revision.Load())
	for err == nil && entered == 0 { // it was used elsewhere, too, or ended
		var about *entry
		var revision uint64
		if about, revision, err = b.entryOf(box.part); err == nil && about == nil {
			return
		}
		if err == nil {
			entered, err = b.enter(box.part, box.entry(), revision)
		}
	}
	if err != nil {
		box.noted.Store(0) // the next call tries again
		return
	}
	box.revision.Store(entered)
}

// entries reads all entries, those of sandboxes that were ended among them, by their parts.
func (b *sandboxes) entries() (map[string]entry, error) {
	numbers, err := b.common.Keys(entryKind)
	if err != nil {
		return nil, err
	}
	const atOnce = 16
	var reading sync.WaitGroup
	var mu sync.Mutex
	var problems error
	all, next := map[string]entry{}, make(chan string)
	for range atOnce {
		reading.Go(func() {
			for number := range next {
				part := sandboxPart + number
				about, _, err := b.anyEntryOf(part)
				mu.Lock()
				if about != nil {
					all[part] = *about
				}
				problems = errors.Join(problems, err)
				mu.Unlock()
			}
		})
	}
	for _, number := range numbers {
		next <- number
	}
	close(next)
	reading.Wait()
	return all, problems
}

// listShared lists the sandboxes of all replicas.
func (b *sandboxes) listShared() ([]control.Sandbox, error) {
	all, err := b.entries()
	if err != nil {
		return nil, auth.Alone()
	}
	var list []control.Sandbox
	for part, about := range all {
		if about.Ended {
			continue
		}
		if here := b.here("", part); here != nil && here.sandbox.used.Load() > about.Used.Unix() {
			about.Used = time.Unix(here.sandbox.used.Load(), 0).UTC()
		}
		list = append(list, about.Sandbox)
	}
	return list, nil
}

// sweepShared lets go of the sandboxes that others have ended and, if no other replica does, ends those that nobody has called for long.
func (b *sandboxes) sweepShared(now time.Time) {
	numbers, err := b.common.Keys(entryKind)
	if err != nil {
		return
	}
	b.dropBut(numbers)
	if !b.sweeps(now) {
		return
	}
	all, err := b.entries()
	if err != nil {
		return
	}
	needed := map[string]bool{}
	needless := func(about *entry) bool { return about.Ended || b.isIdle(about.Used.Add(b.slack())) }
	for part, about := range all {
		if needless(&about) {
			b.end(part, needless) //nolint:errcheck // what stays is taken away the next time
			continue
		}
		needed[about.Base] = true
	}
	b.bases.sweepShared(b.common, needed)
}

// slack is how much later than its entry says a sandbox may have been used.
func (b *sandboxes) slack() time.Duration { return b.parent.options.SandboxIdle / 16 }

// sweeps reports whether it is for this replica to look after the idle sandboxes. It is for one of them in each minute.
func (b *sandboxes) sweeps(now time.Time) bool {
	const key = sweepKind + ".last"
	value, revision, err := b.common.Look(key)
	last, _ := time.Parse(time.RFC3339, string(value)) //nolint:errcheck // then it was never
	if err != nil || now.Sub(last).Abs() < sweepApart {
		return false
	}
	entered, err := b.common.Enter(key, now.AppendFormat(nil, time.RFC3339), revision)
	return err == nil && entered > 0
}

// dropBut lets go of the sandboxes without an entry.
func (b *sandboxes) dropBut(numbers []string) {
	there := map[string]bool{}
	for _, number := range numbers {
		there[sandboxPart+number] = true
	}
	var gone []*Server
	b.mu.RLock()
	for part, one := range b.byPart {
		if !there[part] {
			gone = append(gone, one)
		}
	}
	b.mu.RUnlock()
	for _, one := range gone {
		b.drop(one)
	}
}

// tend looks after the sandboxes until the context is done.
func (b *sandboxes) tend(ctx context.Context) {
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			b.sweep()
		case <-ctx.Done():
			return
		}
	}
}

// deliver gives a sandbox the deliveries that are left to this replica.
func (b *sandboxes) deliver(part string, work persist.Work) {
	switch one, err := b.bring(part); {
	case err != nil:
		work.Done(false)
	case one == nil: // it was ended, and nobody waits for them
		work.Done(true)
	default:
		one.deliver(work)
	}
}

// errNoSandbox is the answer to who asks for one that there is not.
func errNoSandbox() *rest.Error {
	return rest.Errorf(http.StatusNotFound, "mock_no_such_sandbox",
		"There is no such sandbox, or no longer: POST %s/sandboxes makes one.", control.Root)
}

func errTaken(name string) *rest.Error {
	return rest.Errorf(http.StatusConflict, "mock_sandbox_exists", "There is a sandbox %q already.", name)
}
