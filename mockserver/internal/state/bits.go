package state

// Small sets: the places inside one chunk.

import (
	"math/bits"
	"slices"
)

// chunkBits is how many low bits of an id address a place inside a chunk. A transaction copies each chunk that it
// writes to, of every facet, so a chunk is small: 512 bytes when it is full.
const chunkBits = 12

const (
	chunkSize  = 1 << chunkBits
	chunkWords = chunkSize / 64
	fewPlaces  = 64 // up to so many places a sorted list is smaller than a bitmap, and as quick
)

// bitmap has a bit for each place of a chunk.
type bitmap [chunkWords]uint64

// places is a set of places inside a chunk: a sorted list while they are few, else a bitmap.
type places struct {
	few  []uint16
	many *bitmap // nil while they are few
	n    int
}

func (p *places) contains(place uint16) bool {
	if p.many != nil {
		return p.many[place/64]>>(place%64)&1 == 1
	}
	_, found := slices.BinarySearch(p.few, place)
	return found
}

// clone returns a set that can be written without the other one changing.
func (p *places) clone() places {
	if p.many == nil {
		return places{few: append(make([]uint16, 0, len(p.few)+1), p.few...), n: p.n}
	}
	copied := *p.many
	return places{many: &copied, n: p.n}
}

// add puts a place in that is not there.
func (p *places) add(place uint16) {
	p.n++
	if p.many == nil && len(p.few) < fewPlaces {
		at, _ := slices.BinarySearch(p.few, place)
		p.few = slices.Insert(p.few, at, place)
		return
	}
	if p.many == nil {
		p.many, p.few = p.view(new(bitmap)), nil
	}
	p.many[place/64] |= 1 << (place % 64)
}

// remove takes a place out that is there.
func (p *places) remove(place uint16) {
	p.n--
	if p.many != nil {
		p.many[place/64] &^= 1 << (place % 64)
		return
	}
	at, _ := slices.BinarySearch(p.few, place)
	p.few = slices.Delete(p.few, at, at+1)
}

// view returns the set as a bitmap, for reading: its own, or the scratch one, which must be empty.
func (p *places) view(scratch *bitmap) *bitmap {
	if p.many != nil {
		return p.many
	}
	for _, place := range p.few {
		scratch[place/64] |= 1 << (place % 64)
	}
	return scratch
}

// placesOf returns the set of the n places that a bitmap holds. It keeps the bitmap.
func placesOf(all *bitmap, n int) places {
	if n > fewPlaces {
		return places{many: all, n: n}
	}
	few := make([]uint16, 0, n)
	all.each(func(place uint16) bool {
		few = append(few, place)
		return true
	})
	return places{few: few, n: n}
}

// and, andNot and or give what the operations leave of two sets. A result that needs a bitmap takes the one that the
// caller offers, which must be empty.

func (p *places) and(q *places, both *bitmap) places {
	if p.many == nil {
		return p.keep(func(place uint16) bool { return q.contains(place) })
	}
	if q.many == nil {
		return q.keep(func(place uint16) bool { return p.contains(place) })
	}
	n := 0
	for i := range both {
		both[i] = p.many[i] & q.many[i]
		n += bits.OnesCount64(both[i])
	}
	return placesOf(both, n)
}

func (p *places) andNot(q *places, rest *bitmap) places {
	if p.many == nil {
		return p.keep(func(place uint16) bool { return !q.contains(place) })
	}
	var scratch bitmap
	gone := q.view(&scratch)
	n := 0
	for i := range rest {
		rest[i] = p.many[i] &^ gone[i]
		n += bits.OnesCount64(rest[i])
	}
	return placesOf(rest, n)
}

func (p *places) or(q *places, all *bitmap) places {
	var scratchP, scratchQ bitmap
	a, b := p.view(&scratchP), q.view(&scratchQ)
	n := 0
	for i := range all {
		all[i] = a[i] | b[i]
		n += bits.OnesCount64(all[i])
	}
	return placesOf(all, n)
}

// keep returns those of few places that are accepted.
func (p *places) keep(accept func(uint16) bool) places {
	few := make([]uint16, 0, len(p.few))
	for _, place := range p.few {
		if accept(place) {
			few = append(few, place)
		}
	}
	return places{few: few, n: len(few)}
}

// count is the number of places in a bitmap.
func (b *bitmap) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// each yields the places in ascending order until it is told to stop, and reports whether it was not.
func (p *places) each(yield func(uint16) bool) bool {
	if p.many != nil {
		return p.many.each(yield)
	}
	for _, place := range p.few {
		if !yield(place) {
			return false
		}
	}
	return true
}

func (b *bitmap) each(yield func(uint16) bool) bool {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			if !yield(uint16(i*64 + bits.TrailingZeros64(word))) {
				return false
			}
		}
	}
	return true
}
