// Package collector tells the programs when memory was collected, and what it has left.
package collector

import (
	"runtime"
	"runtime/metrics"
)

// After calls a function soon after the next collection, and after those behind it as long as it says so.
func After(look func() (again bool)) {
	runtime.AddCleanup(new([64]byte), func(look func() bool) {
		if look() {
			After(look)
		}
	}, look)
}

// Live is what the last collection has left, in bytes; 0 before the first.
func Live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
