//go:build unix

package persist_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"shopcheck/mockserver/internal/persist"
)

// BenchmarkOpen also tells the processor time, which other programs disturb less.
func BenchmarkOpen(b *testing.B) {
	for _, count := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			kept := products(b, count)
			before := processorTime(b)
			b.ResetTimer()
			for b.Loop() {
				if _, found, err := persist.Open(kept, nil, nil); err != nil || found.State.Products.Len() != count {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
