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
			var constant []byte
			if draw.IntN(2) == 0 {
				constant = bytes.Repeat([]byte{byte(len(told)), 1}, draw.IntN(8<<10))
			}
			told = append(told, append(bytes.Clone(blob), constant...))
			last := r.add(bytes.Clone(blob), constant)
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
