package shopmock

// The shop's clock: everything that a shop does by the time goes by it, the Date of its answers too. How long calls may take, and when
// an idle sandbox makes room, does not.

import (
	"time"

	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/shop"
)

// Clock gives the time as the shop has it.
func (s *Server) Clock() *clock.Clock { return s.clock }

// ChangeClock freezes, sets or advances the shop's clock, and does at once what that brings about: sales begin or end, orders that were
// not paid in time are cancelled. It returns an error, and changes nothing, for a moment that cannot be, and where it cannot be kept that
// prices go back.
func (s *Server) ChangeClock(change clock.Change) error {
	old := s.clock.Copy()
	before := old.Now()
	if s.shared() != nil {
		if err := s.settle(func() error { return s.clock.Change(change) }); err != nil {
			return err
		}
	} else if err := s.clock.Change(change); err != nil {
		return err
	}
	defer s.changed.Notify()
	if s.clock.Now().Truncate(time.Second).Before(before.Truncate(time.Second)) {
		if _, err := s.shop.Write((*shop.Tx).TurnBack); err != nil {
			s.goBackTo(old)
			return err
		}
	}
	s.shop.Read()
	s.keepSettings()
	return nil
}

// goBackTo lets the clock differ from its base as another one does, where the shop cannot follow it.
func (s *Server) goBackTo(old *clock.Clock) {
	s.settle(func() error { s.clock.Follow(old); return nil }) //nolint:errcheck // then prices are older than the clock
}
