package shopmock

// A shop that lasts: where it goes on from, and what must not be drawn twice.

import (
	"errors"
	"fmt"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

// openShop makes the shop: from what was kept or, where nothing was, from the seed.
func (s *Server) openShop() error {
	options := shop.Options{Clock: s.clock.Now, Publish: s.publish}
	if s.options.Storage == nil || s.sandbox != nil {
		state, err := s.fresh("")
		if err != nil {
			return err
		}
		options.Secret = s.secret
		s.shop = shop.New(state, options)
		return nil
	}
	journal, kept, err := persist.Open(s.options.Storage)
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
	s.kept, options.Keeper, options.Secret = journal, journal, s.secret
	if kept != nil {
		options.Version = kept.Version
	}
	s.shop = shop.New(state, options)
	return nil
}

// goOn begins where an earlier process ended, and keeps that it has begun.
func (s *Server) goOn(journal *persist.Journal, kept *persist.Kept) (shop.State, error) {
	journal.Change(func(identity *persist.Identity) {
		identity.Starts++
		if kept == nil {
			identity.Secret = s.secret
		}
	})
	identity := journal.Identity()
	s.secret, s.starts = identity.Secret, identity.Starts
	s.resets.Store(identity.Resets)
	if kept != nil {
		if s.memory() == nil {
			s.since = s.clock.Now()
			if identity.SignedUntil.After(s.since) {
				s.since = identity.SignedUntil
			}
		}
		return kept.State, keptOrNot(journal.Keep(&kept.State, kept.Version, nil))
	}
	state, err := s.fresh("")
	if err != nil {
		return state, err
	}
	return state, keptOrNot(journal.Replace(&state, 0))
}

func keptOrNot(err error) error {
	if err != nil {
		return fmt.Errorf("the shop cannot be kept: %w", err)
	}
	return nil
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

// deliverySecret is what ids of deliveries are derived from. They count from one in each process, and receivers take an id once.
func (s *Server) deliverySecret() []byte {
	if s.kept == nil {
		return s.secret
	}
	return auth.Derive(s.secret, fmt.Sprint("deliveries ", s.starts))
}

// replace puts another state into the shop, while nothing is delivered.
func (s *Server) replace(by shop.State) (err error) {
	s.hooks.Reset(func() {
		if s.kept == nil {
			err = s.shop.Restore(by)
			return
		}
		s.kept.Renew(true)
		defer s.kept.Renew(false)
		err = s.shop.Restore(by)
	})
	return err
}
