package shopmock

// A shop that lasts: where it goes on from, and what must not be drawn twice.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
	"shopcheck/mockserver/internal/webhooks"
)

// openShop makes the shop: from what was kept or, where nothing was, from the seed.
func (s *Server) openShop() error {
	if s.sandbox != nil {
		return s.openSandbox()
	}
	options := shop.Options{Clock: s.clock.Now, Publish: s.publish}
	if s.options.Storage == nil {
		state, err := s.fresh("")
		if err != nil {
			return err
		}
		options.Secret = s.secret
		s.shop = shop.New(state, options)
		return nil
	}
	journal, kept, err := persist.Open(s.options.Storage, s.about, newDelivery)
	journal.OnFollow(s.takeOver)
	if err == nil {
		err = s.takeOver(kept)
	}
	if err != nil {
		return fmt.Errorf("the shop that is kept cannot be read, and was left as it is: %w", err)
	}
	state, err := s.goOn(journal, kept)
	for first := (*shop.Overtaken)(nil); errors.As(err, &first); { // other replicas write meanwhile, or have begun themselves
		kept = &persist.Kept{State: *first.By, Version: first.Version}
		state, err = s.goOn(journal, kept)
	}
	if err != nil {
		return err
	}
	s.kept, options.Keeper, options.Secret = journal, journal, s.commitSecret()
	if kept != nil {
		options.Version = kept.Version
	}
	s.shop = shop.New(state, options)
	return nil
}

// newDelivery makes a row of the outbox.
func newDelivery() state.Row { return new(webhooks.Delivery) }

// settings are what is kept of a shop besides what it knows.
type settings struct {
	Clock   *clock.Setting
	Faults  faults.Document
	Tallies []faults.Tally // what all replicas have counted
}

// settings returns those of now. Without others who count a process begins to count anew.
func (s *Server) settings() settings {
	now := settings{Clock: s.clock.Setting(), Faults: s.faults.Document()}
	if s.shared() != nil {
		now.Tallies = s.faults.Tallies()
	}
	return now
}

// about returns what is to be known of the shop with each of its commits, nil for nothing.
func (s *Server) about() any {
	now := s.settings()
	switch {
	case s.sandbox != nil:
		return s.sandbox.about(now)
	case now.Clock == nil && !s.faults.Any():
		return nil
	}
	return now
}

// settle makes a change of the shop's clock or faults, and keeps it. What cannot be kept now is kept with the next change but where
// others are to know it, too: then it is not made.
func (s *Server) settle(change func() error) error {
	if s.shared() != nil {
		return s.shop.KeepChange(func() (func(), error) {
			before := s.settings()
			return func() { s.adopt(before) }, change() //nolint:errcheck // they were here before
		})
	}
	err := change()
	if err == nil {
		s.keepSettings()
	}
	return err
}

// keepSettings keeps the clock and the faults of a shop, unless others keep them as well.
func (s *Server) keepSettings() {
	if s.kept != nil && s.shared() == nil {
		s.shop.KeepAgain() //nolint:errcheck // see settle
	}
}

// takeOver goes on with the clock and the faults that were kept, if something was.
func (s *Server) takeOver(kept *persist.Kept) error {
	var before settings
	if kept == nil {
		return nil
	}
	if err := kept.About(&before); err != nil {
		return err
	}
	return s.adopt(before)
}

// adopt takes over settings. Rules that are here already go on counting, from where others are who count them, too.
func (s *Server) adopt(by settings) error {
	if !same(by.Faults, s.faults.Document()) {
		if err := s.faults.Adopt(by.Faults); err != nil {
			return err
		}
	}
	s.faults.Recount(by.Tallies)
	s.clock.Follow(s.clock.With(by.Clock))
	return nil
}

// same reports whether two documents are written alike.
func same(one, other faults.Document) bool {
	if len(one.Rules)+len(other.Rules) == 0 {
		return one.Seed == other.Seed
	}
	text, err := json.Marshal(one)
	otherText, otherErr := json.Marshal(other)
	return err == nil && otherErr == nil && bytes.Equal(text, otherText)
}

// goOn begins where an earlier process ended, and keeps that it has begun.
func (s *Server) goOn(journal *persist.Journal, kept *persist.Kept) (shop.State, error) {
	journal.Change(func(identity *persist.Identity) {
		identity.Starts++
		if kept == nil {
			identity.Secret = s.secret
		}
	})
	s.starts = journal.Identity().Starts
	s.secret = journal.Identity().Secret
	if kept != nil {
		s.recall(journal.Identity())
		return kept.State, begun(journal, journal.Keep(&kept.State, kept.Version, nil, nil))
	}
	state, err := s.fresh("")
	if err != nil {
		return state, err
	}
	return state, begun(journal, journal.Replace(&state, 0))
}

// begun waits until it is kept that the process has begun: the next one would draw the same numbers otherwise.
func begun(journal *persist.Journal, err error) error {
	if err == nil {
		err = journal.Sync()
	}
	if err != nil {
		return fmt.Errorf("the shop cannot be kept: %w", err)
	}
	return nil
}

// recall takes over what is known of the server from an earlier process.
func (s *Server) recall(identity persist.Identity) {
	s.secret = identity.Secret
	s.resets.Store(identity.Resets)
	if s.memory() == nil {
		s.since = s.clock.Now()
		if identity.SignedUntil.After(s.since) {
			s.since = identity.SignedUntil
		}
	}
}

// drawnBefore is a number that no earlier process has counted to when it drew ids and tokens.
func (s *Server) drawnBefore() uint64 { return s.starts << 40 }

// earlierNonces are those that clients have from before the process.
func (s *Server) earlierNonces() auth.Earlier {
	return auth.Earlier{Starts: s.starts, Spent: func(session string) uint32 {
		carts := s.shop.Snapshot().Carts
		if cart, known := shop.Carts.Session.Find(&carts, session); known {
			return cart.Spent
		}
		return 0
	}}
}

// keepSignedUntil keeps how late the timestamps of signed requests may be; nil where nothing is kept, or all that came are known.
func (s *Server) keepSignedUntil() func(time.Time) error {
	if s.kept == nil || s.memory() != nil {
		return nil
	}
	return func(until time.Time) error {
		s.kept.Change(func(identity *persist.Identity) { identity.SignedUntil = until })
		return s.shop.KeepAgain()
	}
}

// keepDeliveries keeps what has become of them; nil if they are not kept.
func (s *Server) keepDeliveries() func() error {
	if s.kept == nil {
		return nil
	}
	return s.shop.KeepAgain
}

// deliverySecret is what ids of deliveries are derived from. Those of one process are not those of another, and receivers
// take an id once.
func (s *Server) deliverySecret() []byte {
	if s.kept == nil {
		return s.secret
	}
	return auth.Derive(s.secret, fmt.Sprint("deliveries ", s.starts))
}

// commitSecret is what the random values of a kept shop's commits are derived from, which know their version. A process that is killed may
// have shown commits that are not on the disk: the next one makes others of the same versions.
func (s *Server) commitSecret() []byte {
	return auth.Derive(s.secret, fmt.Sprint("commits ", s.starts))
}

// replace puts another state into the shop, while nothing is delivered.
func (s *Server) replace(by shop.State) error {
	return s.hooks.Reset(func() error {
		if s.kept == nil {
			return s.shop.Restore(by)
		}
		s.kept.Renew(true)
		defer s.kept.Renew(false)
		return s.shop.Restore(by)
	})
}
