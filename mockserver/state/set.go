package state

// Sets of ids: ascending chunks of 65536 ids, each a bitmap that is never
// written while anybody else may see it.

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// chunkBits is how many low bits of an id address a place inside a chunk.
const chunkBits = 16

// chunk holds the ids that share their high bits.
type chunk struct {
	high int64 // id >> chunkBits
	edit uint64
	bits *roaring.Bitmap // of the low bits, never empty
}

// idSet is an immutable set of ids: its chunks by ascending high bits.
type idSet []chunk

func highOf(id int64) int64         { return id >> chunkBits }
func lowOf(id int64) uint32         { return uint32(id & (1<<chunkBits - 1)) }
func (c chunk) id(low uint32) int64 { return c.high<<chunkBits | int64(low) }
func (c chunk) len() int            { return int(c.bits.GetCardinality()) }

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
	return ok && s[i].bits.Contains(lowOf(id))
}

func (s idSet) len() int {
	n := 0
	for _, c := range s {
		n += c.len()
	}
	return n
}

// each calls yield with every id, ascending, until it answers false.
func (s idSet) each(yield func(int64) bool) {
	for _, c := range s {
		for it := c.bits.Iterator(); it.HasNext(); {
			if !yield(c.id(it.Next())) {
				return
			}
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
		if n := c.len(); from >= n {
			from -= n
			continue
		}
		ids = c.appendFrom(ids, from)
		from = 0
	}
	return ids
}

// appendFrom fills ids up to its capacity, beginning at a position inside the chunk.
func (c chunk) appendFrom(ids []int64, position int) []int64 {
	start, err := c.bits.Select(uint32(position))
	if err != nil {
		return ids
	}
	it := c.bits.Iterator()
	it.AdvanceIfNeeded(start)
	for it.HasNext() && len(ids) < cap(ids) {
		ids = append(ids, c.id(it.Next()))
	}
	return ids
}

// intersect answers the ids in both sets.
func (s idSet) intersect(r idSet) idSet {
	var both idSet
	for len(s) > 0 && len(r) > 0 {
		switch cmp.Compare(s[0].high, r[0].high) {
		case -1:
			s = s[1:]
		case 1:
			r = r[1:]
		default:
			both = both.with(s[0].high, roaring.And(s[0].bits, r[0].bits))
			s, r = s[1:], r[1:]
		}
	}
	return both
}

// subtract answers the ids of s that are not in r.
func (s idSet) subtract(r idSet) idSet {
	var rest idSet
	for _, c := range s {
		if i, ok := r.find(c.high); ok {
			rest = rest.with(c.high, roaring.AndNot(c.bits, r[i].bits))
		} else {
			rest = append(rest, c)
		}
	}
	return rest
}

// union answers the ids in any of the two sets.
func (s idSet) union(r idSet) idSet {
	var all idSet
	for len(s) > 0 && len(r) > 0 {
		switch cmp.Compare(s[0].high, r[0].high) {
		case -1:
			all, s = append(all, s[0]), s[1:]
		case 1:
			all, r = append(all, r[0]), r[1:]
		default:
			all = all.with(s[0].high, roaring.Or(s[0].bits, r[0].bits))
			s, r = s[1:], r[1:]
		}
	}
	return append(append(all, s...), r...)
}

// with appends a chunk, unless it is empty.
func (s idSet) with(high int64, bits *roaring.Bitmap) idSet {
	if bits.IsEmpty() {
		return s
	}
	return append(s, chunk{high: high, bits: bits})
}

// setOf answers the set of the ids, in whatever order they come.
func setOf(ids []int64) idSet {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	var s idSet
	for _, id := range sorted {
		s = s.appendID(id)
	}
	return s
}

// appendID puts in an id that is not below those in the set, which nobody
// else may have seen yet.
func (s idSet) appendID(id int64) idSet {
	if n := len(s); n == 0 || s[n-1].high != highOf(id) {
		s = append(s, chunk{high: highOf(id), bits: roaring.New()})
	}
	s[len(s)-1].bits.Add(lowOf(id))
	return s
}

// collector gathers many members of a known set in any order, a bit each.
type collector struct {
	universe idSet
	words    [][]uint64 // by index of the universe's chunks, nil while empty
}

// chunkWords is the size of a chunk as plain bits.
const chunkWords = 1 << chunkBits / 64

func newCollector(universe idSet) collector {
	return collector{universe, make([][]uint64, len(universe))}
}

// add puts in a member of the universe.
func (c collector) add(id int64) {
	i, _ := c.universe.find(highOf(id))
	if c.words[i] == nil {
		c.words[i] = make([]uint64, chunkWords)
	}
	low := lowOf(id)
	c.words[i][low/64] |= 1 << (low % 64)
}

// set answers what was collected; the collector is of no use after it.
func (c collector) set() idSet {
	var s idSet
	for i, words := range c.words {
		if words != nil {
			s = s.with(c.universe[i].high, roaring.FromDense(words, false))
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

// add puts an id in that is not there.
func (p *posting) add(edit uint64, id int64) {
	p.own(edit)
	p.count++
	i, ok := p.ids.find(highOf(id))
	if !ok {
		p.ids = slices.Insert(p.ids, i, chunk{high: highOf(id), edit: edit, bits: roaring.New()})
	}
	p.ids[i].own(edit)
	p.ids[i].bits.Add(lowOf(id))
}

// remove takes an id out that is there.
func (p *posting) remove(edit uint64, id int64) {
	p.own(edit)
	p.count--
	i, _ := p.ids.find(highOf(id))
	p.ids[i].own(edit)
	p.ids[i].bits.Remove(lowOf(id))
	if p.ids[i].bits.IsEmpty() {
		p.ids = slices.Delete(p.ids, i, i+1)
	}
}

// own makes the slice of chunks private to the edit.
func (p *posting) own(edit uint64) {
	if p.edit != edit {
		p.ids, p.edit = slices.Clone(p.ids), edit
	}
}

// own makes the chunk's bitmap private to the edit.
func (c *chunk) own(edit uint64) {
	if c.edit != edit {
		c.bits, c.edit = c.bits.Clone(), edit
	}
}
