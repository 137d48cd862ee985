package webhooks_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"shopcheck/mockserver/internal/webhooks"
)

// BenchmarkCallsBesideReceivers times calls of the management API that fire an event, and calls that fire none, for which no
// receiver matters, at a shop without webhooks and at one with ten whose receivers hang, in turn. %slower is by how much the median
// call of the second takes longer; it should be no more than 5 %.
func BenchmarkCallsBesideReceivers(b *testing.B) {
	hanging := make(chan struct{})
	alone, beside := start(b, webhooks.Settings{Timeout: time.Minute}), start(b, webhooks.Settings{Timeout: time.Minute})
	for range 10 {
		beside.hook("product.updated", receive(b, func(http.ResponseWriter, *http.Request) { <-hanging }).url)
	}
	b.Cleanup(func() { close(hanging) }) // before the receivers close, which wait for it
	shops := []*testShop{alone, beside}
	ids := []int64{alone.product("Pot"), beside.product("Pot")}
	for name, call := range map[string]func(shop, round int){
		"read":  func(shop, _ int) { shops[shop].call("GET", fmt.Sprintf("/products/%d", ids[shop]), "") },
		"write": func(shop, round int) { shops[shop].rename(ids[shop], fmt.Sprint("Pot ", round)) },
	} {
		b.Run(name, func(b *testing.B) {
			var times [2][]time.Duration
			for round := 0; b.Loop(); round++ {
				for turn := range shops {
					shop := (turn + round) % len(shops) // neither is always the first
					started := time.Now()
					call(shop, round)
					times[shop] = append(times[shop], time.Since(started))
				}
			}
			without, with := mean(times[0]), mean(times[1])
			b.ReportMetric(100*(float64(with)/float64(without)-1), "%mean-slower")
			without, with = median(times[0]), median(times[1])
			b.ReportMetric(float64(without.Nanoseconds()), "alone-ns")
			b.ReportMetric(float64(with.Nanoseconds()), "beside-ns")
			b.ReportMetric(100*(float64(with)/float64(without)-1), "%slower")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func mean(times []time.Duration) time.Duration {
	var sum time.Duration
	for _, took := range times {
		sum += took
	}
	return sum / time.Duration(len(times))
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
