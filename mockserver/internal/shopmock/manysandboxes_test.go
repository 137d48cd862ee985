//go:build unix

package shopmock_test

import (
	"testing"
	"time"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// TestTenThousandSandboxes measures what they take: time of the processor, so that a busy machine does not matter, and memory.
func TestTenThousandSandboxes(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes ten thousand shops")
	}
	const count, mostBytes, mostTime = 10_000, 24 << 10, time.Millisecond
	shop := withoutSocket(t, shopmock.Options{})
	shop.Sandbox(t)
	heap, began := testkit.LiveHeap(), testkit.ProcessorTime(t)
	for number := range count - 1 {
		if answer := direct(shop, "POST", "/_mock/sandboxes", ""); answer.Code != 201 {
			t.Fatalf("sandbox %d: %d %s", number, answer.Code, answer.Body)
		}
	}
	took, bytes := (testkit.ProcessorTime(t)-began)/count, (testkit.LiveHeap()-heap)/count
	t.Logf("each takes %s to make, and %d bytes", took, bytes)
	if took > mostTime || bytes > mostBytes {
		t.Errorf("each takes %s to make and %d bytes, want at most %s and %d", took, bytes, mostTime, mostBytes)
	}
	if answer := direct(shop, "POST", "/_mock/sandboxes", ""); answer.Code != 409 {
		t.Errorf("one more: %d", answer.Code)
	}
}
