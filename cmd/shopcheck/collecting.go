package main

// When memory is collected.

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// roomForARun is what the runtime may take for a run of all suites, in bytes. With what is mapped of the program's file, 31 MB, that
	// is less than 120 MB.
	roomForARun = 84 << 20
	// gcPercent is by how much the heap grows before it is collected where that is too little.
	gcPercent = 75
	// memoryLimit is from where on the collector runs often again, in bytes: a target that sends much must not cost as much.
	memoryLimit = 768 << 20
)

// collectRarely lets nothing be collected before some room is full, in bytes, as long as three quarters of it are enough for what lives:
// 40 MB do at the most in a run, and more while a busy machine is slow to collect. For most of a run that is little, and a heap that may
// only grow by a part of it is collected twice as often.
func collectRarely(room int64) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(room)
	afterCollection(func() (again bool) {
		if live() <= room/4*3 {
			return true
		}
		collectAsUsual()
		return false
	})
}

// collectAsUsual lets the heap grow by a part of what lives.
func collectAsUsual() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
}

// afterCollection calls a function soon after the next collection, and after those behind it as long as it says so.
func afterCollection(look func() (again bool)) {
	runtime.AddCleanup(new([64]byte), func(look func() bool) {
		if look() {
			afterCollection(look)
		}
	}, look)
}

// live is what the last collection has left, in bytes.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
