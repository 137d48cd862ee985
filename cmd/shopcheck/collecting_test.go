package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"shopcheck/cmd/collector"
)

// percentNow is by how much the heap may grow before it is collected, math.MaxUint64 where that alone lets nothing be collected.
func percentNow() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// It does not run beside others, whose memory would be counted. What those before it have left has its room.
func TestTheCollectorIsRareUntilMuchLives(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	runtime.GC()
	room := 2*collector.Live() + roomForARun
	collectRarely(room)
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if limit := debug.SetMemoryLimit(-1); percentNow() != math.MaxUint64 || limit != room {
		t.Errorf("while little lives the heap may grow by %d %% and to %d bytes", percentNow(), limit)
	}
	much := make([]byte, room)
	for end := time.Now().Add(10 * time.Second); percentNow() != gcPercent; runtime.GC() {
		if time.Now().After(end) {
			t.Fatalf("when much lives the heap may grow by %d %%, want %d", percentNow(), gcPercent)
		}
	}
	if limit := debug.SetMemoryLimit(-1); limit != memoryLimit {
		t.Errorf("when much lives the limit is %d", limit)
	}
	runtime.KeepAlive(much)
}
