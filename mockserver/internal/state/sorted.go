package state

// The answer that costs most: a set of ids, asked for in an order.

import (
	"math/bits"
	"slices"
	"sync"
)

// sorted is the answer when a set of ids is asked for in an order.
type sorted struct {
	plan   *plan
	window span // the ranks that hold all of ids
	ids    idSet
	total  int
	ahead  trail          // of walks from the first rank
	back   trail          // of walks from the last
	all    func() []int64 // ids in order
}

func newSorted(p *plan, window span, ids idSet, total int) *sorted {
	s := &sorted{plan: p, window: window, ids: ids, total: total}
	s.all = sync.OnceValue(s.sort)
	return s
}

func (s *sorted) len() int { return s.total }

// page walks the order and picks the members of the set, from the nearer end,
// unless so many entries would have to be passed that sorting the set is cheaper.
func (s *sorted) page(from, to int) []int64 {
	near := min(to, s.total-from)
	sorting := s.total * (rowCost + bits.Len(uint(s.total)))
	switch {
	case from == to:
		return nil
	case s.window.len()*near/s.total > sorting:
		return s.all()[from:to]
	case near == to:
		return s.pick(&s.ahead, s.plan.tree.walk, func(passed int) span { return span{s.window.lo + passed, s.window.hi} }, from, to)
	default:
		ids := s.pick(
			&s.back,
			s.plan.tree.walkBack,
			func(passed int) span { return span{s.window.lo, s.window.hi - passed} },
			s.total-to,
			s.total-from,
		)
		slices.Reverse(ids)
		return ids
	}
}

// pick answers the members at the positions [from, to) of a walk. rest is what of the window follows so many entries.
func (s *sorted) pick(trail *trail, walk func(span, func(entry) bool), rest func(passed int) span, from, to int) []int64 {
	ids := make([]int64, 0, to-from)
	at := trail.enter(from)
	walk(rest(at.passed), func(e entry) bool {
		if s.ids.contains(e.id) {
			if at.position >= from {
				ids = append(ids, e.id)
			}
			at.position++
		}
		at.step()
		return at.position < to
	})
	trail.leave(at)
	return ids
}

// sort answers all members in order.
func (s *sorted) sort() []int64 {
	entries := make([]entry, 0, s.total)
	s.plan.v.eachOf(s.ids, func(id int64, row Row) {
		key, _ := s.plan.order.key(row)
		entries = append(entries, entry{key, id})
	})
	slices.SortFunc(entries, entry.compare)
	ids := make([]int64, len(entries))
	for i, e := range entries {
		ids[i] = e.id
	}
	return ids
}

// trail is what walks along an order have learned: how many members of a set are in its first stretches. The next walk can begin
// where the position that it looks for is near.
type trail struct {
	mu    sync.Mutex
	known []int // by stretch, with all before it; only ever appended to
}

// stretch is how many entries lie between two marks of a trail.
const stretch = 1024

// walked is a place on a trail: behind so many entries, and so many members among them.
type walked struct {
	passed, position int
	known            []int
}

// enter answers the last mark that is not behind a position.
func (t *trail) enter(position int) walked {
	t.mu.Lock()
	known := slices.Clip(t.known)
	t.mu.Unlock()
	behind, _ := slices.BinarySearch(known, position+1)
	if behind == 0 {
		return walked{known: known}
	}
	return walked{behind * stretch, known[behind-1], known}
}

// step goes past one entry, which may end a stretch that nobody has come to before.
func (w *walked) step() {
	w.passed++
	if w.passed%stretch == 0 && w.passed/stretch > len(w.known) {
		w.known = append(w.known, w.position)
	}
}

// leave keeps what a walk has learned.
func (t *trail) leave(w walked) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(w.known) > len(t.known) {
		t.known = w.known
	}
}
