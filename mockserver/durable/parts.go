package durable

// The parts of a store: buckets of their own.

import (
	"strings"

	"go.etcd.io/bbolt"
)

// partPrefix is what the names of the parts' buckets begin with.
const partPrefix = "part "

// Parts lists the names of the parts that begin with a text.
func (s *Store) Parts(prefix string) (names []string, err error) {
	err = s.guarded(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
				if part, found := strings.CutPrefix(string(name), partPrefix); found && strings.HasPrefix(part, prefix) {
					names = append(names, part)
				}
				return nil
			})
		})
	})
	if err != nil {
		return nil, s.damaged(err)
	}
	return names, nil
}

// LoadPart is Load for a part.
func (s *Store) LoadPart(name string, each func(key, value []byte) error) error {
	return s.load(partPrefix+name, each)
}

// SavePart is Save for a part. With anew it makes the part where it is missing, and is on the disk when it returns, however often the
// rest is; without, it does nothing where the part is missing.
func (s *Store) SavePart(name string, anew bool, pairs func(put func(key, value []byte) error) error) error {
	c := change{partPrefix + name, anew, pairs}
	if anew {
		return s.saveNow(c)
	}
	return s.save(c)
}

// RemoveParts takes parts away, in one step. One that is not there is no error.
func (s *Store) RemoveParts(names ...string) error {
	gone := make([]change, len(names))
	for i, name := range names {
		gone[i] = change{partPrefix + name, true, nil}
	}
	return s.saveNow(gone...)
}

// saveNow makes changes anew, which are on the disk when it returns.
func (s *Store) saveNow(changes ...change) error {
	if s.later != nil {
		return s.later.saveNow(changes...)
	}
	return s.writeOnce(changes...)
}
