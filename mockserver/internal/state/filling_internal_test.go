package state

import (
	"runtime"
	"slices"
	"testing"
)

// TestFilling compares what it yields with the places themselves.
func TestFilling(t *testing.T) {
	t.Parallel()
	for _, places := range []int{0, 1, 2, 31, 32, 1000} {
		order := slices.Collect(filling(places))
		slices.Sort(order)
		for i := range places {
			if len(order) != places || order[i] != i {
				t.Fatalf("%d places: %v", places, order)
			}
		}
	}
	for range filling(100) {
		break // which an iterator must bear
	}
}

// TestTreesThatAreFilledHaveLittleRoomLeft weighs one. Half empty nodes would take more than twice what is in them.
func TestTreesThatAreFilledHaveLittleRoomLeft(t *testing.T) {
	const count, net = 100_000, 16 // bytes of an entry
	entries := make([]entry, count)
	for i := range entries {
		entries[i] = entry{Key{Num: int64(i)}, int64(i)}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tree := newOrderedTree(true)
	tree.entries.load(entries)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(entries)
	if taken := int64(after.HeapAlloc-before.HeapAlloc) / count; taken > net*3/2 || tree.entries.Len() != count {
		t.Errorf("%d bytes an entry, of %d entries; it has %d", taken, tree.entries.Len(), net)
	}
}
