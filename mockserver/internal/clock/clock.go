// Package clock is a clock that can be frozen, set and advanced.
package clock

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Clock shows the time of the clock that it is based on until it is changed. It is safe for concurrent use.
type Clock struct {
	base func() time.Time // nil: the system's clock

	changing sync.Mutex
	face     atomic.Pointer[face] // nil: as the base
}

// face is how a clock differs from its base.
type face struct {
	frozen bool
	stands time.Time     // where a frozen clock stands
	ahead  time.Duration // by how much another one is ahead of the base
}

// New returns a clock that shows the time of another one; nil is the system's.
func New(base func() time.Time) *Clock { return &Clock{base: base} }

// Copy returns a clock that shows the same time, on the same base, and is changed on its own.
func (c *Clock) Copy() *Clock {
	other := New(c.base)
	other.face.Store(c.face.Load())
	return other
}

// Follow makes the clock differ from its base as another one does.
func (c *Clock) Follow(other *Clock) {
	c.changing.Lock()
	defer c.changing.Unlock()
	c.face.Store(other.face.Load())
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	switch shown := c.face.Load(); {
	case shown == nil:
		return c.Base()
	case shown.frozen:
		return shown.stands
	default:
		return c.Base().Add(shown.ahead)
	}
}

// Base returns the time of the clock that this one is based on, which nothing changes.
func (c *Clock) Base() time.Time {
	if c.base == nil {
		return time.Now()
	}
	return c.base()
}

// Moved reports whether the clock was changed, so that it does not follow its base.
func (c *Clock) Moved() bool { return c.face.Load() != nil }

// IsSystem reports whether the clock is the system's.
func (c *Clock) IsSystem() bool { return c.base == nil && !c.Moved() }

// Frozen reports whether the clock stands.
func (c *Clock) Frozen() bool {
	shown := c.face.Load()
	return shown != nil && shown.frozen
}

// Setting is how a clock differs from its base, to be written down.
type Setting struct {
	Frozen bool
	Stands time.Time     // where a frozen clock stands
	Ahead  time.Duration `json:",format:nano"` // by how much another one is ahead of the base
}

// Setting returns how the clock differs from its base, nil if it does not.
func (c *Clock) Setting() *Setting {
	shown := c.face.Load()
	if shown == nil {
		return nil
	}
	return &Setting{shown.frozen, shown.stands, shown.ahead}
}

// With returns a clock on the same base that differs from it in a way.
func (c *Clock) With(setting *Setting) *Clock {
	other := New(c.base)
	if setting != nil {
		other.face.Store(&face{setting.Frozen, setting.Stands, setting.Ahead})
	}
	return other
}

// Change is what is done to a clock, in this order. What is zero or nil is not done.
type Change struct {
	Reset   bool          // follows its base again
	Set     *time.Time    // shows this moment
	Advance time.Duration // moves on by it; back when negative
	Freeze  *bool         // stands, or runs on from where it stands
}

// The moments that a clock can be set to lie between these years.
const (
	firstYear = 2000
	lastYear  = 2199
)

// Change does several things at once. It returns an error, and does nothing, for a moment that cannot be.
func (c *Clock) Change(change Change) error {
	c.changing.Lock()
	defer c.changing.Unlock()
	if change == (Change{Reset: true}) {
		c.face.Store(nil)
		return nil
	}
	now, frozen := c.Now(), c.Frozen()
	if change.Reset {
		now, frozen = c.Base(), false
	}
	if change.Set != nil {
		now = *change.Set
	}
	now = now.Add(change.Advance).UTC()
	if year := now.Year(); (change.Set != nil || change.Advance != 0) && (year < firstYear || year > lastYear) {
		return fmt.Errorf("the clock cannot show %s: take a moment from the year %d to %d", now.Format(time.RFC3339), firstYear, lastYear)
	}
	if change.Freeze != nil {
		frozen = *change.Freeze
	}
	c.face.Store(&face{frozen: frozen, stands: now, ahead: now.Sub(c.Base())})
	return nil
}

// ParseDuration reads how far a clock moves: "36h", "90s", "-15m", or whole days, "30d".
func ParseDuration(text string) (time.Duration, error) {
	days, inDays := strings.CutSuffix(text, "d")
	number, err := strconv.ParseInt(days, 10, 32)
	duration := time.Duration(number) * 24 * time.Hour
	if !inDays {
		duration, err = time.ParseDuration(text)
	}
	if err != nil || inDays && number != int64(duration/(24*time.Hour)) {
		return 0, fmt.Errorf("%q is no time to move the clock by: take 90s, 36h, 30d or -15m", text)
	}
	return duration, nil
}
