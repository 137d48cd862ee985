package journal

// ring keeps the newest blobs, up to a number and up to a size in bytes. Its memory grows with what it is given, and is then used again:
// the collector has nothing to do with it.
type ring struct {
	maxCount, maxSize int

	memory []byte
	end    int    // where the newest blob ends
	kept   []span // oldest first
	first  int64  // number of the oldest blob that is kept, or of the next one
}

// span is where a blob lies.
type span struct{ from, size int }

func (s span) end() int { return s.from + s.size }

const leastMemory = 4 << 10 // bytes

// add keeps a blob, which must not be larger than the ring, and returns its number; they count from 1.
func (r *ring) add(blob []byte) int64 {
	if len(r.kept) == r.maxCount {
		r.drop(1)
	}
	from := r.place(len(blob))
	copy(r.memory[from:], blob)
	r.kept = append(r.kept, span{from, len(blob)})
	r.end = from + len(blob)
	return r.last()
}

// last is the number of the newest blob.
func (r *ring) last() int64 { return r.first + int64(len(r.kept)) - 1 }

// place makes room for a blob and returns where.
func (r *ring) place(size int) int {
	if len(r.kept) == 0 {
		r.end = 0
	}
	from := r.end
	if from+size > r.maxSize { // the blobs from here to the end of the memory are the oldest ones
		r.dropWhile(func(oldest span) bool { return oldest.from >= from })
		from = 0
	}
	r.dropWhile(func(oldest span) bool { return oldest.from < from+size && oldest.end() > from })
	if needed := from + size; needed > len(r.memory) {
		grown := make([]byte, min(r.maxSize, max(needed, 2*len(r.memory), leastMemory)))
		copy(grown, r.memory)
		r.memory = grown
	}
	return from
}

func (r *ring) dropWhile(holds func(oldest span) bool) {
	gone := 0
	for gone < len(r.kept) && holds(r.kept[gone]) {
		gone++
	}
	r.drop(gone)
}

func (r *ring) drop(count int) {
	r.kept = r.kept[count:]
	r.first += int64(count)
}

// get returns a blob by its number, nil when it is not kept. It is good until the next add.
func (r *ring) get(number int64) []byte {
	if number < r.first || number > r.last() {
		return nil
	}
	at := r.kept[number-r.first]
	return r.memory[at.from:at.end()]
}

// clear forgets all blobs; the numbers go on.
func (r *ring) clear() {
	r.first += int64(len(r.kept))
	r.kept, r.memory, r.end = nil, nil, 0
}
