package main

// When memory is collected.

import (
	"runtime/debug"

	"shopcheck/cmd/collector"
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
	collector.After(func() (again bool) {
		if collector.Live() <= room/4*3 {
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
