package webhooks

import "slices"

// journal keeps the newest entries, up to a number and up to a size in bytes.
type journal[E any] struct {
	maxCount, maxSize int
	size              int
	entries           []sized[E] // oldest first
}

type sized[E any] struct {
	entry E
	size  int
}

func newJournal[E any](maxCount, maxSize int) journal[E] {
	return journal[E]{maxCount: maxCount, maxSize: maxSize}
}

// add puts an entry at the end; the oldest ones make room for it.
func (j *journal[E]) add(entry E, size int) {
	j.entries = append(j.entries, sized[E]{entry, size})
	j.size += size
	for len(j.entries) > j.maxCount || j.size > j.maxSize && len(j.entries) > 1 {
		j.size -= j.entries[0].size
		j.entries[0] = sized[E]{}
		j.entries = j.entries[1:]
	}
}

// oldest returns the entry that has been kept for the longest time.
func (j *journal[E]) oldest() (entry E, any bool) {
	if len(j.entries) == 0 {
		return entry, false
	}
	return j.entries[0].entry, true
}

// list returns the entries that a condition holds for, oldest first.
func (j *journal[E]) list(holds func(E) bool) []E {
	found := []E{}
	for _, kept := range j.entries {
		if holds(kept.entry) {
			found = append(found, kept.entry)
		}
	}
	return found
}

// remove takes the entries out that a condition holds for.
func (j *journal[E]) remove(gone func(E) bool) {
	j.entries = slices.DeleteFunc(j.entries, func(kept sized[E]) bool {
		if gone(kept.entry) {
			j.size -= kept.size
			return true
		}
		return false
	})
}
