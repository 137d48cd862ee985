//go:build unix

package testkit

import (
	"syscall"
	"testing"
	"time"
)

// ProcessorTime returns what the process has used so far: what others on the machine do is not in it.
func ProcessorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
