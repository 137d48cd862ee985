package journal

// ring keeps the newest blobs, up to a number and up to a size in bytes. Its memory grows with what it is given, and is then used again:
// the collector has nothing to do with it. A blob may end in bytes that never change and need not be copied; they count like its own.
type ring struct {
	maxCount, maxSize int

	memory []byte
	shared int    // bytes of all constants
	end    int    // where the newest blob ends
	kept   []span // oldest first
	first  int64  // number of the oldest blob that is kept, or of the next one
}

// span is where a blob lies, and how it ends.
type span struct {
	from, size int
	constant   []byte
}

func (s span) end() int { return s.from + s.size }

const leastMemory = 1 << 10 // bytes

// add keeps a blob that begins and ends with these bytes and is no larger than the ring, and returns its number; they count from 1. An
// end that never changes is not copied as long as there is much room.
func (r *ring) add(head, end []byte, constant bool) int64 {
	copied, shared := end, []byte(nil)
	if constant && 2*len(r.memory) <= r.maxSize {
		copied, shared = nil, end
	}
	size := len(head) + len(copied)
	for len(r.kept) == r.maxCount || len(r.kept) > 0 && max(len(r.memory), size)+r.shared+len(shared) > r.maxSize {
		r.drop(1)
	}
	r.shared += len(shared)
	from := r.place(size)
	copy(r.memory[from+copy(r.memory[from:], head):], copied)
	r.kept = append(r.kept, span{from, size, shared})
	r.end = from + size
	return r.last()
}

// last is the number of the newest blob.
func (r *ring) last() int64 { return r.first + int64(len(r.kept)) - 1 }

// place makes room for a blob and returns where: in what is free, in memory that there was not yet, or in place of the oldest ones.
func (r *ring) place(size int) int {
	for {
		if from, fits := r.gap(size); fits {
			return from
		}
		if limit := r.maxSize - r.shared; len(r.memory) < limit {
			r.grow(size, limit)
		} else {
			r.drop(1)
		}
	}
}

// gap finds room behind the newest blob or, where the memory ends there, at its beginning.
func (r *ring) gap(size int) (from int, fits bool) {
	if len(r.kept) == 0 {
		return 0, size <= len(r.memory)
	}
	oldest := r.kept[0].from
	if r.end <= oldest {
		return r.end, r.end+size <= oldest
	}
	if r.end+size <= len(r.memory) {
		return r.end, true
	}
	return 0, size <= oldest
}

// grow makes the memory larger, up to a limit, and moves all blobs to its beginning.
func (r *ring) grow(size, limit int) {
	grown := make([]byte, min(limit, max(2*len(r.memory), size, leastMemory)))
	r.end = 0
	for i := range r.kept {
		at := &r.kept[i]
		copy(grown[r.end:], r.memory[at.from:at.end()])
		at.from = r.end
		r.end = at.end()
	}
	r.memory = grown
}

func (r *ring) drop(count int) {
	for i := range r.kept[:count] {
		r.shared -= len(r.kept[i].constant)
		r.kept[i].constant = nil // the list lives on
	}
	r.kept = r.kept[count:]
	r.first += int64(count)
}

// get returns a blob by its number, nil when it is not kept, and the constant that it ends in. The blob is good until the next add.
func (r *ring) get(number int64) (blob, constant []byte) {
	if number < r.first || number > r.last() {
		return nil, nil
	}
	at := r.kept[number-r.first]
	return r.memory[at.from:at.end()], at.constant
}

// clear forgets all blobs; the numbers go on.
func (r *ring) clear() {
	r.first += int64(len(r.kept))
	r.kept, r.memory, r.shared, r.end = nil, nil, 0, 0
}
