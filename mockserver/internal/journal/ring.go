package journal

// ring keeps the newest entries, up to a number and up to a size in bytes. The bodies lie in memory that grows with what it is given, and
// is then used again: the collector has nothing to do with it. A body that never changes need not be copied; it counts like the others.
type ring struct {
	maxCount, maxSize int

	memory []byte
	copied int    // bytes of it that hold something
	beside int    // about how many bytes the entries take besides
	end    int    // where the newest bodies end
	spans  []span // each entry that is kept has the one at its number, modulo how many there are
	first  int64  // number of the oldest entry that is kept, or of the next one
	count  int    // of those that are kept
}

// span is an entry and where its bodies lie, one after the other.
type span struct {
	entry      raw // its bodies as far as they lie elsewhere
	from       int
	sent, size int // bytes of the request's body, and of both
	beside     int // what it takes besides
}

func (s *span) end() int { return s.from + s.size }

const (
	leastMemory = 1 << 10 // bytes
	leastSpans  = 1 << 3
)

// add keeps an entry that is no larger than the ring and takes so many bytes without its bodies, and returns its number; they count from
// 1. A body that never changes is not copied as long as there is much room.
func (r *ring) add(e *raw, weight int) int64 {
	added := span{entry: *e, sent: len(e.sentBody), size: len(e.sentBody), beside: weight}
	added.entry.sentBody = nil
	if e.constant && 2*len(r.memory) <= r.maxSize {
		added.beside += len(e.answeredBody)
	} else {
		added.size += len(e.answeredBody)
		added.entry.answeredBody, added.entry.constant = nil, false
	}
	r.makeRoom(&added)
	r.beside += added.beside
	added.from = r.place(added.size)
	copy(r.memory[added.from:], e.sentBody)
	if added.entry.answeredBody == nil {
		copy(r.memory[added.from+added.sent:], e.answeredBody)
	}
	if r.count == len(r.spans) {
		r.growSpans()
	}
	r.count++
	*r.span(r.last()) = added
	r.copied += added.size
	r.end = added.end()
	return r.last()
}

// makeRoom gives memory back that hardly anything lies in, and lets the oldest entries go that are too many beside another one.
func (r *ring) makeRoom(added *span) {
	if r.count == r.maxCount {
		r.drop()
	}
	for max(len(r.memory), added.size)+r.beside+added.beside > r.maxSize {
		switch {
		case 4*(r.copied+added.size) < len(r.memory):
			r.move(len(r.memory) / 2)
		case r.count > 0:
			r.drop()
		default:
			return
		}
	}
}

// last is the number of the newest entry.
func (r *ring) last() int64 { return r.first + int64(r.count) - 1 }

// span is the place of the entry with a number.
func (r *ring) span(number int64) *span { return &r.spans[number%int64(len(r.spans))] }

// growSpans makes room for more entries to be kept.
func (r *ring) growSpans() {
	old := *r
	r.spans = make([]span, min(r.maxCount, max(2*len(old.spans), leastSpans)))
	for number := r.first; number <= r.last(); number++ {
		*r.span(number) = *old.span(number)
	}
}

// place makes room for bodies and returns where: in what is free, in memory that there was not yet, or in place of the oldest ones.
func (r *ring) place(size int) int {
	for {
		if from, fits := r.gap(size); fits {
			return from
		}
		if larger := min(r.mostFor(size), max(2*len(r.memory), size, leastMemory)); r.isWorthMoving(larger, size) {
			r.move(larger)
		} else {
			r.drop()
		}
	}
}

// mostFor is how much memory bodies may take when there are to be so many bytes more: their share of what the ring may take, so that what
// entries take besides has the rest.
func (r *ring) mostFor(size int) int {
	bodies := r.copied + size
	return min(r.maxSize*bodies/max(1, bodies+r.beside), r.maxSize-r.beside)
}

// isWorthMoving reports whether so much more memory pays for copying all bodies into it, or is needed. The share of bodies changes a
// little with each entry.
func (r *ring) isWorthMoving(larger, size int) bool {
	return larger-len(r.memory) > len(r.memory)/4 || len(r.memory) < size && size <= larger
}

// gap finds room behind the newest bodies or, where the memory ends there, at its beginning.
func (r *ring) gap(size int) (from int, fits bool) {
	if r.count == 0 {
		return 0, size <= len(r.memory)
	}
	oldest := r.span(r.first).from
	if r.end <= oldest && r.copied > 0 {
		return r.end, r.end+size <= oldest
	}
	if r.end+size <= len(r.memory) {
		return r.end, true
	}
	return 0, size <= oldest
}

// move takes memory of another size, with all bodies at its beginning.
func (r *ring) move(size int) {
	memory := make([]byte, size)
	r.end = 0
	for number := r.first; number <= r.last(); number++ {
		at := r.span(number)
		copy(memory[r.end:], r.memory[at.from:at.end()])
		at.from = r.end
		r.end = at.end()
	}
	r.memory = memory
}

// drop lets the oldest entry go.
func (r *ring) drop() {
	oldest := r.span(r.first)
	r.copied -= oldest.size
	r.beside -= oldest.beside
	*oldest = span{} // the place may stay empty
	r.first++
	r.count--
}

// get returns the entry with a number, false when it is not kept. Its bodies are good until the next add.
func (r *ring) get(number int64) (e raw, kept bool) {
	if number < r.first || number > r.last() {
		return raw{}, false
	}
	at := r.span(number)
	e = at.entry
	e.sentBody = r.memory[at.from : at.from+at.sent]
	if e.answeredBody == nil {
		e.answeredBody = r.memory[at.from+at.sent : at.end()]
	}
	return e, true
}

// clear forgets all entries; the numbers go on.
func (r *ring) clear() {
	*r = ring{maxCount: r.maxCount, maxSize: r.maxSize, first: r.first + int64(r.count)}
}
