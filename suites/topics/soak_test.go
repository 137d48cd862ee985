package topics_test

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// What the process may keep of a run besides its carts, for which the clock runs on: memories of sessions and answers, which are bounded.
const (
	keptOfARun = 800 << 10 // bytes
	keptOfAll  = 48 << 20
)

// TestRunsLeaveNoMemoryBehind makes some runs in a row against one shop, of the topics that make most records. SOAK=30m makes runs of all
// topics for that time. Runs that left the encoded form of each deleted record behind kept 1.3 MB each.
func TestRunsLeaveNoMemoryBehind(t *testing.T) {
	enough, label := func(runs int, _ time.Time) bool { return runs == 5 }, "products || cart"
	if text := os.Getenv("SOAK"); text != "" {
		long, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		enough = func(_ int, began time.Time) bool { return time.Since(began) > long }
		label = "!feature:oauth1" // signatures are good for minutes of the shop's clock
	}
	server, began := mockserver.Start(t), time.Now()
	warm, running := uint64(0), 0
	for runs := 0; !enough(runs, began); runs++ {
		soak(t, server, label)
		heap, alive := memoryInUse(), goroutines()
		for patience := time.Now().Add(10 * time.Second); runs > 1 && alive > running && time.Now().Before(patience); {
			time.Sleep(10 * time.Millisecond) // connections are being closed
			alive = goroutines()
		}
		t.Logf("run %d: %.1f MB in use, %d goroutines", runs+1, float64(heap)/(1<<20), alive)
		if runs < 2 { // the journal fills up, pools are made
			warm, running = heap, alive
			continue
		}
		if limit := warm + uint64(min((runs-1)*keptOfARun, keptOfAll)); heap > limit || alive > running {
			t.Errorf("after %d runs %d bytes are in use, after two %d: more than %d; %d goroutines after %d",
				runs+1, heap, warm, limit, alive, running)
		}
	}
}

// soak makes a run, and lets so much time pass that the shop forgets its carts.
func soak(t *testing.T, server *mockserver.Server, label string) {
	t.Helper()
	report, err := suites.Run(context.Background(),
		suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Label: label})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != reports.Conformant {
		t.Errorf("the verdict is %s: %v", report.Verdict, report.Reasons)
	}
	if err := server.AdvanceClock(31 * 24 * time.Hour); err != nil {
		t.Fatal(err)
	}
}

// memoryInUse is what the garbage collector leaves; the second round frees what finalizers held.
func memoryInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// goroutines counts those that run, but for ginkgo's: each call of it leaves one behind, which waits for an interrupt.
func goroutines() int {
	stacks, alive := make([]byte, 8<<20), 0
	for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if !strings.Contains(stack, "ginkgo/v2/internal/interrupt_handler") {
			alive++
		}
	}
	return alive
}
