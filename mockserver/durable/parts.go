package durable

// The parts of a store: buckets of their own. They are on the disk when a call returns, also where the shop is kept in intervals.

import (
	"errors"
	"strings"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// partPrefix is what the names of the parts' buckets begin with.
const partPrefix = "part "

// Parts lists the names of the parts.
func (s *Store) Parts() (names []string, err error) {
	err = s.guarded(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
				if part, found := strings.CutPrefix(string(name), partPrefix); found {
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

// SavePart is Save for a part: it puts pairs in place of all that the part holds.
func (s *Store) SavePart(name string, pairs func(put func(key, value []byte) error) error) error {
	return s.write(partPrefix+name, true, pairs)
}

// RemovePart takes a part away, if it is there.
func (s *Store) RemovePart(name string) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return remove(tx, partPrefix+name) })
}

// remove takes a bucket away, if it is there.
func remove(tx *bbolt.Tx, bucket string) error {
	if err := tx.DeleteBucket([]byte(bucket)); err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
		return err
	}
	return nil
}
