package journal

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestTheRingTakesNoMoreThanItMay adds blobs of all sizes, some of which end in bytes that need not be copied. What is kept, and what has
// been let go but not given back, is never more than the ring may take; the newest blobs are whole.
func TestTheRingTakesNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	const most = 64 << 10
	for seed := range uint64(8) {
		draw := rand.New(rand.NewPCG(seed, 1))
		r := ring{maxCount: 50, maxSize: most, first: 1}
		var told [][]byte
		for range 1000 {
			blob := bytes.Repeat([]byte{byte(len(told))}, 1+draw.IntN(1+draw.IntN(8<<10)))
			var end []byte
			if draw.IntN(3) > 0 {
				end = bytes.Repeat([]byte{byte(len(told)), 1}, draw.IntN(8<<10))
			}
			told = append(told, append(bytes.Clone(blob), end...))
			constant := draw.IntN(2) == 0
			last := r.add(blob, end, constant)
			if clear(blob); !constant {
				clear(end)
			}
			shared := 0
			for i := range r.kept {
				shared += len(r.kept[i].constant)
			}
			if int(last) != len(told) || shared != r.shared || len(r.memory)+shared > most {
				t.Fatalf("blob %d of %d: %d bytes of memory and %d of constants, counted as %d, want %d at most",
					last, len(told), len(r.memory), shared, r.shared, most)
			}
			for id := r.first; id <= last; id++ {
				if blob, constant := r.get(id); !bytes.Equal(append(bytes.Clone(blob), constant...), told[id-1]) {
					t.Fatalf("after %d blobs the one with the number %d is torn", last, id)
				}
			}
		}
	}
}

// TestAnEndThatIsCopiedMakesNoGarbage adds blobs to a ring without much room, which copies their ends though they never change.
func TestAnEndThatIsCopiedMakesNoGarbage(t *testing.T) {
	r := ring{maxCount: 100, maxSize: 64 << 10, first: 1}
	head, end := make([]byte, 1<<10), make([]byte, 4<<10)
	for range 100 {
		r.add(head, end, false)
	}
	if 2*len(r.memory) <= r.maxSize {
		t.Fatalf("there is much room beside %d bytes", len(r.memory))
	}
	if objects := testing.AllocsPerRun(100, func() { r.add(head, end, true) }); objects >= 1 {
		t.Errorf("a blob makes %.0f objects, want none", objects)
	}
}
