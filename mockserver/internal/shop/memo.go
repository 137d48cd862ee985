package shop

import "sync/atomic"

// Memo keeps one encoded form of an immutable row beside it. The zero value is empty.
type Memo struct{ kept atomic.Pointer[memo] }

type memo struct {
	stamp Stamp
	bytes []byte
}

// Stamp tells what an encoded form was made from besides its row. Two equal stamps mean equal bytes.
type Stamp struct {
	Base   string  // address that links begin with
	Terms  uint64  // version of the terms whose names show in the record
	Config *Config // settings that show in it: formats, units
}

// Get returns the kept bytes if they were made under the same stamp.
func (m *Memo) Get(stamp Stamp) ([]byte, bool) {
	if kept := m.kept.Load(); kept != nil && kept.stamp == stamp {
		return kept.bytes, true
	}
	return nil, false
}

// Keep remembers bytes made under a stamp. The caller must not change them afterwards.
func (m *Memo) Keep(stamp Stamp, bytes []byte) {
	m.kept.Store(&memo{stamp, bytes})
}
