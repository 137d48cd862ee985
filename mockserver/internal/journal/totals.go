package journal

import "sync/atomic"

// Totals count the requests of one or several journals. The zero value is ready.
type Totals struct {
	byClass [6]atomic.Uint64
	faulty  atomic.Uint64
	bytes   atomic.Uint64
}

// Counts are what Totals come to.
type Counts struct {
	ByClass [6]uint64 // requests by the first digit of the status; 0: the connection was ended without an answer
	Faulty  uint64    // those to which something was done on purpose
	Bytes   uint64    // of the bodies of the answers
}

// add counts a request.
func (t *Totals) add(e *raw) {
	if t == nil {
		return
	}
	if class := e.status / 100; class < len(t.byClass) {
		t.byClass[class].Add(1)
	}
	if e.fault != "" {
		t.faulty.Add(1)
	}
	t.bytes.Add(uint64(e.answeredLength))
}

// Counts returns what was counted so far.
func (t *Totals) Counts() Counts {
	counts := Counts{Faulty: t.faulty.Load(), Bytes: t.bytes.Load()}
	for class := range t.byClass {
		counts.ByClass[class] = t.byClass[class].Load()
	}
	return counts
}
