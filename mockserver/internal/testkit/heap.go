package testkit

import "runtime"

// LiveHeap returns how many bytes of memory are in use after a collection.
func LiveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
