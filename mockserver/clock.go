package mockserver

// The shop's clock: sales, coupons, nonces, tokens, held stock and the Date of answers go by it.

import (
	"time"

	"shopcheck/mockserver/internal/clock"
)

// Now returns the time as the shop has it.
func (s *Server) Now() time.Time { return s.shop.Clock().Now() }

// FreezeClock lets the shop's clock stand. It returns an error, and changes nothing, only where the shop has replicas, which share the
// clock, and does not reach what they share: call it again later. Without replicas nobody needs to look at the error.
func (s *Server) FreezeClock() error { return s.shop.ChangeClock(clock.Change{Freeze: new(true)}) }

// ResumeClock lets a clock that stands run on from there. Its error is as that of FreezeClock.
func (s *Server) ResumeClock() error { return s.shop.ChangeClock(clock.Change{Freeze: new(false)}) }

// SetClock lets the shop's clock show a moment; it goes on from there, or stands if it is frozen. What the time brings about is done when
// it returns. A moment before 2000 or after 2199 is an error, which changes nothing. The other errors are that of FreezeClock, and that
// the shop goes back in time and cannot be kept.
func (s *Server) SetClock(now time.Time) error { return s.shop.ChangeClock(clock.Change{Set: &now}) }

// AdvanceClock moves the shop's clock on, or back by a negative time. The rest is as with SetClock.
func (s *Server) AdvanceClock(by time.Duration) error {
	return s.shop.ChangeClock(clock.Change{Advance: by})
}

// ResetClock lets the shop's clock follow that of the server again: Options.Clock, or the system's. The errors are those of SetClock.
func (s *Server) ResetClock() error { return s.shop.ChangeClock(clock.Change{Reset: true}) }
