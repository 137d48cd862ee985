package main

// When memory is collected.

import (
	"context"
	"os"
	"runtime/debug"
	"sync"

	"shopcheck/cmd/collector"
)

// A shop may leave so much garbage before it is collected, in bytes: twice what lives, but at least what a small shop leaves in some
// thousand requests, and only as much as lives if that is more than a large shop should take of a machine's memory.
const (
	leastGarbage = 128 << 20
	mostGarbage  = 1 << 30
)

// percentFor is by how much the heap may grow from what lives to what is to be collected.
func percentFor(live int64) int {
	garbage := min(max(2*live, leastGarbage), max(live, mostGarbage))
	return int(garbage * 100 / max(live, smallestHeap))
}

// smallestHeap is what the runtime lets a heap grow from at 100 percent, in bytes.
const smallestHeap = 4 << 20

// collectLater sets when memory is collected, now and after each collection, unless the environment does. No start of a usual shop waits
// for the first one. A larger shop is collected often from then on until it is built: what is left lies between what was needed to make
// it, and nobody gives back the pages of both.
func collectLater(ctx context.Context) (built func()) {
	const (
		once  = 2000 // percent of the smallest heap
		often = 25   // percent of what lives
	)
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	debug.SetGCPercent(once)
	var mutex sync.Mutex
	var isBuilt bool
	adapt := func() (again bool) {
		if ctx.Err() != nil {
			return false
		}
		mutex.Lock()
		defer mutex.Unlock()
		switch live := collector.Live(); {
		case live == 0:
		case isBuilt:
			debug.SetGCPercent(percentFor(live))
		default:
			debug.SetGCPercent(often)
		}
		return true
	}
	collector.After(adapt)
	return func() {
		mutex.Lock()
		isBuilt = true
		mutex.Unlock()
		adapt()
	}
}
