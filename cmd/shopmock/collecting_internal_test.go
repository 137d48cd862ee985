package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"shopcheck/cmd/collector"
)

// percentNow is how much the heap may grow before it is collected.
func percentNow() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// collectUntil collects until the percentage is that for what lives, or often: what comes after a collection comes some time after it.
func collectUntil(t *testing.T, want func() int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); percentNow() != want(); runtime.GC() {
		if time.Now().After(end) {
			t.Fatalf("the heap may grow by %d %%, want %d", percentNow(), want())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestGarbageGrowsWithWhatLives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		live    int64 // MB
		percent int
	}{{0, 3200}, {4, 3200}, {8, 1600}, {64, 200}, {100, 200}, {512, 200}, {800, 128}, {1024, 100}, {3000, 100}} {
		if percent := percentFor(c.live << 20); percent != c.percent {
			t.Errorf("beside %d MB the heap may grow by %d %%, want %d", c.live, percent, c.percent)
		}
	}
}

// TestTheCollectorWaitsForAUsualShopAndHurriesForALargeOne builds shops that are ready before the first collection, and after it.
func TestTheCollectorWaitsForAUsualShopAndHurriesForALargeOne(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	usual := func() int { return percentFor(collector.Live()) }
	ctx, stop := context.WithCancel(t.Context())
	built := collectLater(ctx)
	if percentNow() < 1000 {
		t.Errorf("while a shop is built the heap may grow by %d %% only", percentNow())
	}
	built()
	collectUntil(t, usual)
	stop()
	built = collectLater(t.Context())
	collectUntil(t, func() int { return 25 })
	built()
	if percentNow() != usual() {
		t.Errorf("once a large shop is built the heap may grow by %d %%, want %d", percentNow(), usual())
	}
}

func TestTheEnvironmentSaysWhenMemoryIsCollected(t *testing.T) {
	t.Setenv("GOGC", "77")
	before := percentNow()
	collectLater(t.Context())()
	if percentNow() != before {
		t.Errorf("the heap may grow by %d %%, want %d as before", percentNow(), before)
	}
}
