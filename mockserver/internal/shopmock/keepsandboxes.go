package shopmock

// Sandboxes that last: each is a part of the storage, with what differs from its base.

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

// sandboxPart is what the names of the parts begin with that hold sandboxes. A number follows that no other sandbox has.
const sandboxPart = "sandbox "

// aboutSandbox is what is written of a sandbox besides its state.
type aboutSandbox struct {
	entry
	settings
}

// errNotMade is what whoever wants a sandbox is told that cannot be kept.
func errNotMade() error {
	return shop.Faultf(shop.NotKept, "The shop cannot keep the sandbox at the moment, and has not made it. Try again later.")
}

// about returns what is written of the sandbox with each of its commits.
func (box *sandbox) about(now settings) any {
	if box.shared == nil {
		box.noted.Store(box.used.Load())
	}
	return aboutSandbox{box.entry(), now}
}

// openSandbox makes the shop of a sandbox, from what was kept of it or from what it begins with.
func (s *Server) openSandbox() error {
	box, options := s.sandbox, shop.Options{Clock: s.clock.Now, Publish: s.publish}
	if box.base == nil {
		options.Secret = s.secret
		state, err := s.fresh("")
		if err == nil {
			s.shop = shop.New(state, options)
		}
		return err
	}
	journal, kept, err := s.openPart(box)
	if err != nil {
		return err
	}
	var state shop.State
	if kept == nil {
		journal.Change(func(identity *persist.Identity) { identity.Secret = s.secret })
		if state, err = s.fresh(""); err == nil && journal.Replace(&state, 0) != nil {
			err = errNotMade()
		}
	} else {
		err = s.takeOver(kept)
		s.recall(journal.Identity())
		state, options.Version = kept.State, kept.Version
	}
	if err != nil {
		return err
	}
	s.kept, options.Keeper, options.Secret = journal, journal, s.commitSecret()
	s.shop = shop.New(state, options)
	return nil
}

// openPart finds what was kept of a sandbox.
func (s *Server) openPart(box *sandbox) (*persist.Journal, *persist.Kept, error) {
	if box.shared == nil {
		return persist.OpenPart(s.options.Storage.(persist.Divided), box.part, &box.base.state, s.about, newDelivery)
	}
	journal, kept, err := persist.OpenShared(box.shared, &box.base.state, s.about, newDelivery)
	if err == nil && kept == nil && s.secret == nil { // it was not made here
		err = persist.ErrEnded
	}
	journal.OnFollow(s.takeOver)
	return journal, kept, err
}

// use notes that a sandbox was called. That is kept once in a while: when a sandbox expires need not be known to the second.
func (s *Server) use(now time.Time) {
	box, often := s.sandbox, int64(s.options.SandboxIdle/time.Second/16)
	box.used.Store(now.Unix())
	if noted := box.noted.Load(); s.kept != nil && now.Unix()-noted > often && box.noted.CompareAndSwap(noted, now.Unix()) {
		if box.shared != nil {
			s.touch()
			return
		}
		s.keepSettings()
	}
}

// goOn brings back the sandboxes of the process before, but for those that have been idle for too long.
func (b *sandboxes) goOn() error {
	if b.bases == nil || b.common != nil {
		return nil
	}
	parts, err := b.bases.parts.Parts("")
	if err != nil {
		return err
	}
	var expired []string
	taken := snapshotsByOwner(parts)
	for _, part := range parts {
		if !strings.HasPrefix(part, sandboxPart) {
			continue
		}
		var about aboutSandbox
		if err = persist.AboutPart(b.bases.parts, part, &about); err == nil && b.isIdle(about.Used) {
			expired = append(expired, part)
		} else if err == nil {
			err = b.bringBack(part, about.entry, 0, taken[part])
			delete(taken, part)
		}
		if err != nil {
			return fmt.Errorf("the sandbox %q that is kept cannot be read, and was left as it is: %w", cmp.Or(about.Name, part), err)
		}
	}
	for _, parts := range taken {
		expired = append(expired, parts...)
	}
	if expired = append(expired, b.bases.needless(parts)...); len(expired) > 0 {
		b.bases.parts.RemoveParts(expired...) //nolint:errcheck // what stays is forgotten at the next start
	}
	return nil
}

// bringBack makes a sandbox from what was kept of it, and of its snapshots.
func (b *sandboxes) bringBack(part string, about entry, revision uint64, snapshots []string) error {
	below, err := b.bases.load(about.Base)
	if err != nil {
		return err
	}
	box := &sandbox{of: b, home: b.parent.URL, starts: b.parent.starts, Sandbox: about.Sandbox, part: part, base: below, seed: about.Seed}
	from := Origin{Seed: about.Seed, SeedData: below.Seed}
	if about.ToBase {
		box.origin, from = &below.state, Origin{}
	}
	start, own, err := b.seedOf(from, b.openSeed)
	if err != nil {
		return err
	}
	defer own.release() // the sandbox holds it itself
	box.own = own
	box.used.Store(about.Used.Unix())
	box.noted.Store(about.Used.Unix())
	box.revision.Store(revision)
	if b.common != nil {
		box.shared = b.common.SharedPart(part)
	}
	made, err := b.assemble(box, start, nil, b.parent.clock.With(nil))
	if err == nil {
		err = made.takeOverSnapshots(snapshots)
	}
	if err != nil {
		b.bases.release(below)
		return err
	}
	return b.admit(made)
}

// baseOf returns the base of a sandbox that begins with a state; nil where sandboxes are not kept.
func (b *sandboxes) baseOf(state shop.State, from Origin) (*base, error) {
	if b.bases == nil {
		return nil, nil
	}
	found, err := b.bases.of(state, from.SeedData, b.parent.clock.Base())
	if err != nil {
		return nil, errors.Join(errNotMade(), err)
	}
	return found, nil
}
