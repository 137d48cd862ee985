package webhooks

import "slices"

// boundedLog keeps the newest entries, up to a number and up to a size in bytes.
type boundedLog[E any] struct {
	maxCount, maxSize int
	size              int
	entries           []sized[E] // oldest first
}

type sized[E any] struct {
	entry E
	size  int
}

func newBoundedLog[E any](maxCount, maxSize int) boundedLog[E] {
	return boundedLog[E]{maxCount: maxCount, maxSize: maxSize}
}

// add puts an entry at the end; the oldest ones make room for it, and are returned.
func (l *boundedLog[E]) add(entry E, size int) (gone []E) {
	l.entries = append(l.entries, sized[E]{entry, size})
	l.size += size
	for len(l.entries) > l.maxCount || l.size > l.maxSize && len(l.entries) > 1 {
		l.size -= l.entries[0].size
		gone = append(gone, l.entries[0].entry)
		l.entries[0] = sized[E]{}
		l.entries = l.entries[1:]
	}
	return gone
}

// oldest returns the entry that has been kept for the longest time.
func (l *boundedLog[E]) oldest() (entry E, any bool) {
	if len(l.entries) == 0 {
		return entry, false
	}
	return l.entries[0].entry, true
}

// list returns the entries that a condition holds for, oldest first.
func (l *boundedLog[E]) list(holds func(E) bool) []E {
	found := []E{}
	for _, kept := range l.entries {
		if holds(kept.entry) {
			found = append(found, kept.entry)
		}
	}
	return found
}

// count counts the entries that a condition holds for.
func (l *boundedLog[E]) count(holds func(E) bool) int {
	count := 0
	for _, kept := range l.entries {
		if holds(kept.entry) {
			count++
		}
	}
	return count
}

// remove takes the entries out that a condition holds for.
func (l *boundedLog[E]) remove(gone func(E) bool) {
	l.entries = slices.DeleteFunc(l.entries, func(kept sized[E]) bool {
		if gone(kept.entry) {
			l.size -= kept.size
			return true
		}
		return false
	})
}
