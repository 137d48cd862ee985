package state

// Sets of ids: ascending chunks, each a small set that is never written while
// anybody else may see it.

import (
	"cmp"
	"slices"
)

// chunk holds the ids that share their high bits.
type chunk struct {
	high   int64 // id >> chunkBits
	edit   uint64
	places // the low bits of the ids, never empty
}

// idSet is an immutable set of ids: its chunks by ascending high bits.
type idSet []chunk

func highOf(id int64) int64         { return id >> chunkBits }
func lowOf(id int64) uint16         { return uint16(id & (chunkSize - 1)) }
func (c chunk) id(low uint16) int64 { return c.high<<chunkBits | int64(low) }

// find answers the index of the chunk with the high bits, or where it would be.
// Ids mostly come without gaps, and then the first guess is right.
func (s idSet) find(high int64) (int, bool) {
	if len(s) > 0 {
		if guess := high - s[0].high; guess >= 0 && guess < int64(len(s)) && s[guess].high == high {
			return int(guess), true
		}
	}
	return slices.BinarySearchFunc(s, high, func(c chunk, high int64) int { return cmp.Compare(c.high, high) })
}

func (s idSet) contains(id int64) bool {
	i, ok := s.find(highOf(id))
	return ok && s[i].contains(lowOf(id))
}

func (s idSet) len() int {
	n := 0
	for i := range s {
		n += s[i].n
	}
	return n
}

// each calls yield with every id, ascending, until it answers false.
func (s idSet) each(yield func(int64) bool) {
	for i := range s {
		if c := &s[i]; !c.each(func(low uint16) bool { return yield(c.id(low)) }) {
			return
		}
	}
}

// page answers the ids at the positions [from, to), ascending.
func (s idSet) page(from, to int) []int64 {
	ids := make([]int64, 0, to-from)
	for _, c := range s {
		if len(ids) == cap(ids) {
			break
		}
		if from >= c.n {
			from -= c.n
			continue
		}
		ids = c.appendFrom(ids, from)
		from = 0
	}
	return ids
}

// appendFrom fills ids up to its capacity, beginning at a position inside the chunk.
func (c chunk) appendFrom(ids []int64, position int) []int64 {
	c.each(func(low uint16) bool {
		if position > 0 {
			position--
			return true
		}
		ids = append(ids, c.id(low))
		return len(ids) < cap(ids)
	})
	return ids
}

// slab is room for the bitmaps of one result, allocated at once.
type slab []bitmap

func newSlab(n int) slab { return make(slab, n) }

// next returns the next bitmap, empty.
func (s *slab) next() *bitmap {
	first := &(*s)[0]
	*s = (*s)[1:]
	return first
}

// intersect answers the ids in both sets.
func (s idSet) intersect(r idSet) idSet {
	room := newSlab(min(len(s), len(r)))
	both := make(idSet, 0, min(len(s), len(r)))
	for len(s) > 0 && len(r) > 0 {
		switch cmp.Compare(s[0].high, r[0].high) {
		case -1:
			s = s[1:]
		case 1:
			r = r[1:]
		default:
			both = both.with(s[0].high, s[0].and(&r[0].places, room.next()))
			s, r = s[1:], r[1:]
		}
	}
	return both
}

// subtract answers the ids of s that are not in r.
func (s idSet) subtract(r idSet) idSet {
	room := newSlab(min(len(s), len(r)))
	rest := make(idSet, 0, len(s))
	for _, c := range s {
		if i, ok := r.find(c.high); ok {
			rest = rest.with(c.high, c.andNot(&r[i].places, room.next()))
		} else {
			rest = append(rest, c)
		}
	}
	return rest
}

// union answers the ids in any of the two sets.
func (s idSet) union(r idSet) idSet {
	if len(s) == 0 {
		return r
	}
	var all idSet
	for len(s) > 0 && len(r) > 0 {
		switch cmp.Compare(s[0].high, r[0].high) {
		case -1:
			all, s = append(all, s[0]), s[1:]
		case 1:
			all, r = append(all, r[0]), r[1:]
		default:
			all = all.with(s[0].high, s[0].or(&r[0].places, new(bitmap)))
			s, r = s[1:], r[1:]
		}
	}
	return append(append(all, s...), r...)
}

// with appends a chunk, unless it is empty.
func (s idSet) with(high int64, low places) idSet {
	if low.n == 0 {
		return s
	}
	return append(s, chunk{high: high, places: low})
}

// setOf answers the set of the ids, in whatever order they come.
func setOf(ids []int64) idSet {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	var s idSet
	for _, id := range slices.Compact(sorted) {
		s = s.appendID(id)
	}
	return s
}

// appendID puts in an id that is above those in the set, which nobody
// else may have seen yet.
func (s idSet) appendID(id int64) idSet {
	if n := len(s); n == 0 || s[n-1].high != highOf(id) {
		s = append(s, chunk{high: highOf(id)})
	}
	s[len(s)-1].add(lowOf(id))
	return s
}

// collector gathers many members of a known set in any order, a bit each.
type collector struct {
	universe idSet
	found    []*bitmap // by index of the universe's chunks, nil while empty
}

func newCollector(universe idSet) collector {
	return collector{universe, make([]*bitmap, len(universe))}
}

// add puts in a member of the universe.
func (c collector) add(id int64) {
	i, _ := c.universe.find(highOf(id))
	if c.found[i] == nil {
		c.found[i] = new(bitmap)
	}
	low := lowOf(id)
	c.found[i][low/64] |= 1 << (low % 64)
}

// set answers what was collected; the collector is of no use after it.
func (c collector) set() idSet {
	var s idSet
	for i, found := range c.found {
		if found != nil {
			s = s.with(c.universe[i].high, placesOf(found, found.count()))
		}
	}
	return s
}

// posting is a set that a version writes to. Its slice and its chunks are shared
// with other versions, except those that carry the writer's edit mark.
type posting struct {
	ids   idSet
	count int
	edit  uint64
}

// note brings the set in line with an id that was in it or not, and is to be in it or not.
func (p *posting) note(edit uint64, id int64, was, is bool) {
	switch {
	case is && !was:
		p.add(edit, id)
	case was && !is:
		p.remove(edit, id)
	}
}

// add puts an id in that is not there.
func (p *posting) add(edit uint64, id int64) {
	p.own(edit)
	p.count++
	i, ok := p.ids.find(highOf(id))
	if !ok {
		p.ids = slices.Insert(p.ids, i, chunk{high: highOf(id), edit: edit})
	}
	p.ids[i].own(edit)
	p.ids[i].add(lowOf(id))
}

// remove takes an id out that is there.
func (p *posting) remove(edit uint64, id int64) {
	p.own(edit)
	p.count--
	i, _ := p.ids.find(highOf(id))
	p.ids[i].own(edit)
	p.ids[i].remove(lowOf(id))
	if p.ids[i].n == 0 {
		p.ids = slices.Delete(p.ids, i, i+1)
	}
}

// own makes the slice of chunks private to the edit.
func (p *posting) own(edit uint64) {
	if p.edit != edit {
		p.ids, p.edit = slices.Clone(p.ids), edit
	}
}

// own makes the chunk's places private to the edit.
func (c *chunk) own(edit uint64) {
	if c.edit != edit {
		c.places, c.edit = c.clone(), edit
	}
}
