package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// percentNow is how much the heap may grow before it is collected.
func percentNow() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// collectUntil collects until the percentage is this one: what comes after a collection comes some time after it.
func collectUntil(t *testing.T, percent int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); percentNow() != percent; runtime.GC() {
		if time.Now().After(end) {
			t.Fatalf("the heap may grow by %d %%, want %d", percentNow(), percent)
		}
	}
}

// TestTheCollectorWaitsForAUsualShopAndHurriesForALargeOne builds shops that are ready before the first collection, and after it.
func TestTheCollectorWaitsForAUsualShopAndHurriesForALargeOne(t *testing.T) {
	const usual, often = 123, 25
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	for range 3 { // what other tests have begun ends
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
	debug.SetGCPercent(usual)
	built := collectLater()
	if percentNow() < 1000 {
		t.Errorf("while a shop is built the heap may grow by %d %% only", percentNow())
	}
	built()
	collectUntil(t, usual)
	built = collectLater()
	collectUntil(t, often)
	built()
	if percentNow() != usual {
		t.Errorf("once a large shop is built the heap may grow by %d %%, want %d", percentNow(), usual)
	}
}
