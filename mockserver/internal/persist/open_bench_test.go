//go:build unix

package persist_test

import (
	"fmt"
	"testing"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/testkit"
)

// BenchmarkOpen also tells the processor time, which other programs disturb less.
func BenchmarkOpen(b *testing.B) {
	for _, count := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			kept := products(b, count)
			before := testkit.ProcessorTime(b)
			b.ResetTimer()
			for b.Loop() {
				if _, found, err := persist.Open(kept, nil, nil); err != nil || found.State.Products.Len() != count {
					b.Fatal(err)
				}
			}
			b.ReportMetric((testkit.ProcessorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}
