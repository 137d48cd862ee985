package journal

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestTheRingTakesNoMoreThanItMay adds entries of all sizes, some of whose answers need not be copied: large ones for a while, then small
// ones. What is kept, and what has been let go but not given back, is never more than the ring may take; the newest entries are whole.
func TestTheRingTakesNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	const most = 64 << 10
	for seed := range uint64(8) {
		draw := rand.New(rand.NewPCG(seed, 1))
		r := ring{maxCount: 50, maxSize: most, first: 1}
		var told []raw
		for number := range 1000 {
			body := func() []byte {
				return bytes.Repeat([]byte{byte(number), byte(draw.Int())}, draw.IntN(1+draw.IntN(4<<(10*(number/100%2)))))
			}
			e := raw{sentBody: body(), answeredBody: body(), constant: draw.IntN(2) == 0}
			told = append(told, e.lasting())
			last := r.add(&e, draw.IntN(1+draw.IntN(2<<10)))
			if clear(e.sentBody); !e.constant {
				clear(e.answeredBody)
			}
			beside, copied := 0, 0
			for _, at := range r.spans {
				beside, copied = beside+at.beside, copied+at.size
			}
			if int(last) != len(told) || beside != r.beside || copied != r.copied || len(r.memory)+beside > most {
				t.Fatalf("entry %d of %d: %d bytes of memory, %d in use, counted as %d, and %d beside, counted as %d, want %d at most",
					last, len(told), len(r.memory), copied, r.copied, beside, r.beside, most)
			}
			for id := r.first; id <= last; id++ {
				if e, kept := r.get(id); !kept || !bytes.Equal(e.sentBody, told[id-1].sentBody) ||
					!bytes.Equal(e.answeredBody, told[id-1].answeredBody) {
					t.Fatalf("after %d entries the one with the number %d is torn", last, id)
				}
			}
		}
	}
}

// TestLargeBodiesLeaveRoom fills a ring with large bodies and then adds entries without any: as many are kept as if there had been none.
func TestLargeBodiesLeaveRoom(t *testing.T) {
	t.Parallel()
	r := ring{maxCount: 1000, maxSize: 64 << 10, first: 1}
	for range 100 {
		r.add(&raw{answeredBody: make([]byte, 4<<10)}, 100)
	}
	for range 1000 {
		r.add(&raw{}, 100)
	}
	if want := r.maxSize / 100; r.count != want {
		t.Errorf("%d entries are kept, and %d bytes of memory that holds nothing, want %d entries", r.count, len(r.memory), want)
	}
}

// TestAFullRingIsHardlyMoved adds large bodies to a ring of small ones with headers of all sizes: as those go, room comes by little and
// little, but what is kept is not copied into other memory for each of them.
func TestAFullRingIsHardlyMoved(t *testing.T) {
	r := ring{maxCount: 1000, maxSize: 1 << 20, first: 1}
	body := make([]byte, 20<<10)
	for number := range 1000 {
		r.add(&raw{answeredBody: body[:400]}, 300+number*37%500)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for number := range 1000 {
		r.add(&raw{answeredBody: body[number:]}, 300+number*37%500)
	}
	runtime.ReadMemStats(&after)
	if took := int(after.TotalAlloc - before.TotalAlloc); took > 4*r.maxSize || r.copied < r.maxSize*3/4 {
		t.Errorf("1000 entries took memory for %d bytes, and %d of %d that may be kept are", took, r.copied, r.maxSize)
	}
}

// TestABodyThatIsCopiedMakesNoGarbage adds entries to a ring without much room, which copies their bodies though they never change.
func TestABodyThatIsCopiedMakesNoGarbage(t *testing.T) {
	r := ring{maxCount: 100, maxSize: 64 << 10, first: 1}
	e := raw{sentBody: make([]byte, 1<<10), answeredBody: make([]byte, 4<<10)}
	for range 100 {
		r.add(&e, 0)
	}
	if 2*len(r.memory) <= r.maxSize {
		t.Fatalf("there is much room beside %d bytes", len(r.memory))
	}
	e.constant = true
	if objects := testing.AllocsPerRun(100, func() { r.add(&e, 0) }); objects >= 1 {
		t.Errorf("an entry makes %.0f objects, want none", objects)
	}
}
