package clock

import (
	"testing"
	"time"
)

func TestAClockIsChanged(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	evening := noon.Add(6 * time.Hour)
	yes, no := true, false
	base := noon
	c := New(func() time.Time { return base })
	for _, step := range []struct {
		name   string
		change Change
		want   time.Time // after one more hour of the base
		frozen bool
		moved  bool
	}{
		{"nothing", Change{}, noon.Add(time.Hour), false, true},
		{"set", Change{Set: &evening}, evening.Add(time.Hour), false, true},
		{"frozen where it is", Change{Freeze: &yes}, evening.Add(time.Hour), true, true},
		{"advanced while frozen", Change{Advance: time.Hour}, evening.Add(2 * time.Hour), true, true},
		{"back while frozen", Change{Advance: -2 * time.Hour}, evening, true, true},
		{"set while frozen", Change{Set: &noon}, noon, true, true},
		{"resumed", Change{Freeze: &no}, noon.Add(time.Hour), false, true},
		{"all at once", Change{Set: &noon, Advance: time.Minute, Freeze: &yes}, noon.Add(time.Minute), true, true},
		{"frozen anew", Change{Reset: true, Freeze: &yes}, noon.Add(8 * time.Hour), true, true},
		{"reset", Change{Reset: true}, noon.Add(10 * time.Hour), false, false},
	} {
		if err := c.Change(step.change); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		base = base.Add(time.Hour)
		if got := c.Now(); !got.Equal(step.want) || c.Frozen() != step.frozen || c.Moved() != step.moved {
			t.Errorf("%s: %s, frozen %t, moved %t; want %s, %t, %t",
				step.name, got, c.Frozen(), c.Moved(), step.want, step.frozen, step.moved)
		}
	}
}

func TestAClockThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	c := New(nil)
	early, late := time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, change := range []Change{{Set: &early}, {Set: &late}, {Advance: 1<<63 - 1}, {Advance: -1 << 63}} {
		if err := c.Change(change); err == nil || !c.IsSystem() {
			t.Errorf("%+v: %v, the system's clock: %t", change, err, c.IsSystem())
		}
	}
}

func TestACopyGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	c := New(nil)
	if err := c.Change(Change{Advance: time.Hour, Freeze: new(true)}); err != nil {
		t.Fatal(err)
	}
	other := c.Copy()
	if !other.Now().Equal(c.Now()) {
		t.Error("the copy shows another time")
	}
	if err := other.Change(Change{Reset: true}); err != nil || !c.Frozen() {
		t.Errorf("the copy changes the clock that it was made of, or %v", err)
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"36h": 36 * time.Hour, "30d": 720 * time.Hour, "-2d": -48 * time.Hour, "-15m": -15 * time.Minute,
		"0d": 0, "1h30m": 90 * time.Minute,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "1", "1.5d", "2147483647d", "999999999999d", "1d2h", "soon", "1e3h9"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
